package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// SuiteText writes the summary of a suite for people: one table, with a group
// of columns for each target, and below it what to know about the figures.
// Quiet leaves the table alone. The error is w's.
func SuiteText(w io.Writer, s *SuiteResult, o TextOptions) error {
	p := &page{ink: ink(o.Color)}
	if !o.Quiet {
		p.suiteFacts(s)
		p.gap()
	}
	p.suiteTables(s)
	if !o.Quiet {
		p.gap()
		for _, n := range s.remarks() {
			p.row(n.label, n.pieces...)
		}
		p.suiteDoubts(s)
	}
	_, err := io.WriteString(w, p.String())
	return err
}

// suiteFacts adds what was asked: the suite, the servers, the load.
func (p *page) suiteFacts(s *SuiteResult) {
	p.hang("", 0, ", ", s.facts())
	for i := range s.Targets {
		lead := ""
		if len(s.Targets) > 1 {
			lead = s.title(i) + ": "
		}
		p.hang(lead, min(cells(lead), pageColumns/2), ", ", s.serverFacts(i))
	}
	p.hang("", 0, ", ", s.loadFacts())
}

// facts is which suite it was, and what of it differs from the file.
func (s *SuiteResult) facts() []string {
	name := "suite " + Printable(s.Suite.Name)
	if s.Suite.Note != "" {
		name += ": " + Printable(s.Suite.Note)
	}
	if s.Suite.Scale == 1 {
		return []string{name}
	}
	return []string{name, "data sets of " + scaleText(s.Suite.Scale) + " of their full size"}
}

// scaleText is a scale in percent, exact.
func scaleText(scale float64) string {
	return strconv.FormatFloat(finite(scale*100), 'g', 6, 64) + " %"
}

func (s *SuiteResult) serverFacts(target int) []string {
	if r := s.example(target); r != nil {
		return serverFacts(r)
	}
	return []string{Printable(s.Targets[target].Target.Address)}
}

// loadFacts is the load of all tests, with ranges where they differ.
func (s *SuiteResult) loadFacts() []string {
	var connections, pipeline, seconds extent
	tuned := false
	for t := range s.Tests {
		for i := range s.Targets {
			if r := s.cell(t, i).Median(); r != nil {
				tuned = tuned || r.Workload.Tuned
				connections.add(int64(r.Workload.Connections))
				pipeline.add(int64(r.Workload.Pipeline))
				seconds.add(r.Workload.DurationNs)
			}
		}
	}
	var facts []string
	if connections.known {
		text := connections.text(Thousands) + " connections"
		if connections.low == 1 && connections.high == 1 {
			text = "1 connection"
		}
		if tuned {
			text += " (tuned)"
		}
		facts = append(facts, text, "pipeline "+pipeline.text(Thousands), seconds.text(shortDuration)+" each")
	}
	if s.Suite.Repeat > 1 {
		facts = append(facts, "median of "+strconv.Itoa(s.Suite.Repeat)+" runs")
	}
	return append(facts, "seed "+strconv.FormatUint(s.Suite.Seed, 10))
}

// shortDuration is a duration that somebody asked for, without false zeros.
func shortDuration(ns int64) string {
	return strconv.FormatFloat(float64(ns)/1e9, 'f', -1, 64) + " s"
}

// extent is the least and the greatest of some numbers.
type extent struct {
	low, high int64
	known     bool
}

func (e *extent) add(n int64) {
	if !e.known {
		e.low, e.high, e.known = n, n, true
	}
	e.low, e.high = min(e.low, n), max(e.high, n)
}

func (e *extent) text(say func(int64) string) string {
	if e.low == e.high {
		return say(e.low)
	}
	return say(e.low) + " to " + say(e.high)
}

// remark is something to know about the figures.
type remark struct {
	label  string
	pieces []string
}

// remarks are what stands below the table, beside warnings.
func (s *SuiteResult) remarks() []remark {
	var list []remark
	if s.Interrupted != "" {
		list = append(list, remark{"stopped", s.stopped()})
	}
	if s.Suite.Repeat > 1 {
		list = append(list, remark{"spread", []string{"± is the largest distance of a run's rate from the median"}})
	}
	if limits := s.limits(); len(limits) > 0 {
		list = append(list, remark{"limit", limits})
	}
	for _, e := range s.faults() {
		list = append(list, remark{"error", []string{e}})
	}
	if s.Suite.Flush != "no" {
		return append(list, remark{"left", []string{"nothing: the database was emptied before each test and at the end"}})
	}
	for i := range s.Targets {
		if left := s.left(i); left != "" {
			list = append(list, remark{"left", []string{left}})
		}
	}
	return list
}

// stopped says what ended the suite, and which figures are of a shorter time
// than was asked for.
func (s *SuiteResult) stopped() []string {
	pieces := []string{"by " + Printable(s.Interrupted)}
	for t, test := range s.Tests {
		for i := range s.Targets {
			if r := s.cell(t, i).Median(); r != nil && r.Interrupted != "" {
				pieces = append(pieces, s.on(i)+Printable(test.Name)+" was measured for "+duration(r.WindowNs)+" only")
			}
		}
	}
	return pieces
}

// left says what is on a target now that was not there before.
func (s *SuiteResult) left(target int) string {
	left := s.Targets[target].Left
	if left == nil {
		return ""
	}
	text := s.on(target) + counted(max(0, left.Keys), "key") + " more than before"
	if left.Pattern != "" {
		text += ", named " + Printable(left.Pattern) + " (respbench suite --clean deletes them)"
	}
	if len(left.Foreign) > 0 {
		text += "; the keys of " + Printable(strings.Join(left.Foreign, ", ")) + " have no such prefix"
	}
	return text
}

// on is "NAME: " where there are several targets to tell apart.
func (s *SuiteResult) on(target int) string {
	if len(s.Targets) < 2 {
		return ""
	}
	return s.title(target) + ": "
}

// limits says for each target who bounded the rates.
func (s *SuiteResult) limits() []string {
	var list []string
	for i := range s.Targets {
		groups := grouping{}
		for t, test := range s.Tests {
			if r := s.cell(t, i).Median(); r != nil && r.Limit.Who != "" {
				groups.add(r.Limit.Who, whoAmong(r.Limit.Who), Printable(test.Name))
			}
		}
		for k, g := range groups.list {
			text := g.text + " in " + strings.Join(g.tests, ", ")
			if len(groups.list) == 1 {
				text = g.text + " in all tests"
			}
			if k == 0 {
				text = s.on(i) + text
			}
			list = append(list, text)
		}
	}
	return list
}

// whoAmong is who, where no reason follows.
func whoAmong(limit string) string {
	switch limit {
	case "neither":
		return "neither side"
	case "unknown":
		return "not known"
	}
	return who(limit)
}

// faults are tests that have no figure, and error replies.
func (s *SuiteResult) faults() []string {
	var list []string
	for t, test := range s.Tests {
		for i := range s.Targets {
			for _, run := range s.cell(t, i).Runs {
				for _, text := range run.faults() {
					list = append(list, s.on(i)+Printable(test.Name+": "+text))
				}
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
		if one.Requests.Lost > 0 {
			list = append(list, phase+counted(one.Requests.Lost, "request")+" lost with their connection")
		}
		return true
	})
	return list
}

// suiteDoubts adds the warnings, those of several tests once.
func (p *page) suiteDoubts(s *SuiteResult) {
	warnings := s.warnings()
	if len(warnings) > 0 {
		p.gap()
	}
	for _, warning := range warnings {
		const head = "warning: "
		p.hang(p.ink.bold(head), len(head), "", []string{warning})
	}
}

func (s *SuiteResult) warnings() []string {
	var list []string
	for _, w := range s.Warnings {
		list = append(list, Printable(w))
	}
	groups := grouping{}
	for t, test := range s.Tests {
		for i := range s.Targets {
			r := s.cell(t, i).Median()
			if r == nil {
				continue
			}
			for _, w := range r.Warnings {
				groups.add(strings.Map(dropDigits, w), Printable(w), s.on(i)+Printable(test.Name))
			}
		}
	}
	for _, g := range groups.list {
		list = append(list, strings.Join(g.tests, ", ")+": "+g.text)
	}
	return list
}

// dropDigits makes texts equal that differ in figures only.
func dropDigits(r rune) rune {
	if strings.ContainsRune("0123456789.,", r) {
		return -1
	}
	return r
}

// grouping collects which tests say the same, in the order of their coming.
type grouping struct{ list []group }

type group struct {
	key, text string
	tests     []string
}

func (g *grouping) add(key, text, test string) {
	for i := range g.list {
		if g.list[i].key == key {
			g.list[i].tests = append(g.list[i].tests, test)
			return
		}
	}
	g.list = append(g.list, group{key, text, []string{test}})
}
