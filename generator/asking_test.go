package generator

import (
	"errors"
	"strconv"
	"testing"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/internal/redistest"
)

// half leaves the slot of a key half moved in a cluster of two nodes.
func half(t *testing.T, c *redistest.Cluster, key string) (from, to int) {
	t.Helper()
	slot := conn.KeySlot([]byte(key))
	from = c.SlotOwners(t)[slot]
	to = 1 - from
	c.Nodes()[to].Do(t, "CLUSTER", "SETSLOT", strconv.Itoa(slot), "IMPORTING", c.ID(from))
	c.Nodes()[from].Do(t, "CLUSTER", "SETSLOT", strconv.Itoa(slot), "MIGRATING", c.ID(to))
	return from, to
}

// Of a unit whose keys are on both sides of a move, only the commands that were
// refused are sent again: each is done once.
func TestUnitOnBothSides(t *testing.T) {
	t.Parallel()
	c := startCluster(t, redistest.ClusterOptions{Primaries: 2})
	const units = 100
	c.Nodes()[c.SlotOwners(t)[conn.KeySlot([]byte("x"))]].Do(t, "SET", "{x}a", "0")
	from, to := half(t, c, "x") // {x}b and {x}c are made at the other side
	r := clusterRun(t, c, "INCR {x}b ; INCR {x}a ; INCR {x}c", Config{Connections: 2, Pipeline: 6, Requests: 3 * units})
	if q := r.Requests; q.Succeeded != 3*units || r.Faults == nil || r.Faults.Ask != 2*units || r.Faults.Repeated != 0 {
		t.Errorf("%+v %+v", q, r.Faults)
	}
	if n := r.Latency.Count; n != 3*units {
		t.Errorf("%d latencies", n)
	}
	if a, n := c.Nodes()[from].Calls(t, "incr"), c.Nodes()[to].Calls(t, "incr"); a != units || n != 2*units {
		t.Errorf("the nodes did %d and %d, want %d and %d", a, n, units, 2*units)
	}
}

// A user who may not ask: what the server says of that is the error, and not
// the redirection that led there.
func TestAskingRefused(t *testing.T) {
	t.Parallel()
	c := startCluster(t, redistest.ClusterOptions{Primaries: 2})
	const key = "a"
	half(t, c, key)
	for _, s := range c.Nodes() {
		s.Do(t, "ACL", "SETUSER", "u", "on", ">p", "~*", "+@all", "-asking")
	}
	for _, text := range []string{"GET " + key, "GET " + key + " ; TTL " + key} {
		_, err := Run(t.Context(), Config{
			Templates: Only(program(t, text)), Connections: 2, Requests: 100, ClusterShape: ClusterShape{Cluster: true},
			Dialer: conn.Dialer{Address: c.Addr(), User: "u", Password: "p"},
		})
		if nothing := new(NoSuccessError); !errors.As(err, &nothing) || nothing.Code() != "NOPERM" {
			t.Errorf("%s: %v", text, err)
		}
	}
}
