package generator

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/internal/clock"
)

const (
	// lookEvery is the least time between two looks at a cluster's topology.
	lookEvery = 100 * time.Millisecond

	// lookTimeout bounds how long one node is asked for it.
	lookTimeout = 500 * time.Millisecond
)

// cluster is what a fleet knows of the cluster that it makes load on. The
// nodes are numbered once and for all: one that leaves keeps its number. It
// belongs to the goroutine that runs the fleet and, while a phase runs, to
// the mender.
type cluster struct {
	seed     conn.Dialer
	mapping  conn.AddressMap
	readFrom ReadFrom
	nodes    []*node
	places   []placement // by class
	routes   *routes
	lookedAt int64 // clock time

	mu sync.RWMutex // the mender writes while connections are being made
}

// node is a server of the cluster.
type node struct {
	address string
	primary bool
	slots   int
	wanted  bool // it serves something
}

// discover reads the topology and where the commands of the templates go.
func discover(ctx context.Context, side *conn.Client, cfg *Config) (*cluster, error) {
	c, err := survey(ctx, side, cfg)
	if err != nil {
		return nil, err
	}
	for _, template := range cfg.Templates {
		p, err := place(ctx, side, template, cfg.Seed)
		if err != nil {
			return nil, err
		}
		c.places = append(c.places, p)
	}
	return c, nil
}

// survey reads the topology.
func survey(ctx context.Context, side *conn.Client, cfg *Config) (*cluster, error) {
	c := &cluster{seed: cfg.Dialer, mapping: cfg.AddressMap, readFrom: cfg.ReadFrom}
	t, err := conn.ReadTopology(ctx, side, cfg.Dialer.Address, cfg.AddressMap)
	if err != nil {
		return nil, err // which names the server
	}
	c.adopt(t)
	if len(c.routes.primaries) == 0 {
		return nil, fmt.Errorf("%s: the cluster has no node that serves a slot", cfg.Dialer.Address)
	}
	return c, nil
}

// adopt makes t the topology.
func (c *cluster) adopt(t *conn.Topology) {
	for _, n := range c.nodes {
		n.wanted, n.primary, n.slots = false, false, 0
	}
	numbers := make([]int, len(t.Nodes)) // by index in t
	for i, from := range t.Nodes {
		numbers[i] = c.number(from.Address)
		n := c.nodes[numbers[i]]
		n.primary, n.slots = from.Primary, from.Slots
		n.wanted = from.Primary && from.Slots > 0
	}
	r := &routes{nodes: map[string]int{}}
	for slot := range r.owner {
		r.owner[slot] = -1
		if i := t.Owner(slot); i >= 0 {
			r.owner[slot] = int16(numbers[i])
		}
	}
	for k, n := range c.nodes {
		if n.wanted {
			r.primaries = append(r.primaries, k)
		}
	}
	if c.readFrom != ReadPrimary {
		c.spreadReads(t, r, numbers)
	}
	for k, n := range c.nodes {
		r.nodes[n.address] = k
		r.addresses = append(r.addresses, n.address)
	}
	c.routes = r
}

// spreadReads says which nodes serve the reads of each primary.
func (c *cluster) spreadReads(t *conn.Topology, r *routes, numbers []int) {
	r.readers = map[int][]int{}
	for _, p := range r.primaries {
		if c.readFrom == ReadAny {
			r.readers[p] = append(r.readers[p], p)
		}
	}
	for i, n := range t.Nodes {
		of := numbers[n.Of]
		if !n.Primary && slices.Contains(r.primaries, of) {
			r.readers[of] = append(r.readers[of], numbers[i])
			c.nodes[numbers[i]].wanted = true
		}
	}
}

// number is that of the node with an address, a new one if it is not known.
func (c *cluster) number(address string) int {
	for k, n := range c.nodes {
		if n.address == address {
			return k
		}
	}
	c.nodes = append(c.nodes, &node{address: address})
	return len(c.nodes) - 1
}

// dialer is the one for connections to a node.
func (c *cluster) dialer(node int) conn.Dialer {
	c.mu.RLock()
	defer c.mu.RUnlock()
	d := c.seed.At(c.nodes[node].address)
	d.ReadOnly = !c.nodes[node].primary
	return d
}

// meet makes a node known that a redirection named.
func (c *cluster) meet(address string) {
	k := c.number(address)
	n := c.nodes[k]
	if n.wanted && n.primary {
		return
	}
	n.wanted, n.primary = true, true
	changed := *c.routes
	if _, known := changed.nodes[address]; !known {
		changed.nodes = maps.Clone(changed.nodes)
		changed.nodes[address] = k
		changed.addresses = append(slices.Clip(changed.addresses), address)
	}
	changed.primaries = append(slices.Clip(changed.primaries), k)
	c.routes = &changed
}

// wanted are the nodes that clients need links to.
func (c *cluster) wanted() (list []int) {
	for k, n := range c.nodes {
		if n.wanted {
			list = append(list, k)
		}
	}
	return list
}

// untilNextLook is the time to wait before the topology is read again.
func (c *cluster) untilNextLook() time.Duration {
	return max(0, lookEvery-time.Duration(clock.Now()-c.lookedAt))
}

// read asks the nodes, those that serve first, until one tells the topology.
func (c *cluster) read(ctx context.Context) (*conn.Topology, error) {
	c.lookedAt = clock.Now()
	order := append(c.wanted(), -1)
	for k, n := range c.nodes {
		if !n.wanted {
			order = append(order, k)
		}
	}
	var last error
	for _, k := range order {
		d := c.seed
		if k >= 0 {
			d = c.seed.At(c.nodes[k].address)
		}
		t, err := askTopology(ctx, d, c.mapping)
		if err == nil {
			return t, nil
		}
		last = err
	}
	return nil, last
}

// askTopology asks one node.
func askTopology(ctx context.Context, d conn.Dialer, m conn.AddressMap) (*conn.Topology, error) {
	ctx, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	side, err := d.Client(ctx)
	if err != nil {
		return nil, err
	}
	defer side.Close()
	t, err := conn.ReadTopology(ctx, side, d.Address, m)
	if err == nil && t.Unassigned() == conn.NumSlots {
		err = errors.New("no slot is served")
	}
	return t, err
}
