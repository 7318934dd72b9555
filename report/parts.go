package report

import (
	"strconv"
	"strings"
)

// templateColumns is how much of a template a row of a table shows.
const templateColumns = 30

// lanes adds a table with a row for each lane of a run with several, and one
// for each template that a lane mixes.
func (p *page) lanes(r *Result) {
	if len(r.Lanes) == 0 {
		return
	}
	p.gap()
	p.table(lanesTable(r))
}

// lanesTable is heads and figures of the lanes, and of all.
func lanesTable(r *Result) [][]string {
	var times []int64
	for _, lane := range r.Lanes {
		times = append(times, partTimes(lane.Latency, lane.Parts)...)
	}
	scale := scaleFor(append(times, partTimes(r.Latency, nil)...)...)
	rows := [][]string{{"lane", rateHead, "requests", "errors", "avg ms", "p99 ms"}}
	row := func(label string, perSecond float64, sent, failed int64, l *Latency) {
		fields := []string{label, rate(perSecond), Thousands(sent), Thousands(failed)}
		rows = append(rows, append(fields, l.columns(scale)...))
	}
	for _, lane := range r.Lanes {
		row(Printable(cutMiddle(lane.Name, templateColumns)), lane.RatePerSec, lane.Requests.Sent, lane.Requests.Failed, lane.Latency)
		for _, part := range lane.Parts {
			label := "  " + Printable(cutMiddle(part.Template, templateColumns-2))
			row(label, part.RatePerSec, part.Sent, part.Failed, part.Latency)
		}
	}
	row("all", r.RatePerSec, r.Requests.Sent, r.Requests.Failed, r.Latency)
	return rows
}

// laneFacts says what each lane was asked to do.
func (p *page) laneFacts(r *Result) {
	for _, lane := range r.Lanes {
		facts := []string{Printable(lane.Name) + ": " + Printable(cutMiddle(strings.ReplaceAll(lane.Template, "\n", " | "), templateColumns)),
			counted(int64(lane.Connections), "connection"), "pipeline " + Thousands(int64(lane.Pipeline))}
		if lane.OpenLoop != nil {
			facts = append(facts, "rate "+rate(lane.OpenLoop.RatePerSec)+"/s")
		}
		p.hang("", 2, ", ", facts)
	}
}

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
	scale := scaleFor(partTimes(r.Latency, r.Parts)...)
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

func partTimes(whole *Latency, parts []Part) (times []int64) {
	all := []*Latency{whole}
	for _, part := range parts {
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
