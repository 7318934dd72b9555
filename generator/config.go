// Package generator makes load: how many requests, how fast, for how long,
// over which connections, and what became of them. It decides and counts; it
// leaves the text of commands to package template, sockets to package conn
// and drawing to package report.
package generator

import (
	"fmt"
	"math"
	"time"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/data"
	"github.com/respbench/respbench/report"
	"github.com/respbench/respbench/template"
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

	// Reconnect makes connections that break again, as often as it takes unless
	// they are refused for good (conn.Final) for as long as the Dialer's
	// Patience, and sends again what was in flight on them. Otherwise that is lost, and their
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

// Validate explains the first thing that is wrong, before anything is dialled.
func (c Config) Validate() error {
	_, err := c.split()
	return err
}

// resolve checks c and fills it in.
func (c Config) resolve() (Config, error) {
	if err := c.check(); err != nil {
		return c, err
	}
	c = c.filled()
	return c, c.checkMemory()
}

// filled is c, which has been checked, with what its zero values stand for, except
// the number of connections that tuning finds.
func (c Config) filled() Config {
	if c.Idle {
		program, _ := template.Parse("PING") // is never sent
		c.Templates = Only(program)
	}
	if len(c.Stages) > 0 {
		c.Rate = c.Stages[0]
	}
	if t := c.Timetable; t != nil {
		c.Threads, c.Arrivals = 1, Recorded
		c.Rate = min(t.rate(), maxRate)
	}
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
	if c.Threads == 0 {
		c.Threads = max(1, shared.usableCPUs()/2)
		if len(c.Cores) > 0 {
			c.Threads = len(c.Cores)
		}
	}
	if c.Connections > 0 {
		c.Threads = min(c.Threads, c.Connections)
	}
	if c.loadsOnce() {
		if n, err := c.onceRequests(); err == nil {
			c.Requests = n
		}
	}
	return c
}

// loadsOnce tells whether the templates say how many requests there are.
func (c *Config) loadsOnce() bool { return c.Load && c.Requests == 0 && c.Duration == 0 }

// onceRequests is how many requests cover the sequences of the templates once, or
// send all commands of a file.
func (c *Config) onceRequests() (int64, error) {
	perUnit := int64(c.Templates[0].Program.Commands())
	if units, ok := c.onceRound(); ok {
		return int64(units) * perUnit, nil
	}
	if len(c.Templates) > 1 {
		return 0, fmt.Errorf("load: several templates have no common period; say how many requests with -n")
	}
	units, ok := c.Templates[0].Program.Period()
	switch {
	case ok && units <= uint64(math.MaxInt64/perUnit):
		return int64(units) * perUnit, nil
	case units > 0:
		return 0, fmt.Errorf("load: covering the sequences once takes more than 2^63-1 requests; say how many with -n")
	}
	return 0, fmt.Errorf("load: the template has no sequence that could be covered once; say how many requests with -n")
}

// isOpen tells whether requests are due at times of their own.
func (c *Config) isOpen() bool { return c.Rate > 0 || len(c.Stages) > 0 || c.Timetable != nil }

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
