package suite

import (
	"testing"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/generator"
	"github.com/respbench/respbench/internal/redistest"
)

// A suite on a cluster: data sets over all nodes, scripts on each, and nothing
// left at the end.
func TestSuiteOnCluster(t *testing.T) {
	t.Parallel()
	c := redistest.StartCluster(t, redistest.ClusterOptions{Primaries: 3})
	suite, err := Builtin("whitepaper")
	if err != nil {
		t.Fatal(err)
	}
	if suite, err = suite.Select([]string{"set", "get", "evalsha"}, nil); err != nil {
		t.Fatal(err)
	}
	foreign := c.Nodes()[2]
	r := mustSuite(t, Config{
		Suite: suite, Targets: []Target{{Dialer: conn.Dialer{Address: c.Addr()}}},
		Shape: generator.ClusterShape{Cluster: true}, Flush: FlushYes,
	})
	for _, test := range r.Tests {
		run := test.Cells[0].Runs[0].Measured
		if run.Requests.Failed > 0 || run.Requests.Succeeded == 0 || len(run.Nodes) != 3 {
			t.Errorf("%s: %+v on %d nodes, %+v", test.Name, run.Requests, len(run.Nodes), run.Errors)
		}
	}
	for i, keys := range c.DBSizes(t) {
		if keys != 0 {
			t.Errorf("%d keys are left on node %d", keys, i)
		}
	}
	// A key of somebody else on any node keeps the suite from emptying it.
	owners := c.SlotOwners(t)
	for _, key := range []string{"a", "b", "c", "d", "e"} {
		if owners[conn.KeySlot([]byte(key))] == 2 {
			foreign.Do(t, "SET", key, "mine")
			break
		}
	}
	_, err = Run(t.Context(), briefly(Config{
		Suite: suite, Targets: []Target{{Dialer: conn.Dialer{Address: c.Addr()}}},
		Shape: generator.ClusterShape{Cluster: true}, Flush: FlushYes,
	}))
	if sizes := c.DBSizes(t); err == nil || sizes[2] != 1 {
		t.Errorf("a foreign key: %v, keys %v", err, sizes)
	}
}
