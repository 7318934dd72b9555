package conn

import (
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/respbench/respbench/internal/redistest"
	"github.com/respbench/respbench/internal/resp"
)

// topologyAt reads the topology from a node.
func topologyAt(t *testing.T, d Dialer) *Topology {
	t.Helper()
	got, err := ReadTopology(t.Context(), client(t, d), d.Address, AddressMap{})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// eventually calls look until it returns what is wanted.
func eventually(t *testing.T, want string, look func() string) {
	t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for got := look(); got != want; got = look() {
		if time.Now().After(deadline) {
			t.Fatalf("got %s, want %s", got, want)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// addresses lists a topology's nodes.
func addresses(top *Topology) string {
	var all []string
	for _, n := range top.Nodes {
		all = append(all, n.Address)
	}
	return strings.Join(all, " ")
}

// TestTopologyOfARealCluster takes a cluster through its changes, for one is
// dear to start.
func TestTopologyOfARealCluster(t *testing.T) {
	t.Parallel()
	c := redistest.StartCluster(t, redistest.ClusterOptions{Replicas: 1})
	nodes := c.Nodes()
	seed := Dialer{Address: c.Addr()}
	// A replica shows in CLUSTER SLOTS when its primary has heard of its offset.
	eventually(t, "6", func() string { return fmt.Sprint(len(topologyAt(t, seed).Nodes)) })
	want := topologyAt(t, seed)
	if want.Primaries() != 3 || want.Unassigned() != 0 {
		t.Errorf("%d primaries, %d slots unassigned", want.Primaries(), want.Unassigned())
	}
	for i, n := range want.Nodes[:3] {
		if diff := cmp.Diff(Node{c.ID(i), nodes[i].Addr, true, i, n.Slots}, n); diff != "" || n.Slots < 5461 || n.Slots > 5462 {
			t.Errorf("primary %d (-want +got):\n%s", i, diff)
		}
		r := want.Find(nodes[c.ReplicaOf(i)].Addr)
		if r < 3 || want.Nodes[r].Of != i || want.Nodes[r].ID != c.ID(c.ReplicaOf(i)) {
			t.Errorf("the replica of %d is node %d of %+v", i, r, want.Nodes)
		}
	}
	for slot, owner := range c.SlotOwners(t) {
		if want.Owner(slot) != owner {
			t.Fatalf("owner of slot %d: %d, want %d", slot, want.Owner(slot), owner)
		}
	}

	t.Run("every node tells the same", func(t *testing.T) {
		for _, s := range nodes {
			eventually(t, addresses(want), func() string { return addresses(topologyAt(t, Dialer{Address: s.Addr})) })
		}
		unix := Dialer{Network: "unix", Address: nodes[0].Socket}
		if diff := cmp.Diff(want.Nodes, topologyAt(t, unix).Nodes); diff != "" {
			t.Errorf("by unix socket (-want +got):\n%s", diff)
		}
	})
	t.Run("shards tell the same as slots", func(t *testing.T) {
		for _, resp3 := range []bool{false, true} {
			for _, s := range nodes {
				s.Do(t, "ACL", "SETUSER", "shards", "on", ">x", "+@all", "-cluster|slots")
			}
			d := Dialer{Address: nodes[4].Addr, User: "shards", Password: "x", RESP3: resp3}
			if diff := cmp.Diff(want.Nodes, topologyAt(t, d).Nodes); diff != "" {
				t.Errorf("RESP3 %v (-want +got):\n%s", resp3, diff)
			}
		}
		nodes[0].Do(t, "ACL", "SETUSER", "blind", "on", ">x", "+@all", "-cluster")
		blind := Dialer{Address: nodes[0].Addr, User: "blind", Password: "x"}
		_, err := ReadTopology(t.Context(), client(t, blind), blind.Address, AddressMap{})
		if err == nil || !strings.Contains(err.Error(), "the user needs +cluster|slots") {
			t.Errorf("without permission: %v", err)
		}
	})
	t.Run("redirections", func(t *testing.T) { checkRedirects(t, c) })
	t.Run("moved slots", func(t *testing.T) {
		c.MoveSlots(t, 50, 0, 2)
		got := topologyAt(t, Dialer{Address: nodes[1].Addr})
		// The third primary has the first slot now.
		if order := addresses(got); !strings.HasPrefix(order, nodes[2].Addr+" "+nodes[0].Addr+" "+nodes[1].Addr) {
			t.Errorf("nodes %s", order)
		}
		if got.Owner(49) != 0 || got.Owner(50) != 1 || got.Nodes[0].Slots != want.Nodes[2].Slots+50 {
			t.Errorf("owners %d, %d of slots 49, 50; %+v", got.Owner(49), got.Owner(50), got.Nodes)
		}
	})
	t.Run("names", func(t *testing.T) {
		for i, s := range nodes {
			s.Do(t, "CONFIG", "SET", "cluster-announce-hostname", fmt.Sprintf("node%d.example", i))
			s.Do(t, "CONFIG", "SET", "cluster-preferred-endpoint-type", "hostname")
		}
		name := fmt.Sprintf("node1.example:%d", nodes[1].Port)
		eventually(t, "true", func() string { return fmt.Sprint(topologyAt(t, seed).Find(name) >= 0) })
		for _, s := range nodes {
			s.Do(t, "CONFIG", "SET", "cluster-preferred-endpoint-type", "unknown-endpoint")
		}
		if got := topologyAt(t, seed); got.Find(nodes[1].Addr) < 0 {
			t.Errorf("unknown endpoints: %s", addresses(got))
		}
		checkEmptyHost(t, c)
		for _, s := range nodes {
			s.Do(t, "CONFIG", "SET", "cluster-preferred-endpoint-type", "ip")
		}
	})
	t.Run("failover", func(t *testing.T) {
		c.Kill(t, 1)
		heir := c.AwaitFailover(t, 1)
		got := topologyAt(t, Dialer{Address: c.Addr()})
		if i := got.Find(nodes[heir].Addr); i < 0 || !got.Nodes[i].Primary || got.Unassigned() != 0 {
			t.Errorf("after node %d took over: %+v", heir, got.Nodes)
		}
		if got.Find(nodes[1].Addr) >= 0 {
			t.Errorf("the dead node is still there: %+v", got.Nodes)
		}
	})
}

// checkRedirects gets a MOVED and an ASK from real nodes.
func checkRedirects(t *testing.T, c *redistest.Cluster) {
	slot := KeySlot([]byte("foo")) // 12182: the third primary's
	_, err := client(t, Dialer{Address: c.Primary(0).Addr}).Do(t.Context(), "GET", "foo")
	r, ok := ParseRedirect([]byte(fmt.Sprint(err)))
	if address := r.Address(c.Primary(0).Addr, AddressMap{}); !ok || r.Ask || r.Slot != slot || address != c.Primary(2).Addr {
		t.Errorf("%v: %+v, %v", err, r, ok)
	}
	c.Primary(2).Do(t, "CLUSTER", "SETSLOT", fmt.Sprint(slot), "MIGRATING", c.ID(1))
	defer c.Primary(2).Do(t, "CLUSTER", "SETSLOT", fmt.Sprint(slot), "STABLE")
	_, err = client(t, Dialer{Address: c.Primary(2).Addr}).Do(t.Context(), "GET", "foo")
	r, ok = ParseRedirect([]byte(fmt.Sprint(err)))
	if address := r.Address(c.Primary(2).Addr, AddressMap{}); !ok || !r.Ask || r.Slot != slot || address != c.Primary(1).Addr {
		t.Errorf("%v: %+v, %v", err, r, ok)
	}
}

// checkEmptyHost gets a MOVED without a host, from nodes that prefer unknown
// endpoints.
func checkEmptyHost(t *testing.T, c *redistest.Cluster) {
	_, err := client(t, Dialer{Address: c.Primary(0).Addr}).Do(t.Context(), "GET", "foo")
	var text resp.Error
	if !errors.As(err, &text) || !strings.Contains(string(text), " :") {
		t.Fatalf("GET foo: %v, want a MOVED without a host", err)
	}
	r, _ := ParseRedirect([]byte(text))
	if address := r.Address(c.Primary(0).Addr, AddressMap{}); address != c.Primary(2).Addr {
		t.Errorf("%v leads to %s", err, address)
	}
}

func TestTopologyOfOneNode(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t, "--cluster-enabled", "yes")
	d := Dialer{Address: net.JoinHostPort("localhost", fmt.Sprint(s.Port))}
	var forming *FormingError
	if _, err := ReadTopology(t.Context(), client(t, d), d.Address, AddressMap{}); !errors.As(err, &forming) {
		t.Errorf("without slots: %v", err)
	}
	s.Do(t, "CLUSTER", "ADDSLOTSRANGE", "0", "8191")
	got := topologyAt(t, d)
	// A node that has met no other does not know its own address.
	want := []Node{{got.Nodes[0].ID, d.Address, true, 0, 8192}}
	if diff := cmp.Diff(want, got.Nodes); diff != "" || got.Unassigned() != 8192 || got.Owner(8191) != 0 || got.Owner(8192) != -1 {
		t.Errorf("%d slots unassigned; nodes (-want +got):\n%s", got.Unassigned(), diff)
	}
	var none *NoClusterError
	alone := Dialer{Address: redistest.Start(t).Addr}
	if _, err := ReadTopology(t.Context(), client(t, alone), alone.Address, AddressMap{}); !errors.As(err, &none) {
		t.Errorf("without a cluster: %v", err)
	}
}
