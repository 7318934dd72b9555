package generator

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/internal/redistest"
	"github.com/respbench/respbench/internal/resp"
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

// fakeNode answers as a node does; what came together is answered together.
func fakeNode(t *testing.T, answer func(command string) string) (addr string) {
	return redistest.Fake(t, func(nc net.Conn) {
		br := bufio.NewReader(nc)
		for {
			var replies strings.Builder
			for more := true; more; more = br.Buffered() > 0 {
				v, err := resp.ReadValue(br)
				if err != nil {
					return
				}
				var args []string
				for _, e := range v.Elems {
					args = append(args, e.Str)
				}
				replies.WriteString(answer(strings.Join(args, " ")))
			}
			if _, err := nc.Write([]byte(replies.String())); err != nil {
				return
			}
		}
	})
}

// A server may refuse ASKING and take the request behind it all the same. That
// refusal is then not what the next request failed of, which is sent again.
func TestAskingRefusedInVain(t *testing.T) {
	t.Parallel()
	const key = "a"
	for _, pipeline := range []int{1, 2} {
		var from, to atomic.Value // their addresses
		other := func(command string) string {
			host := func(addr *atomic.Value) string {
				_, port, _ := net.SplitHostPort(addr.Load().(string))
				return "*2\r\n$9\r\n127.0.0.1\r\n:" + port + "\r\n"
			}
			switch command {
			case "CLUSTER SLOTS":
				return "*2\r\n*3\r\n:0\r\n:8191\r\n" + host(&to) + "*3\r\n:8192\r\n:16383\r\n" + host(&from)
			case "CLUSTER INFO":
				return "$16\r\ncluster_state:ok\r\n"
			}
			return "-ERR unknown command\r\n"
		}
		var asked, got atomic.Int64
		to.Store(fakeNode(t, func(command string) string {
			switch {
			case command == "ASKING" && asked.Add(1) == 1:
				return "-NOPERM no permission to run the 'asking' command\r\n"
			case command == "ASKING":
				return "+OK\r\n"
			case command == "GET "+key && got.Add(1) == 2:
				return "-TRYAGAIN Multiple keys request during rehashing of slot\r\n"
			case command == "GET "+key:
				return "$1\r\nv\r\n"
			}
			return other(command)
		}))
		from.Store(fakeNode(t, func(command string) string {
			if command == "GET "+key {
				return fmt.Sprintf("-ASK %d %s\r\n", conn.KeySlot([]byte(key)), to.Load())
			}
			return other(command)
		}))
		r, err := Run(t.Context(), Config{
			Templates: Only(program(t, "GET "+key)), Connections: 1, Pipeline: pipeline, Requests: 20,
			ClusterShape: ClusterShape{Cluster: true}, Dialer: conn.Dialer{Address: from.Load().(string)},
		})
		if err != nil {
			t.Fatal(err)
		}
		if r.Requests.Succeeded != 20 || len(r.Errors) > 0 || got.Load() != 21 {
			t.Errorf("pipeline %d: %d succeeded, errors %+v, %d GETs", pipeline, r.Requests.Succeeded, r.Errors, got.Load())
		}
	}
}
