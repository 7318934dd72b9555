package conn

import (
	"cmp"
	"slices"
)

// Topology is which node of a cluster serves which slot. It is not changed once
// it has been read, so several goroutines may share it.
type Topology struct {
	// Nodes are the nodes that serve slots, or that replicate those who do:
	// first the primaries in the order of their first slots, then the replicas
	// in the order of their addresses. What the cluster knows to have failed
	// is left out.
	Nodes []Node

	owner      [NumSlots]int16 // indexes of Nodes; -1 for none
	unassigned int
}

// Node is one server of a cluster.
type Node struct {
	ID      string // the cluster's own name for it; "" if it does not tell
	Address string // to dial, host:port
	Primary bool
	Of      int // index of its primary; a primary's own
	Slots   int // how many slots it serves; a replica, as many as its primary
}

// Owner returns the index of the primary that serves a slot, -1 for none.
func (t *Topology) Owner(slot int) int { return int(t.owner[slot]) }

// Unassigned returns how many slots no living node serves, while a cluster is
// being put together or a primary has failed.
func (t *Topology) Unassigned() int { return t.unassigned }

// Primaries returns how many primaries there are: Nodes[:n].
func (t *Topology) Primaries() int {
	n := slices.IndexFunc(t.Nodes, func(n Node) bool { return !n.Primary })
	if n < 0 {
		return len(t.Nodes)
	}
	return n
}

// Find returns the index of the node with an address, -1 if there is none.
func (t *Topology) Find(address string) int {
	return slices.IndexFunc(t.Nodes, func(n Node) bool { return n.Address == address })
}

// slotRange is slots next to each other that one primary serves.
type slotRange struct {
	first, last int
	primary     toldNode
	replicas    []toldNode
}

// toldNode is a node as another one told of it; without an address it cannot
// be reached.
type toldNode struct {
	id, address string
}

// key is by what a node is known again.
func (n toldNode) key() string { return n.id + " " + n.address }

// newTopology puts the ranges together. Ranges whose primaries have no address
// stay unassigned.
func newTopology(ranges []slotRange) *Topology {
	t := &Topology{unassigned: NumSlots}
	for slot := range t.owner {
		t.owner[slot] = -1
	}
	ranges = slices.DeleteFunc(ranges, func(r slotRange) bool { return r.primary.address == "" })
	slices.SortStableFunc(ranges, func(a, b slotRange) int { return cmp.Compare(a.first, b.first) })
	index := make(map[string]int)
	for _, r := range ranges {
		if _, known := index[r.primary.key()]; !known {
			i := len(t.Nodes)
			index[r.primary.key()] = i
			t.Nodes = append(t.Nodes, Node{ID: r.primary.id, Address: r.primary.address, Primary: true, Of: i})
		}
		t.assign(r, index[r.primary.key()])
	}
	t.addReplicas(ranges, index)
	return t
}

// assign gives the slots of a range, as far as nobody has them, to a primary.
func (t *Topology) assign(r slotRange, primary int) {
	for slot := r.first; slot <= r.last; slot++ {
		if t.owner[slot] < 0 {
			t.owner[slot] = int16(primary)
			t.Nodes[primary].Slots++
			t.unassigned--
		}
	}
}

// addReplicas adds the replicas in the ranges to the primaries.
func (t *Topology) addReplicas(ranges []slotRange, index map[string]int) {
	var replicas []Node
	for _, r := range ranges {
		of := index[r.primary.key()]
		for _, n := range r.replicas {
			if _, known := index[n.key()]; !known && n.address != "" {
				index[n.key()] = -1
				replicas = append(replicas, Node{ID: n.id, Address: n.address, Of: of, Slots: t.Nodes[of].Slots})
			}
		}
	}
	slices.SortFunc(replicas, func(a, b Node) int {
		return cmp.Or(cmp.Compare(a.Address, b.Address), cmp.Compare(a.ID, b.ID))
	})
	t.Nodes = append(t.Nodes, replicas...)
}
