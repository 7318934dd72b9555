package generator

import (
	"context"
	"errors"
	"math"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/internal/redistest"
	"github.com/respbench/respbench/report"
)

// clusterRun makes the load of cfg on a cluster and wants a Result.
func clusterRun(t *testing.T, c *redistest.Cluster, text string, cfg Config) *report.Result {
	t.Helper()
	cfg.Templates, cfg.Dialer.Address, cfg.Cluster = Only(program(t, text)), c.Addr(), true
	r, err := Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if q := r.Requests; q.Sent != q.Succeeded+q.Failed+q.Unanswered+q.Lost {
		t.Errorf("counts do not add up: %+v", q)
	}
	var byNode int64
	for _, n := range r.Nodes {
		byNode += n.Succeeded
	}
	if byNode != r.Requests.Succeeded {
		t.Errorf("%d successes by node, %d in all", byNode, r.Requests.Succeeded)
	}
	return r
}

// clusterSum adds up the integers that keys with a prefix hold, on all nodes.
func clusterSum(t *testing.T, c *redistest.Cluster, prefix string, keys int) (sum int64) {
	t.Helper()
	owners := c.SlotOwners(t)
	for i := range keys {
		key := prefix + "key_" + pad(i)
		v := c.Nodes()[owners[conn.KeySlot([]byte(key))]].Do(t, "GET", key)
		n, _ := strconv.ParseInt(v.Str, 10, 64)
		sum += n
	}
	return sum
}

func pad(i int) string {
	text := strconv.Itoa(i)
	for len(text) < 10 {
		text = "0" + text
	}
	return text
}

// clustersAtOnce bounds how many clusters the tests of this package run at a
// time: each is several processes that are never quite idle.
var clustersAtOnce = make(chan struct{}, 2)

// startCluster is redistest.StartCluster, once there is room for one more.
func startCluster(t *testing.T, o redistest.ClusterOptions) *redistest.Cluster {
	t.Helper()
	clustersAtOnce <- struct{}{}
	t.Cleanup(func() { <-clustersAtOnce })
	return redistest.StartCluster(t, o)
}

func TestCluster(t *testing.T) {
	t.Parallel()
	c := startCluster(t, redistest.ClusterOptions{Primaries: 3, Replicas: 1})

	t.Run("keys", func(t *testing.T) {
		r := clusterRun(t, c, "SET {key uniform 100000} {value 64}", Config{Connections: 20, Pipeline: 10, Requests: 5000})
		if r.Requests.Succeeded != 5000 || len(r.Errors) > 0 || r.Faults != nil || len(r.Nodes) != 3 {
			t.Errorf("%+v %+v %+v %+v", r.Requests, r.Errors, r.Faults, r.Nodes)
		}
		for _, n := range r.Nodes { // of 5000, 2 % are three standard deviations
			if share := float64(n.Succeeded) / 5000; math.Abs(share-n.SlotShare) > 0.025 || math.Abs(n.SlotShare-1./3) > 0.001 {
				t.Errorf("%s: %.3f of the requests for %.3f of the slots", n.Address, share, n.SlotShare)
			}
		}
		if r.Server.Keys == nil || r.Server.Keys.After < 4000 || r.Server.Keys.After > 5000 {
			t.Errorf("keys: %+v", r.Server.Keys)
		}
	})
	t.Run("engines, loops and open loop", func(t *testing.T) {
		for i, cfg := range []Config{
			{Engine: conn.Portable, Pipeline: 3}, {Threads: 2, Pipeline: 16}, {Rate: 20000, Threads: 2}, {},
		} {
			cfg.Connections, cfg.Requests = 7, 10_000
			prefix := "n" + strconv.Itoa(i) + ":"
			r := clusterRun(t, c, "INCR "+prefix+"{key uniform 100}", cfg)
			if got := clusterSum(t, c, prefix, 100); got != 10_000 || r.Requests.Succeeded != 10_000 {
				t.Errorf("%+v: the servers count %d, the report %+v", cfg, got, r.Requests)
			}
		}
	})
	t.Run("units", func(t *testing.T) {
		r := clusterRun(t, c, "MULTI ; INCR u:{key uniform 50 as k} ; EXPIRE u:{k} 600 ; EXEC", Config{Connections: 5, Pipeline: 9, Requests: 8000})
		if got := clusterSum(t, c, "u:", 50); got != 2000 || r.Requests.Succeeded != 8000 {
			t.Errorf("the servers count %d, the report %+v", got, r.Requests)
		}
	})
	t.Run("no key", func(t *testing.T) {
		r := clusterRun(t, c, "PING", Config{Connections: 2, Requests: 300})
		for _, n := range r.Nodes {
			if n.Succeeded != 100 {
				t.Errorf("%s: %d of 300", n.Address, n.Succeeded)
			}
		}
	})
	t.Run("mix", func(t *testing.T) {
		cfg := Config{Connections: 3, Pipeline: 4, Requests: 6000, ClusterShape: ClusterShape{Cluster: true}, Dialer: conn.Dialer{Address: c.Addr()}}
		cfg.Templates = []Template{{Program: program(t, "SET {key uniform 1000} v"), Weight: 1}, {Program: program(t, "GET {key uniform 1000}"), Weight: 2}}
		r, err := Run(t.Context(), cfg)
		if err != nil || r.Parts[0].Succeeded != 2000 || r.Parts[1].Succeeded != 4000 {
			t.Errorf("%v %+v", err, r)
		}
	})
	t.Run("several slots", func(t *testing.T) {
		for _, text := range []string{
			"MSET {key uniform 100} a {key uniform 100} b",
			"SET {key uniform 100} a ; GET {key uniform 100}",
		} {
			_, err := Run(t.Context(), Config{
				Templates: Only(program(t, text)), Connections: 1, Requests: 2, ClusterShape: ClusterShape{Cluster: true}, Dialer: conn.Dialer{Address: c.Addr()},
			})
			if slots := new(SlotsError); !errors.As(err, &slots) {
				t.Errorf("%s: %v", text, err)
			}
		}
		r := clusterRun(t, c, `MSET \{<rand 9 as t>}a 1 \{<t>}b 2`, Config{Connections: 2, Requests: 500})
		if r.Requests.Succeeded != 500 {
			t.Errorf("%+v", r.Requests)
		}
	})
	t.Run("replicas", func(t *testing.T) {
		for _, test := range []struct {
			from              ReadFrom
			primary, replicas bool
		}{{ReadPrimary, true, false}, {ReadReplica, false, true}, {ReadAny, true, true}} {
			r := clusterRun(t, c, "GET {key uniform 1000}", Config{Connections: 2, Requests: 3000, ClusterShape: ClusterShape{ReadFrom: test.from}})
			for _, n := range r.Nodes {
				if want := n.Primary && test.primary || !n.Primary && test.replicas; (n.Succeeded > 0) != want {
					t.Errorf("%v: %d from %s", test.from, n.Succeeded, n.Address)
				}
			}
			if len(r.Errors) > 0 || r.Faults != nil {
				t.Errorf("%v: %+v %+v", test.from, r.Errors, r.Faults)
			}
		}
		r := clusterRun(t, c, "SET {key uniform 1000} v", Config{Connections: 2, Requests: 3000, ClusterShape: ClusterShape{ReadFrom: ReadReplica}})
		if len(r.Errors) > 0 || r.Faults != nil {
			t.Errorf("writes: %+v %+v", r.Errors, r.Faults)
		}
	})
	t.Run("a replica as seed", func(t *testing.T) {
		r, err := Run(t.Context(), Config{
			Templates: Only(program(t, "SET {key uniform 1000} v")), Connections: 2, Requests: 1000, ClusterShape: ClusterShape{Cluster: true},
			Dialer: conn.Dialer{Address: c.Nodes()[c.ReplicaOf(1)].Addr},
		})
		if err != nil || r.Requests.Succeeded != 1000 {
			t.Errorf("%v %+v", err, r)
		}
	})
	t.Run("lanes", func(t *testing.T) {
		r, err := Run(t.Context(), Config{
			ClusterShape: ClusterShape{Cluster: true}, Dialer: conn.Dialer{Address: c.Addr()}, Duration: 200 * time.Millisecond,
			Lanes: []Lane{
				{Name: "write", Templates: Only(program(t, "SET {key uniform 1000} v")), Connections: 2},
				{Name: "read", Templates: Only(program(t, "GET {key uniform 1000}")), Connections: 2},
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		var byNode int64
		for _, n := range r.Nodes {
			byNode += n.Succeeded
		}
		if byNode != r.Requests.Succeeded || byNode == 0 {
			t.Errorf("%d successes by node, %d in all: %+v", byNode, r.Requests.Succeeded, r.Nodes)
		}
	})
	t.Run("without following it", func(t *testing.T) {
		told := make(chan string, 10)
		r, err := Run(t.Context(), Config{
			Templates: Only(program(t, "SET {key uniform 1000} v")), Connections: 2, Duration: time.Second,
			Dialer: conn.Dialer{Address: c.Addr()}, OnRemark: func(s string) { told <- s },
		})
		if err != nil || r.Errors[0].Code != "MOVED" || len(r.Warnings) == 0 || len(told) != 1 {
			t.Errorf("%v %+v, remarks: %d", err, r, len(told))
		}
	})
}

// Slots move while a run goes on: every request is done, and none twice.
func TestClusterReshard(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, text string
		perKey     int64
		cfg        Config
		secure     bool
	}{
		{"pipelined", "INCR {key uniform 200}", 1, Config{Connections: 10, Pipeline: 10}, false},
		{"TLS and a user", "INCR {key uniform 200}", 1, Config{Connections: 10, Pipeline: 10}, true},
		{"open loop", "INCR {key uniform 200}", 1, Config{Connections: 10, Rate: 10_000}, false},
		{"a new node", "INCR {key uniform 200}", 1, Config{Connections: 10, Pipeline: 3}, false},
		{"transactions", "MULTI ; INCR {key uniform 200 as k} ; EXPIRE {k} 600 ; EXEC", 4, Config{Connections: 10, Pipeline: 8}, false},
		{"units", "INCR {key uniform 200 as k} ; EXPIRE {k} 600", 2, Config{Connections: 10, Pipeline: 8}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			options := redistest.ClusterOptions{Primaries: 3}
			if test.secure {
				ca := redistest.NewCA(t)
				options.User, options.Password = "a@b", `p:/#?% é"`
				options.Args = append(ca.Args(ca.Server(t)), "--port", "0", "--tls-cluster", "yes", "--tls-replication", "yes")
				test.cfg.Dialer = conn.Dialer{User: options.User, Password: options.Password, TLS: &conn.TLS{CA: ca.File}}
			}
			c := startCluster(t, options)
			// Longer than the slots take to move: the end is told by the context.
			started := make(chan struct{})
			var once sync.Once
			cfg := test.cfg
			cfg.OnProgress = func(s report.Snapshot) {
				if s.Done > 0 {
					once.Do(func() { close(started) })
				}
			}
			ctx, end := contextWithCause(t)
			cfg.Templates, cfg.Dialer.Address, cfg.Cluster = Only(program(t, test.text)), c.Addr(), true
			var r *report.Result
			var err error
			done := make(chan struct{})
			go func() {
				defer close(done)
				r, err = Run(ctx, cfg)
			}()
			<-started
			if test.name == "a new node" { // which has no slot at first
				added := c.AddNode(t)
				c.MoveSlots(t, 300, 0, added)
				c.MoveSlots(t, 299, added, 0) // with none it would become a replica
			} else {
				c.MoveSlots(t, 100, 0, 1)
			}
			end(errors.New("moved"))
			<-done
			if err != nil {
				t.Fatal(err)
			}
			q := r.Requests
			if q.Failed+q.Lost+q.Unanswered > 0 || q.Succeeded != q.Sent {
				t.Errorf("%+v %+v", q, r.Errors)
			}
			if r.Faults == nil || r.Faults.Moved == 0 || len(r.Faults.Outages) > 0 {
				t.Errorf("%+v", r.Faults)
			}
			if got := clusterSum(t, c, "", 200) * test.perKey; got != q.Succeeded {
				t.Errorf("the servers count %d, the report %d", got, q.Succeeded)
			}
		})
	}
}

// A primary dies, and its replica takes over: one outage, and nothing is
// counted twice.
func TestClusterFailover(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		cfg  Config
	}{
		{"closed loop", Config{Connections: 10, Pipeline: 5}},
		{"open loop", Config{Connections: 10, Rate: 2000}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := startCluster(t, redistest.ClusterOptions{Primaries: 3, Replicas: 1})
			ctx, end := contextWithCause(t)
			started := make(chan struct{})
			var once sync.Once
			cfg := test.cfg
			cfg.OnProgress = func(s report.Snapshot) {
				if s.Done > 0 {
					once.Do(func() { close(started) })
				}
			}
			cfg.Templates, cfg.Dialer.Address, cfg.Cluster, cfg.Reconnect = Only(program(t, "INCR {key uniform 500}")), c.Nodes()[1].Addr, true, true
			cfg.Interval = 100 * time.Millisecond
			var r *report.Result
			var err error
			done := make(chan struct{})
			go func() {
				defer close(done)
				r, err = Run(ctx, cfg)
			}()
			<-started
			killed := time.Now()
			c.Kill(t, 0)
			heir := c.AwaitFailover(t, 0)
			outage := time.Since(killed)
			awaitCalls(t, c.Nodes()[heir], "incr")
			end(errors.New("taken over"))
			<-done
			if err != nil {
				t.Fatal(err)
			}
			q, f := r.Requests, r.Faults
			if q.Failed+q.Lost > 0 || q.Succeeded+q.Unanswered != q.Sent {
				t.Errorf("%+v %+v", q, r.Errors)
			}
			if len(r.Server.Notes) != 1 || !strings.Contains(r.Server.Notes[0], "nodes that ran from start to end") {
				t.Errorf("%q", r.Server.Notes)
			}
			if len(f.Outages) != 1 || f.Outages[0].LengthNs > int64(outage+5*time.Second) || f.Outages[0].Caught == 0 {
				t.Errorf("failing over took %v: %+v %+v", outage, f, q)
			}
			for _, n := range r.Nodes {
				if n.Address == c.Nodes()[heir].Addr && (n.Succeeded == 0 || !n.Primary) {
					t.Errorf("the new primary: %+v", n)
				}
			}
		})
	}
}

// A cluster without a node that dies ends a run that does not reconnect.
func TestClusterDies(t *testing.T) {
	t.Parallel()
	c := startCluster(t, redistest.ClusterOptions{Primaries: 2})
	progress, wait := onceRunning(func() { c.Kill(t, 1) })
	r := clusterRun(t, c, "SET {key uniform 1000} v", Config{Connections: 4, Duration: 20 * time.Second, OnProgress: progress})
	wait()
	if r.Connect.Broken < 4 || r.WindowNs > int64(15*time.Second) {
		t.Errorf("%+v after %v", r.Connect, time.Duration(r.WindowNs))
	}
}

// With Wait a node that is away at the start is waited for; without, it is
// named as one that the cluster told of.
func TestWaitForNode(t *testing.T) {
	t.Parallel()
	c := startCluster(t, redistest.ClusterOptions{Primaries: 2})
	c.Kill(t, 1)
	cfg := Config{Templates: Only(program(t, "SET {key uniform 1000} v")), Connections: 2, Requests: 100}
	cfg.Dialer.Address, cfg.Cluster = c.Addr(), true
	_, err := Run(t.Context(), cfg)
	if node := new(NodeError); !errors.As(err, &node) || !strings.Contains(err.Error(), c.Nodes()[1].Addr) {
		t.Errorf("without waiting: %v", err)
	}
	waiting := make(chan string, 1)
	returned := make(chan struct{})
	go func() {
		defer close(returned)
		if said := <-waiting; !strings.Contains(said, c.Nodes()[1].Addr) {
			t.Errorf("%q does not name the node", said)
		}
		c.Return(t, 1)
	}()
	r := clusterRun(t, c, "SET {key uniform 1000} v", Config{
		Connections: 2, Requests: 100, Wait: time.Minute, OnRemark: func(text string) {
			select {
			case waiting <- text:
			default: // it has been told
			}
		},
	})
	<-returned
	if r.Requests.Succeeded != 100 || r.Faults != nil {
		t.Errorf("%+v %+v", r.Requests, r.Faults)
	}
}

func TestNoCluster(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	_, err := runOn(t, s, "GET a", Config{Connections: 1, Requests: 1, ClusterShape: ClusterShape{Cluster: true}})
	if alone := new(conn.NoClusterError); !errors.As(err, &alone) || strings.Count(err.Error(), s.Addr) != 1 {
		t.Error(err)
	}
}

// contextWithCause is the test's context, and a function that ends it.
func contextWithCause(t *testing.T) (context.Context, context.CancelCauseFunc) {
	ctx, end := context.WithCancelCause(t.Context())
	t.Cleanup(func() { end(nil) })
	return ctx, end
}

// awaitCalls waits until a server has executed a command once more.
func awaitCalls(t *testing.T, s *redistest.Server, command string) {
	t.Helper()
	before := s.Calls(t, command) // also what came by replication
	for deadline := time.Now().Add(20 * time.Second); s.Calls(t, command) == before; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s got no %s", s.Addr, command)
		}
	}
}
