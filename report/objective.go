package report

import (
	"math"
	"slices"
	"strings"
)

// Objective is a figure that a run had to reach, and whether it did.
type Objective struct {
	Text     string   `json:"text"`     // as it was asked for: "p99<2ms"
	Figure   string   `json:"figure"`   // what is compared: "avg", "min", "max", "p99.9", "service p99", "qps", "errors", "unanswered" or "lost"
	Compare  string   `json:"compare"`  // with Limit: "<", "<=", ">" or ">="
	Limit    float64  `json:"limit"`    // in Unit
	Measured *float64 `json:"measured"` // in Unit; null when nothing was measured
	Unit     string   `json:"unit"`     // "ns", "per_sec", "percent" or "count"
	Held     bool     `json:"held"`     // false also when nothing was measured
}

// ErrorsFigure is the Figure that is the number, or the share, of error replies.
const ErrorsFigure = "errors"

// Abort is the condition that ended a run early.
type Abort struct {
	Text     string  `json:"text"`     // as it was stated: "errors>5%"
	Measured float64 `json:"measured"` // in Unit, of all that had been gathered
	Unit     string  `json:"unit"`     // as of an Objective
	AtNs     int64   `json:"at_ns"`    // into the window
	Failure  bool    `json:"failure"`  // its errors were not to go on: a failure, and no missed objective
}

// String is the objective and the figure: "p99<2ms, measured 3.41 ms".
func (o Objective) String() string {
	if o.Measured == nil {
		return o.Text + ", nothing measured"
	}
	return o.Text + ", measured " + inUnit(*o.Measured, o.Unit)
}

// String is the condition, the figure and when: "errors>5%, measured 12.3 % after
// 1.2 s".
func (a Abort) String() string {
	if a.Failure {
		what := counted(int64(a.Measured), "error")
		if a.Unit == "percent" {
			what = inUnit(a.Measured, a.Unit) + " errors"
		}
		return a.Text + ": " + what + " after " + duration(a.AtNs)
	}
	return a.Text + ", measured " + inUnit(a.Measured, a.Unit) + " after " + duration(a.AtNs)
}

// inUnit writes a figure with so many digits that it can be told from a limit
// close by.
func inUnit(f float64, unit string) string {
	switch unit {
	case "ns":
		return significant(f/1e6) + " ms"
	case "per_sec":
		return significant(f) + "/s"
	case "percent":
		return significant(f) + " %"
	}
	return Thousands(int64(f))
}

// significant writes f with four significant digits, or all before the point.
func significant(f float64) string {
	if f = finite(f); f == 0 {
		return "0"
	}
	decimals := min(max(3-int(math.Floor(math.Log10(math.Abs(f)))), 0), 6)
	text := fixed(f, decimals)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// Missed lists the objectives that were not reached.
func (r *Result) Missed() []Objective {
	var missed []Objective
	for _, o := range r.Objectives {
		if !o.Held {
			missed = append(missed, o)
		}
	}
	return missed
}

// allowsErrors tells whether an objective that held says how many errors there may
// be.
func (r *Result) allowsErrors() bool {
	return slices.ContainsFunc(r.Objectives, func(o Objective) bool {
		return o.Held && o.Figure == ErrorsFigure && strings.HasPrefix(o.Compare, "<")
	})
}

// objectives adds which objectives were held and which were missed.
func (p *page) objectives(r *Result) {
	p.gap()
	for _, o := range r.Objectives {
		if o.Held {
			p.row("held", Printable(o.String()))
		}
	}
	for _, o := range r.Missed() {
		p.row("missed", p.ink.red(Printable(o.String())))
	}
}
