package report

// stages adds a table with a row for each rate of a run with several.
func (p *page) stages(r *Result) {
	if len(r.Stages) == 0 {
		return
	}
	p.gap()
	p.table(stagesTable(r))
}

// stagesTable is heads and figures of the stages.
func stagesTable(r *Result) [][]string {
	var times []int64
	for _, s := range r.Stages {
		if l := s.Latency; l != nil {
			times = append(times, l.AvgNs, l.MaxNs)
		}
	}
	scale := scaleFor(times...)
	rows := [][]string{{"rate", rateHead, "never sent", "errors", "avg ms", "p99 ms", "max ms"}}
	for _, s := range r.Stages {
		longest := "-"
		if s.Latency != nil {
			longest = scale.text(s.Latency.MaxNs)
		}
		row := []string{rate(s.AskedPerSec), rate(s.RatePerSec), Thousands(s.Missed), Thousands(s.Failed)}
		rows = append(rows, append(append(row, s.Latency.columns(scale)...), longest))
	}
	return rows
}
