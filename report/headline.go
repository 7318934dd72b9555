package report

import (
	"slices"
	"strings"
)

// headline adds the figure that people came for and how it came about.
func (p *page) headline(r *Result) {
	p.block(p.ink.bold(rate(r.RatePerSec)+" requests/s"), p.outcome(r), r)
}

// block adds a figure and, beside it, pieces of a sentence.
func (p *page) block(figure string, pieces []string, r *Result) {
	const space = 6
	indent := 2 + cells(figure) + space
	p.hang("  "+figure+strings.Repeat(" ", space), indent, ", ", pieces)
	if r.endedEarly() {
		p.hang(strings.Repeat(" ", indent), indent, "", []string{ending(r)})
	}
}

// endedEarly tells whether something ended the run before its time.
func (r *Result) endedEarly() bool { return r.Interrupted != "" || r.Aborted != nil }

// ending says what ended a run before its time, and when.
func ending(r *Result) string {
	if r.Aborted != nil {
		return "ended early by " + Printable(r.Aborted.String())
	}
	return "interrupted by " + Printable(r.Interrupted) + " after " + duration(r.WindowNs)
}

// outcome says what became of the requests.
func (p *page) outcome(r *Result) []string {
	pieces := []string{counted(r.Requests.Sent, "request") + " in " + duration(r.WindowNs)}
	if r.OpenLoop != nil && r.OpenLoop.Missed > 0 {
		pieces = append(pieces, p.ink.red(Thousands(r.OpenLoop.Missed)+" due and never sent"))
	}
	return append(pieces, p.failures(&r.Requests)...)
}

// failures says which requests are not successes.
func (p *page) failures(q *Requests) []string {
	pieces := []string{"no errors"}
	if q.Failed > 0 {
		share := percent(q.Failed, q.Succeeded+q.Failed)
		pieces[0] = p.ink.red(counted(q.Failed, "error") + " (" + share + ")")
	}
	if q.Unanswered > 0 {
		pieces = append(pieces, p.ink.red(Thousands(q.Unanswered)+" unanswered"))
	}
	if q.Lost > 0 {
		pieces = append(pieces, p.ink.red(Thousands(q.Lost)+" lost with their connection"))
	}
	return pieces
}

// loaded adds what now exists, for a run that filled a data set.
func (p *page) loaded(r *Result) {
	pieces := append([]string{
		counted(r.Requests.Sent, "request") + " in " + duration(r.WindowNs),
		p.ink.bold(rate(r.RatePerSec) + " requests/s"),
	}, p.failures(&r.Requests)...)
	marks := slices.Repeat([]string{","}, len(pieces)-1)
	if keys := r.Server.Keys; keys != nil {
		pieces, marks = append(pieces, counted(keys.After, "key")), append(marks, ";")
	}
	if change := r.Server.growth(); change != "" {
		pieces, marks = append(pieces, "memory "+change), append(marks, ";")
	}
	for i, mark := range marks {
		pieces[i] += mark
	}
	p.hang("  ", 2, " ", pieces)
	if r.endedEarly() {
		p.line("  " + ending(r))
	}
}

// growth says by how much the used memory changed and, where keys were added,
// what a new key takes and how much of the growth is data; "" if it is not
// known, or there is none.
func (s *Server) growth() string {
	if s.UsedMemory == nil {
		return ""
	}
	text := s.UsedMemory.change()
	var details []string
	if perKey := s.bytesPerKey(); perKey > 0 {
		details = append(details, Thousands(perKey)+" bytes a key")
	}
	if d := s.Dataset; d != nil && d.After > d.Before && s.UsedMemory.After > s.UsedMemory.Before {
		details = append(details, "data "+bytesText(d.After-d.Before))
	}
	if len(details) > 0 {
		text += " (" + strings.Join(details, "; ") + ")"
	}
	return text
}

// fewestKeys is how many must have been added before the growth divided by
// them says something of a key: the buffers of connections grow, too.
const fewestKeys = 1000

// bytesPerKey is the growth of the memory divided by the keys that were added,
// rounded; 0 if that says nothing.
func (s *Server) bytesPerKey() int64 {
	if s.UsedMemory == nil || s.Keys == nil {
		return 0
	}
	grown, added := s.UsedMemory.After-s.UsedMemory.Before, s.Keys.After-s.Keys.Before
	if grown <= 0 || added < fewestKeys {
		return 0
	}
	return (grown + added/2) / added
}

// change says by how many bytes a gauge moved; "" if it did not.
func (d *Delta) change() string {
	switch moved := d.After - d.Before; {
	case moved > 0:
		return "grew by " + bytesText(moved)
	case moved < 0:
		return "shrank by " + bytesText(-moved)
	default:
		return ""
	}
}

// quiet adds the one line of -q.
func (p *page) quiet(r *Result) {
	q := &r.Requests
	if r.Workload.Idle {
		p.quietLine(append([]string{p.ink.bold(counted(int64(r.Workload.Connections), "connection"))}, p.holding(r)...), r)
		return
	}
	if q.Succeeded == 0 {
		fields := append([]string{
			p.ink.red("nothing succeeded"),
			counted(q.Sent, "request"),
		}, p.failures(q)...)
		if len(r.Errors) > 0 {
			fields[len(fields)-1] += ": " + Printable(r.Errors[0].Sample)
		}
		p.quietLine(fields, r)
		return
	}
	fields := []string{p.ink.bold(rate(r.RatePerSec) + " requests/s")}
	if r.Target.Embedded {
		fields = append(fields, "(in-process server)")
	}
	if !r.Workload.Load {
		fields = append(fields, percentileFields(r.Latency.Percentiles)...)
	}
	fields = append(fields, counted(q.Sent, "request"))
	p.quietLine(append(fields, p.failures(q)...), r)
}

func (p *page) quietLine(fields []string, r *Result) {
	for _, o := range r.Missed() {
		fields = append(fields, p.ink.red("missed "+Printable(o.String())))
	}
	if r.endedEarly() {
		fields = append(fields, ending(r))
	}
	if n := r.Connect.Broken; n > 0 && !r.Workload.Idle {
		fields = append(fields, p.ink.red(counted(n, "connection")+" broke"))
	}
	if r.Down() {
		fields = append(fields, p.ink.red("an outage not over"))
	}
	p.line(strings.Join(fields, "  "))
}

// percentileFields is "p50 0.41", "p99 0.73 ms".
func percentileFields(list []Percentile) []string {
	var values []int64
	for _, p := range list {
		values = append(values, p.Ns)
	}
	scale := scaleFor(values...)
	var fields []string
	for _, p := range list {
		fields = append(fields, percentileName(p.Percent)+" "+scale.text(p.Ns))
	}
	if len(fields) > 0 {
		fields[len(fields)-1] += " ms"
	}
	return fields
}
