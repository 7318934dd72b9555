package generator

import (
	"fmt"
	"slices"

	"github.com/respbench/respbench/report"
)

// sideBySide adds up phases that ran at the same time.
func sideBySide(outs []outcome) outcome {
	all := outcome{total: &ledger{Recorder: report.NewRecorder()}}
	closed := func(o outcome) bool { return o.total.service == nil }
	if !slices.ContainsFunc(outs, closed) {
		all.total.service, all.total.lag = report.NewRecorder(), report.NewRecorder()
	}
	if outs[0].total.connect != nil { // all lanes treat faults alike
		all.total.connect = report.NewRecorder()
	}
	if outs[0].total.nodes != nil {
		all.total.nodes = nodeLedgers{}
	}
	all.series, all.stall = addSeries(outs), outs[0].stall
	for i := range outs {
		all.beside(&outs[i])
	}
	return all
}

// beside adds a phase that ran at the same time as those that o holds. What
// ended one of them early ended all.
func (o *outcome) beside(p *outcome) {
	o.count(p)
	o.connections += p.connections
	o.outages = mergeOutages(append(o.outages, p.outages...), 0)
	o.stall = o.stall.common(p.stall)
	o.loopCPU = max(o.loopCPU, p.loopCPU)
	if o.stopped == nil {
		o.stopped = p.stopped
	}
}

// addSeries adds up the slices of phases that ran at the same time: those of the
// longest series, and to each of them what ended nearest to it in the others,
// whose slices end within a tick of these.
func addSeries(outs []outcome) []slice {
	longest := slices.MaxFunc(outs, func(a, b outcome) int { return len(a.series) - len(b.series) }).series
	sum := make([]slice, len(longest))
	for k, s := range longest {
		sum[k].end = s.end
	}
	for _, o := range outs {
		at := 0
		for _, s := range o.series {
			for at < len(sum)-1 && distance(sum[at+1].end, s.end) < distance(sum[at].end, s.end) {
				at++
			}
			sum[at].rec.add(&s.rec)
		}
	}
	return sum
}

func distance(a, b int64) int64 { return max(a-b, b-a) }

// add adds what came of other requests in the same time. The percentiles of
// both together are not known.
func (f *figures) add(o *figures) {
	f.succeeded += o.succeeded
	f.failed += o.failed
	f.p50, f.p99, f.max, f.mixed = 0, 0, max(f.max, o.max), true
	f.lost += o.lost
	f.repeated += o.repeated
	f.redirected += o.redirected
	f.reconnects += o.reconnects
}

// stalls says which lanes stood still, unless all did together, which is said of
// the run.
func (c crew) stalls(outs []outcome, all *outcome) (texts []string) {
	from, _ := all.window()
	if all.stalled(from) != "" {
		return nil
	}
	for i, r := range c {
		if text := outs[i].stalled(from); text != "" {
			texts = append(texts, fmt.Sprintf("Lane %s: %s", r.cfg.lane, text))
		}
	}
	return texts
}

// sameNodes numbers what came of the nodes of a cluster, which each lane has
// numbered by itself, as the first lane does.
func (c crew) sameNodes(outs []outcome) {
	first := c[0].fleet.cluster
	if first == nil {
		return
	}
	for i, r := range c[1:] {
		total := outs[i+1].total
		var list nodeLedgers
		for k, rec := range total.nodes {
			own := r.fleet.cluster.nodes[k]
			known := len(first.nodes)
			number := first.number(own.address)
			if number == known { // new to the first lane
				*first.nodes[number] = *own
			}
			for number >= len(list) {
				list = append(list, report.NewRecorder())
			}
			list[number] = rec
		}
		total.nodes = list
	}
}
