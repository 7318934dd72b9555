package generator

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/respbench/respbench/conn"
)

// askTime bounds the questions of one moment, to all servers together.
const askTime = 2 * time.Second

// witness asks the servers of a run about themselves, beside the load: the
// one server, or the nodes of a cluster.
type witness struct {
	cfg     *Config
	side    *conn.Client
	cluster *cluster
	asked   []string // addresses of the nodes that were asked before

	mu     sync.Mutex
	others map[string]*conn.Client // by address; the side connection apart
}

// witness is one for the servers of the crew.
func (c crew) witness(side *conn.Client) *witness {
	return &witness{cfg: &c[0].cfg, side: side, cluster: c[0].fleet.cluster, others: map[string]*conn.Client{}}
}

func (w *witness) close() {
	for _, side := range w.others {
		side.Close()
	}
}

// ask asks the server, or the servers, about themselves, within a bound. A
// server within this process shares its facts with the client and has none of
// its own.
func (w *witness) ask(ctx context.Context, bound time.Duration) facts {
	ctx, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	switch {
	case w.cfg.InProcess:
		return facts{}
	case w.cluster == nil:
		f := askFacts(ctx, w.side, w.cfg.databases())
		if f.broken {
			if again := w.askAt(ctx, w.cfg.Dialer); again != nil {
				return *again
			}
		}
		return f
	}
	return w.askNodes(ctx)
}

// askNodes asks the nodes that serve something now, or did when they were
// asked before, all at once.
func (w *witness) askNodes(ctx context.Context) facts {
	c := w.cluster
	for _, k := range c.wanted() {
		if a := c.nodes[k].address; !slices.Contains(w.asked, a) {
			w.asked = append(w.asked, a)
		}
	}
	answers := make([]*facts, len(w.asked))
	var asking sync.WaitGroup
	for i, address := range w.asked {
		asking.Go(func() { answers[i] = w.askAt(ctx, c.seed.At(address)) })
	}
	asking.Wait()
	var all []facts
	var silent []string
	for i, f := range answers {
		n := c.nodes[c.number(w.asked[i])]
		switch {
		case f != nil && f.info != nil:
			f.primary, f.address = n.serves(), n.address
			all = append(all, *f)
		case n.serves():
			silent = append(silent, n.address)
		}
	}
	sum := sumFacts(all)
	if len(silent) > 0 {
		sum.notes = append(slices.Clip(sum.notes), "memory and keys lack those of "+strings.Join(silent, ", ")+", which did not tell")
	}
	return sum
}

// serves tells whether a node is a primary with slots.
func (n *node) serves() bool { return n.primary && n.slots > 0 }

// askAt asks a server on a connection of its own, which is kept; nil means that
// it cannot be reached.
func (w *witness) askAt(ctx context.Context, d conn.Dialer) *facts {
	w.mu.Lock()
	side := w.others[d.Address]
	delete(w.others, d.Address)
	w.mu.Unlock()
	for {
		kept := side != nil
		if !kept {
			d.Timeout = conn.FirstContactTimeout
			var err error
			if side, err = d.Client(ctx); err != nil {
				return nil
			}
		}
		f := askFacts(ctx, side, w.cfg.databases())
		if !f.broken {
			w.mu.Lock()
			w.others[d.Address] = side
			w.mu.Unlock()
			return &f
		}
		side.Close()
		if !kept { // otherwise it may have broken long ago
			return &f
		}
		side = nil
	}
}

// Fields of INFO that add up over the nodes of a cluster.
var (
	gauges   = [...]string{"used_memory", "used_memory_dataset", "maxmemory"}
	counters = [...]string{
		"keyspace_hits", "keyspace_misses", "evicted_keys", "expired_keys",
		"used_cpu_user", "used_cpu_sys", "used_cpu_user_main_thread", "used_cpu_sys_main_thread",
	}
)

// sumFacts is the facts of a cluster: of most, those of its first node. What
// lies in a replica lies in its primary too, and is not counted again.
func sumFacts(all []facts) facts {
	if len(all) == 0 {
		return facts{}
	}
	var primaries []facts
	keys := int64(0)
	for _, f := range all {
		if f.primary {
			primaries = append(primaries, f)
			n, _ := f.keys()
			keys += n
		}
	}
	sum := all[0]
	sum.info = maps.Clone(sum.info)
	addUp(sum.info, gauges[:], primaries)
	addUp(sum.info, counters[:], all)
	sum.info["db0"] = "keys=" + strconv.FormatInt(keys, 10)
	sum.nodes = all
	return sum
}

// addUp puts the sums of fields into info; what not every server tells is left
// out.
func addUp(info map[string]string, fields []string, all []facts) {
	for _, field := range fields {
		if total, ok := sumOf(all, field); ok {
			info[field] = total
		} else {
			delete(info, field)
		}
	}
}

// sameServers leaves of the counters those that can be compared: of servers
// that ran from before to after. Others began at zero meanwhile.
func sameServers(before, after facts) (_, _ facts, note string) {
	if before.nodes == nil {
		if !sameProcess(before, after) {
			return facts{}, facts{}, "the server was started again meanwhile, so its counters cannot tell hits, evictions and CPU time"
		}
		return before, after, ""
	}
	var b, a []facts
	for _, f := range before.nodes {
		if i := slices.IndexFunc(after.nodes, func(g facts) bool { return sameProcess(f, g) }); i >= 0 {
			b, a = append(b, f), append(a, after.nodes[i])
		}
	}
	if len(b) < len(before.nodes) || len(a) < len(after.nodes) {
		note = fmt.Sprintf("hits, evictions and CPU time are those of the nodes that ran from start to end, %d of %d", len(b), max(len(before.nodes), len(after.nodes)))
	}
	return sumFacts(b), sumFacts(a), note
}

// sameProcess tells whether two answers came from one process; where a server
// does not say, by its address.
func sameProcess(before, after facts) bool {
	b, a := before.info["run_id"], after.info["run_id"]
	return before.address == after.address && (b == a || b == "" || a == "")
}

// busiest is the CPU time of the node of a cluster that used most, on its main
// thread where it tells that apart; nil where that is not known.
func busiest(before, after facts) (most *int64) {
	for k, b := range before.nodes { // the same as after
		ns := cmp.Or(cpu(b, after.nodes[k], "used_cpu_user_main_thread", "used_cpu_sys_main_thread"),
			cpu(b, after.nodes[k], "used_cpu_user", "used_cpu_sys"))
		if ns != nil && (most == nil || *ns > *most) {
			most = ns
		}
	}
	return most
}

// sumOf is the sum of a field; ok is false if a node does not tell it.
func sumOf(all []facts, field string) (total string, ok bool) {
	sum, decimals := 0.0, 0
	if len(all) == 0 {
		return "", false
	}
	for _, f := range all {
		text, told := f.info[field]
		n, err := strconv.ParseFloat(text, 64)
		if !told || err != nil {
			return "", false
		}
		if slices.Contains([]byte(text), '.') {
			decimals = 6
		}
		sum += n
	}
	return strconv.FormatFloat(sum, 'f', decimals, 64), true
}
