package generator

import (
	"fmt"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/internal/resp"
)

// ClusterShape says whether servers are clusters, and how those are followed.
// The zero value is single servers.
type ClusterShape struct {
	// Cluster sends every command to the node of a cluster that serves its
	// key. Connections are then clients, each with a connection to every node.
	Cluster bool
	// ReadFrom says which nodes serve commands that only read.
	ReadFrom ReadFrom
	// AddressMap is how the addresses that a cluster tells are reached.
	AddressMap conn.AddressMap
}

// ReadFrom says which nodes of a cluster serve commands that only read.
type ReadFrom uint8

const (
	// ReadPrimary is the primary of the slot, as for writes.
	ReadPrimary ReadFrom = iota
	// ReadReplica is a replica of it, where there is one.
	ReadReplica
	// ReadAny is the primary or a replica, all in turn.
	ReadAny
)

// UnmarshalText implements encoding.TextUnmarshaler.
func (r *ReadFrom) UnmarshalText(text []byte) error {
	for *r = ReadPrimary; *r <= ReadAny; *r++ {
		if r.String() == string(text) {
			return nil
		}
	}
	*r = ReadPrimary
	return fmt.Errorf("%q is not known; use primary, replica or any", text)
}

// String is "primary", "replica" or "any".
func (r ReadFrom) String() string {
	return [...]string{"primary", "replica", "any"}[min(r, ReadAny)]
}

// routes is which node serves what, at one moment. Nodes are numbered by the
// fleet. It is not changed once it is in use.
type routes struct {
	owner     [conn.NumSlots]int16 // node of each slot; -1 = none
	primaries []int                // that serve a slot
	readers   map[int][]int        // by primary: the nodes that serve its reads; nil = itself
	nodes     map[string]int       // by address
	addresses []string             // by node
}

// several tells whether there is a choice.
func (r *routes) several() bool { return r != nil && (len(r.primaries) > 1 || r.readers != nil) }

// home is the only node.
func (r *routes) home() int {
	if r == nil || len(r.primaries) == 0 {
		return 0
	}
	return r.primaries[0]
}

// with is r but for one slot, which another node serves now.
func (r *routes) with(slot, node int) *routes {
	changed := *r
	changed.owner[slot] = int16(node)
	return &changed
}

// nodeOf is the node that a rendered unit goes to.
func (w *worker) nodeOf(class int, index uint64, text []byte) int {
	if !w.routed {
		return w.home
	}
	p := &w.places[class]
	r := w.routes
	if len(r.primaries) == 0 {
		return 0 // which says that the cluster is down
	}
	primary := r.primaries[index%uint64(len(r.primaries))]
	if p.argument > 0 {
		for range p.command {
			text = text[resp.CommandLen(text):]
		}
		primary = int(r.owner[conn.KeySlot(resp.Argument(text, p.argument))])
		if primary < 0 {
			primary = r.primaries[0] // likewise
		}
	}
	if p.reads && r.readers != nil {
		if readers := r.readers[primary]; len(readers) > 0 {
			return readers[index%uint64(len(readers))]
		}
	}
	return primary
}
