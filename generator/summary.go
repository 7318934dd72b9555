package generator

import (
	"fmt"
	"runtime"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/report"
)

// summarise makes a Result of the measured phase, without the server's side.
func (r *run) summarise(out outcome, used usage) *report.Result {
	t := out.total
	result := &report.Result{
		Schema:     report.Schema,
		Kind:       report.KindRun,
		Workload:   r.workload(),
		Target:     targetOf(r.cfg.Dialer, r.cfg.InProcess),
		WindowNs:   window(t),
		RatePerSec: rate(t),
		Requests: report.Requests{
			Sent: t.Sent, Succeeded: t.Succeeded(), Failed: t.Failed(),
			Unanswered: out.unanswered, Lost: t.Lost, Empty: t.Empty,
		},
		Latency:   t.Latency(r.cfg.Percentiles),
		Errors:    t.ErrorClasses(t.FirstSentNs),
		Connect:   r.fleet.connect(),
		Traffic:   report.Traffic{SentBytes: t.BytesOut, ReceivedBytes: t.BytesIn},
		Client:    report.Client{CPUNs: used.cpuNs, LoopCPUNs: int64(out.loopCPU), UsableCPUs: runtime.NumCPU(), GCs: used.gcs, System: runtime.GOOS + "/" + runtime.GOARCH},
		Tuning:    r.tuning,
		Intervals: intervals(out.series, t.FirstSentNs),
		Warnings:  r.remarks,
	}
	if out.broken > 0 {
		result.Warnings = append(result.Warnings, fmt.Sprintf(
			"%d of %d connections broke (%v), and %d requests in flight on them were lost.",
			out.broken, r.cfg.Connections, out.brokeErr, t.Lost))
	}
	return result
}

func (r *run) workload() report.Workload {
	c := r.cfg
	return report.Workload{
		Template: c.Program.Source(), Load: c.Load,
		Connections: c.Connections, Tuned: len(r.tuning) > 0, Pipeline: c.Pipeline,
		Requests: c.Requests, DurationNs: int64(c.Duration), WarmupNs: int64(c.Warmup),
		Threads: c.Threads, Cores: c.Cores, Seed: c.Seed,
		IntervalNs: int64(c.Interval), Percentiles: c.Percentiles,
	}
}

func targetOf(d conn.Dialer, inProcess bool) report.Target {
	t := report.Target{Address: d.Address, User: d.User, DB: d.DB, Protocol: 2, Embedded: inProcess}
	if d.RESP3 {
		t.Protocol = 3
	}
	return t
}

// intervals puts the series on the time scale of the window.
func intervals(series []slice, origin int64) []report.Interval {
	list := make([]report.Interval, 0, len(series))
	for _, s := range series {
		i := report.Interval{
			StartNs: max(0, s.start-origin), LengthNs: s.end - s.start,
			Succeeded: s.rec.succeeded, Failed: s.rec.failed,
		}
		if s.rec.succeeded > 0 {
			i.P50Ns, i.P99Ns, i.MaxNs = &s.rec.p50, &s.rec.p99, &s.rec.max
		}
		list = append(list, i)
	}
	return list
}
