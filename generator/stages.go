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
		all.add(&out)
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

// add puts a phase behind those that o holds.
func (o *outcome) add(next *outcome) {
	o.total.Merge(next.total)
	o.series = append(o.series, next.series...)
	o.unanswered += next.unanswered
	o.pushes += next.pushes
	o.missed += next.missed
	o.broken += next.broken
	o.ended += next.ended
	for k := range o.outages { // those that were not over go on in the next phase, if they do
		o.outages[k].open = false
	}
	o.outages = mergeOutages(append(o.outages, next.outages...), 0)
	if o.brokeErr == nil {
		o.brokeErr = next.brokeErr
	}
	if next.remakeErr != nil {
		o.remakeErr = next.remakeErr
	}
	if next.stall.length() > o.stall.length() {
		o.stall = next.stall
	}
	o.brokeAt = max(o.brokeAt, next.brokeAt)
	o.sentUntil = max(o.sentUntil, next.sentUntil)
	if o.tableFrom == 0 {
		o.tableFrom = next.tableFrom
	}
	o.tableTo = max(o.tableTo, next.tableTo)
	o.loopCPU += next.loopCPU
	o.stopped = next.stopped
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
