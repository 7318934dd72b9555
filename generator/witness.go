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
	others  map[string]*conn.Client // by address; of a cluster
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
		return askFacts(ctx, w.side, w.cfg.Dialer.DB)
	}
	var all []facts
	for _, address := range w.cluster.serving() {
		side := w.others[address]
		if side == nil {
			d := w.cluster.seed.At(address)
			d.Timeout = firstContact
			var err error
			if side, err = d.Client(ctx); err != nil {
				continue
			}
			w.others[address] = side
		}
		f := askFacts(ctx, side, 0)
		if f.info == nil { // it may come back, on another connection
			side.Close()
			delete(w.others, address)
			continue
		}
		all = append(all, f)
	}
	return sumFacts(all)
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
