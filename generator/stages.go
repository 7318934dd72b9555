package generator

import (
	"context"

	"github.com/respbench/respbench/report"
)

// runStages runs a phase for each stage and adds them up. They share the
// budget and the seed of p, so that no command comes twice. It ends early when
// ctx does or nothing succeeds; the stages up to then are kept.
func (r *run) runStages(ctx context.Context, p *phase) (outcome, []report.Stage, error) {
	all := outcome{total: newLedger(&r.cfg), connections: r.fleet.size}
	var list []report.Stage
	for _, rate := range r.cfg.Stages {
		stage := *p
		stage.rate = rate
		out := r.fleet.run(ctx, &stage)
		list = append(list, r.stage(rate, &out))
		all.then(&out)
		if out.stopped != nil {
			break
		}
		took, err := r.fleet.renew(ctx)
		if err != nil {
			return all, list, causeOr(ctx, err)
		}
		for _, ns := range took {
			all.total.reconnected(ns)
		}
	}
	return all, list, nil
}

// then puts a phase behind those that o holds.
func (o *outcome) then(next *outcome) {
	o.count(next)
	o.series = append(o.series, next.series...)
	for k := range o.outages { // those that were not over go on in the next phase, if they do
		o.outages[k].open = false
	}
	o.outages = mergeOutages(append(o.outages, next.outages...), 0)
	if next.stall.length() > o.stall.length() {
		o.stall = next.stall
	}
	o.loopCPU += next.loopCPU
	o.stopped = next.stopped
}

// count adds what a phase counted, and the time that it took, before, after or
// beside the others.
func (o *outcome) count(p *outcome) {
	o.total.Merge(p.total)
	o.unanswered += p.unanswered
	o.pushes += p.pushes
	o.missed += p.missed
	o.broken += p.broken
	o.ended += p.ended
	if o.brokeErr == nil {
		o.brokeErr = p.brokeErr
	}
	if p.remakeErr != nil {
		o.remakeErr = p.remakeErr
	}
	o.brokeAt = max(o.brokeAt, p.brokeAt)
	o.sentUntil = max(o.sentUntil, p.sentUntil)
	if o.tableFrom == 0 {
		o.tableFrom = p.tableFrom
	}
	o.tableTo = max(o.tableTo, p.tableTo)
}

// stage is what became of one rate.
func (r *run) stage(rate float64, out *outcome) report.Stage {
	from, to := out.window()
	t := out.total
	return report.Stage{
		AskedPerSec: rate, RatePerSec: out.rate(), WindowNs: to - from,
		Sent: t.Sent, Succeeded: t.Succeeded(), Failed: t.Failed(), Missed: out.missed,
		Latency: t.Latency(r.cfg.Percentiles), Service: t.service.Latency(r.cfg.Percentiles),
	}
}
