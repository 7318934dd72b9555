package report

import (
	"fmt"
	"slices"
)

// suiteFaults adds what went wrong, where the table would stand alone.
func (p *page) suiteFaults(s *SuiteResult) {
	faults := s.faults()
	if len(faults) > 0 {
		p.gap()
	}
	for _, e := range faults {
		p.row("error", e)
	}
}

// faults are tests that have no figure, error replies, requests without a
// reply and broken connections.
func (s *SuiteResult) faults() []string {
	var list []string
	for t, test := range s.Tests {
		for i := range s.Targets {
			cell := s.cell(t, i)
			said := len(list)
			for _, run := range cell.Runs {
				for _, text := range run.faults() {
					list = append(list, s.on(i)+Printable(test.Name+": "+text))
				}
			}
			// What a signal left out is no fault; "stopped" tells of it.
			if len(list) == said && cell.Median() == nil && s.Interrupted == "" {
				list = append(list, s.on(i)+Printable(test.Name)+": it has no figure")
			}
		}
	}
	return slices.Compact(list)
}

// faults says what went wrong in a run.
func (r *SuiteRun) faults() []string {
	var list []string
	if r.Problem != "" {
		list = append(list, r.Problem)
	}
	r.all(func(one *Result) bool {
		phase := ""
		if one.Workload.Load {
			phase = "while loading, "
		}
		for _, e := range one.Errors {
			list = append(list, fmt.Sprintf("%s%s (%s)", phase, counted(e.Count, "error"), e.Sample))
		}
		if one.Requests.Failed > 0 && len(one.Errors) == 0 {
			list = append(list, phase+counted(one.Requests.Failed, "error"))
		}
		if one.Requests.Lost > 0 {
			list = append(list, phase+counted(one.Requests.Lost, "request")+" lost with connections")
		}
		if one.Requests.Unanswered > 0 {
			list = append(list, phase+counted(one.Requests.Unanswered, "request")+" without a reply")
		}
		if one.Connect.Broken > 0 {
			list = append(list, phase+counted(one.Connect.Broken, "connection")+" broke")
		}
		return true
	})
	return list
}
