package redistest

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/respbench/respbench/internal/resp"
)

const (
	failoverTimeout = 60 * time.Second // for a replica to take over, on a busy machine
	migrateBatch    = "100"            // keys that MoveSlots moves at once
	migrateTimeout  = "5000"           // ms for one batch
)

// SlotOwners returns for each slot the index of the node that serves it, -1 for
// none, as the first living node sees it.
func (c *Cluster) SlotOwners(t testing.TB) []int {
	t.Helper()
	return c.ownersAsSeenBy(t, c.living())
}

// ownersAsSeenBy is SlotOwners as node i sees it.
func (c *Cluster) ownersAsSeenBy(t testing.TB, i int) []int {
	t.Helper()
	owners := slices.Repeat([]int{-1}, numSlots)
	for _, r := range c.do(t, i, "CLUSTER", "SLOTS").Elems {
		owner := slices.Index(c.ids, r.Elems[2].Elems[2].Str)
		for slot := r.Elems[0].Int; slot <= r.Elems[1].Int; slot++ {
			owners[slot] = owner
		}
	}
	return owners
}

// DBSizes returns how many keys each node holds; 0 for one that is away.
func (c *Cluster) DBSizes(t testing.TB) []int {
	t.Helper()
	sizes := make([]int, len(c.nodes))
	for i := range sizes {
		if !c.away[i] {
			sizes[i] = int(c.do(t, i, "DBSIZE").Int)
		}
	}
	return sizes
}

// MoveSlots moves n slots and their keys from node from to node to, the lowest
// first, one after another, as redis-cli --cluster reshard does: meanwhile the
// nodes answer with ASK and TRYAGAIN, afterwards with MOVED. When it returns,
// every living node knows.
func (c *Cluster) MoveSlots(t testing.TB, n, from, to int) {
	t.Helper()
	owners := c.ownersAsSeenBy(t, from)
	// The new owner is told first that a slot has moved: the old one, once
	// told, sends clients there.
	told := c.primaries(t, to, from)
	var last int
	for slot := range owners {
		if n > 0 && owners[slot] == from {
			c.moveSlot(t, strconv.Itoa(slot), from, to, told)
			last = slot
			n--
		}
	}
	if n > 0 {
		t.Fatalf("node %d has %d slots fewer than are to be moved", from, n)
	}
	c.await(t, time.Now().Add(startTimeout), "hearing of a moved slot", func(i int) bool {
		return c.ownersAsSeenBy(t, i)[last] == to
	})
}

// moveSlot moves one slot and tells some nodes.
func (c *Cluster) moveSlot(t testing.TB, slot string, from, to int, told []int) {
	t.Helper()
	c.do(t, to, "CLUSTER", "SETSLOT", slot, "IMPORTING", c.ids[from])
	c.do(t, from, "CLUSTER", "SETSLOT", slot, "MIGRATING", c.ids[to])
	for {
		keys := texts(c.do(t, from, "CLUSTER", "GETKEYSINSLOT", slot, migrateBatch))
		if len(keys) == 0 {
			break
		}
		c.migrate(t, keys, from, to)
	}
	for _, i := range told {
		c.do(t, i, "CLUSTER", "SETSLOT", slot, "NODE", c.ids[to])
	}
}

// migrate moves keys. If the new owner finds the cluster down, as it may when
// the machine has stood still for a while, it is tried again.
func (c *Cluster) migrate(t testing.TB, keys []string, from, to int) {
	t.Helper()
	s := c.nodes[to]
	args := []string{"MIGRATE", s.Host, strconv.Itoa(s.clusterClientPort()), "", "0", migrateTimeout}
	if c.options.User != "" {
		args = append(args, "AUTH2", c.options.User, c.options.Password)
	}
	args = append(append(args, "KEYS"), keys...)
	deadline := time.Now().Add(startTimeout)
	for {
		err := c.nodes[from].Do(t, args...).Err()
		if err == nil {
			return
		}
		if !strings.Contains(err.Error(), "CLUSTERDOWN") || time.Now().After(deadline) {
			t.Fatalf("node %d, %q: %v%s", from, args, err, c.logs())
		}
		time.Sleep(clusterBackoff)
	}
}

// primaries returns the living primaries, the given ones first.
func (c *Cluster) primaries(t testing.TB, first ...int) []int {
	t.Helper()
	for i := range c.nodes {
		if !c.away[i] && !slices.Contains(first, i) && c.do(t, i, "ROLE").Elems[0].Str == "master" {
			first = append(first, i)
		}
	}
	return first
}

// texts returns the elements of an array of strings.
func texts(v resp.Value) []string {
	var s []string
	for _, e := range v.Elems {
		s = append(s, e.Str)
	}
	return s
}

// Kill ends node i with SIGKILL and waits until it is gone. AwaitFailover waits
// for what the others make of it.
func (c *Cluster) Kill(t testing.TB, i int) {
	t.Helper()
	c.leave(t, i)
	c.nodes[i].Kill(t)
}

// Pause stops node i with SIGSTOP, as Server.Pause does.
func (c *Cluster) Pause(t testing.TB, i int) {
	t.Helper()
	c.leave(t, i)
	c.nodes[i].Pause(t)
}

// leave takes note that node i will not answer any more.
func (c *Cluster) leave(t testing.TB, i int) {
	t.Helper()
	c.served[i] = slices.Index(c.ownersAsSeenBy(t, i), i)
	c.away[i] = true
}

// Return restarts or resumes node i, which was killed or paused, and waits
// until it, and every other living node, finds the cluster in order.
func (c *Cluster) Return(t testing.TB, i int) {
	t.Helper()
	select {
	case <-c.nodes[i].gone:
		c.nodes[i].Restart(t)
	default:
		c.nodes[i].Resume(t)
	}
	c.away[i] = false
	c.awaitInOrder(t, time.Now().Add(failoverTimeout))
}

// AwaitFailover waits until a replica of node i, a primary that was killed or
// paused, serves in its place and all living nodes find the cluster in order.
// It returns the index of that replica.
func (c *Cluster) AwaitFailover(t testing.TB, i int) (heir int) {
	t.Helper()
	slot := c.served[i]
	if slot < 0 {
		t.Fatalf("node %d served nothing that another could take over", i)
	}
	deadline := time.Now().Add(failoverTimeout)
	c.await(t, deadline, "learning of the failover", func(j int) bool {
		heir = c.ownersAsSeenBy(t, j)[slot]
		return heir != i && heir >= 0
	})
	c.awaitInOrder(t, deadline)
	return heir
}

// AwaitDown waits until all living nodes refuse to serve with CLUSTERDOWN, as they
// do when nobody takes over from a primary that was killed or paused.
func (c *Cluster) AwaitDown(t testing.TB) {
	t.Helper()
	c.await(t, time.Now().Add(failoverTimeout), "cluster_state:fail", func(i int) bool {
		return strings.Contains(c.do(t, i, "CLUSTER", "INFO").Str, "cluster_state:fail")
	})
}

// AddNode starts one more primary, without slots, and waits until all living
// nodes know it and it serves. It returns the node's index.
func (c *Cluster) AddNode(t testing.TB) int {
	t.Helper()
	c.startNode(t)
	added := len(c.nodes) - 1
	var others []*Server
	for i := range added {
		if !c.away[i] {
			others = append(others, c.nodes[i])
		}
	}
	c.meet(t, added, others)
	deadline := time.Now().Add(startTimeout)
	c.awaitAcquainted(t, deadline)
	c.awaitInOrder(t, deadline)
	return added
}
