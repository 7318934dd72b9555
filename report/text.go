package report

import (
	"io"
)

// TextOptions says how the summary is drawn.
type TextOptions struct {
	Color bool // underline by colour; the words say the same
	Quiet bool // one line
}

// Text writes the summary for people. When nothing succeeded there are no
// figures in it, only what was asked and what went wrong. The error is w's.
func Text(w io.Writer, r *Result, o TextOptions) error {
	p := &page{ink: ink(o.Color)}
	switch {
	case o.Quiet:
		p.quiet(r)
	case r.Workload.Idle:
		p.facts(r)
		p.gap()
		p.held(r)
		p.faults(r)
		p.sides(r)
		p.doubts(r)
	case r.Requests.Succeeded == 0:
		p.failure(r)
	case r.Workload.Load:
		p.facts(r)
		p.gap()
		p.loaded(r)
		p.nodes(r)
		p.errors(r)
		p.faults(r)
		p.objectives(r)
		p.sides(r)
		p.doubts(r)
	default:
		p.facts(r)
		p.gap()
		p.headline(r)
		if len(r.Stages)+len(r.Lanes) == 0 { // a latency over all describes none of them
			p.latency(r)
		}
		p.lanes(r)
		p.stages(r)
		p.parts(r)
		p.nodes(r)
		p.errors(r)
		p.faults(r)
		p.objectives(r)
		p.sides(r)
		p.doubts(r)
	}
	_, err := io.WriteString(w, p.String())
	return err
}

// failure is the summary of a run in which nothing succeeded.
func (p *page) failure(r *Result) {
	p.facts(r)
	p.gap()
	p.block(p.ink.red("nothing succeeded"), p.outcome(r), r)
	p.errors(r)
	p.faults(r)
	p.objectives(r)
	if len(r.Server.Notes) > 0 {
		p.gap()
		p.notes(r)
	}
	p.doubts(r)
}

// doubts adds the warnings, each a paragraph of its own.
func (p *page) doubts(r *Result) { p.warnings(r.Warnings) }

func (p *page) warnings(list []string) {
	if len(list) > 0 {
		p.gap()
	}
	for _, warning := range list {
		const head = "warning: "
		p.hang(p.ink.bold(head), len(head), "", []string{Printable(warning)})
	}
}

// percentileNs is a percentile, from the histogram where it is not among those
// that were asked for.
func (l *Latency) percentileNs(percent float64) (int64, bool) {
	for _, p := range l.Percentiles {
		if p.Percent == percent {
			return p.Ns, true
		}
	}
	h, err := l.decode()
	if err != nil || h.TotalCount() == 0 {
		return 0, false
	}
	n := h.TotalCount()
	ns := h.ValueAtPercentile(100 * float64(nearestRank(percent, n)) / float64(n)) // as Recorder.Percentile
	return min(max(ns, l.MinNs), l.MaxNs), true
}
