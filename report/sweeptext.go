package report

import (
	"io"
	"slices"
	"strings"
)

// SweepText writes the summary of a sweep for people: what was found in a
// sentence, the curve, and a table of its points. The error is w's.
func SweepText(w io.Writer, s *SweepResult, o TextOptions) error {
	p := &page{ink: ink(o.Color)}
	if o.Quiet {
		p.line(strings.Join(append([]string{p.ink.bold(s.finding())}, s.remarks()...), "; "))
	} else {
		p.sweepFacts(s)
		p.gap()
		p.hang("  ", 2, "", []string{p.ink.bold(s.finding())})
		if remarks := s.remarks(); len(remarks) > 0 {
			p.hang("  ", 2, "; ", remarks)
		}
		p.chart(s)
		p.sweepTable(s)
		p.sweepSides(s)
	}
	_, err := io.WriteString(w, p.String())
	return err
}

// sweepFacts adds what was asked.
func (p *page) sweepFacts(s *SweepResult) {
	if len(s.Steps) == 0 {
		return
	}
	first := *s.Steps[0].Result
	open := first.OpenLoop
	first.OpenLoop = nil
	p.hang("", 0, "", []string{Printable(cutMiddle(first.Workload.Template, templateLines*pageColumns-40))})
	p.hang("", 0, ", ", serverFacts(&first))
	var load []string
	w := first.Workload
	if open != nil {
		load = []string{"sweep by rate, " + Printable(open.Arrivals), counted(int64(w.Connections), "connection"), "pipeline up to " + Thousands(int64(w.Pipeline))}
	} else {
		load = []string{"sweep by connections", "pipeline " + Thousands(int64(w.Pipeline))}
	}
	most := slices.MaxFunc(s.Steps, func(a, b SweepStep) int { return a.Result.Workload.Threads - b.Result.Workload.Threads })
	load = append(load, counted(int64(most.Result.Workload.Threads), "thread"), loadSeed(&w), counted(int64(len(s.Steps)), "step")+" of "+duration(s.Sweep.StepNs))
	p.hang("", 0, ", ", load)
}

// finding is the sentence that a person would say.
func (s *SweepResult) finding() string {
	wanted, missed := "keeps up with", "does not keep up with "
	if s.Sweep.Objective != "" {
		words := objectiveWords(s.Sweep.Objective)
		wanted, missed = "holds "+words, "does not hold "+words+" even at "
	}
	switch h := s.Highest; {
	case h != nil && h.Fails == nil:
		return wanted + " up to " + s.value(h.At) + ", the highest tried"
	case h != nil:
		return wanted + " up to " + s.value(h.At)
	case s.Sweep.By == ByConnections && s.Sweep.Objective == "":
		if best := s.peak(); best != nil {
			return "reaches " + rate(best.Result.RatePerSec) + " requests/s, with " + s.value(best.At)
		}
		return "reached nothing"
	}
	lowest := s.lowest()
	if lowest == nil {
		return "ended before a step was complete"
	}
	return missed + s.value(lowest.At) + ", the lowest tried"
}

// remarks are what else is worth saying in a sentence.
func (s *SweepResult) remarks() []string {
	var said []string
	if h := s.Highest; h != nil {
		for _, o := range s.Steps[h.Step].Result.Objectives {
			if o.Measured != nil {
				said = append(said, "there "+Printable(quantityOf(o.Text))+" is "+inUnit(*o.Measured, o.Unit))
			}
		}
	}
	if k := s.Knee; k != nil {
		said = append(said, "the knee is at "+s.value(k.At)+", p99 "+millis(s.Steps[k.Step].p99()))
	}
	if best := s.peak(); best != nil && (s.Sweep.By == ByRate || s.Sweep.Objective != "") {
		said = append(said, "the most reached is "+rate(best.Result.RatePerSec)+" requests/s")
	}
	switch {
	case s.Interrupted != "":
		n := len(s.Steps) // the one that was cut short, if it came to any figures
		if n == 0 || s.Steps[n-1].complete() {
			n++
		}
		said = append(said, "interrupted by "+Printable(s.Interrupted)+" in step "+Thousands(int64(n)))
	case s.Problem != "":
		said = append(said, "ended early: "+Printable(s.Problem))
	}
	return said
}

// value writes a rate or a number of connections with its unit.
func (s *SweepResult) value(at float64) string {
	if s.Sweep.By == ByConnections {
		return counted(int64(at), "connection")
	}
	return exactRate(at) + " requests/s"
}

// exactRate writes a rate that somebody asked for, all its digits.
func exactRate(at float64) string { return significant(at) }

// objectiveWords says p99<1ms as one would: p99 under 1 ms.
func objectiveWords(text string) string {
	at := strings.IndexAny(text, "<>")
	if at < 0 {
		return Printable(text)
	}
	limit := strings.TrimPrefix(text[at+1:], "=")
	word := " under "
	if len(limit) < len(text)-at-1 {
		word = " at most "
	}
	unit := strings.TrimLeft(limit, "0123456789.e_ ")
	number := strings.TrimSpace(strings.TrimSuffix(limit, unit))
	if unit != "" {
		number += " " + unit
	}
	return Printable(text[:at] + word + number)
}

// quantityOf is what an objective is on: p99.
func quantityOf(text string) string {
	if at := strings.IndexAny(text, "<>"); at >= 0 {
		return text[:at]
	}
	return text
}

// peak is the step with the highest throughput; nil if there is none.
func (s *SweepResult) peak() *SweepStep {
	return s.best(func(a, b *SweepStep) bool { return a.Result.RatePerSec > b.Result.RatePerSec })
}

// lowest is the step at the lowest value; nil if none is complete.
func (s *SweepResult) lowest() *SweepStep {
	return s.best(func(a, b *SweepStep) bool { return a.At < b.At })
}

// best is the complete step that is better than all before and not worse than
// those after it.
func (s *SweepResult) best(better func(a, b *SweepStep) bool) *SweepStep {
	var best *SweepStep
	for i := range s.Steps {
		if step := &s.Steps[i]; step.complete() && (best == nil || better(step, best)) {
			best = step
		}
	}
	return best
}

// p99 of the step, in nanoseconds; 0 if nothing succeeded.
func (s *SweepStep) p99() int64 {
	if s.Result.Latency == nil {
		return 0
	}
	return s.Result.Latency.at(99)
}

// sweepSides adds who was the limit at the top, and what to doubt.
func (p *page) sweepSides(s *SweepResult) {
	p.gap()
	if top := s.best(func(a, b *SweepStep) bool { return a.At > b.At }); top != nil {
		for _, who := range limit(&top.Result.Limit) {
			p.row("limit", "at "+s.value(top.At)+" "+who)
		}
		for _, e := range top.Result.Errors[:min(1, len(top.Result.Errors))] {
			p.row("errors", "at "+s.value(top.At)+": "+counted(top.Result.Requests.Failed, "error"), Printable(e.Sample))
		}
		p.notes(top.Result)
	}
	p.warnings(s.Warnings)
}
