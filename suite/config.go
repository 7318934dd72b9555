package suite

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/generator"
	"github.com/respbench/respbench/report"
)

// Config says which suite to run, and where. Suite and Targets are
// needed, and of every other field the zero value is useful.
type Config struct {
	Suite   *Suite
	Targets []Target
	// Data are the files that the suite declares, loaded, by the same names.
	Data []generator.Data
	// Load is what all tests are run with, whatever the suite says, as far as
	// it says something.
	Load Load
	// Scale is the size of the data sets, as a share of their full one; above
	// 0 and at most 1000. 0 is 1.
	Scale float64
	// Repeat is how often each test is run on each target, 1 to 1000. 0 is 1.
	// All tests are run once before any is run again, so that a slow change of
	// the machine meets all of them.
	Repeat int
	// Flush says whether the database is emptied.
	Flush Flush

	// Shape is that of all targets.
	Shape generator.ClusterShape

	// Wait is how long the targets are waited for, all together, before the
	// first test.
	Wait time.Duration

	// These are as in generator.Config.
	Seed        uint64
	Threads     int
	Cores       []int
	Engine      conn.Engine
	Percentiles []float64
	Interval    time.Duration
	OnProgress  func(report.Snapshot)
	OnRemark    func(string)
}

// Target is a server that a suite is run on.
type Target struct {
	Name      string // unique; may be "" where there is only one
	Dialer    conn.Dialer
	InProcess bool // as generator.Config.InProcess
}

// Flush says whether a suite empties the database that it is run on.
type Flush uint8

const (
	// FlushNo leaves the database as it is: the keys of the suite have a
	// prefix of their own, and stay.
	FlushNo Flush = iota
	// FlushYes deletes the keys of suites, which it knows by their prefix,
	// before each test and at the end, and ends the suite where the database
	// holds any other.
	FlushYes
	// FlushForce empties the database whatever it holds. Keys need no prefix
	// then, and have none.
	FlushForce
)

// String is "no", "yes" or "force".
func (f Flush) String() string {
	return [...]string{"no", "yes", "force"}[min(f, FlushForce)]
}

// Validate explains the first thing that is wrong, before anything is dialled.
func (c Config) Validate() error {
	_, err := c.resolve()
	return err
}

// resolve checks c and fills in what its zero values stand for.
func (c Config) resolve() (Config, error) {
	if c.Scale == 0 {
		c.Scale = 1
	}
	if c.Repeat == 0 {
		c.Repeat = 1
	}
	switch {
	case c.Suite == nil:
		return c, errors.New("no suite to run")
	case !(c.Scale > 0 && c.Scale <= 1000):
		return c, fmt.Errorf("scale: %v is not above 0 and at most 1000", c.Scale)
	case c.Repeat < 1 || c.Repeat > 1000:
		return c, fmt.Errorf("repeat: %d is not in 1..1000", c.Repeat)
	case c.Wait < 0:
		return c, fmt.Errorf("wait: %v is below 0", c.Wait)
	case c.Flush > FlushForce:
		return c, fmt.Errorf("flush: %d is not known", c.Flush)
	}
	if err := c.validateTargets(); err != nil {
		return c, err
	}
	if err := validateLoad(c.Load, ""); err != nil {
		return c, err
	}
	if err := c.Suite.Validate(); err != nil {
		return c, err
	}
	tests, err := c.plan(0, 0)
	if err != nil {
		return c, fmt.Errorf("at scale %v: %w", c.Scale, err)
	}
	for _, t := range tests {
		if err := c.of(&t, c.Targets[0]).Validate(); err != nil {
			return c, fmt.Errorf("test %q: %w", t.test.Name, err)
		}
	}
	return c, nil
}

func (c *Config) validateTargets() error {
	if len(c.Targets) == 0 {
		return errors.New("no target to run the suite on")
	}
	seen := map[string]bool{}
	for _, t := range c.Targets {
		name := strings.ToLower(strings.ReplaceAll(t.Name, " ", "-")) // as it is in a file's name
		bad := strings.ContainsFunc(name, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._-+", r)
		})
		switch {
		case bad || len(name) > 60:
			return fmt.Errorf("target %q: a name is up to 60 letters, digits, spaces and ._-+", t.Name)
		case name == "" && len(c.Targets) > 1:
			return errors.New("a target has no name")
		case seen[name]:
			return fmt.Errorf("target %q: the name is given twice", t.Name)
		}
		seen[name] = true
	}
	return nil
}

// plan compiles the tests of one round, from 0, with the keys of one target.
func (c *Config) plan(keys keySpace, round int) ([]plannedTest, error) {
	var list []plannedTest
	for i := range c.Suite.Tests {
		// Each test has a prefix of its own, so each is planned alone.
		one := *c.Suite
		one.Tests = c.Suite.Tests[i : i+1]
		planned, err := one.plan(planOptions{scale: c.Scale, prefix: c.prefix(keys, one.Tests[0].Name, round), load: c.Load, template: c.template()})
		if err != nil {
			return nil, err
		}
		list = append(list, planned...)
	}
	return list, nil
}

// prefix is what the keys of a test start with: nothing with FlushForce,
// which deletes keys whatever their names.
func (c *Config) prefix(keys keySpace, test string, round int) string {
	if c.Flush == FlushForce {
		return ""
	}
	return keys.prefix(test, round)
}

// of is the generator.Config of a test on a target.
func (c *Config) of(t *plannedTest, target Target) generator.Config {
	return c.common(t.config(), target)
}

// common fills in what is the same for all that is run on a target.
func (c *Config) common(one generator.Config, target Target) generator.Config {
	one.Data = c.dataOf(one)
	one.Seed, one.Dialer, one.InProcess = c.Seed, target.Dialer, target.InProcess
	one.ClusterShape = c.Shape
	one.Threads, one.Cores, one.Engine = c.Threads, c.Cores, c.Engine
	one.Percentiles, one.Interval, one.OnRemark = c.Percentiles, c.Interval, c.OnRemark
	return one
}
