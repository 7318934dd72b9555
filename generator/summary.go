package generator

import (
	"runtime"
	"slices"
	"strings"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/data"
	"github.com/respbench/respbench/report"
)

// summarise makes a Result of the measured phase, without the server's side.
func (r *run) summarise(out outcome, used usage) *report.Result {
	t := out.total
	from, to := out.window()
	result := &report.Result{
		Schema:     report.Schema,
		Kind:       report.KindRun,
		Workload:   r.workload(),
		Target:     r.cfg.Target(),
		WindowNs:   to - from,
		RatePerSec: out.rate(),
		Requests: report.Requests{
			Sent: t.Sent, Succeeded: t.Succeeded(), Failed: t.Failed(),
			Unanswered: out.unanswered, Lost: t.Lost, Empty: t.Empty,
		},
		Latency: t.Latency(r.cfg.Percentiles),
		Errors:  t.ErrorClasses(from),
		Connect: r.fleet.connect(),
		Traffic: report.Traffic{SentBytes: t.BytesOut, ReceivedBytes: t.BytesIn, Pushes: out.pushes},
		Client: report.Client{
			CPUNs: used.cpuNs, LoopCPUNs: int64(out.loopCPU), UsableCPUs: shared.usableCPUs(),
			MachineCPUNs: used.machine.ns, MachineCPUs: len(used.machine.cpus), Confined: used.machine.confined,
			GCs: used.gcs, System: runtime.GOOS + "/" + runtime.GOARCH,
		},
		Tuning:    r.tuning,
		Intervals: intervals(out.series, from, to),
		Warnings:  slices.Concat(r.cfg.Warnings, LeftOut(r.cfg.Data), r.remarks),
	}
	result.Parts = r.parts(t, from, to)
	result.Nodes = r.nodes(t, from, to)
	result.Faults = out.faults(from)
	if t.connect != nil {
		result.Connect.Again = t.connect.Latency(r.cfg.Percentiles)
	}
	if t.service != nil {
		result.OpenLoop = &report.OpenLoop{
			RatePerSec: r.cfg.meanRate(), Arrivals: r.cfg.Arrivals.String(), Missed: out.missed,
			Service: t.service.Latency(r.cfg.Percentiles), SendLag: t.lag.Latency(r.cfg.Percentiles),
		}
	}
	result.Objectives = check(r.cfg.Objectives, &tally{t.Recorder, t.service, result.RatePerSec, result.Requests})
	if out.cut {
		result.Warnings = append(result.Warnings, cutText)
	}
	result.Connect.Broken = int64(out.broken)
	for _, text := range []string{out.broke(), out.notBack(), out.stalled(from)} {
		if text != "" {
			result.Warnings = append(result.Warnings, text)
		}
	}
	return result
}

func (r *run) workload() report.Workload {
	c := r.cfg
	readFrom := ""
	if c.Cluster {
		readFrom = c.ReadFrom.String()
	}
	text := sources(c.Templates)
	switch {
	case c.Origin != "":
		text = c.Origin
	case c.Idle:
		text = ""
	}
	files := dataFacts(c.Data)
	for k := range files {
		if c.Order == Shuffled && c.Data[k].Source == wholeSource(c.Templates) {
			files[k].Order = orderName(data.Random)
		}
	}
	return report.Workload{
		Cluster: c.Cluster, ReadFrom: readFrom, Reconnect: c.Reconnect, TimeoutNs: int64(c.Timeout),
		ConnMaxAgeNs: int64(c.ConnMaxAge), ReconnectEvery: c.ReconnectEvery, Idle: c.Idle,

		Template: text, Load: c.Load,
		Connections: c.Connections, Tuned: len(r.tuning) > 0, Pipeline: c.Pipeline,
		Requests: c.Requests, DurationNs: int64(c.Duration), WarmupNs: int64(c.Warmup),
		Data:    files,
		Threads: c.Threads, Cores: c.Cores, Seed: c.Seed,
		IntervalNs: int64(c.Interval), Percentiles: c.Percentiles,
	}
}

// sources is the text of the templates, each on a line of its own.
func sources(templates []Template) string {
	var texts []string
	for _, t := range templates {
		texts = append(texts, t.Program.Source())
	}
	return strings.Join(texts, "\n")
}

// parts is what became of each template of a mix; nil of one alone.
func (r *run) parts(t *ledger, from, to int64) []report.Part {
	var list []report.Part
	for k, rec := range t.parts {
		template := r.cfg.Templates[k]
		list = append(list, report.Part{
			Template: template.Program.Source(), Weight: max(1, template.Weight),
			Sent: rec.Sent, Succeeded: rec.Succeeded(), Failed: rec.Failed(),
			RatePerSec: perSecond(rec.Succeeded(), to-from),
			Latency:    rec.Latency(r.cfg.Percentiles),
			Errors:     rec.ErrorClasses(from),
		})
	}
	return list
}

// nodes is what became of the requests to each node of a cluster that got
// some, or that serves something.
func (r *run) nodes(t *ledger, from, to int64) []report.Node {
	if r.fleet.cluster == nil {
		return nil
	}
	list := []report.Node{}
	for k, n := range r.fleet.cluster.nodes {
		rec := t.node(k)
		if rec.Sent+rec.Succeeded()+rec.Failed() == 0 && !n.wanted {
			continue
		}
		list = append(list, report.Node{
			Address: n.address, Primary: n.primary, Slots: n.slots, SlotShare: float64(n.slots) / conn.NumSlots,
			Sent: rec.Sent, Succeeded: rec.Succeeded(), Failed: rec.Failed(),
			RatePerSec: perSecond(rec.Succeeded(), to-from),
			Latency:    rec.Latency(r.cfg.Percentiles),
			Errors:     rec.ErrorClasses(from),
		})
	}
	return list
}

// Target is how a report describes the server, which has been connected to.
func (c Config) Target() report.Target {
	d := &c.Dialer
	t := report.Target{Address: d.Address, User: d.User, DB: d.DB, TLS: d.TLS.Version(), Protocol: 2, Embedded: c.InProcess}
	if d.RESP3 {
		t.Protocol = 3
	}
	return t
}

// intervals puts the series on the time scale of the window, from its begin to
// its end without gaps: what was gathered a little late still belongs to it.
func intervals(series []slice, from, to int64) []report.Interval {
	list := make([]report.Interval, 0, len(series))
	start := from
	for k, s := range series {
		end := min(max(s.end, start), to)
		if k == len(series)-1 {
			end = to
		}
		i := report.Interval{
			StartNs: start - from, LengthNs: end - start,
			Succeeded: s.rec.succeeded, Failed: s.rec.failed,
			Lost: s.rec.lost, Repeated: s.rec.repeated, Redirected: s.rec.redirected, Reconnects: s.rec.reconnects,
		}
		if s.rec.succeeded > 0 {
			i.MaxNs = &s.rec.max
			if !s.rec.mixed {
				i.P50Ns, i.P99Ns = &s.rec.p50, &s.rec.p99
			}
		}
		list = append(list, i)
		start = end
	}
	return list
}
