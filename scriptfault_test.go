package main

import (
	"fmt"
	"io"
	"net"
	"strconv"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/internal/redistest"
)

// clustersAtOnce bounds how many clusters the scripts run at a time.
var clustersAtOnce = make(chan struct{}, 1)

// startCluster gives a script a cluster; see TestScript.
func (s *scripted) startCluster(ts *testscript.TestScript, _ bool, args []string) {
	o := redistest.ClusterOptions{}
	if args[0] == "tls" {
		args = args[1:]
		ca := redistest.NewCA(s.t)
		o.User, o.Password = "a@b", `p:/#?% é"`
		o.Args = append(ca.Args(ca.Server(s.t)), "--port", "0", "--tls-cluster", "yes", "--tls-replication", "yes")
		ts.Setenv("CA", ca.File)
	}
	o.Primaries, o.Replicas = atoi(ts, args[0]), atoi(ts, args[1])
	o.Args = append(o.Args, args[2:]...)
	if s.cluster == nil { // one script has one at a time
		clustersAtOnce <- struct{}{}
		s.t.Cleanup(func() { <-clustersAtOnce })
	}
	s.cluster = redistest.StartCluster(s.t, o)
	s.server = s.cluster.Primary(0)
	for i, node := range s.cluster.Nodes() {
		ts.Setenv("PORT"+strconv.Itoa(i+1), strconv.Itoa(node.Port))
	}
	ts.Setenv("PORT", strconv.Itoa(s.server.Port))
}

func (s *scripted) silent(ts *testscript.TestScript, _ bool, _ []string) {
	_, port, err := net.SplitHostPort(redistest.Fake(s.t, func(c net.Conn) { io.Copy(io.Discard, c) }))
	ts.Check(err)
	ts.Setenv("PORT", port)
}

func (s *scripted) total(ts *testscript.TestScript, _ bool, args []string) {
	owners, sum := s.cluster.SlotOwners(s.t), 0
	for i := range atoi(ts, args[1]) {
		key := fmt.Sprintf("%skey_%010d", args[0], i)
		v := s.cluster.Nodes()[owners[conn.KeySlot([]byte(key))]].Do(s.t, "GET", key)
		n, _ := strconv.Atoi(v.Str) // a missing key is none
		sum += n
	}
	fmt.Fprintln(ts.Stdout(), sum)
}

func (s *scripted) underway(ts *testscript.TestScript, _ bool, args []string) {
	before := s.server.Calls(s.t, args[0])
	for deadline := time.Now().Add(30 * time.Second); s.server.Calls(s.t, args[0]) == before; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			ts.Fatalf("the server got no %s", args[0])
		}
	}
}

func (s *scripted) move(ts *testscript.TestScript, _ bool, args []string) {
	s.cluster.MoveSlots(s.t, atoi(ts, args[0]), atoi(ts, args[1]), atoi(ts, args[2]))
}

func (s *scripted) crash(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) > 0 {
		s.cluster.Kill(s.t, atoi(ts, args[0]))
	} else {
		s.server.Kill(s.t)
	}
}

func (s *scripted) restart(*testscript.TestScript, bool, []string) { s.server.Restart(s.t) }
func (s *scripted) pause(*testscript.TestScript, bool, []string)   { s.server.Pause(s.t) }
func (s *scripted) resume(*testscript.TestScript, bool, []string)  { s.server.Resume(s.t) }

func (s *scripted) failover(ts *testscript.TestScript, _ bool, args []string) {
	s.cluster.AwaitFailover(s.t, atoi(ts, args[0]))
}

func atoi(ts *testscript.TestScript, text string) int {
	n, err := strconv.Atoi(text)
	ts.Check(err)
	return n
}
