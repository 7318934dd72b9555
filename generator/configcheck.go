package generator

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/respbench/respbench/conn"
)

// MaxPipeline is the deepest pipeline, in requests in flight on a connection.
const MaxPipeline = 1_000_000

const (
	maxConnections = 1_000_000
	maxThreads     = 1024
	minInterval    = 10 * time.Millisecond
	maxRate        = 1e9
)

// check explains the first thing that is wrong with c as it was given, before its
// zero values are filled in.
func (c *Config) check() error {
	if c.Idle {
		if err := c.checkIdle(); err != nil {
			return err
		}
	} else if err := checkTemplates(c.Templates, c.Order); err != nil {
		return err
	}
	for _, step := range [...]func() error{
		c.checkLoad, c.checkFigures, c.checkConditions, c.checkFaults, c.checkTimetable, c.checkThreads, c.checkRequests, c.checkLog,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// CheckConnections explains why n cannot be the Connections of a Config, or returns nil.
func CheckConnections(n int) error {
	if n < 0 || n > maxConnections {
		return fmt.Errorf("connections: %d is not in 0..%d", n, maxConnections)
	}
	return nil
}

// CheckPipeline explains why n cannot be the Pipeline of a Config, or returns nil.
func CheckPipeline(n int) error {
	if n < 0 || n > MaxPipeline {
		return fmt.Errorf("pipeline depth: %d is not in 1..%d", n, MaxPipeline)
	}
	return nil
}

// CheckDuration explains why d cannot be the Duration of a Config, or returns nil.
func CheckDuration(d time.Duration) error {
	if d < 0 {
		return fmt.Errorf("duration: %v is below 0", d)
	}
	return nil
}

// checkLoad explains what is wrong with how much is sent, and how fast.
func (c *Config) checkLoad() error {
	if err := cmp.Or(CheckConnections(c.Connections), CheckPipeline(c.Pipeline), CheckDuration(c.Duration)); err != nil {
		return err
	}
	switch {
	case c.Requests < 0:
		return fmt.Errorf("requests: %d is below 1", c.Requests)
	case c.Warmup < 0:
		return fmt.Errorf("warm-up: %v is below 0", c.Warmup)
	case c.Rate < 0 || c.Rate > maxRate || c.Rate != c.Rate:
		return fmt.Errorf("rate: %v is not in 0..%v requests a second", c.Rate, maxRate)
	case len(c.Stages) > 0 && (c.Rate > 0 || c.Duration == 0 || c.Requests > 0):
		return fmt.Errorf("stages: each is run for a time (-s), without a rate or a number of requests besides")
	case c.Load && c.Rate > 0:
		return fmt.Errorf("rate: load is as fast as replies come; leave one of them out")
	case c.Load && c.Warmup > 0:
		return fmt.Errorf("warm-up: it would write to the data set that load fills; leave one of them out")
	}
	for _, rate := range c.Stages {
		if !(rate > 0 && rate <= maxRate) {
			return fmt.Errorf("stages: %v is not a rate above 0, up to %v requests a second", rate, maxRate)
		}
	}
	return nil
}

// checkFigures explains what is wrong with what is reported.
func (c *Config) checkFigures() error {
	if c.Interval != 0 && c.Interval < minInterval {
		return fmt.Errorf("interval: %v is below %v", c.Interval, minInterval)
	}
	for _, p := range c.Percentiles {
		if !(p > 0 && p <= 100) {
			return fmt.Errorf("percentile %v is not above 0 and at most 100", p)
		}
	}
	return nil
}

func (c *Config) checkThreads() error {
	if c.Threads < 0 || c.Threads > maxThreads {
		return fmt.Errorf("threads: %d is not in 1..%d", c.Threads, maxThreads)
	}
	if len(c.Cores) == 0 {
		return nil
	}
	usable := conn.UsableCPUs()
	if usable == nil || c.Engine == conn.Portable {
		return fmt.Errorf("cores: event loops cannot be pinned to CPUs here")
	}
	for _, id := range c.Cores {
		if !slices.Contains(usable, id) {
			return fmt.Errorf("cores: CPU %d is not one that this process may use, which are %v", id, usable)
		}
	}
	return nil
}

// checkRequests explains why the requests cannot be counted as they are to be.
func (c *Config) checkRequests() error {
	if c.Idle {
		return nil
	}
	switch uneven := !sameSize(c.Templates); {
	case uneven && c.Load:
		return fmt.Errorf("load: what covers templates of different numbers of commands cannot be counted; leave load out, and limit the time (-s)")
	case uneven && c.Requests > 0:
		return fmt.Errorf("requests: they cannot be counted exactly over templates of different numbers of commands; limit the time instead (-s)")
	}
	if perUnit := int64(c.Templates[0].Program.Commands()); c.Requests%perUnit != 0 {
		return fmt.Errorf("requests: %d would split a unit of %d commands; the nearest is %d",
			c.Requests, perUnit, max(perUnit, c.Requests/perUnit*perUnit))
	}
	if !c.loadsOnce() {
		return nil
	}
	_, err := c.onceRequests()
	return err
}

// checkMemory refuses a load whose requests in flight, which are rendered
// before they are written, may fill most of the memory. c has been filled in.
func (c *Config) checkMemory() error {
	total := machineMemory()
	if total == 0 {
		return nil
	}
	unit := 0
	for _, t := range c.Templates {
		unit = max(unit, t.Program.SizeHint())
	}
	batch := float64(unit)
	if c.Rate == 0 { // in an open loop requests go out one by one
		batch *= max(1, float64(c.Pipeline)/float64(c.Templates[0].Program.Commands()))
	}
	if need := batch * float64(max(1, c.Connections)); need > 0.75*float64(total) {
		return fmt.Errorf("pipeline depth: %d requests on each of %d connections may hold %.1f GB in memory, and the machine has %.1f GB; use fewer",
			c.window(), max(1, c.Connections), need/1e9, float64(total)/1e9)
	}
	return nil
}
