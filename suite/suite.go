// Package suite runs lists of tests on one or several servers and makes one
// table of them. A suite is plain data, built in, read from a file or written in
// Go: for each test what is prepared, filled and measured. The package decides
// in which order that is done, under which names the keys are, and what is
// emptied; it leaves making the load to package generator, and drawing the
// table to package report.
package suite

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/respbench/respbench/data"
	"github.com/respbench/respbench/generator"
	"github.com/respbench/respbench/template"
)

// Suite is a list of tests that are run one after another and make one table.
// It is plain data; Builtin returns those that are part of the program, and
// Read reads others from a file.
//
// In its texts ${NAME} stands for a number that Scaled declares, and ${prefix}
// for what the names of a test's keys start with: nothing with FlushForce.
type Suite struct {
	Name   string // letters, digits and ._-
	Note   string
	Load   Load // of the tests that do not say otherwise
	Scaled map[string]ScaledNumber
	// Data are the files of rows that templates take. They are opened and
	// loaded by whoever runs the suite.
	Data  []Data
	Tests []Test
}

// Data is a file of rows.
type Data struct {
	Name  string // in templates
	File  string // "" where whoever runs the suite must say which
	Order data.Order
	// Of, in place of File, is the name of other data: the same file, whose
	// rows are taken in this order too.
	Of string
}

// Load is how a test is run. A zero field is not said.
type Load struct {
	Connections *int          // 0 = tuned; not said anywhere: tuned
	Pipeline    int           // not said anywhere: 1
	Duration    time.Duration // not said anywhere: 20 s
}

// ScaledNumber is a number that becomes smaller or larger with the data sets.
type ScaledNumber struct {
	Full int64 // at full size, 1 or more
	// Coprime, unless 0, is a number with which the scaled one has no common
	// divisor: it is raised to the next that has none. Full has none either.
	Coprime int64
}

// Test is one row of the table.
type Test struct {
	Name string // letters, digits and ._-
	Note string
	// Prepare are commands that are sent once, before the preload, on a
	// connection of their own.
	Prepare []string
	// Cleanup are commands that are sent once, after the test, where all of
	// Prepare were carried out: they take back what no key's name tells of.
	Cleanup []string
	// Preload are data sets that are filled before the test.
	Preload  []Preload
	Template string // measured
	// Lanes, in place of Template, are loads that run side by side.
	Lanes []Lane
	// Mix, in place of Template, is several that are measured together.
	Mix []Share
	// Count, unless empty, is a number of requests after which the test ends,
	// if its time is not up before: a number, a product as "1000 * ${keys}", or
	// "once", as many as cover the sequences and rows of the template once.
	Count string
	Load  Load
}

// Lane is one of several loads of a test that run side by side.
type Lane struct {
	Name     string // letters, digits and ._-
	Template string
	Load     Load    // without a Duration, which is the test's; 0 connections are 50
	Rate     float64 // requests a second of an open loop; 0 = closed loop
}

// Share is one template of a mix, and its part in it.
type Share struct {
	Template string
	Weight   int // in proportion to those of the others, 1 or more
}

// Preload is filled as generator.Config.Load does it.
type Preload struct {
	Template string
	Count    string // as Test.Count; "" covers the template's sequences once
}

const (
	prefixName      = "prefix"
	countOnce       = "once"
	defaultDuration = 20 * time.Second
	maxTests        = 1000
	maxName         = 40 // bytes
)

// Error is a mistake in a Suite.
type Error struct {
	Path string // the place, as "tests[2].template"
	Test string // the test's name; "" outside of tests
	Err  error  // what is wrong; a *template.Error where a template is
}

func (e *Error) Error() string {
	if e.Test != "" {
		return fmt.Sprintf("test %q: %v", e.Test, e.Err)
	}
	return e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

// Validate explains, as a *Error, the first thing that is wrong.
func (s *Suite) Validate() error {
	if err := s.validateHead(); err != nil {
		return err
	}
	names := map[string]bool{}
	for i, t := range s.Tests {
		path := fmt.Sprintf("tests[%d]", i)
		if err := validateName(t.Name); err != nil {
			return &Error{Path: path + ".name", Err: fmt.Errorf("test %d: %w", i+1, err)}
		}
		if names[strings.ToLower(t.Name)] {
			return &Error{Path: path + ".name", Err: fmt.Errorf("a second test is called %q", t.Name)}
		}
		names[strings.ToLower(t.Name)] = true
		if err := validateLoad(t.Load, path+"."); err != nil {
			err.Test = t.Name
			return err
		}
	}
	// That every template compiles is found out by planning it; whether data
	// have the fields, when they are opened.
	_, err := s.plan(planOptions{scale: 1, prefix: "p:", template: template.Options{AnyData: len(s.Data) > 0}})
	return err
}

func (s *Suite) validateHead() error {
	if err := validateName(s.Name); err != nil {
		return &Error{Path: "name", Err: fmt.Errorf("the suite: %w", err)}
	}
	if err := validateLoad(s.Load, ""); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(s.Scaled)) {
		if err := validateScaled(name, s.Scaled[name]); err != nil {
			return &Error{Path: "scaled." + name, Err: fmt.Errorf("scaled %q: %w", name, err)}
		}
	}
	for i, d := range s.Data {
		if err := validateData(d, s.Data, i); err != nil {
			return &Error{Path: "data." + d.Name, Err: fmt.Errorf("data %q: %w", d.Name, err)}
		}
	}
	if len(s.Tests) == 0 || len(s.Tests) > maxTests {
		return &Error{Path: "tests", Err: fmt.Errorf("%d tests; a suite has 1 to %d", len(s.Tests), maxTests)}
	}
	return nil
}

// validateName refuses names that could not be part of a key, a file's name
// or a benchmark's.
func validateName(name string) error {
	bad := strings.ContainsFunc(name, func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._-", r)
	})
	switch {
	case name == "":
		return fmt.Errorf("it has no name")
	case bad || len(name) > maxName:
		return fmt.Errorf("the name %q is not 1 to 40 letters, digits, dots, dashes and underscores", name)
	}
	return nil
}

func validateScaled(name string, n ScaledNumber) error {
	valid := name != "" && name != prefixName && !strings.ContainsFunc(name, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_'
	})
	switch {
	case !valid:
		return fmt.Errorf("a name is small letters, digits and underscores, and not %q", prefixName)
	case n.Full < 1:
		return fmt.Errorf("full: %d is not in 1..2^63-1", n.Full)
	case n.Coprime < 0:
		return fmt.Errorf("coprime: %d is not in 1..2^63-1", n.Coprime)
	case n.Coprime > 0 && gcd(n.Full, n.Coprime) != 1:
		return fmt.Errorf("full: %d and %d have the common divisor %d", n.Full, n.Coprime, gcd(n.Full, n.Coprime))
	}
	return nil
}

func validateLoad(l Load, path string) *Error {
	if l.Connections != nil {
		if err := generator.CheckConnections(*l.Connections); err != nil {
			return &Error{Path: path + "connections", Err: err}
		}
	}
	if err := generator.CheckPipeline(l.Pipeline); err != nil {
		return &Error{Path: path + "pipeline", Err: err}
	}
	if err := generator.CheckDuration(l.Duration); err != nil {
		return &Error{Path: path + "seconds", Err: err}
	}
	return nil
}

// over is l where it says something, and below elsewhere.
func (l Load) over(below Load) Load {
	if l.Connections == nil {
		l.Connections = below.Connections
	}
	if l.Pipeline == 0 {
		l.Pipeline = below.Pipeline
	}
	if l.Duration == 0 {
		l.Duration = below.Duration
	}
	return l
}

// Join makes one suite of several: all tests in order, each with the load
// that its own suite gives it. Two tests of one name, or a scaled number of
// two values, are an error. One suite alone is returned as it is.
func Join(suites ...*Suite) (*Suite, error) {
	if len(suites) == 1 {
		return suites[0], nil
	}
	all := &Suite{Scaled: map[string]ScaledNumber{}}
	for _, s := range suites {
		for _, d := range s.Data {
			k := slices.IndexFunc(all.Data, func(other Data) bool { return other.Name == d.Name })
			if k >= 0 && all.Data[k] != d {
				return nil, fmt.Errorf("suite %q: data %q is another file than in the suites before it; run them apart", s.Name, d.Name)
			}
			if k < 0 {
				all.Data = append(all.Data, d)
			}
		}
	}
	var names []string
	for _, s := range suites {
		names = append(names, s.Name)
		for name, n := range s.Scaled {
			if old, ok := all.Scaled[name]; ok && old != n {
				return nil, fmt.Errorf("suite %q: scaled %q has another value than in the suites before it; run them apart", s.Name, name)
			}
			all.Scaled[name] = n
		}
		for _, t := range s.Tests {
			t.Load = t.Load.over(s.Load)
			all.Tests = append(all.Tests, t)
		}
	}
	all.Name = strings.Join(names, "-")
	if len(all.Name) > maxName {
		all.Name = fmt.Sprintf("%s-and-%d-more", names[0], len(names)-1)
	}
	return all, all.Validate()
}

// Select keeps the tests that only names, or all if it is empty, without
// those that skip names, in the suite's order. Names are compared without
// regard to case. A name that is no test's is an error, and so is an empty
// selection.
func (s *Suite) Select(only, skip []string) (*Suite, error) {
	for _, name := range slices.Concat(only, skip) {
		if !slices.ContainsFunc(s.Tests, func(t Test) bool { return strings.EqualFold(t.Name, name) }) {
			return nil, fmt.Errorf("suite %q has no test %q; its tests are %s", s.Name, name, strings.Join(s.names(), ", "))
		}
	}
	selected := *s
	selected.Tests = slices.DeleteFunc(slices.Clone(s.Tests), func(t Test) bool {
		is := func(name string) bool { return strings.EqualFold(t.Name, name) }
		return len(only) > 0 && !slices.ContainsFunc(only, is) || slices.ContainsFunc(skip, is)
	})
	if len(selected.Tests) == 0 {
		return nil, fmt.Errorf("suite %q: no test is left of %s", s.Name, strings.Join(s.names(), ", "))
	}
	return &selected, nil
}

func (s *Suite) names() []string {
	var names []string
	for _, t := range s.Tests {
		names = append(names, t.Name)
	}
	return names
}
