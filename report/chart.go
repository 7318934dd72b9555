package report

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

const (
	chartRows    = 13
	chartLabels  = 9 // columns of the labels of the vertical axis
	chartColumns = pageColumns - chartLabels - 2
)

// chart draws p99 over throughput, the latency on a logarithmic scale: below
// the knee it moves by percents, beyond it by powers of ten.
type chart struct {
	cells   [chartRows][]byte
	low     float64 // ns at the lowest row
	high    float64 // ns at the highest
	right   float64 // requests a second at the last column
	columns int
}

// chart adds the curve of the complete steps. One point is no curve.
func (p *page) chart(s *SweepResult) {
	var points []*SweepStep
	for i := range s.Steps {
		if step := &s.Steps[i]; step.complete() && step.p99() > 0 {
			points = append(points, step)
		}
	}
	if len(points) < 2 {
		return
	}
	c := newChart(points)
	limit := s.limitOfP99()
	c.line(limit)
	// What matters more is drawn over what matters less.
	for _, step := range points {
		if !step.Held {
			c.put(step, 'x')
		}
	}
	for _, step := range points {
		if step.Held {
			c.put(step, 'o')
		}
	}
	if s.Knee != nil {
		c.put(&s.Steps[s.Knee.Step], 'K')
	}
	p.gap()
	for _, line := range c.draw(p.ink) {
		p.line(line)
	}
	missed := slices.ContainsFunc(points, func(step *SweepStep) bool { return !step.Held })
	p.line(strings.Repeat(" ", chartLabels+2) + p.ink.dim(s.legend(missed, limit)))
}

// limitOfP99 is the limit of an objective on p99 in nanoseconds; 0 if there is
// none.
func (s *SweepResult) limitOfP99() float64 {
	for _, o := range s.Steps[0].Result.Objectives {
		if quantityOf(o.Text) == "p99" {
			return o.Limit
		}
	}
	return 0
}

// legend explains the marks.
func (s *SweepResult) legend(missed bool, limit float64) string {
	held, not := "o kept", "x not"
	switch {
	case s.Sweep.Objective != "":
		held = "o held"
	case s.Sweep.By == ByConnections:
		held, not = "o step", "x with errors"
	}
	words := []string{held}
	if missed {
		words = append(words, not)
	}
	if s.Knee != nil {
		words = append(words, "K knee")
	}
	if limit > 0 {
		words = append(words, "-- objective")
	}
	return strings.Join(words, "   ")
}

func newChart(points []*SweepStep) *chart {
	c := &chart{low: math.Inf(1), columns: chartColumns}
	for _, p := range points {
		ns := float64(p.p99())
		c.low, c.high = min(c.low, ns), max(c.high, ns)
		c.right = max(c.right, p.Result.RatePerSec)
	}
	c.low, c.high = niceBelow(c.low), niceAbove(c.high)
	if c.low == c.high {
		c.high *= 2
	}
	for i := range c.cells {
		c.cells[i] = []byte(strings.Repeat(" ", c.columns))
	}
	return c
}

// nice numbers are 1, 2 or 5 times a power of ten.
func niceBelow(f float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(f)))
	for _, n := range [...]float64{5, 2} {
		if n*unit <= f {
			return n * unit
		}
	}
	return unit
}

func niceAbove(f float64) float64 {
	n := niceBelow(f)
	if n == f {
		return n
	}
	return niceAfter(n)
}

func niceAfter(n float64) float64 {
	if unit := math.Pow(10, math.Floor(math.Log10(n)+1e-9)); n > 1.5*unit && n < 3*unit {
		return n * 2.5
	}
	return n * 2
}

// row is where a latency stands, from the top; out of range is -1.
func (c *chart) row(ns float64) int {
	if ns < c.low || ns > c.high {
		return -1
	}
	return int(math.Round(math.Log(c.high/ns) / math.Log(c.high/c.low) * (chartRows - 1)))
}

func (c *chart) column(perSecond float64) int {
	return min(int(math.Round(perSecond/c.right*float64(c.columns-1))), c.columns-1)
}

func (c *chart) put(step *SweepStep, mark byte) {
	if row := c.row(float64(step.p99())); row >= 0 {
		c.cells[row][c.column(step.Result.RatePerSec)] = mark
	}
}

// line draws a limit across the chart.
func (c *chart) line(ns float64) {
	if row := c.row(ns); ns > 0 && row >= 0 {
		for i := range c.cells[row] {
			c.cells[row][i] = '-'
		}
	}
}

// draw gives the lines of the chart with its axes.
func (c *chart) draw(i ink) []string {
	labels := c.rowLabels()
	lines := []string{i.dim("  p99 ms")}
	for row, cells := range c.cells {
		label := labels[row]
		pad := strings.Repeat(" ", chartLabels-len(label))
		bar := " |"
		if label != "" {
			bar = " +"
		}
		lines = append(lines, pad+i.dim(label+bar)+string(cells))
	}
	axis, names := c.columnLabels()
	pad := strings.Repeat(" ", chartLabels)
	return append(lines, pad+i.dim(" +"+axis), pad+i.dim("  "+names))
}

// rowLabels names the nice latencies, or the powers of ten where those would
// stand too close.
func (c *chart) rowLabels() [chartRows]string {
	var labels [chartRows]string
	tight := math.Log10(c.high/c.low)*3 > chartRows/2
	for ns := c.low; ns <= c.high*1.001; ns = niceAfter(ns) {
		row := c.row(min(ns, c.high))
		ten := math.Abs(math.Log10(ns)-math.Round(math.Log10(ns))) < 1e-6
		if row >= 0 && (!tight || ten || ns == c.low || row == 0) {
			labels[row] = strconv.FormatFloat(math.Round(ns)/1e6, 'f', -1, 64)
		}
	}
	return labels
}

// columnLabels is the horizontal axis with marks at nice rates, and their
// names below.
func (c *chart) columnLabels() (axis, names string) {
	marks := []byte(strings.Repeat("-", c.columns))
	below := []byte(strings.Repeat(" ", c.columns))
	step := niceAbove(c.right / 5)
	for at := 0.0; at <= c.right*1.0001; at += step {
		column := c.column(at)
		marks[column] = '+'
		name := shortRate(at)
		copy(below[max(0, min(column-len(name)/2, c.columns-len("/s")-len(name))):], name)
	}
	text := strings.TrimRight(string(below), " ")
	if unit := " requests/s"; len(text)+len(unit) <= c.columns {
		text += unit
	} else {
		text += "/s"
	}
	return string(marks), text
}
