package redistest

import (
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/respbench/respbench/internal/resp"
)

// numSlots is how many hash slots a cluster has.
const numSlots = 16384

// clusterBackoff is the time between two looks at a cluster that changes.
const clusterBackoff = 10 * time.Millisecond

// nodeTimeout is the cluster-node-timeout, in milliseconds. A replica takes
// over 3 to 4 s after its primary is gone. With much less, nodes would give each
// other up when a busy machine stands still for a moment.
const nodeTimeout = "2000"

// ClusterOptions says what StartCluster starts.
type ClusterOptions struct {
	Primaries int // 0 is 3; the slots are spread evenly over them
	Replicas  int // of each primary

	// Args are given to every redis-server. With TLS ("--tls-port", "auto",
	// "--tls-cluster", "yes", "--tls-replication", "yes", …) the nodes know each
	// other by their TLS ports, and need a client's certificate as well
	// ("--tls-client-cert-file", …) if the server's is not for both; with "--port", "0" as well, Port and Addr of the
	// nodes are those of TLS.
	Args []string

	// User and Password are an ACL user who may do everything, by which also
	// the nodes log in to each other; the default user is off then. Without
	// them anybody may do anything.
	User, Password string
}

// Cluster is a Redis Cluster of real servers on 127.0.0.1. Nodes go by their
// index in Nodes. Its methods that take a testing.TB may end the test and are
// therefore to be called on the test's own goroutine.
type Cluster struct {
	options ClusterOptions
	nodes   []*Server
	ids     []string // of the nodes, as CLUSTER MYID gives them
	away    []bool   // the node has been killed or paused
	served  []int    // a slot that the node served when it went away; -1 for none
}

// StartCluster starts the nodes of a cluster, joins them, and waits until every
// node finds the cluster in order and every replica is in step with its
// primary. That takes a little over 2 s: so long a primary that has just
// started refuses to serve. The nodes are stopped when the test ends.
//
// The cluster is put together by hand: redis-cli --cluster create is not faster,
// chooses the replicas itself and does not wait for them.
func StartCluster(t testing.TB, o ClusterOptions) *Cluster {
	t.Helper()
	if o.Primaries == 0 {
		o.Primaries = 3
	}
	c := &Cluster{options: o}
	for range o.Primaries * (1 + o.Replicas) {
		c.startNode(t)
	}
	for i := range o.Primaries {
		first, last := i*numSlots/o.Primaries, (i+1)*numSlots/o.Primaries-1
		c.do(t, i, "CLUSTER", "ADDSLOTSRANGE", strconv.Itoa(first), strconv.Itoa(last))
	}
	for i := range c.nodes {
		// Nodes whose epochs are equal would first have to agree.
		c.do(t, i, "CLUSTER", "SET-CONFIG-EPOCH", strconv.Itoa(i+1))
		c.meet(t, i, c.nodes[:i])
	}
	deadline := time.Now().Add(startTimeout)
	c.awaitAcquainted(t, deadline)
	for i := o.Primaries; i < len(c.nodes); i++ {
		c.do(t, i, "CLUSTER", "REPLICATE", c.ids[i%o.Primaries])
	}
	c.awaitInOrder(t, deadline)
	return c
}

// startNode starts one more node, which knows no other yet.
func (c *Cluster) startNode(t testing.TB) {
	t.Helper()
	args := []string{
		"--cluster-enabled", "yes",
		"--cluster-node-timeout", nodeTimeout,
		"--cluster-replica-validity-factor", "0", // a replica always stands for election
		"--repl-diskless-sync-delay", "0",
	}
	if c.options.User != "" {
		args = append(args,
			"--user", "default", "off",
			"--user", c.options.User, "on", ">"+c.options.Password, "~*", "&*", "+@all",
			"--masteruser", c.options.User,
			"--masterauth", c.options.Password)
	}
	s := Start(t, append(args, c.options.Args...)...)
	s.User, s.Password = c.options.User, c.options.Password
	if argument(c.options.Args, "--port") == "0" {
		s.Port = s.TLSPort
		s.Addr = net.JoinHostPort(s.Host, strconv.Itoa(s.Port))
	}
	c.nodes = append(c.nodes, s)
	c.away = append(c.away, false)
	c.served = append(c.served, -1)
	c.ids = append(c.ids, c.do(t, len(c.nodes)-1, "CLUSTER", "MYID").Str)
}

// meet introduces node i to others. Everybody is introduced to everybody:
// waiting for what nodes hear from each other takes longer.
func (c *Cluster) meet(t testing.TB, i int, others []*Server) {
	t.Helper()
	for _, s := range others {
		port := s.clusterClientPort()
		c.do(t, i, "CLUSTER", "MEET", s.Host, strconv.Itoa(port), strconv.Itoa(port+clusterOffset))
	}
}

// clusterClientPort returns the port by which other nodes know this one: with
// --tls-cluster the TLS port.
func (s *Server) clusterClientPort() int {
	if argument(s.args, "--tls-cluster") == "yes" {
		return s.TLSPort
	}
	return s.Port
}

// do sends a command to node i; an error reply ends the test.
func (c *Cluster) do(t testing.TB, i int, args ...string) resp.Value {
	t.Helper()
	v := c.nodes[i].Do(t, args...)
	if err := v.Err(); err != nil {
		t.Fatalf("node %d, %q: %v%s", i, args, err, c.logs())
	}
	return v
}

// logs returns what the nodes have printed: one's trouble is told by another.
func (c *Cluster) logs() string {
	var text strings.Builder
	for i, s := range c.nodes {
		fmt.Fprintf(&text, "\nlog of node %d, %s:\n%s", i, c.ids[i], s.log())
	}
	return text.String()
}

// await looks at the living nodes again and again until each is as ready says.
// A node that is not by the deadline ends the test.
func (c *Cluster) await(t testing.TB, deadline time.Time, what string, ready func(i int) bool) {
	t.Helper()
	for i := range c.nodes {
		for !c.away[i] && !ready(i) {
			if time.Now().After(deadline) {
				t.Fatalf("node %d: %s: not in time; it knows:\n%s%s", i, what, c.do(t, i, "CLUSTER", "NODES").Str, c.logs())
			}
			time.Sleep(clusterBackoff)
		}
	}
}

// awaitAcquainted waits until each living node knows every other living one.
func (c *Cluster) awaitAcquainted(t testing.TB, deadline time.Time) {
	t.Helper()
	c.await(t, deadline, "meeting all nodes", func(i int) bool {
		known := c.do(t, i, "CLUSTER", "NODES").Str
		for j, id := range c.ids {
			if !c.away[j] && !strings.Contains(known, id) {
				return false
			}
		}
		return !strings.Contains(known, "handshake")
	})
}

// awaitInOrder waits until each living node says that the cluster is in order
// and, if it is a replica, is in step with its primary.
func (c *Cluster) awaitInOrder(t testing.TB, deadline time.Time) {
	t.Helper()
	c.await(t, deadline, "cluster_state:ok", func(i int) bool {
		info := c.do(t, i, "CLUSTER", "INFO").Str
		if !strings.Contains(info, "cluster_state:ok") || !strings.Contains(info, fmt.Sprintf("cluster_slots_ok:%d\r", numSlots)) {
			return false
		}
		role := c.do(t, i, "ROLE").Elems
		return role[0].Str != "slave" || role[3].Str == "connected"
	})
}

// Nodes returns the nodes in the order in which they were started: the
// primaries, then the first replicas of each, then the second, then what
// AddNode added.
func (c *Cluster) Nodes() []*Server { return slices.Clone(c.nodes) }

// Addr returns the address of a node that lives; any would do.
func (c *Cluster) Addr() string { return c.nodes[c.living()].Addr }

// Primary returns the node that started as primary i: Nodes()[i].
func (c *Cluster) Primary(i int) *Server { return c.nodes[i] }

// ReplicaOf returns the index of the first replica that primary i started with.
func (c *Cluster) ReplicaOf(i int) int { return c.options.Primaries + i }

// ID returns the name by which the cluster knows node i.
func (c *Cluster) ID(i int) string { return c.ids[i] }

// living returns the index of the first node that lives.
func (c *Cluster) living() int {
	return max(0, slices.Index(c.away, false)) // if none lives, its silence will say so
}
