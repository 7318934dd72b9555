package report

import "strings"

const rateHead = "requests/s"

// suiteTables adds the table of a suite: a row a test, a group of columns a
// target. Where the groups do not fit side by side, they go on below.
func (p *page) suiteTables(s *SuiteResult) {
	for from := 0; from < len(s.Targets); {
		to := len(s.Targets)
		lines := s.table(from, to)
		for to-from > 1 && widest(lines) > pageColumns {
			to--
			lines = s.table(from, to)
		}
		p.gap()
		if len(s.Targets) > 1 {
			p.line(p.ink.dim(s.groupHead(lines[0], from)))
		}
		p.line(p.ink.dim(lines[0]))
		for _, line := range lines[1:] {
			p.line(line)
		}
		from = to
	}
}

// table draws the columns of some of the targets; the ratio stands beside the
// last.
func (s *SuiteResult) table(from, to int) []string {
	head := []string{"command"}
	for i := from; i < to; i++ {
		head = append(head, groupGap(i > from)+rateHead, "avg ms", "p99 ms")
	}
	withRatio := to == len(s.Targets) && to > 1
	if withRatio {
		head = append(head, "ratio")
	}
	rows := [][]string{head}
	scale := s.scale()
	for t, test := range s.Tests {
		row := []string{Printable(test.Name)}
		for i := from; i < to; i++ {
			row = append(row, s.figures(t, i, scale)...)
		}
		if withRatio {
			row = append(row, ratioText(s.ratio(t)))
		}
		rows = append(append(rows, row), s.partRows(t, from, to, withRatio, scale, partLabel)...)
		rows = append(rows, s.laneRows(t, from, to, withRatio, scale)...)
	}
	return new(page).tableLines(rows)
}

// groupGap parts a group of columns from the one before it.
func groupGap(needed bool) string {
	if needed {
		return " "
	}
	return ""
}

// figures are the cells of one test on one target.
func (s *SuiteResult) figures(t, target int, scale msScale) []string {
	cell := s.cell(t, target)
	r := cell.Median()
	if r == nil {
		return []string{"-", "-", "-"}
	}
	perSecond := rate(r.RatePerSec)
	if len(cell.measured()) > 1 {
		perSecond += " ±" + fixed(100*cell.Spread(), 0) + "%"
	}
	p99 := "-"
	if ns, ok := r.Latency.percentileNs(99); ok {
		p99 = scale.text(ns)
	}
	if len(r.Lanes) > 0 { // a latency over all describes none of them
		return []string{perSecond, "", ""}
	}
	return []string{perSecond, scale.text(r.Latency.AvgNs), p99}
}

// laneRows has a row for each lane of test t, if it has several.
func (s *SuiteResult) laneRows(t, from, to int, withRatio bool, scale msScale) [][]string {
	var rows [][]string
	for k, name := range s.laneNames(t) {
		row := []string{"  " + Printable(name)}
		var rates []float64
		for i := from; i < to; i++ {
			lane := s.cell(t, i).lane(k)
			if lane == nil {
				row = append(row, "-", "-", "-")
				continue
			}
			row = append(append(row, rate(lane.RatePerSec)), lane.Latency.columns(scale)...)
		}
		if withRatio {
			for i := range s.Targets {
				if lane := s.cell(t, i).lane(k); lane != nil {
					rates = append(rates, lane.RatePerSec)
				}
			}
			ratio := 0.0
			if len(rates) == len(s.Targets) && rates[0] > 0 {
				ratio = finite(rates[len(rates)-1] / rates[0])
			}
			row = append(row, ratioText(ratio))
		}
		rows = append(rows, row)
	}
	return rows
}

// laneNames are those of the lanes of test t, of whatever target.
func (s *SuiteResult) laneNames(t int) []string {
	var names []string
	for i := range s.Targets {
		if r := s.cell(t, i).Median(); r != nil && names == nil {
			for _, lane := range r.Lanes {
				names = append(names, lane.Name)
			}
		}
	}
	return names
}

// lane is a lane of the run whose figures are shown; nil if there is none.
func (c *SuiteCell) lane(k int) *Lane {
	r := c.Median()
	if r == nil || k >= len(r.Lanes) {
		return nil
	}
	return &r.Lanes[k]
}

// partRows are the templates of a mix, each with a row below that of its test;
// none of a test of one template. say makes a label of a template.
func (s *SuiteResult) partRows(t, from, to int, withRatio bool, scale msScale, say func(string) string) (rows [][]string) {
	for k, text := range s.partTexts(t) {
		row := []string{say(text)}
		for i := from; i < to; i++ {
			part := s.part(t, i, k)
			row = append(row, append([]string{rateOf(part)}, latencyOf(part).columns(scale)...)...)
		}
		if withRatio {
			ratio := 0.0
			if first, last := s.part(t, 0, k), s.part(t, to-1, k); first != nil && last != nil {
				ratio = finite(last.RatePerSec / first.RatePerSec)
			}
			row = append(row, ratioText(ratio))
		}
		rows = append(rows, row)
	}
	return rows
}

// partLabel is a template below the name of its test.
func partLabel(template string) string {
	return "  " + Printable(cutMiddle(template, templateColumns))
}

// partTexts is the templates of a mix, without the prefix of the keys; nil of
// a test of one template, or of which there are no figures.
func (s *SuiteResult) partTexts(t int) []string {
	for i := range s.Targets {
		cell := s.cell(t, i)
		r := cell.Median()
		if r == nil || len(r.Parts) == 0 {
			continue
		}
		var texts []string
		for _, part := range r.Parts {
			text := part.Template
			for _, run := range cell.Runs {
				if run.Measured == r && run.Prefix != "" {
					text = strings.ReplaceAll(text, run.Prefix, "")
				}
			}
			texts = append(texts, text)
		}
		return texts
	}
	return nil
}

// part is template k of a mix on a target; nil if there is no figure.
func (s *SuiteResult) part(t, target, k int) *Part {
	r := s.cell(t, target).Median()
	if r == nil || k >= len(r.Parts) {
		return nil
	}
	return &r.Parts[k]
}

func rateOf(p *Part) string {
	if p == nil {
		return "-"
	}
	return rate(p.RatePerSec)
}

func latencyOf(p *Part) *Latency {
	if p == nil {
		return nil
	}
	return p.Latency
}

// scale is one for all latencies of the table.
func (s *SuiteResult) scale() msScale {
	var times []int64
	for t := range s.Tests {
		for i := range s.Targets {
			r := s.cell(t, i).Median()
			if r == nil {
				continue
			}
			times = append(times, r.Latency.AvgNs)
			for _, part := range r.Parts {
				if part.Latency != nil {
					times = append(times, part.Latency.AvgNs)
				}
			}
			for _, lane := range r.Lanes {
				if lane.Latency != nil {
					times = append(times, lane.Latency.AvgNs)
				}
			}
		}
	}
	return scaleFor(times...)
}

// ratioText is "1.99x"; "-" where there is none.
func ratioText(ratio float64) string {
	if ratio <= 0 {
		return "-"
	}
	return fixed(ratio, 2) + "x"
}

// groupHead is the line above the column heads: each target's title, over the
// rate of its group.
func (s *SuiteResult) groupHead(heads string, from int) string {
	var b strings.Builder
	used, target := 0, from
	for at := strings.Index(heads, rateHead); at >= 0; target++ {
		next := strings.Index(heads[at+len(rateHead):], rateHead)
		room := len(heads) - at
		if next >= 0 {
			next += at + len(rateHead)
			room = next - at - 2
		}
		title := s.title(target)
		title = title[:prefixOf(title, room)]
		b.WriteString(strings.Repeat(" ", max(0, at-used)) + title)
		used = max(used, at) + cells(title)
		at = next
	}
	return b.String()
}

func widest(lines []string) int {
	most := 0
	for _, line := range lines {
		most = max(most, cells(line))
	}
	return most
}
