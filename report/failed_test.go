package report

import "testing"

// TestFailed: what went wrong, and what the user allowed.
func TestFailed(t *testing.T) {
	t.Parallel()
	objective := func(figure, compare string, held bool) func(*Result) {
		return func(r *Result) {
			r.Requests.Failed = 5
			r.Objectives = []Objective{
				{Text: "qps>1", Figure: "qps", Compare: ">", Held: true},
				{Text: "whatever", Figure: figure, Compare: compare, Held: held},
			}
		}
	}
	for name, test := range map[string]struct {
		change func(*Result)
		want   bool
	}{
		"well":                     {func(*Result) {}, false},
		"an error":                 {func(r *Result) { r.Requests.Failed = 1 }, true},
		"errors, some allowed":     {objective(ErrorsFigure, "<", true), false},
		"errors, as many allowed":  {objective(ErrorsFigure, "<=", true), false},
		"errors, too many":         {objective(ErrorsFigure, "<", false), true},
		"errors, more were wanted": {objective(ErrorsFigure, ">", true), true},
		"errors, a time was kept":  {objective("p99", "<", true), true},
		"unanswered":               {func(r *Result) { r.Requests.Unanswered = 1 }, true},
		"lost":                     {func(r *Result) { r.Requests.Lost = 1 }, true},
		"nothing":                  {func(r *Result) { r.Requests.Succeeded = 0 }, true},
		"broken":                   {func(r *Result) { r.Connect.Broken = 1 }, true},
		"broken and made again":    {func(r *Result) { r.Connect.Broken, r.Workload.Reconnect = 1, true }, false},
		"down":                     {func(r *Result) { r.Faults = &Faults{Outages: []Outage{{Over: true}, {}}} }, true},
		"an outage that is over":   {func(r *Result) { r.Faults = &Faults{Outages: []Outage{{Over: true}}} }, false},
		"ended by its errors":      {func(r *Result) { r.Aborted = &Abort{Failure: true} }, true},
		"ended by a condition":     {func(r *Result) { r.Aborted = &Abort{} }, false},
		"idle":                     {func(r *Result) { r.Workload.Idle, r.Requests = true, Requests{} }, false},
		"idle and broken": {func(r *Result) {
			r.Workload.Idle, r.Requests, r.Connect.Broken = true, Requests{}, 1
		}, true},
	} {
		r := &Result{Requests: Requests{Sent: 10, Succeeded: 10}}
		test.change(r)
		if got := r.Failed(); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
