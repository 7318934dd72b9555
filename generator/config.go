// Package generator makes load: how many requests, how fast, for how long,
// over which connections, and what became of them. It decides and counts; it
// leaves the text of commands to package template, sockets to package conn
// and drawing to package report.
package generator

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/data"
	"github.com/respbench/respbench/report"
)

// Config says what load to make. Templates and Dialer.Address are needed, and
// of every other field the zero value is useful.
type Config struct {
	// Templates are what is sent: one, or several that are mixed by their
	// weights.
	Templates []Template
	// Lanes, if there are any, run side by side in place of Templates. Rate,
	// Connections and Pipeline are then those of each lane, and Arrivals,
	// Duration, Warmup and Dialer are of all.
	Lanes []Lane
	lane  string // the name of the lane that this is the Config of

	// Log, if not nil, is the loaded log that the only template sends. Its
	// databases are selected, and its transactions sent whole.
	Log *data.Log

	// Order is how several templates take turns, and in which order the rows of a
	// template of whole rows do.
	Order Order
	// Origin is what the report says in place of the text of Templates that come
	// from a file.
	Origin string
	// Warnings are the first ones of the Result.
	Warnings []string

	// Data are the files whose rows the templates take, loaded.
	Data []Data

	// Seed decides every random choice: the same Templates, Seed and index
	// give the same command.
	Seed uint64

	// Dialer opens every connection.
	Dialer conn.Dialer
	// InProcess tells that the server runs in this process, so that its CPU
	// time cannot be told from the client's.
	InProcess bool
	// Connections is how many work at once. 0 finds the number by tuning; a
	// run with a limit on Requests cannot try things out without sending more
	// than it was told to, and takes 50, as does one with a Rate; Load takes
	// 128.
	Connections int
	// Pipeline is how many requests are in flight on a connection, 1 to
	// 1,000,000. 0 is 1, 10 for Load, and 256 with a Rate, where it is a bound
	// that is only reached when replies are late. Commands of one unit stay together,
	// so at least one unit is in flight whatever the depth.
	Pipeline int

	// Requests is how many are sent, exactly; a multiple of the commands in a
	// unit, of which all Templates must then have the same number. 0 is no
	// limit.
	Requests int64
	// Duration is how long requests are sent. 0 is no limit.
	Duration time.Duration
	// Warmup is how long the same load runs before anything is measured.
	Warmup time.Duration
	// Rate makes an open loop: so many requests a second, over all
	// connections, whether or not earlier ones have been answered. 0 is a
	// closed loop, as fast as replies come.
	Rate float64
	// Stages are rates that are run one after another, each for Duration, in
	// place of Rate.
	Stages []float64
	// Arrivals is how the requests of an open loop are spread in time.
	Arrivals Arrivals
	// Timetable, if not nil, makes an open loop in place of Rate whose units are
	// due when it says. There is one template then.
	Timetable *Timetable
	// Load fills a data set: without a limit on Requests, what the sequences
	// of the template need to be covered exactly once.
	Load bool

	// Objectives are held against the Result, whose list of them says which
	// were missed.
	Objectives []Objective
	// AbortIf are conditions on what was measured so far; the first that is
	// met, from a second into the measuring on, ends it.
	AbortIf []Objective

	// ClusterShape says whether the server is one node of a cluster that is to
	// be followed.
	ClusterShape

	// Reconnect makes connections that break again, as often as it takes, and
	// sends again what was in flight on them. Otherwise that is lost, and their
	// part of the load ends.
	Reconnect bool
	// Wait is how long a server is waited for that cannot be reached, or loads
	// its data.
	Wait time.Duration
	// Timeout is how long a reply may take; what takes longer is an error, and
	// its connection is made again. 0 is any time.
	Timeout time.Duration
	// StopOnError ends the run at the first error reply.
	StopOnError bool
	// MaxErrors ends the run when there are more error replies.
	MaxErrors ErrorLimit
	// ConnMaxAge is how long a connection is used before it is made anew, more
	// or less by a tenth. 0 is to the end.
	ConnMaxAge time.Duration
	// ReconnectEvery is after how many requests a connection is made anew. 0 is
	// never.
	ReconnectEvery int64
	// Idle holds Connections, of which there must be some, without load. There
	// are no Templates then.
	Idle bool

	// Threads is the number of event loops. 0 is half of the usable CPUs, which
	// are those of the affinity mask and of the container's quota, at least 1, so
	// that a server on the same machine keeps the other half.
	Threads int
	// Cores are the CPU ids that the loops are pinned to, in turn. Empty does
	// not pin. Without Threads there is one loop per core.
	Cores []int
	// Engine is how connections are run; the zero value is the fastest.
	Engine conn.Engine

	// Percentiles are those of the Result, each in (0, 100]; empty is 50, 90,
	// 99, 99.9.
	Percentiles []float64
	// Interval is the length of a slice of the interval series, 10 ms or
	// more. 0 is one second.
	Interval time.Duration
	// OnProgress, if not nil, is told several times a second how the run
	// goes, from one goroutine. It must not block.
	OnProgress func(report.Snapshot)
	// OnRemark, if not nil, is told what a user should know at once, from any
	// goroutine. It must not block.
	OnRemark func(string)
}

const (
	maxConnections = 1_000_000
	maxPipeline    = 1_000_000
	minInterval    = 10 * time.Millisecond
	maxRate        = 1e9
)

// Validate explains the first thing that is wrong, before anything is dialled.
func (c Config) Validate() error {
	_, err := c.split()
	return err
}

// resolve checks c and fills in what its zero values stand for, except the
// number of connections that tuning finds.
func (c Config) resolve() (Config, error) {
	if err := c.resolveIdle(); err != nil {
		return c, err
	}
	if err := checkTemplates(c.Templates, c.Order); err != nil {
		return c, err
	}
	switch {
	case c.Connections < 0 || c.Connections > maxConnections:
		return c, fmt.Errorf("connections: %d is not in 0..%d", c.Connections, maxConnections)
	case c.Pipeline < 0 || c.Pipeline > maxPipeline:
		return c, fmt.Errorf("pipeline depth: %d is not in 1..%d", c.Pipeline, maxPipeline)
	case c.Requests < 0:
		return c, fmt.Errorf("requests: %d is below 1", c.Requests)
	case c.Duration < 0:
		return c, fmt.Errorf("duration: %v is below 0", c.Duration)
	case c.Warmup < 0:
		return c, fmt.Errorf("warm-up: %v is below 0", c.Warmup)
	case c.Rate < 0 || c.Rate > maxRate || c.Rate != c.Rate:
		return c, fmt.Errorf("rate: %v is not in 0..%v requests a second", c.Rate, maxRate)
	case len(c.Stages) > 0 && (c.Rate > 0 || c.Duration == 0 || c.Requests > 0):
		return c, fmt.Errorf("stages: each is run for a time (-s), without a rate or a number of requests besides")
	case c.Load && c.Rate > 0:
		return c, fmt.Errorf("rate: load is as fast as replies come; leave one of them out")
	case c.Load && c.Warmup > 0:
		return c, fmt.Errorf("warm-up: it would write to the data set that load fills; leave one of them out")
	case c.Interval != 0 && c.Interval < minInterval:
		return c, fmt.Errorf("interval: %v is below %v", c.Interval, minInterval)
	}
	for _, rate := range c.Stages {
		if !(rate > 0 && rate <= maxRate) {
			return c, fmt.Errorf("stages: %v is not a rate above 0, up to %v requests a second", rate, maxRate)
		}
	}
	if len(c.Stages) > 0 {
		c.Rate = c.Stages[0]
	}
	for _, p := range c.Percentiles {
		if !(p > 0 && p <= 100) {
			return c, fmt.Errorf("percentile %v is not above 0 and at most 100", p)
		}
	}
	if err := c.checkConditions(); err != nil {
		return c, err
	}
	if err := c.checkFaults(); err != nil {
		return c, err
	}
	if err := c.resolveTimetable(); err != nil {
		return c, err
	}
	if err := c.resolveThreads(); err != nil {
		return c, err
	}
	c.resolveDefaults()
	if err := c.checkMemory(); err != nil {
		return c, err
	}
	if err := c.resolveLog(); err != nil {
		return c, err
	}
	return c, c.resolveRequests()
}

// checkMemory refuses a load whose requests in flight, which are rendered
// before they are written, may fill most of the memory.
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

func (c *Config) resolveDefaults() {
	if c.Connections == 0 {
		switch {
		case c.Load:
			c.Connections = 128
		case c.Requests > 0 || c.Rate > 0:
			c.Connections = 50
		}
	}
	if c.Pipeline == 0 {
		c.Pipeline = 1
		switch {
		case c.Load:
			c.Pipeline = 10
		case c.Rate > 0:
			c.Pipeline = 256
		}
	}
	if c.Interval == 0 {
		c.Interval = time.Second
	}
	if len(c.Percentiles) == 0 {
		c.Percentiles = []float64{50, 90, 99, 99.9}
	}
	if c.Connections > 0 {
		c.Threads = min(c.Threads, c.Connections)
	}
}

func (c *Config) resolveRequests() error {
	perUnit := int64(c.Templates[0].Program.Commands())
	switch uneven := !sameSize(c.Templates); {
	case uneven && c.Load:
		return fmt.Errorf("load: what covers templates of different numbers of commands cannot be counted; leave load out, and limit the time (-s)")
	case uneven && c.Requests > 0:
		return fmt.Errorf("requests: they cannot be counted exactly over templates of different numbers of commands; limit the time instead (-s)")
	}
	if c.Requests > 0 && c.Requests%perUnit != 0 {
		return fmt.Errorf("requests: %d would split a unit of %d commands; the nearest is %d",
			c.Requests, perUnit, max(perUnit, c.Requests/perUnit*perUnit))
	}
	if !c.Load || c.Requests > 0 || c.Duration > 0 {
		return nil
	}
	if units, ok := c.onceRound(); ok {
		c.Requests = int64(units) * perUnit
		return nil
	}
	if len(c.Templates) > 1 {
		return fmt.Errorf("load: several templates have no common period; say how many requests with -n")
	}
	units, ok := c.Templates[0].Program.Period()
	switch {
	case ok && units <= uint64(math.MaxInt64/perUnit):
		c.Requests = int64(units) * perUnit
		return nil
	case units > 0:
		return fmt.Errorf("load: covering the sequences once takes more than 2^63-1 requests; say how many with -n")
	}
	return fmt.Errorf("load: the template has no sequence that could be covered once; say how many requests with -n")
}

func (c *Config) resolveThreads() error {
	if c.Threads < 0 || c.Threads > 1024 {
		return fmt.Errorf("threads: %d is not in 1..1024", c.Threads)
	}
	if len(c.Cores) > 0 {
		usable := conn.UsableCPUs()
		if usable == nil || c.Engine == conn.Portable {
			return fmt.Errorf("cores: event loops cannot be pinned to CPUs here")
		}
		for _, id := range c.Cores {
			if !slices.Contains(usable, id) {
				return fmt.Errorf("cores: CPU %d is not one that this process may use, which are %v", id, usable)
			}
		}
	}
	if c.Threads == 0 {
		c.Threads = max(1, shared.usableCPUs()/2)
		if len(c.Cores) > 0 {
			c.Threads = len(c.Cores)
		}
	}
	return nil
}

// window is how many requests a connection may have in flight: the pipeline
// depth, and room for any unit.
func (c *Config) window() int { return max(c.Pipeline, largestUnit(c.Templates)) }

// meanRate is the rate of an open loop, on average over its stages, which all
// take the same time.
func (c *Config) meanRate() float64 {
	if len(c.Stages) == 0 {
		return c.Rate
	}
	sum := 0.0
	for _, rate := range c.Stages {
		sum += rate
	}
	return sum / float64(len(c.Stages))
}
