package generator

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/respbench/respbench/report"
)

// SweepConfig says which curve to measure: Step at rising rates, or with
// rising numbers of connections.
type SweepConfig struct {
	// Step is the load of each step. Its Duration 0 is two seconds, and its Wait
	// is how long the server is waited for before the first step. By rate it
	// is an open loop, by connections a closed one. What the sweep itself
	// decides must be left out: Rate, Requests, Load, Objectives, AbortIf, and
	// by connections Connections.
	Step Config
	// By is what rises: report.ByRate, which is also the zero value, or
	// report.ByConnections.
	By string
	// From and To bound it, in requests a second or in connections. 0 finds a
	// bound: by rate from a tenth of what a short closed loop reaches, up to
	// ten times that; by connections 1 and 1024.
	From, To float64
	// Objective, if not nil, is what each step is held against: an upper bound
	// on a latency or on errors. The sweep then narrows the highest value that
	// holds it.
	Objective *Objective
}

const (
	defaultStep  = 2 * time.Second
	maxSweptConn = 1024

	// kept is the share of the requests due that must be answered in time for
	// a rate to be kept.
	kept = 0.95
)

// RunSweep measures the curve that cfg describes, one Run for each step, in at
// most 40 steps.
//
// When ctx ends, or a step fails, after one that succeeded, the SweepResult
// holds what was measured until then and says why it ended; before that,
// RunSweep returns the cause or the error. A SweepConfig that Validate refuses
// is refused here in the same words.
func RunSweep(ctx context.Context, cfg SweepConfig) (*report.SweepResult, error) {
	cfg, err := cfg.resolve()
	if err != nil {
		return nil, err
	}
	s := &sweep{cfg: cfg, result: &report.SweepResult{
		Schema: report.Schema, Kind: report.KindSweep, StartedAt: time.Now(),
		Sweep: report.SweepWorkload{By: cfg.By, StepNs: int64(cfg.Step.Duration)},
	}}
	if cfg.Objective != nil {
		s.result.Sweep.Objective = cfg.Objective.text
	}
	if err := s.await(ctx); err != nil {
		return nil, err
	}
	if err := s.bounds(ctx); err != nil {
		return nil, err
	}
	if err := s.climb(ctx); err != nil {
		return nil, err
	}
	s.conclude()
	return s.result, nil
}

// sweep is the state between the steps of one RunSweep.
type sweep struct {
	cfg    SweepConfig
	search search
	probes []probe
	result *report.SweepResult
}

// await waits for the server. One that goes away later ends the sweep.
func (s *sweep) await(ctx context.Context) error {
	c := &s.cfg.Step
	err := NewWaiter(c.Wait, c.OnRemark).Await(ctx, c.Dialer, c.ClusterShape, theServer)
	c.Wait = 0
	return err
}

// climb runs the steps that the search asks for. The error is that of a sweep
// in which nothing was measured.
func (s *sweep) climb(ctx context.Context) error {
	for {
		at, ok := s.search.next(s.probes)
		if !ok {
			return nil
		}
		r, err := s.run(ctx, at)
		switch {
		case err != nil && (len(s.probes) == 0 || ctx.Err() == nil && !s.succeeded()):
			return causeOr(ctx, err)
		case err != nil && ctx.Err() != nil:
			s.result.Interrupted = context.Cause(ctx).Error()
			return nil
		case err != nil:
			s.result.Problem = fmt.Sprintf("step %d at %s: %v", len(s.probes)+1, s.value(at), err)
			return nil
		}
		s.add(at, r)
		if s.result.Interrupted = r.Interrupted; r.Interrupted != "" {
			return nil
		}
	}
}

// succeeded tells whether any step had a success.
func (s *sweep) succeeded() bool {
	for _, p := range s.probes {
		if p.rate > 0 {
			return true
		}
	}
	return false
}

// run measures one step. A step in which every reply was an error is one, too,
// once the server has answered better.
func (s *sweep) run(ctx context.Context, at float64) (*report.Result, error) {
	if err := s.settle(ctx); err != nil {
		return nil, err
	}
	c := s.step(at)
	r, err := Run(ctx, c)
	var none *NoSuccessError
	if errors.As(err, &none) && s.succeeded() {
		return failedStep(c, none), nil
	}
	return r, err
}

// settle waits until the server answers: it may have a backlog of the step
// before.
func (s *sweep) settle(ctx context.Context) error {
	if len(s.probes) == 0 {
		return nil
	}
	c, err := s.cfg.Step.Dialer.Client(ctx)
	if err != nil {
		return err
	}
	return c.Close()
}

// step is the load at one value.
func (s *sweep) step(at float64) Config {
	c := s.cfg.Step
	if s.cfg.By == report.ByRate {
		c.Rate = at
	} else {
		c.Connections = int(at)
	}
	if s.cfg.Objective != nil {
		c.Objectives = []Objective{*s.cfg.Objective}
	}
	name := fmt.Sprintf("step %d at %s:", len(s.probes)+1, s.value(at))
	c.OnProgress = s.named(name)
	return c
}

// named is the progress of a step, by the step's name.
func (s *sweep) named(name string) func(report.Snapshot) {
	tell := s.cfg.Step.OnProgress
	if tell == nil {
		return nil
	}
	return func(snapshot report.Snapshot) {
		snapshot.Phase = name
		tell(snapshot)
	}
}

// value writes a rate or a number of connections with its unit.
func (s *sweep) value(at float64) string {
	text := strconv.FormatFloat(at, 'f', -1, 64)
	if at >= 1000 {
		text = report.Thousands(int64(at))
	}
	if s.cfg.By == report.ByRate {
		return text + "/s"
	}
	if at == 1 {
		return text + " connection"
	}
	return text + " connections"
}

// failedStep is the Result of a step in which every reply was an error.
func failedStep(c Config, none *NoSuccessError) *report.Result {
	c = c.filled()
	r := run{cfg: c}
	result := &report.Result{
		Schema: report.Schema, StartedAt: time.Now(), Workload: r.workload(), Target: r.cfg.Target(), Errors: none.Errors,
		Limit: report.Limit{Who: "unknown", Why: "nothing succeeded"},
	}
	for _, e := range none.Errors {
		result.Requests.Failed += e.Count
		result.Requests.Sent += e.Count
	}
	if c.Rate > 0 {
		result.OpenLoop = &report.OpenLoop{RatePerSec: c.Rate, Arrivals: c.Arrivals.String()}
	}
	result.Objectives = check(c.Objectives, &tally{latency: report.NewRecorder(), requests: result.Requests})
	return result
}

// add takes note of a step. One that was interrupted is no point of the curve.
func (s *sweep) add(at float64, r *report.Result) {
	step := report.SweepStep{At: at, Result: r}
	p := probe{at: at, rate: r.RatePerSec}
	if r.Latency != nil {
		p.p99 = percentileOf(r.Latency, 99)
	}
	share := inTime(r)
	q := r.Requests
	clean := q.Failed+q.Unanswered+q.Lost+r.Connect.Broken == 0 ||
		s.cfg.Objective != nil && !s.cfg.Objective.timed() // which says how many there may be
	if s.cfg.By == report.ByRate {
		p.full = share < kept
	}
	step.Kept = clean && !p.full && q.Succeeded > 0
	step.Held = step.Kept && len(r.Missed()) == 0
	p.held = step.Held
	s.result.Steps = append(s.result.Steps, step)
	if r.Interrupted == "" {
		s.probes = append(s.probes, p)
	}
}

func percentileOf(l *report.Latency, percent float64) int64 {
	for _, p := range l.Percentiles {
		if p.Percent == percent {
			return p.Ns
		}
	}
	return 0
}

// inTime is the share of the requests due that succeeded, reduced by how much
// longer than its timetable a run had to go on. The time that one request
// takes is no delay.
func inTime(r *report.Result) float64 {
	due := r.Requests.Sent
	if r.OpenLoop != nil {
		due += r.OpenLoop.Missed
	}
	if due == 0 || r.Latency == nil {
		return 0
	}
	return float64(r.Requests.Succeeded) / float64(due) * pace(r)
}

// pace is how long an open loop was to take, as a share of how long it took
// until the last reply, but for what a busy machine is late anyway. Without a
// time, or with several stages, it is 1.
func pace(r *report.Result) float64 {
	const anyway = 20e6 // ns
	planned := float64(r.Workload.DurationNs)
	if r.OpenLoop == nil || r.Latency == nil || planned == 0 || len(r.Stages) > 0 {
		return 1
	}
	return planned / max(planned, float64(r.WindowNs-r.Latency.MinNs)-anyway)
}
