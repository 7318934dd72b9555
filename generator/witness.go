package generator

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/respbench/respbench/conn"
)

// witness asks the servers of a run about themselves, beside the load: the
// one server, or every primary of a cluster.
type witness struct {
	cfg     *Config
	side    *conn.Client
	cluster *cluster
	others  map[string]*conn.Client // by address; the side connection apart
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

// ask asks the server, or the servers, about themselves. A server within this
// process shares its facts with the client and has none of its own.
func (w *witness) ask(ctx context.Context) facts {
	switch {
	case w.cfg.InProcess:
		return facts{}
	case w.cluster == nil:
		f := askFacts(ctx, w.side, w.cfg.Dialer.DB)
		if f.broken {
			if again := w.askAt(ctx, w.cfg.Dialer); again != nil {
				return *again
			}
		}
		return f
	}
	var all []facts
	for _, address := range w.cluster.serving() {
		if f := w.askAt(ctx, w.cluster.seed.At(address)); f != nil {
			all = append(all, *f)
		}
	}
	return sumFacts(all)
}

// askAt asks a server on a connection of its own, which is kept; nil means that
// it does not answer.
func (w *witness) askAt(ctx context.Context, d conn.Dialer) *facts {
	for range 2 { // a connection that was kept may have broken
		side := w.others[d.Address]
		if side == nil {
			d.Timeout = firstContact
			var err error
			if side, err = d.Client(ctx); err != nil {
				return nil
			}
			w.others[d.Address] = side
		}
		f := askFacts(ctx, side, d.DB)
		if !f.broken {
			return &f
		}
		side.Close()
		delete(w.others, d.Address)
	}
	return nil
}

// serving are the addresses of the primaries that serve a slot.
func (c *cluster) serving() (list []string) {
	for _, k := range c.routes.primaries {
		list = append(list, c.nodes[k].address)
	}
	return list
}

// summed are the fields of INFO that add up over the nodes of a cluster.
var summed = [...]string{
	"used_memory", "used_memory_dataset", "maxmemory", "keyspace_hits", "keyspace_misses", "evicted_keys", "expired_keys",
	"used_cpu_user", "used_cpu_sys", "used_cpu_user_main_thread", "used_cpu_sys_main_thread",
}

// sumFacts is the facts of a cluster: of most, those of its first node.
func sumFacts(all []facts) facts {
	if len(all) == 0 {
		return facts{}
	}
	sum := all[0]
	sum.info = maps.Clone(sum.info)
	for _, field := range summed {
		if total, ok := sumOf(all, field); ok {
			sum.info[field] = total
		} else {
			delete(sum.info, field)
		}
	}
	keys := int64(0)
	for _, f := range all {
		n, _ := f.keys()
		keys += n
	}
	sum.info["db0"] = "keys=" + strconv.FormatInt(keys, 10)
	sum.nodes = all
	return sum
}

// busiest is the CPU time of the node of a cluster that used most, on its main
// thread where it tells that apart; nil where that is not known.
func busiest(before, after facts) (most *int64) {
	if len(before.nodes) != len(after.nodes) {
		return nil
	}
	for k, b := range before.nodes {
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
