package generator

import (
	"bufio"
	"context"
	"errors"
	"math"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/internal/clock"
	"github.com/respbench/respbench/internal/redistest"
	"github.com/respbench/respbench/internal/resp"
	"github.com/respbench/respbench/report"
)

// fakeServer answers the handshake as a server does, and every other command
// as answer says; without an answer it hangs up if hangUp, and keeps silent
// otherwise.
func fakeServer(t *testing.T, hangUp bool, answer func(args []string) string) (addr string) {
	return redistest.Fake(t, func(nc net.Conn) {
		for br := bufio.NewReader(nc); ; {
			v, err := resp.ReadValue(br)
			if err != nil {
				return
			}
			var args []string
			for _, e := range v.Elems {
				args = append(args, e.Str)
			}
			reply := "+OK\r\n"
			if args[0] != "CLIENT" {
				reply = answer(args)
			}
			if reply == "" && hangUp {
				return
			}
			if _, err := nc.Write([]byte(reply)); err != nil {
				return
			}
		}
	})
}

// TestOutagesInOrder: they are put in order whatever is between them, also more
// nanoseconds than an int of a 32-bit machine holds.
func TestOutagesInOrder(t *testing.T) {
	t.Parallel()
	for _, first := range []outage{{from: 0, to: 1}, {from: math.MinInt64, to: 1}} {
		list := mergeOutages([]outage{{from: 3e9, to: 4e9}, first}, 5e9)
		if len(list) != 2 || list[0] != first || list[1].from != 3e9 {
			t.Errorf("%+v", list)
		}
	}
}

// A proxy without a server behind it takes every connection and drops it at the
// first request. It is not knocked at as fast as it can open.
func TestReconnectBacksOff(t *testing.T) {
	t.Parallel()
	var requests atomic.Int64
	addr := fakeServer(t, true, func(args []string) string {
		if args[0] != "GET" {
			return "$-1\r\n"
		}
		requests.Add(1)
		return ""
	})
	_, err := Run(t.Context(), Config{
		Templates: Only(program(t, "GET a")), Dialer: conn.Dialer{Address: addr},
		Connections: 2, Duration: time.Second, Reconnect: true,
	})
	if err == nil || !strings.Contains(err.Error(), "lost with their connections") {
		t.Error(err)
	}
	// Of each connection: at once, and then after 5, 10, 20 ms … at the least.
	if n := requests.Load(); n < 2 || n > 2*20 {
		t.Errorf("%d requests", n)
	}
}

// A server that does not answer INFO is asked once before and once after.
func TestSilentInfo(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	addr := fakeServer(t, false, func(args []string) string {
		if args[0] == "INFO" {
			asked.Add(1)
			return ""
		}
		return "+OK\r\n"
	})
	r, err := Run(t.Context(), Config{
		Templates: Only(program(t, "GET a")), Dialer: conn.Dialer{Address: addr}, Connections: 1, Requests: 10,
	})
	if err != nil || r.Requests.Succeeded != 10 || !slices.Equal(r.Server.Notes, []string{"INFO was not answered in time"}) {
		t.Errorf("%v %+v", err, r)
	}
	if n := asked.Load(); n != 2 {
		t.Errorf("asked %d times", n)
	}
}

// Connections that are renewed on purpose come back as long as the server
// does; a run by count ends with a server that died.
func TestServerDiesUnderChurn(t *testing.T) {
	t.Parallel()
	for name, cfg := range map[string]Config{
		"every":   {ReconnectEvery: 10},
		"age":     {ConnMaxAge: 20 * time.Millisecond},
		"timeout": {Timeout: 50 * time.Millisecond, ReconnectEvery: 100},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := redistest.Start(t)
			progress, wait := onceRunning(func() { s.Kill(t) })
			cfg.Connections, cfg.Requests, cfg.OnProgress = 8, 1e9, progress
			cfg.Dialer.Timeout = 300 * time.Millisecond
			r := mustRun(t, s, "INCR c", cfg)
			wait()
			if q := r.Requests; r.Connect.Broken < 8 || q.Sent != q.Succeeded+q.Failed+q.Lost+q.Unanswered || len(r.Warnings) == 0 {
				t.Errorf("%+v %+v %q", r.Connect, q, r.Warnings)
			}
		})
	}
}

// A server that stands still at the end of the warm-up is left to the
// measured phase; its connections are not waited for one by one.
func TestStallAfterWarmUp(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	var stop, goOn sync.Once
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, err := Run(ctx, Config{
		Templates: Only(program(t, "INCR c")), Dialer: conn.Dialer{Address: s.Addr},
		Connections: 100, Warmup: 500 * time.Millisecond, Requests: 1000, Reconnect: true,
		OnProgress: func(p report.Snapshot) {
			switch p.Phase {
			case "warm-up":
				stop.Do(func() { s.Pause(t) })
			case "measuring":
				goOn.Do(func() { s.Resume(t) })
			}
		},
	})
	if err != nil || r.Requests.Succeeded != 1000 {
		t.Errorf("%v %+v", err, r)
	}
}

// still is a worker with one client in a cluster of two nodes, in a phase that
// ends in so many nanoseconds.
func still(t *testing.T, ends int64) (w *worker, cl *client) {
	t.Helper()
	cfg := Config{Templates: Only(program(t, "SET key v")), Connections: 1, Threads: 1, Duration: time.Hour, Reconnect: true, ClusterShape: ClusterShape{Cluster: true}}
	r := &routes{primaries: []int{0, 1}, nodes: map[string]int{"a:1": 0, "b:1": 1}, addresses: []string{"a:1", "b:1"}}
	f, err := newFleet(cfg, &cluster{routes: r, places: []placement{{argument: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.close)
	w = f.workers[0]
	cl = &client{}
	w.loop.Do(func() {
		w.clients = []*client{cl}
		now := clock.Now()
		w.begin(&phase{
			mix: newMix(cfg.Templates, Spread, 1), budget: newBudget(0, 1, 1), window: 1, interval: time.Second,
			started: now, deadline: now + ends, done: make(chan *worker, 1),
		})
		cl.link(0).wanted = true
		cl.owed, w.inflight = 1, 1
	})
	return w, cl
}

// What waits for a connection has Tick called at the end of the phase, when
// what was never sent is given up, and not over and over again after it.
func TestNoSpinWhileWaiting(t *testing.T) {
	t.Parallel()
	w, cl := still(t, int64(time.Hour))
	w.loop.Do(func() {
		w.place(cl, unit{n: 1, node: anyNode, flags: flagSent}, nil)
		if w.alarm != w.deadline || len(cl.waiting) != 1 {
			t.Errorf("alarm at %d, the end is at %d", w.alarm, w.deadline)
		}
	})
	w, cl = still(t, 0)
	w.loop.Do(func() {
		w.place(cl, unit{n: 1, node: anyNode, flags: flagSent}, w.appenders[0].Append(nil, 0))
		if w.alarm != conn.Never || len(cl.waiting) != 1 {
			t.Errorf("alarm at %d", w.alarm)
		}
	})
}

// Where a connection breaks with nothing in flight, nothing waits, and Tick is
// not called over and over again; nor where what waited is given up.
func TestNoSpinAfterAnOutage(t *testing.T) {
	t.Parallel()
	w, cl := still(t, int64(time.Hour))
	w.loop.Do(func() {
		cl.owed, w.inflight = 0, 0
		l := cl.link(0)
		l.Conn = &conn.Conn{} // with nothing in flight
		w.rescue(l)
		l.Conn = nil
		cl.retryNow()
		if cl.retryAt != conn.Never || w.retryAt != conn.Never {
			t.Errorf("nothing waits, and is looked at from %d, %d on", cl.retryAt, w.retryAt)
		}
		w.hold(cl, unit{n: 1, node: anyNode, flags: flagSent})
		w.retry(cl, w.now)
		w.abandon(l)
		if w.Tick(clock.Now()); w.retryAt != conn.Never {
			t.Errorf("what waited is given up, and is looked at from %d on", w.retryAt)
		}
	})
}

// A unit that was sent to a node by name does not wait for one that has left.
func TestNamedNodeHasLeft(t *testing.T) {
	t.Parallel()
	w, cl := still(t, int64(time.Hour))
	w.loop.Do(func() {
		text := w.appenders[0].Append(nil, 0)
		l := cl.link(0)
		l.up = true
		w.place(cl, unit{n: 1, node: 1, flags: flagSent | flagAsking}, text)
		if string(l.outbox) != string(text) || len(cl.waiting) > 0 {
			t.Errorf("%q to its node, %d units wait", l.outbox, len(cl.waiting))
		}
		l.up = false
		cl.link(1).wanted = true
		w.place(cl, unit{n: 1, node: 1, flags: flagSent}, text)
		if len(cl.waiting) != 1 {
			t.Error("a node that is being connected to is not waited for")
		}
	})
}

// A connection to a node that has left may break without harm.
func TestUnwantedLinkBreaks(t *testing.T) {
	t.Parallel()
	w, cl := still(t, int64(time.Hour))
	a, b := net.Pipe()
	defer b.Close()
	w.faults.reconnect = false
	portable, err := conn.NewLoop(w, conn.LoopOptions{Engine: conn.Portable})
	if err != nil {
		t.Fatal(err)
	}
	defer portable.Close()
	w.loop.Do(func() {
		l := cl.link(1)
		if l.Conn, err = portable.Add(a, 1); err != nil {
			t.Fatal(err)
		}
		w.links, l.Conn.ID, l.up = []*link{l}, 0, true
		w.lose(l, errors.New("broken"))
		if cl.ended || w.broken > 0 || l.Conn != nil {
			t.Errorf("ended: %v, %d broken", cl.ended, w.broken)
		}
	})
}

// Requests that wait to be sent again when their client ends are lost, not
// forgotten.
func TestClusterDiesWithRequestsWaiting(t *testing.T) {
	t.Parallel()
	c := startCluster(t, redistest.ClusterOptions{Primaries: 2, Args: []string{"--cluster-require-full-coverage", "no"}})
	c.Nodes()[0].Do(t, "CLUSTER", "DELSLOTSRANGE", "0", "999")
	progress, wait := onceRunning(func() { c.Kill(t, 1) })
	r := clusterRun(t, c, "SET {key uniform 1000} v", Config{Connections: 4, Pipeline: 20, Duration: 20 * time.Second, OnProgress: progress})
	wait()
	if r.Connect.Broken < 4 || r.Requests.Lost == 0 || r.Faults == nil || r.Faults.ClusterDown == 0 {
		t.Errorf("%+v %+v %+v", r.Connect, r.Requests, r.Faults)
	}
}

func TestSameServers(t *testing.T) {
	t.Parallel()
	node := func(address, id, hits string) facts {
		return facts{address: address, primary: true, info: map[string]string{"run_id": id, "keyspace_hits": hits, "used_memory": "1"}}
	}
	before := sumFacts([]facts{node("a", "1", "10"), node("b", "2", "100"), node("c", "3", "1000")})
	after := sumFacts([]facts{node("a", "1", "11"), node("b", "9", "700"), node("c", "3", "1005"), node("d", "4", "5000")})
	s := serverFacts(before, after)
	if s.Hits == nil || *s.Hits != 6 || s.UsedMemory.Before != 3 || s.UsedMemory.After != 4 || len(s.Notes) != 1 || !strings.Contains(s.Notes[0], "2 of 4") {
		t.Errorf("%+v", s)
	}
	s = serverFacts(before, before)
	if *s.Hits != 0 || s.Notes != nil {
		t.Errorf("%+v", s)
	}
	s = serverFacts(facts{info: before.nodes[0].info}, facts{info: after.nodes[1].info})
	if s.Hits != nil || len(s.Notes) != 1 || !strings.Contains(s.Notes[0], "started again") {
		t.Errorf("%+v", s)
	}
}

// The error that is one too many is told at once, however many loops count.
func TestTellOfErrors(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		cfg   Config
		limit ErrorLimit
		told  int // by which error; 0 = by none
	}{
		{Config{}, ErrorLimit{}, 0},
		{Config{StopOnError: true}, ErrorLimit{}, 1},
		{Config{}, ErrorLimit{Set: true}, 1},
		{Config{}, ErrorLimit{Set: true, Count: 5}, 6},
		{Config{}, ErrorLimit{Set: true, Percent: 1}, 0},
	} {
		p := policyOf(&test.cfg)
		p.most = p.mostOf(test.limit)
		loops := []faultPolicy{p, p}
		told := 0
		for n := 1; n <= 10; n++ {
			loops[n%2].tell()
			if len(p.failed) > 0 && told == 0 {
				told = n
			}
		}
		if told != test.told {
			t.Errorf("%+v %+v: told by error %d, want %d", test.cfg.StopOnError, test.limit, told, test.told)
		}
	}
}

// A connection that breaks before the load starts is made again when it does.
func TestBreaksBeforeTheStart(t *testing.T) {
	t.Parallel()
	for _, reconnect := range []bool{true, false} {
		s := redistest.Start(t)
		cfg, err := Config{
			Templates: Only(program(t, "INCR c")), Dialer: conn.Dialer{Address: s.Addr},
			Connections: 3, Requests: 1000, Threads: 1, Reconnect: reconnect,
		}.resolve()
		if err != nil {
			t.Fatal(err)
		}
		f, err := newFleet(cfg, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(f.close)
		if err := f.grow(t.Context(), 3); err != nil {
			t.Fatal(err)
		}
		s.Do(t, "CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
		for broken := 0; broken < 3; time.Sleep(time.Millisecond) {
			f.workers[0].loop.Do(func() { broken = f.workers[0].broken })
		}
		r := &run{cfg: cfg, fleet: f}
		out, _, err := r.measure(t.Context())
		if err != nil || out.total.Succeeded() != 1000 || out.ended > 0 {
			t.Errorf("reconnect %v: %v %d, %d ended", reconnect, err, out.total.Succeeded(), out.ended)
		}
	}
}

// With --reconnect, replies that do not come in time are no reason to give up.
func TestReconnectWaitsThroughASilentStart(t *testing.T) {
	t.Parallel()
	var slow atomic.Int64
	answering := make(chan struct{})
	addr := fakeServer(t, false, func(args []string) string {
		if args[0] == "GET" {
			if n := slow.Add(1); n == 12 {
				close(answering)
			} else if n < 12 {
				return ""
			}
		}
		return "+OK\r\n"
	})
	r, err := Run(t.Context(), Config{
		Templates: Only(program(t, "GET a")), Dialer: conn.Dialer{Address: addr},
		Connections: 1, Requests: 50, Pipeline: 1, Reconnect: true, Timeout: 100 * time.Millisecond,
	})
	if err != nil || r.Requests.Failed < 11 || r.Requests.Succeeded+r.Requests.Failed != 50 {
		t.Errorf("%v %+v", err, r)
	}
	<-answering
}

// What ends one lane early ends all.
func TestErrorInOneLaneEndsTheRun(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	s.Do(t, "SET", "key_0000000001", "x")
	r, err := Run(t.Context(), Config{
		Dialer: conn.Dialer{Address: s.Addr}, Duration: 20 * time.Second, StopOnError: true,
		Lanes: []Lane{
			{Name: "a", Templates: Only(program(t, "PING")), Connections: 1},
			{Name: "b", Templates: Only(program(t, "INCR {key uniform 100}")), Connections: 1},
		},
	})
	if err != nil || r.Aborted == nil || !r.Aborted.Failure || r.WindowNs > int64(15*time.Second) || r.Interrupted != "" {
		t.Errorf("%v %+v", err, r)
	}
}

// The only node may have become so while a client had its last request with
// another one: the client goes on with the only node when that is answered.
func TestOnlyNodeWhileBusyElsewhere(t *testing.T) {
	t.Parallel()
	stays, leaves := redistest.Start(t), redistest.Start(t)
	cfg := Config{Templates: Only(program(t, "SET key v")), Connections: 1, Threads: 1, ClusterShape: ClusterShape{Cluster: true}}
	both := &routes{primaries: []int{0, 1}, nodes: map[string]int{stays.Addr: 0, leaves.Addr: 1}, addresses: []string{stays.Addr, leaves.Addr}}
	both.owner[conn.KeySlot([]byte("key"))] = 1
	f, err := newFleet(cfg, &cluster{
		routes: both, places: []placement{{argument: 1}},
		nodes: []*node{{address: stays.Addr, primary: true, wanted: true}, {address: leaves.Addr, primary: true, wanted: true}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.close)
	if err := f.grow(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	leaves.Pause(t)
	p := &phase{mix: newMix(cfg.Templates, Spread, 1), budget: newBudget(10, 1, 1), window: 1, interval: time.Second}
	f.start(p)
	w := f.workers[0]
	w.loop.Do(func() {
		if w.clients[0].owed != 1 || w.clients[0].links[1].Inflight() != 1 {
			t.Error("the request did not go to the node that is going to leave")
		}
		w.setRoutes(&routes{primaries: []int{0}, nodes: both.nodes, addresses: both.addresses})
	})
	leaves.Resume(t)
	select {
	case <-p.done:
	case <-time.After(20 * time.Second):
		t.Fatal("the client stands still")
	}
	if a, b := leaves.Calls(t, "set"), stays.Calls(t, "set"); a != 1 || b != 9 {
		t.Errorf("%d requests went to the node that left, %d to the other", a, b)
	}
}
