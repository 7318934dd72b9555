package generator

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/respbench/respbench/internal/splitmix"
	"github.com/respbench/respbench/report"
)

// Run makes the load that cfg describes and returns what it established.
//
// When ctx ends while requests are being measured, the load drains and the
// Result says by which cause it was interrupted; before that, Run returns the
// cause as its error. It returns a *NoSuccessError when every request failed.
// A Config that Validate refuses is refused here in the same words.
func Run(ctx context.Context, cfg Config) (*report.Result, error) {
	lanes, err := cfg.split()
	if err != nil {
		return nil, err
	}
	defer shared.moreFor(loopsOf(lanes))()

	side, err := NewWaiter(cfg.Wait, cfg.OnRemark).meet(ctx, &cfg, theServer)
	if err != nil {
		return nil, causeOr(ctx, err)
	}
	defer side.Close()
	if err := checkDatabases(ctx, side, &cfg); err != nil {
		return nil, causeOr(ctx, err)
	}

	var crew crew
	defer func() { crew.close() }()
	if crew, err = assemble(ctx, side, lanes); err != nil {
		return nil, causeOr(ctx, err)
	}
	if err := crew.prepare(ctx); err != nil {
		return nil, causeOr(ctx, err)
	}
	witness := crew.witness(side)
	defer witness.close()
	before := witness.ask(ctx, askTime)
	result, err := crew.measure(ctx)
	if err == nil {
		err = readError(cfg.Data)
	}
	if err != nil {
		return nil, err
	}
	// The load may have ended because ctx did; the questions have their own time.
	bound := askTime
	if ctx.Err() != nil { // somebody waits
		bound = askTime / 4
	}
	result.Server = serverFacts(before, witness.ask(context.WithoutCancel(ctx), bound))
	judge(result, adviceFor(&cfg))
	return result, nil
}

// causeOr is why ctx ended, or err if it has not.
func causeOr(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// run is the state between the steps of one lane of a Run.
type run struct {
	cfg     Config
	fleet   *fleet
	tuning  []report.TuningStep
	trials  uint64 // phases before the measured one
	remarks []string
}

// connect makes the connections, as many as tuning finds.
func (r *run) connect(ctx context.Context) error {
	if r.cfg.Connections == 0 {
		return r.tune(ctx)
	}
	return r.fleet.grow(ctx, r.cfg.Connections)
}

// warmUp makes the load that will be measured.
func (r *run) warmUp(ctx context.Context) error {
	if r.cfg.Warmup == 0 {
		return nil
	}
	_, err := r.trial(ctx, "warm-up", r.cfg.Warmup, drainBound)
	return err
}

// trial runs a phase that is not measured. Its commands have a seed of their
// own, so that the measured ones are the same whatever came before them, and
// their values still fresh.
func (r *run) trial(ctx context.Context, name string, d, drain time.Duration) (outcome, error) {
	r.trials++
	p := r.phase(name, 0)
	p.mix = r.cfg.mix(r.cfg.Seed + r.trials*splitmix.Gamma)
	p.duration, p.drain = d, drain
	out := r.fleet.run(ctx, p)
	if out.stopped == errNothingSucceeds {
		return out, failure(out)
	}
	if out.stopped != nil {
		return out, out.stopped
	}
	_, err := r.fleet.renew(ctx)
	return out, err
}

// phase is one with the load that cfg describes. requests 0 is no limit.
func (r *run) phase(name string, requests int64) *phase {
	// With a limit on requests all units are of one size.
	units := uint64(requests) / uint64(r.cfg.Templates[0].Program.Commands())
	return &phase{
		name: name, mix: r.cfg.mix(r.cfg.Seed),
		budget: newBudget(units, r.cfg.Threads, r.cfg.window()),
		window: r.cfg.window(), drain: drainBound, interval: r.cfg.Interval,
		rate: r.cfg.Rate, arrivals: r.cfg.Arrivals, timetable: r.cfg.Timetable, ties: r.cfg.ties(),
	}
}

// measure runs the phase that counts, or several where the rate has stages.
func (r *run) measure(ctx context.Context) (out outcome, stages []report.Stage, err error) {
	name := "measuring"
	if r.cfg.Load {
		name = "loading"
	}
	p := r.phase(name, r.cfg.Requests)
	if r.cfg.Idle {
		p.name, p.idle, p.drain = "holding", true, 0
	}
	p.duration, p.abortIf, p.maxErrors = r.cfg.Duration, r.cfg.AbortIf, r.cfg.MaxErrors
	if len(r.cfg.Stages) > 0 {
		out, stages, err = r.runStages(ctx, p)
	} else {
		out = r.fleet.run(ctx, p)
	}
	if err == nil {
		err = failure(out)
	}
	if none, ok := err.(*NoSuccessError); ok {
		none.ToNodes = adviceFor(&r.cfg).toNodes()
	}
	return out, stages, err
}

// endedEarly tells whether something ended the phase that leaves its figures
// worth a report: a condition, or a cause from outside.
func (o *outcome) endedEarly() bool { return o.stopped != nil && o.stopped != errNothingSucceeds }

// endedByErrors tells whether errors ended the phase that were not to go on.
func (o *outcome) endedByErrors() bool {
	var condition *abortError
	return errors.As(o.stopped, &condition) && condition.Failure
}

// ending is what ended a phase early: a cause from outside, or a condition.
func (o *outcome) ending() (interrupted string, aborted *report.Abort) {
	var condition *abortError
	switch {
	case errors.As(o.stopped, &condition):
		return "", &condition.Abort
	case o.endedEarly():
		return o.stopped.Error(), nil
	}
	return "", nil
}

// failure is why a phase brought nothing worth a report, or nil. One that ended
// as nothing succeeded has failed, also if what was in flight succeeded then.
func failure(out outcome) error {
	switch {
	case out.idleFrom > 0:
		return nil
	case out.total.Succeeded() > 0 && out.stopped != errNothingSucceeds || out.endedEarly() && !out.endedByErrors():
		return nil
	case out.total.Failed() > 0:
		return &NoSuccessError{Errors: out.total.ErrorClasses(out.total.FirstSentNs)}
	case out.total.again.sum() > 0:
		return fmt.Errorf("nothing succeeded: %s", out.total.again.sample)
	case out.broken > 0:
		return fmt.Errorf("all requests were lost with their connections: %w", out.brokeErr)
	}
	return nil
}

// NoSuccessError tells that every reply was an error.
type NoSuccessError struct {
	Errors []report.ErrorClass // the most frequent first; at least one
	// ToNodes is how a cluster is sent these commands where it cannot be followed
	// with them; "" where it can.
	ToNodes string
}

func (e *NoSuccessError) Error() string {
	var n int64
	for _, c := range e.Errors {
		n += c.Count
	}
	replies := "replies"
	if n == 1 {
		replies = "reply"
	}
	return fmt.Sprintf("nothing succeeded: %s (%d error %s, no other)", e.Errors[0].Sample, n, replies)
}

// Code is the code of the most frequent error.
func (e *NoSuccessError) Code() string { return e.Errors[0].Code }
