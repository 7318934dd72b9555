package report

import (
	"cmp"
	"slices"
	"strings"
)

// markColumns is the room for what is said of a step beside its figures.
const markColumns = 16

// sweepTable adds all points of the curve, by rising value.
func (p *page) sweepTable(s *SweepResult) {
	if len(s.Steps) == 0 {
		return
	}
	order := make([]int, len(s.Steps))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.Steps[a].At, s.Steps[b].At) })

	at, reached := "asked/s", "reached/s"
	if s.Sweep.By == ByConnections {
		at, reached = "connections", "requests/s"
	}
	names, columns := s.times(at, reached)
	rows := [][]string{append([]string{at, reached}, names...)}
	for _, i := range order {
		step := &s.Steps[i]
		row := []string{exactRate(step.At), rate(step.Result.RatePerSec)}
		for c := range names {
			row = append(row, columns[c][i])
		}
		rows = append(rows, row)
	}
	p.gap()
	lines := p.tableLines(alignFirst(rows))
	p.line(lines[0] + p.ink.dim(" ms"))
	for n, i := range order {
		p.line(lines[n+1] + p.mark(s, i))
	}
}

// alignFirst puts the figures of the first column to the right.
func alignFirst(rows [][]string) [][]string {
	width := 0
	for _, row := range rows {
		width = max(width, len(row[0]))
	}
	for _, row := range rows {
		row[0] = strings.Repeat(" ", width-len(row[0])) + row[0]
	}
	return rows
}

// times is the columns of latencies, each with one cell for a step: as many as
// fit, and p99 always.
func (s *SweepResult) times(at, reached string) (names []string, columns [][]string) {
	var percents []float64
	for i := range s.Steps {
		if l := s.Steps[i].Result.Latency; l != nil {
			for _, p := range l.Percentiles {
				percents = append(percents, p.Percent)
			}
			break
		}
	}
	var all []int64
	for i := range s.Steps {
		if l := s.Steps[i].Result.Latency; l != nil {
			all = append(all, l.MaxNs)
			for _, p := range l.Percentiles {
				all = append(all, p.Ns)
			}
		}
	}
	scale := scaleFor(all...)
	width := minColumn
	for _, ns := range all {
		width = max(width, len(scale.text(ns)))
	}
	room := (pageColumns-markColumns-2-max(len(at), 10)-2-max(len(reached), 10))/(2+width) - 1 // one is for the maximum
	for n := len(percents) - 1; n >= 0 && len(percents) > max(room, 1); n-- {
		if percents[n] != 99 {
			percents = slices.Delete(percents, n, n+1)
		}
	}
	for _, percent := range percents {
		names = append(names, percentileName(percent))
		columns = append(columns, s.column(func(l *Latency) int64 { return l.at(percent) }, scale))
	}
	return append(names, "max"), append(columns, s.column(func(l *Latency) int64 { return l.MaxNs }, scale))
}

// column is one figure of every step; "-" where nothing succeeded.
func (s *SweepResult) column(figure func(*Latency) int64, scale msScale) []string {
	cells := make([]string, len(s.Steps))
	for i := range s.Steps {
		cells[i] = "-"
		if l := s.Steps[i].Result.Latency; l != nil {
			cells[i] = scale.text(figure(l))
		}
	}
	return cells
}

// at is a percentile that was asked for; 0 if it was not.
func (l *Latency) at(percent float64) int64 {
	for _, p := range l.Percentiles {
		if p.Percent == percent {
			return p.Ns
		}
	}
	return 0
}

// mark says what is special about a step, with the space before it.
func (p *page) mark(s *SweepResult, i int) string {
	step := &s.Steps[i]
	var words []string
	switch {
	case !step.complete():
		words = append(words, "cut short")
	case step.Result.Requests.Failed > 0:
		words = append(words, p.ink.red("errors"))
	case step.Result.Requests.Lost > 0:
		words = append(words, p.ink.red("lost"))
	case step.Result.Connect.Broken > 0:
		words = append(words, p.ink.red("broken"))
	case !step.Kept && s.Sweep.By == ByRate:
		words = append(words, p.ink.red("not kept"))
	case !step.Kept:
		words = append(words, p.ink.red("unanswered"))
	case !step.Held:
		words = append(words, p.ink.red("missed"))
	}
	if s.Highest != nil && s.Highest.Step == i {
		words = append(words, "highest")
	}
	if s.Knee != nil && s.Knee.Step == i {
		words = append(words, "knee")
	}
	if len(words) == 0 {
		return ""
	}
	return "  " + strings.Join(words, ", ")
}
