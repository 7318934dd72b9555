package generator

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/respbench/respbench/report"
	"github.com/respbench/respbench/template"
)

// Objective is a condition on the figures of a run, such as p99<2ms. Make one
// with ParseObjective.
type Objective struct {
	text    string
	name    string // of the figure, as in report.Objective
	figure  figure
	service bool    // of service time, not of latency
	percent float64 // of a percentile, in (0, 100]
	compare string  // "<", "<=", ">" or ">="
	limit   float64
	unit    string // of limit, as in report.Objective
}

// figure is what an Objective looks at.
type figure uint8

const (
	average figure = iota
	percentile
	throughput
	failed
	unanswered
	lost
)

// figureNames are the fixed ones; percentiles have any number of names.
var figureNames = [...]struct {
	name    string
	figure  figure
	percent float64
}{
	{"avg", average, 0}, {"min", percentile, 0}, {"max", percentile, 100},
	{"qps", throughput, 0}, {"rate", throughput, 0},
	{report.ErrorsFigure, failed, 0}, {"unanswered", unanswered, 0}, {"lost", lost, 0},
}

// ParseObjective reads a condition: a quantity, one of < <= > >=, and a value.
//
//	avg, min, max, p99, p99.95   latency, in ns, us, ms or s: p99<2ms
//	service p99                  service time, likewise; of an open loop
//	qps or rate                  successes a second: qps>100k, qps>=1.5m
//	errors, unanswered, lost     requests, or their share: errors<0.1%, lost<=0
//
// The error names the objective, what is wrong with it and the remedy.
func ParseObjective(text string) (Objective, error) {
	text = strings.Join(strings.Fields(text), " ")
	at := strings.IndexAny(text, "<>=")
	if at < 0 {
		return Objective{}, fmt.Errorf("objective %q: nothing is compared; write as p99<2ms, qps>100k or errors<0.1%%", text)
	}
	left, right := strings.TrimSpace(text[:at]), text[at+1:]
	compare := text[at : at+1]
	if after, found := strings.CutPrefix(right, "="); found {
		compare, right = compare+"=", after
	}
	right = strings.TrimSpace(right)
	o := Objective{text: left + compare + right, compare: compare}
	if compare[0] == '=' {
		return o, fmt.Errorf("objective %q: measured figures are never exactly equal; compare by <, <=, > or >=", text)
	}
	err := o.parseFigure(left)
	if err == nil {
		err = o.parseLimit(right)
	}
	if err != nil {
		return Objective{}, fmt.Errorf("objective %q: %w", text, err)
	}
	return o, nil
}

func (o *Objective) parseFigure(name string) error {
	bare, service := strings.CutPrefix(name, "service ")
	o.name, o.service = name, service
	for _, f := range figureNames {
		if bare == f.name {
			o.figure, o.percent = f.figure, f.percent
			if o.figure == throughput {
				o.name = "qps"
			}
			if o.service && !o.timed() {
				return fmt.Errorf("service is for times: service p99, service avg")
			}
			return nil
		}
	}
	if digits, found := strings.CutPrefix(bare, "p"); found {
		if p, ok := plainNumber(digits); ok && p > 0 && p <= 100 {
			o.figure, o.percent = percentile, p
			return nil
		}
	}
	return fmt.Errorf("%q is no quantity; known are avg, min, max, percentiles as p99.9, service p99, qps, errors, unanswered, lost", name)
}

// timed tells whether the objective is on a time.
func (o *Objective) timed() bool { return o.figure == average || o.figure == percentile }

func (o *Objective) parseLimit(text string) error {
	switch {
	case o.timed():
		return o.parseTime(text)
	case o.figure == throughput:
		return o.parseRate(text)
	}
	return o.parseRequests(text)
}

func (o *Objective) parseTime(text string) error {
	o.unit = "ns"
	for _, u := range [...]struct {
		name string
		ns   float64
	}{{"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}} {
		digits, found := strings.CutSuffix(text, u.name)
		if !found {
			continue
		}
		if n, ok := plainNumber(strings.TrimSpace(digits)); ok {
			o.limit = n * u.ns
			return nil
		}
	}
	if _, ok := plainNumber(text); ok {
		return fmt.Errorf("%s has no unit; write %sms, %sus or %ss", text, text, text, text)
	}
	return fmt.Errorf("%q is not a time; write as 2ms, 500us or 1.5s", text)
}

func (o *Objective) parseRate(text string) error {
	o.unit = "per_sec"
	n, ok := plainNumber(text)
	if !ok {
		whole, err := template.ParseNumber(text)
		if err != nil {
			return fmt.Errorf("%q is not a number of requests a second; write as 5000, 100k or 1.5m", text)
		}
		n = float64(whole)
	}
	o.limit = n
	return nil
}

func (o *Objective) parseRequests(text string) error {
	o.unit = "count"
	digits, share := strings.CutSuffix(text, "%")
	n, ok := plainNumber(strings.TrimSpace(digits))
	switch {
	case !ok:
		return fmt.Errorf("%q is not a number of requests, nor a share; write as 10 or 0.1%%", text)
	case share && n > 100:
		return fmt.Errorf("%q is more than all", text)
	case share:
		o.unit = "percent"
	case n != math.Trunc(n):
		return fmt.Errorf("%q is not a whole number of requests; a share has a %% sign", text)
	}
	o.limit = n
	return nil
}

// plainNumber reads digits with at most one point and an exponent, 0 or more:
// not a sign, not infinity, no other base.
func plainNumber(text string) (float64, bool) {
	if text == "" || strings.Trim(text, "0123456789.e") != "" || text[0] == 'e' {
		return 0, false
	}
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil && !math.IsInf(n, 0)
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (o *Objective) UnmarshalText(text []byte) (err error) {
	*o, err = ParseObjective(string(text))
	return err
}

// String is the objective as it was written, without needless spaces.
func (o Objective) String() string { return o.text }

// fits tells what keeps the objective from being held against a run of c.
func (o Objective) fits(c *Config) error {
	if o.service && !c.isOpen() {
		return fmt.Errorf("objective %q: a closed loop has no service time beside its latency; leave out \"service\" or state a rate", o.text)
	}
	return nil
}

// tally is what objectives are held against.
type tally struct {
	latency    *report.Recorder
	service    *report.Recorder // nil in a closed loop
	ratePerSec float64
	requests   report.Requests
}

// measure is the figure that the objective is on, in its unit; ok is false if
// nothing was measured.
func (o Objective) measure(t *tally) (value float64, ok bool) {
	q := &t.requests
	switch o.figure {
	case throughput:
		return t.ratePerSec, true
	case failed:
		return o.countOrShare(q.Failed, q.Succeeded+q.Failed), true
	case unanswered:
		return o.countOrShare(q.Unanswered, q.Sent), true
	case lost:
		return o.countOrShare(q.Lost, q.Sent), true
	}
	times := t.latency
	if o.service {
		times = t.service
	}
	if times == nil || times.Succeeded() == 0 {
		return 0, false
	}
	if o.figure == average {
		return float64(times.AverageNs()), true
	}
	return float64(times.Percentile(o.percent)), true
}

func (o Objective) countOrShare(n, of int64) float64 {
	switch {
	case o.unit == "count":
		return float64(n)
	case of == 0:
		return 0
	}
	return 100 * float64(n) / float64(of)
}

// allows compares a measured value with the limit.
func (o Objective) allows(value float64) bool {
	switch o.compare {
	case "<":
		return value < o.limit
	case "<=":
		return value <= o.limit
	case ">":
		return value > o.limit
	}
	return value >= o.limit
}

// check holds objectives against what was measured.
func check(list []Objective, t *tally) []report.Objective {
	var checked []report.Objective
	for _, o := range list {
		c := report.Objective{Text: o.text, Figure: o.name, Compare: o.compare, Limit: o.limit, Unit: o.unit}
		if value, ok := o.measure(t); ok {
			c.Measured, c.Held = &value, o.allows(value)
		}
		checked = append(checked, c)
	}
	return checked
}
