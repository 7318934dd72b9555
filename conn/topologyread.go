package conn

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"strings"

	"github.com/respbench/respbench/internal/resp"
)

// NoClusterError is a server that is no node of a cluster.
type NoClusterError struct {
	Address string
	Reply   string // the server's words
}

func (e *NoClusterError) Error() string {
	return fmt.Sprintf("%s is not a node of a cluster: %s", e.Address, e.Reply)
}

// FormingError is a cluster in which no slot is served yet.
type FormingError struct {
	Address string // of the node that was asked
	Reply   string // its words, if it had any
}

func (e *FormingError) Error() string {
	if e.Reply == "" {
		return fmt.Sprintf("the cluster of %s serves no slots yet", e.Address)
	}
	return fmt.Sprintf("the cluster of %s serves no slots yet: %s", e.Address, e.Reply)
}

// ReadTopology asks a node, which was dialed at asked, for the topology, as it
// concerns clients who come the way that c does: by TLS or not. The error is a
// *NoClusterError, a *FormingError, or says what failed or was refused. A
// cluster that serves some of its slots is none.
//
// CLUSTER SLOTS is asked first. Every server that has clusters at all
// understands it, it leaves out replicas that are not in step, and it names
// just the port for a connection of c's kind. CLUSTER SHARDS, which knows of
// primaries that have failed, is for those who do not know or permit the other.
func ReadTopology(ctx context.Context, c *Client, asked string, m AddressMap) (*Topology, error) {
	r := topologyReader{asked: asked, addresses: m}
	_, r.tls = c.nc.(interface{ ConnectionState() tls.ConnectionState })
	v, err := c.Do(ctx, "CLUSTER", "SLOTS")
	parse := r.slots
	var refused, again resp.Error
	if errors.As(err, &refused) && !isNoCluster(refused) && !isForming(refused) {
		v, err = c.Do(ctx, "CLUSTER", "SHARDS")
		parse = r.shards
		if errors.As(err, &again) && isUnknownCommand(again) {
			err = refused // SLOTS is what they know, and refuse
		}
	}
	if err != nil {
		return nil, r.explain(err)
	}
	ranges, err := parse(v)
	if err != nil {
		return nil, fmt.Errorf("cannot understand the topology that %s tells: %w", asked, err)
	}
	t := newTopology(ranges)
	switch {
	case len(ranges) == 0:
		return nil, &FormingError{Address: asked}
	case len(t.Nodes) == 0:
		return nil, fmt.Errorf("%s tells no address of any node that serves slots; set the cluster's announced addresses, or the host names that it prefers", asked)
	}
	return t, nil
}

// explain makes an error of what the server answered.
func (r *topologyReader) explain(err error) error {
	var reply resp.Error
	switch {
	case !errors.As(err, &reply):
		return fmt.Errorf("cannot read the topology from %s: %w", r.asked, err)
	case isNoCluster(reply) || isUnknownCommand(reply):
		return &NoClusterError{Address: r.asked, Reply: string(reply)}
	case isForming(reply):
		return &FormingError{Address: r.asked, Reply: string(reply)}
	case reply.Code() == "NOPERM":
		return fmt.Errorf("%s does not tell the topology: %w; the user needs +cluster|slots or +cluster|shards", r.asked, err)
	}
	return fmt.Errorf("%s does not tell the topology: %w", r.asked, err)
}

// isNoCluster knows the words of Redis and Valkey, of Dragonfly, and of Kvrocks.
func isNoCluster(e resp.Error) bool {
	return containsAny(string(e), "cluster support disabled", "Cluster is disabled", "Cluster mode is not enabled")
}

// isForming knows the words of those who have no topology to tell: Dragonfly
// and Kvrocks; Redis tells an empty one.
func isForming(e resp.Error) bool {
	return e.Code() == "CLUSTERDOWN" || containsAny(string(e), "not yet configured", "not initialized")
}

// isUnknownCommand knows how servers say that they lack a command or a
// subcommand.
func isUnknownCommand(e resp.Error) bool {
	return containsAny(strings.ToLower(string(e)), "unknown command", "unknown subcommand")
}

func containsAny(text string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(text, p) {
			return true
		}
	}
	return false
}

// topologyReader understands what a node tells.
type topologyReader struct {
	asked     string // its address
	tls       bool   // it was asked by TLS
	addresses AddressMap
}

// slots reads the reply to CLUSTER SLOTS: for each range its first slot, its
// last one, its primary and its replicas.
func (r *topologyReader) slots(v resp.Value) ([]slotRange, error) {
	if v.Kind != '*' {
		return nil, fmt.Errorf("CLUSTER SLOTS is a %q", v.Kind)
	}
	var ranges []slotRange
	for _, e := range v.Elems {
		if len(e.Elems) < 3 {
			return nil, fmt.Errorf("CLUSTER SLOTS has a range of %d elements", len(e.Elems))
		}
		s, err := newRange(e.Elems[0], e.Elems[1])
		if err != nil {
			return nil, err
		}
		for i, n := range e.Elems[2:] {
			if len(n.Elems) < 2 || n.Elems[1].Kind != ':' {
				return nil, fmt.Errorf("CLUSTER SLOTS has a node without a port in the range of slot %d", s.first)
			}
			node := r.slotsNode(n.Elems)
			if i == 0 {
				s.primary = node
			} else {
				s.replicas = append(s.replicas, node)
			}
		}
		ranges = append(ranges, s)
	}
	return ranges, nil
}

// newRange checks the ends of a range.
func newRange(first, last resp.Value) (slotRange, error) {
	if first.Kind != ':' || last.Kind != ':' || first.Int < 0 || last.Int < first.Int || last.Int >= NumSlots {
		return slotRange{}, fmt.Errorf("slots %d to %d", first.Int, last.Int)
	}
	return slotRange{first: int(first.Int), last: int(last.Int)}, nil
}

// slotsNode reads a node in CLUSTER SLOTS: host, port, its id since Redis 4 and
// further names of it since 7. A null host is the one that was asked.
func (r *topologyReader) slotsNode(e []resp.Value) toldNode {
	var n toldNode
	if len(e) > 2 {
		n.id = e[2].Str
	}
	host := e[0].Str
	if host == "?" && len(e) > 3 {
		names := pairs(e[3])
		host = firstKnown(names["hostname"].Str, names["ip"].Str)
	}
	n.address = nodeAddress(host, int(e[1].Int), r.asked, r.addresses)
	return n
}

// firstKnown returns the first text that names a host, "?" if none does.
func firstKnown(hosts ...string) string {
	for _, h := range hosts {
		if h != "" && h != "?" {
			return h
		}
	}
	return "?"
}

// pairs reads a map, which RESP2 sends as an array.
func pairs(v resp.Value) map[string]resp.Value {
	m := make(map[string]resp.Value)
	for i := 0; i+1 < len(v.Elems); i += 2 {
		m[v.Elems[i].Str] = v.Elems[i+1]
	}
	return m
}

// shards reads the reply to CLUSTER SHARDS: for each shard its slots, as first
// and last in turn, and its nodes. Nodes that have failed are left out.
func (r *topologyReader) shards(v resp.Value) ([]slotRange, error) {
	if v.Kind != '*' {
		return nil, fmt.Errorf("CLUSTER SHARDS is a %q", v.Kind)
	}
	var ranges []slotRange
	for _, e := range v.Elems {
		shard := pairs(e)
		var primary toldNode
		var replicas []toldNode
		for _, n := range shard["nodes"].Elems {
			fields := pairs(n)
			health, role := fields["health"].Str, fields["role"].Str
			switch {
			case role == "master" && (health == "" || health == "online" || health == "loading"):
				primary = r.shardsNode(fields)
			case role != "master" && (health == "" || health == "online"):
				replicas = append(replicas, r.shardsNode(fields))
			}
		}
		slots := shard["slots"].Elems
		for i := 0; i+1 < len(slots); i += 2 {
			s, err := newRange(slots[i], slots[i+1])
			if err != nil {
				return nil, err
			}
			s.primary, s.replicas = primary, replicas
			ranges = append(ranges, s)
		}
	}
	return ranges, nil
}

// shardsNode reads a node in CLUSTER SHARDS.
func (r *topologyReader) shardsNode(fields map[string]resp.Value) toldNode {
	port := fields["port"].Int
	if secure, told := fields["tls-port"]; told && r.tls {
		port = secure.Int
	}
	host := fields["endpoint"].Str
	if host == "?" {
		host = firstKnown(fields["hostname"].Str, fields["ip"].Str)
	}
	return toldNode{fields["id"].Str, nodeAddress(host, int(port), r.asked, r.addresses)}
}
