package redistest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestClusterUp(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ primaries, replicas int }{{1, 0}, {3, 1}} {
		t.Run(fmt.Sprintf("%d primaries, %d replicas", tt.primaries, tt.replicas), func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			c := StartCluster(t, ClusterOptions{Primaries: tt.primaries, Replicas: tt.replicas})
			t.Logf("up after %v", time.Since(began))
			if n := len(c.Nodes()); n != tt.primaries*(1+tt.replicas) {
				t.Fatalf("%d nodes", n)
			}
			if c.Addr() != c.Primary(0).Addr {
				t.Errorf("the seed is %s", c.Addr())
			}
			counts := make([]int, len(c.nodes))
			for slot, owner := range c.SlotOwners(t) {
				if owner < 0 || owner >= tt.primaries {
					t.Fatalf("slot %d: owner %d", slot, owner)
				}
				counts[owner]++
			}
			for i := range tt.primaries {
				if share := numSlots / tt.primaries; counts[i] < share || counts[i] > share+1 {
					t.Errorf("primary %d has %d slots", i, counts[i])
				}
			}
			if tt.replicas > 0 {
				for i := range tt.primaries {
					role := c.nodes[c.ReplicaOf(i)].Do(t, "ROLE").Elems
					if role[0].Str != "slave" || int(role[2].Int) != c.Primary(i).Port {
						t.Errorf("role of the replica of %d: %+v", i, role)
					}
				}
			}
		})
	}
}

// fill sets n keys, each at the node that owns its slot.
func fill(t *testing.T, c *Cluster, n int) {
	t.Helper()
	owners := c.SlotOwners(t)
	for k := range n {
		key := fmt.Sprintf("key:%d", k)
		slot := c.do(t, 0, "CLUSTER", "KEYSLOT", key).Int
		c.do(t, owners[slot], "SET", key, "v")
	}
}

func sum(n []int) int {
	s := 0
	for _, v := range n {
		s += v
	}
	return s
}

// TestClusterChanges goes through what can happen to a cluster, one after the
// other, with an ACL user, whom every step has to log in as.
func TestClusterChanges(t *testing.T) {
	t.Parallel()
	const keys = 500
	c := StartCluster(t, ClusterOptions{Replicas: 1, User: "bench@mark", Password: "p>w #1"})
	if err := c.Primary(0).As("", "").Do(t, "PING").Err(); err == nil || !strings.HasPrefix(err.Error(), "NOAUTH") {
		t.Errorf("without a login: %v", err)
	}
	fill(t, c, keys)

	before := c.SlotOwners(t)
	c.MoveSlots(t, 100, 0, 1)
	after := c.SlotOwners(t)
	for slot := range after {
		if want := before[slot]; slot < 100 && after[slot] != 1 || slot >= 100 && after[slot] != want {
			t.Fatalf("slot %d has moved from %d to %d", slot, want, after[slot])
		}
	}

	added := c.AddNode(t)
	c.MoveSlots(t, 300, 2, added)
	sizes := c.DBSizes(t)
	primaries := []int{sizes[0], sizes[1], sizes[2], sizes[added]}
	if sum(primaries) != keys || slices.Contains(primaries, 0) {
		t.Errorf("keys of each node after moves: %v, want %d in all", sizes, keys)
	}

	began := time.Now()
	c.Kill(t, 0)
	heir := c.AwaitFailover(t, 0)
	t.Logf("failed over after %v", time.Since(began))
	if heir != c.ReplicaOf(0) || c.Addr() == c.Primary(0).Addr {
		t.Errorf("node %d took over; the seed is %s", heir, c.Addr())
	}
	if owners := c.SlotOwners(t); owners[100] != heir || slices.Contains(owners, 0) {
		t.Errorf("the owner of slot 100 is %d", owners[100])
	}
	c.Return(t, 0)
	if role := c.nodes[0].Do(t, "ROLE").Elems[0].Str; role != "slave" {
		t.Errorf("the returned node is a %s", role)
	}
	c.Pause(t, heir)
	if again := c.AwaitFailover(t, heir); again != 0 {
		t.Errorf("node %d took over from %d", again, heir)
	}
	c.Return(t, heir)
	sizes = c.DBSizes(t)
	if got := sum([]int{sizes[0], sizes[1], sizes[2], sizes[added]}); got != keys {
		t.Errorf("keys of each node after failovers: %v, want %d in all", sizes, keys)
	}
}

func TestClusterDown(t *testing.T) {
	t.Parallel()
	c := StartCluster(t, ClusterOptions{Primaries: 3})
	c.Kill(t, 0)
	c.AwaitDown(t)
	if err := c.Primary(1).Do(t, "GET", "x").Err(); err == nil || !strings.HasPrefix(err.Error(), "CLUSTERDOWN") {
		t.Errorf("GET: %v", err)
	}
	c.Return(t, 0)
	if owners := c.SlotOwners(t); owners[0] != 0 {
		t.Errorf("slot 0 belongs to %d after the return", owners[0])
	}
}
