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
// Quiet leaves the table, and what went wrong. The error is w's.
func SuiteText(w io.Writer, s *SuiteResult, o TextOptions) error {
	p := &page{ink: ink(o.Color)}
	if !o.Quiet {
		p.suiteFacts(s)
		p.gap()
	}
	p.suiteTables(s)
	if o.Quiet {
		p.suiteFaults(s)
	} else {
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
	for _, d := range s.data() {
		p.hang("data ", len("data "), ", ", d.facts())
	}
}

// data is the files of all runs, each once.
func (s *SuiteResult) data() []Data {
	var list []Data
	for r := range s.Results() {
		for _, d := range r.Workload.Data {
			if !slices.Contains(list, d) {
				list = append(list, d)
			}
		}
	}
	return list
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
				if n := r.Workload.Requests; n == 0 || r.Requests.Sent < n { // others ended with what they had to send
					seconds.add(r.Workload.DurationNs)
				}
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
		facts = append(facts, text, "pipeline "+pipeline.text(Thousands))
	}
	if seconds.known {
		facts = append(facts, seconds.text(shortDuration)+" each")
	}
	if s.Suite.Repeat > 1 {
		facts = append(facts, s.repeats())
	}
	return append(facts, "seed "+strconv.FormatUint(s.Suite.Seed, 10))
}

// repeats says of how many runs the figures are: fewer than were asked for
// where some failed or were interrupted.
func (s *SuiteResult) repeats() string {
	var runs extent
	for t := range s.Tests {
		for i := range s.Targets {
			if n := len(s.cell(t, i).measured()); n > 0 {
				runs.add(int64(n))
			}
		}
	}
	if runs.high < 2 {
		return fmt.Sprintf("%d of %d runs", runs.high, s.Suite.Repeat)
	}
	text := "median of " + runs.text(Thousands) + " runs"
	if runs.low < int64(s.Suite.Repeat) {
		text += fmt.Sprintf(", %d asked for", s.Suite.Repeat)
	}
	return text
}

// spread explains the ± of the table; nil where there is none.
func (s *SuiteResult) spread() []string {
	several, even := false, false
	for t := range s.Tests {
		for i := range s.Targets {
			n := len(s.cell(t, i).measured())
			several, even = several || n > 1, even || n > 0 && n%2 == 0
		}
	}
	if !several {
		return nil
	}
	pieces := []string{"± is the largest distance of a run's rate from the median"}
	if even {
		pieces = append(pieces, "an even number of runs has two in the middle, of which the slower is shown")
	}
	return pieces
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
	if spread := s.spread(); len(spread) > 0 {
		list = append(list, remark{"spread", spread})
	}
	if limits := s.limits(); len(limits) > 0 {
		list = append(list, remark{"limit", limits})
	}
	if memory := s.memory(); len(memory) > 0 {
		list = append(list, remark{"memory", memory})
	}
	for _, e := range s.faults() {
		list = append(list, remark{"error", []string{e}})
	}
	if s.allEmptied() {
		return append(list, remark{"left", []string{"nothing: " + emptied}})
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

// emptied is what a suite says that deletes its keys.
const emptied = "the database was emptied before each test and at the end"

func (s *SuiteResult) allEmptied() bool {
	return len(s.Targets) > 0 && !slices.ContainsFunc(s.Targets, func(t SuiteTarget) bool { return t.Left == nil || !t.Left.Emptied })
}

// left says what is on a target now that was not there before.
func (s *SuiteResult) left(target int) string {
	left := s.Targets[target].Left
	switch {
	case left == nil:
		return ""
	case left.Emptied:
		return s.on(target) + emptied
	case left.Problem != "":
		return s.on(target) + Printable(left.Problem)
	}
	text := s.on(target) + counted(max(0, left.Keys), "key")
	if left.Grown {
		text += " more than before, as far as the size of the database tells"
	}
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
