package generator

import (
	"cmp"
	"slices"
)

// knee is the index of the probe at which throughput divided by p99 is
// greatest: Kleinrock's power, whose maximum is where latency begins to grow
// faster than throughput. Of several probes at one value the one with the
// middle p99 counts. ok is false if the curve was not followed beyond.
func knee(probes []probe) (at int, ok bool) {
	best := -1
	top := 0.0
	for _, i := range middles(probes) {
		top = max(top, probes[i].at)
		if best < 0 || power(probes[i]) > power(probes[best]) {
			best = i
		}
	}
	if best < 0 || probes[best].at == top {
		return 0, false
	}
	return best, true
}

func power(p probe) float64 { return p.rate / float64(p.p99) }

// middles is one probe for each value, by rising value, of those at which
// something succeeded.
func middles(probes []probe) []int {
	var order []int
	for i, p := range probes {
		if p.p99 > 0 && p.rate > 0 {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(probes[a].at, probes[b].at), cmp.Compare(probes[a].p99, probes[b].p99))
	})
	var list []int
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && probes[order[to]].at == probes[order[from]].at {
			to++
		}
		list = append(list, order[(from+to)/2])
		from = to
	}
	return list
}
