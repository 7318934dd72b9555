package report

import (
	"strconv"
	"strings"
)

// templateColumns is how much of a template a row of a table shows.
const templateColumns = 30

// parts adds a table with a row for each template of a mix.
func (p *page) parts(r *Result) {
	if len(r.Parts) == 0 {
		return
	}
	p.gap()
	p.table(partsTable(r))
}

// partsTable is heads and figures of the templates of a mix, and of all.
func partsTable(r *Result) [][]string {
	scale := scaleFor(partTimes(r)...)
	rows := [][]string{{"template", rateHead, "requests", "errors", "avg ms", "p99 ms"}}
	for _, part := range r.Parts {
		rows = append(rows, append([]string{
			Printable(cutMiddle(part.Template, templateColumns)),
			rate(part.RatePerSec), Thousands(part.Sent), Thousands(part.Failed),
		}, part.Latency.columns(scale)...))
	}
	return append(rows, append([]string{
		"all", rate(r.RatePerSec), Thousands(r.Requests.Sent), Thousands(r.Requests.Failed),
	}, r.Latency.columns(scale)...))
}

// columns is average and p99, or "-" where they are not known.
func (l *Latency) columns(scale msScale) []string {
	if l == nil {
		return []string{"-", "-"}
	}
	p99, ok := l.percentileNs(99)
	if !ok {
		return []string{scale.text(l.AvgNs), "-"}
	}
	return []string{scale.text(l.AvgNs), scale.text(p99)}
}

func partTimes(r *Result) (times []int64) {
	all := []*Latency{r.Latency}
	for _, part := range r.Parts {
		all = append(all, part.Latency)
	}
	for _, l := range all {
		if l != nil {
			times = append(times, l.AvgNs)
			if p99, ok := l.percentileNs(99); ok {
				times = append(times, p99)
			}
		}
	}
	return times
}

// ratioOf is the weights of a mix: 65:35.
func ratioOf(parts []Part) string {
	var weights []string
	for _, part := range parts {
		weights = append(weights, strconv.Itoa(part.Weight))
	}
	return strings.Join(weights, ":")
}
