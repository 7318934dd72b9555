package generator

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/report"
)

// Lane is load that runs beside that of other lanes, with connections, a pace
// and figures of its own, so that readers and writers do not wait for each
// other. The zero value of every field but Templates is useful.
type Lane struct {
	Name        string // in the report
	Templates   []Template
	Connections int     // 0 is 50
	Pipeline    int     // as in Config
	Rate        float64 // as in Config
}

const (
	maxLanes        = 64
	laneConnections = 50
)

// split checks c and returns a Config for each lane; a run without lanes is
// one lane.
func (c Config) split() ([]Config, error) {
	if len(c.Lanes) == 0 {
		resolved, err := c.resolve()
		return []Config{resolved}, err
	}
	switch {
	case len(c.Lanes) > maxLanes:
		return nil, fmt.Errorf("lanes: %d are more than %d", len(c.Lanes), maxLanes)
	case len(c.Templates) > 0 || c.Connections > 0 || c.Pipeline > 0 || c.Rate > 0 || len(c.Stages) > 0:
		return nil, fmt.Errorf("lanes: each has its own template, connections, pipeline depth and rate; give them there")
	case c.Timetable != nil || c.Log != nil || c.Order != Spread:
		return nil, fmt.Errorf("lanes: recorded times, and orders of templates, are of a run without lanes")
	case c.Requests > 0 || c.Load:
		return nil, fmt.Errorf("lanes: they run side by side for a time (-s), not for a number of requests")
	}
	var list []Config
	loops := 0
	for i, lane := range c.Lanes {
		sub := c
		sub.Lanes = nil
		sub.lane, sub.Templates, sub.Pipeline, sub.Rate = lane.Name, lane.Templates, lane.Pipeline, lane.Rate
		sub.Connections = lane.Connections
		if sub.Connections == 0 {
			sub.Connections = laneConnections
		}
		sub.Seed += uint64(i) * 0xa0761d6478bd642f
		sub, err := sub.resolve()
		if err != nil {
			return nil, fmt.Errorf("lane %q: %w", lane.Name, err)
		}
		sub.Threads = max(1, sub.Threads/len(c.Lanes))
		if n := len(c.Cores); n > 0 { // each lane goes on where the one before ended
			sub.Cores = slices.Concat(c.Cores[loops%n:], c.Cores[:loops%n])
		}
		loops += sub.Threads
		list = append(list, sub)
	}
	return list, nil
}

func loopsOf(lanes []Config) (n int) {
	for _, lane := range lanes {
		n += lane.Threads
	}
	return n
}

// crew is the lanes of one Run.
type crew []*run

// assemble starts the event loops of every lane. What it returns is to be
// closed, also with an error.
func assemble(ctx context.Context, side *conn.Client, lanes []Config) (crew, error) {
	var list crew
	if len(lanes) > 1 {
		shareProgress(lanes)
	}
	for _, cfg := range lanes {
		var c *cluster
		var err error
		if cfg.Cluster {
			if c, err = discover(ctx, side, &cfg); err != nil {
				return list, err
			}
		}
		fleet, err := newFleet(cfg, c)
		if err != nil {
			return list, err
		}
		list = append(list, &run{cfg: cfg, fleet: fleet})
	}
	return list, nil
}

func (c crew) close() {
	for _, r := range c {
		r.fleet.close()
	}
}

// prepare makes the connections of every lane and then lets all warm up.
func (c crew) prepare(ctx context.Context) error {
	files := 0
	for _, r := range c {
		files += r.cfg.Connections * len(r.fleet.nodes())
	}
	if err := conn.NeedFiles(files); err != nil {
		return err
	}
	for _, r := range c {
		if err := r.connect(ctx); err != nil {
			return err
		}
	}
	g, ctx := errgroup.WithContext(ctx)
	for _, r := range c {
		g.Go(func() error { return r.warmUp(ctx) })
	}
	return g.Wait()
}

// measure runs all lanes at once. A lane in which nothing succeeds ends the
// others.
func (c crew) measure(ctx context.Context) (*report.Result, error) {
	started, before := time.Now(), usageNow()
	outs := make([]outcome, len(c))
	stages := make([][]report.Stage, len(c))
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	g, ctx := errgroup.WithContext(ctx)
	for i, r := range c {
		g.Go(func() (err error) {
			outs[i], stages[i], err = r.measure(ctx)
			if _, aborted := outs[i].ending(); aborted != nil { // what ends a lane ends the run
				end(outs[i].stopped)
			}
			if err != nil && len(c) > 1 {
				err = fmt.Errorf("lane %q: %w", r.cfg.lane, err)
			}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	used := usageNow().since(before)
	all := outs[0]
	if len(c) > 1 {
		c.sameNodes(outs)
		all = sideBySide(outs)
	}
	result := c[0].summarise(all, used)
	result.StartedAt = started
	result.Stages = stages[0]
	result.Interrupted, result.Aborted = all.ending()
	if len(c) > 1 {
		c.describe(result, outs)
		result.Warnings = append(result.Warnings, c.stalls(outs, &all)...)
	}
	return result, nil
}

// describe turns the result of the first lane into that of all.
func (c crew) describe(result *report.Result, outs []outcome) {
	w := &result.Workload
	result.OpenLoop, result.Parts, result.Tuning = nil, nil, nil
	w.Template, w.Connections, w.Threads = "", 0, 0
	result.Connect = report.Connect{Broken: result.Connect.Broken, Again: result.Connect.Again}
	for i, r := range c {
		lane := r.summarise(outs[i], usage{})
		if i > 0 {
			w.Template += "\n"
		}
		w.Template += lane.Workload.Template
		w.Connections += lane.Workload.Connections
		w.Threads += lane.Workload.Threads
		w.Pipeline = max(w.Pipeline, lane.Workload.Pipeline)
		result.Connect.AvgNs = (result.Connect.AvgNs*result.Connect.Count + lane.Connect.AvgNs*lane.Connect.Count) /
			max(1, result.Connect.Count+lane.Connect.Count)
		result.Connect.Count += lane.Connect.Count
		result.Connect.MaxNs = max(result.Connect.MaxNs, lane.Connect.MaxNs)
		result.Lanes = append(result.Lanes, report.Lane{
			Name: r.cfg.lane, Template: lane.Workload.Template,
			Connections: lane.Workload.Connections, Pipeline: lane.Workload.Pipeline,
			WindowNs: lane.WindowNs, RatePerSec: lane.RatePerSec, Requests: lane.Requests,
			Latency: lane.Latency, OpenLoop: lane.OpenLoop, Parts: lane.Parts,
			Errors: lane.Errors, Intervals: lane.Intervals,
		})
	}
}

// shareProgress makes one progress of that of several lanes: counts and rates
// are added, and of the latencies the longest is told.
func shareProgress(lanes []Config) {
	tell := lanes[0].OnProgress
	if tell == nil {
		return
	}
	var mu sync.Mutex
	last := make([]report.Snapshot, len(lanes))
	for i := range lanes {
		lanes[i].OnProgress = func(s report.Snapshot) {
			mu.Lock()
			defer mu.Unlock()
			last[i] = s
			for k, other := range last {
				if k == i {
					continue
				}
				s.Done, s.Failed, s.Connections = s.Done+other.Done, s.Failed+other.Failed, s.Connections+other.Connections
				s.RatePerSec += other.RatePerSec
				s.P50Ns, s.P99Ns = max(s.P50Ns, other.P50Ns), max(s.P99Ns, other.P99Ns)
			}
			tell(s)
		}
	}
}
