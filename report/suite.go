package report

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"time"
)

// SuiteResult is everything that a suite established: the same tests, one
// after another, on one or several servers. Each figure in it is a whole
// Result, and repeats are kept.
type SuiteResult struct {
	Schema      string        `json:"schema"`
	Kind        string        `json:"kind"` // "suite"
	Version     string        `json:"respbench_version"`
	StartedAt   time.Time     `json:"started_at"`
	Interrupted string        `json:"interrupted,omitempty"` // "SIGINT" or "SIGTERM" if a signal ended the suite
	Suite       SuiteWorkload `json:"suite"`
	Targets     []SuiteTarget `json:"targets"`
	Tests       []SuiteTest   `json:"tests"`
	Warnings    []string      `json:"warnings"` // of the suite as a whole; each Result has its own
}

// SuiteWorkload is what was asked for, beside the tests.
type SuiteWorkload struct {
	Name   string  `json:"name"`
	Note   string  `json:"note,omitempty"`
	Scale  float64 `json:"scale"`  // data sets have this share of their full size
	Repeat int     `json:"repeat"` // runs of each test on each target
	Flush  string  `json:"flush"`  // "no", "yes" or "force": whether the database was emptied before each test
	Seed   uint64  `json:"seed,string"`
}

// SuiteTarget is one of the servers, and what the suite left on it.
type SuiteTarget struct {
	Name   string     `json:"name"` // unique in the suite; "" if the only target was not given one
	Target Target     `json:"target"`
	Left   *SuiteLeft `json:"left,omitempty"` // absent if the suite left nothing
}

// SuiteLeft is what a suite left in the database at its end.
type SuiteLeft struct {
	Keys    int64    `json:"keys"`              // of this run, counted by their names
	Grown   bool     `json:"grown,omitempty"`   // keys is by how many the database has grown: they could not be counted by name
	Pattern string   `json:"pattern,omitempty"` // the names of the suite's keys, as KEYS and SCAN take it
	Foreign []string `json:"foreign,omitempty"` // tests whose keys the pattern may not cover
	Emptied bool     `json:"emptied,omitempty"` // the database was emptied at the end
	Problem string   `json:"problem,omitempty"` // why keys is not known, or why the database was not emptied
}

// SuiteTest is one row of the table: what was sent, at the suite's scale, and
// what came of it on each target. In its templates ${prefix} stands for the
// SuiteRun's Prefix.
type SuiteTest struct {
	Name     string         `json:"name"`
	Note     string         `json:"note,omitempty"`
	Prepare  []string       `json:"prepare,omitempty"` // commands sent once, before the preload
	Cleanup  []string       `json:"cleanup,omitempty"` // commands sent once, after the test
	Preload  []SuitePreload `json:"preload,omitempty"`
	Template string         `json:"template"` // measured
	Cells    []SuiteCell    `json:"cells"`    // in the order of the targets
}

// SuitePreload is a data set that is filled before the test.
type SuitePreload struct {
	Template string `json:"template"`
	Requests int64  `json:"requests"`
}

// SuiteCell is one test on one target.
type SuiteCell struct {
	Target string     `json:"target"` // its name
	Runs   []SuiteRun `json:"runs"`   // those that were started, in order
}

// SuiteRun is one repeat of a test on a target.
type SuiteRun struct {
	Prefix   string   `json:"prefix,omitempty"` // of the keys; empty where the database was emptied by force, or no key was made
	Preload  []Result `json:"preload,omitempty"`
	Measured *Result  `json:"measured"`          // null if it came to no measurement
	Problem  string   `json:"problem,omitempty"` // why not, or why the cleanup failed
}

// Results are all runs in the suite, preloads included, in no promised order.
func (s *SuiteResult) Results() iter.Seq[*Result] {
	return func(yield func(*Result) bool) {
		for t := range s.Tests {
			for c := range s.Tests[t].Cells {
				for r := range s.Tests[t].Cells[c].Runs {
					if !s.Tests[t].Cells[c].Runs[r].all(yield) {
						return
					}
				}
			}
		}
	}
}

func (r *SuiteRun) all(yield func(*Result) bool) bool {
	for i := range r.Preload {
		if !yield(&r.Preload[i]) {
			return false
		}
	}
	return r.Measured == nil || yield(r.Measured)
}

// Failed tells whether something in the suite went wrong, as the report tells
// below the table, or the database was not emptied that should have been.
func (s *SuiteResult) Failed() bool {
	for _, t := range s.Targets {
		if s.Suite.Flush != "no" && t.Left != nil && t.Left.Problem != "" {
			return true
		}
	}
	return len(s.faults()) > 0
}

// Median is the run with the median rate: all figures of a cell come from this
// one, so that they belong together. Of an even number of runs it is the
// slower of the two in the middle. Runs that were interrupted count only where
// there are no others. It is nil when no run had a success.
func (c *SuiteCell) Median() *Result {
	runs := c.measured()
	if len(runs) == 0 {
		return nil
	}
	slices.SortStableFunc(runs, func(a, b *Result) int { return cmp.Compare(a.RatePerSec, b.RatePerSec) })
	return runs[(len(runs)-1)/2]
}

// Spread is the largest distance of a run's rate from the median's, as a share
// of the latter; 0 for fewer than two runs.
func (c *SuiteCell) Spread() float64 {
	median := c.Median()
	if median == nil {
		return 0
	}
	most := 0.0
	for _, r := range c.measured() {
		most = max(most, math.Abs(r.RatePerSec-median.RatePerSec))
	}
	return finite(most / median.RatePerSec)
}

func (c *SuiteCell) measured() []*Result {
	var whole, cut []*Result
	for _, run := range c.Runs {
		switch r := run.Measured; {
		case r == nil || r.Requests.Succeeded == 0 || r.Latency == nil:
		case r.Interrupted != "":
			cut = append(cut, r)
		default:
			whole = append(whole, r)
		}
	}
	if len(whole) == 0 {
		return cut
	}
	return whole
}

// cell is what test t brought on a target, without runs if it was not reached.
func (s *SuiteResult) cell(t, target int) *SuiteCell {
	if cells := s.Tests[t].Cells; target < len(cells) {
		return &cells[target]
	}
	return &SuiteCell{}
}

// example is some run on a target, for what is the same in all of them; nil if
// there is none.
func (s *SuiteResult) example(target int) *Result {
	for t := range s.Tests {
		for _, run := range s.cell(t, target).Runs {
			if run.Measured != nil {
				return run.Measured
			}
		}
	}
	return nil
}

// title is what a target is called: its name, or the server's own.
func (s *SuiteResult) title(target int) string {
	t := &s.Targets[target]
	if t.Name != "" {
		return Printable(t.Name)
	}
	if r := s.example(target); r != nil && r.Server.Name != "" {
		return Printable(r.Server.Name + " " + r.Server.Version)
	}
	return Printable(t.Target.Address)
}

// ratio is the last target's rate to the first's in test t; 0 if one of them
// is missing.
func (s *SuiteResult) ratio(t int) float64 {
	if len(s.Targets) < 2 {
		return 0
	}
	first, last := s.cell(t, 0).Median(), s.cell(t, len(s.Targets)-1).Median()
	if first == nil || last == nil {
		return 0
	}
	return finite(last.RatePerSec / first.RatePerSec)
}
