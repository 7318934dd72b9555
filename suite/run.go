package suite

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/respbench/respbench/generator"
	"github.com/respbench/respbench/report"
)

// Run runs every test of a suite on every target and returns what that
// established. A test that fails has its reason in the result, and the others
// are run all the same.
//
// When ctx ends, Run returns what it has, which says by which cause it
// was interrupted, or that cause as its error if it came before the first
// test. Nothing has been sent when it returns an error and no result: because
// of cfg, of a target that cannot be reached or has the commands of no test, a
// *MissingCommandsError, or of keys that FlushYes does not delete, a
// *ForeignKeysError. Where such keys come later, it returns that
// error beside the result of the tests until then.
func Run(ctx context.Context, cfg Config) (*report.SuiteResult, error) {
	cfg, err := cfg.resolve()
	if err != nil {
		return nil, err
	}
	if err := cfg.checkData(); err != nil {
		return nil, err
	}
	s := &runner{cfg: cfg, unprefixed: cfg.Suite.unprefixed(cfg.Scale)}
	if err := s.meet(ctx); err != nil {
		return nil, causeOr(ctx, err)
	}
	if s.result, err = newResult(cfg); err != nil {
		return nil, err
	}
	err = s.run(ctx)
	// The suite may have ended because ctx did; cleaning up has its own time.
	if foreign := s.leave(context.WithoutCancel(ctx)); err == nil {
		err = foreign
	}
	return s.result, err
}

// causeOr is why ctx ended, or err if it has not.
func causeOr(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// runner is the state between the steps of one Run.
type runner struct {
	cfg        Config
	unprefixed []string // tests whose keys are not known by their names
	sites      []*site  // in the order of cfg.Targets
	result     *report.SuiteResult
	clock      clock
}

// newResult is a result with all rows and no figures.
func newResult(cfg Config) (*report.SuiteResult, error) {
	r := &report.SuiteResult{
		Schema: report.Schema, Kind: report.KindSuite, StartedAt: time.Now(),
		Suite: report.SuiteWorkload{
			Name: cfg.Suite.Name, Note: cfg.Suite.Note, Scale: cfg.Scale, Repeat: cfg.Repeat,
			Flush: cfg.Flush.String(), Seed: cfg.Seed,
		},
	}
	for _, t := range cfg.Targets {
		r.Targets = append(r.Targets, report.SuiteTarget{Name: t.Name, Target: generator.Config{Dialer: t.Dialer, InProcess: t.InProcess}.Target()})
	}
	prefix := ""
	if cfg.Flush != FlushForce {
		prefix = "${" + prefixName + "}"
	}
	tests, err := cfg.Suite.plan(planOptions{scale: cfg.Scale, prefix: prefix, load: cfg.Load, template: cfg.template()})
	if err != nil {
		return nil, err
	}
	for _, t := range tests {
		row := t.row()
		for _, target := range cfg.Targets {
			row.Cells = append(row.Cells, report.SuiteCell{Target: target.Name})
		}
		r.Tests = append(r.Tests, row)
	}
	return r, nil
}

// run goes through the rounds, in each through the tests, and runs each on
// all targets in turn, so that the figures of a row are close in time. Its
// error is a *ForeignKeysError.
func (s *runner) run(ctx context.Context) error {
	for round := range s.cfg.Repeat {
		tests, err := s.plan(round)
		if err != nil {
			return err
		}
		for i := range s.cfg.Suite.Tests {
			for k := range s.sites {
				if ctx.Err() == nil {
					err = s.one(ctx, &tests[k][i], i, k, round)
				}
				if ctx.Err() != nil {
					s.result.Interrupted = context.Cause(ctx).Error()
					return nil
				}
				if err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// plan compiles the tests of one round, for each target.
func (s *runner) plan(round int) ([][]plannedTest, error) {
	var list [][]plannedTest
	for _, site := range s.sites {
		tests, err := s.cfg.plan(site.keys, round)
		if err != nil {
			return nil, err
		}
		list = append(list, tests)
	}
	if round == 0 {
		s.clock = newClock(list[0], s.cfg.Repeat*len(s.sites))
	}
	return list, nil
}

// one runs test i once on one target. Its error is a *ForeignKeysError; what
// else went wrong is in the result alone.
func (s *runner) one(ctx context.Context, t *plannedTest, i, target, round int) error {
	s.clock.begin(t)
	defer s.clock.end()
	cell := &s.result.Tests[i].Cells[target]
	if missing := s.sites[target].missingFor(t); len(missing) > 0 {
		cell.Runs = append(cell.Runs, report.SuiteRun{Problem: missingText(missing)})
		return nil
	}
	run := report.SuiteRun{Prefix: s.cfg.prefix(s.sites[target].keys, t.test.Name, round)}
	err := s.ready(ctx, t, target)
	prepared := err == nil
	if prepared {
		err = s.fill(ctx, t, target, &run)
	}
	if err == nil {
		run.Measured, err = generator.Run(ctx, s.watched(s.cfg.of(t, s.cfg.Targets[target]), t, target))
	}
	switch {
	case err != nil && ctx.Err() != nil:
		run.Problem = fmt.Sprintf("interrupted by %v before it was measured", context.Cause(ctx))
	case err != nil:
		run.Problem = err.Error()
	}
	if prepared {
		// It has its own time, where ctx has ended.
		if left := s.cleanUp(context.WithoutCancel(ctx), t, target); left != nil && err == nil {
			run.Problem = left.Error()
		}
	}
	cell.Runs = append(cell.Runs, run)
	var foreign *ForeignKeysError
	if errors.As(err, &foreign) {
		return foreign
	}
	return nil
}

// ready makes the database fresh and prepares it.
func (s *runner) ready(ctx context.Context, t *plannedTest, target int) error {
	site := s.sites[target]
	if s.cfg.Flush != FlushNo {
		if err := s.empty(ctx, site); err != nil {
			return err
		}
	}
	for _, p := range t.prepare {
		if err := site.send(ctx, p, s.cfg.Seed, "prepare"); err != nil {
			return err
		}
	}
	return nil
}

// cleanUp takes back what was prepared: all of it, also where some cannot be.
func (s *runner) cleanUp(ctx context.Context, t *plannedTest, target int) (failed error) {
	for _, p := range t.cleanup {
		if err := s.sites[target].send(ctx, p, s.cfg.Seed, "cleanup"); err != nil && failed == nil {
			failed = err
		}
	}
	return failed
}

// fill makes the data sets that the test starts from.
func (s *runner) fill(ctx context.Context, t *plannedTest, target int, run *report.SuiteRun) error {
	for _, l := range t.preload {
		load := s.cfg.common(generator.Config{Templates: generator.Only(l.program), Load: true, Requests: l.requests}, s.cfg.Targets[target])
		r, err := generator.Run(ctx, s.watched(load, t, target))
		if err != nil {
			return fmt.Errorf("preload: %w", err)
		}
		run.Preload = append(run.Preload, *r)
		s.clock.filled(r)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case r.Requests.Lost > 0 || r.Requests.Unanswered > 0:
			return fmt.Errorf("preload: %d of %d requests were not answered", r.Requests.Lost+r.Requests.Unanswered, r.Requests.Sent)
		}
	}
	return nil
}

// watched is c with the suite's progress: which test, and how long the whole
// still takes.
func (s *runner) watched(c generator.Config, t *plannedTest, target int) generator.Config {
	if s.cfg.OnProgress == nil {
		return c
	}
	task := t.test.Name
	if len(s.sites) > 1 {
		task += " on " + s.cfg.Targets[target].Name
	}
	task = fmt.Sprintf("%s (%d/%d)", task, s.clock.done+1, s.clock.runs)
	c.OnProgress = func(p report.Snapshot) {
		p.Task, p.Left = task, s.clock.left(p)
		s.cfg.OnProgress(p)
	}
	return c
}

// meet contacts every target, waiting for it as long as it may, and asks which commands it has, and with FlushYes
// makes sure on all of them, before any is emptied, that no foreign key would
// be deleted.
func (s *runner) meet(ctx context.Context) error {
	if err := AwaitTargets(ctx, s.cfg.Targets, s.cfg.Shape, s.cfg.Wait, s.cfg.OnRemark); err != nil {
		return err
	}
	keys := newKeySpaces(len(s.cfg.Targets))
	for i, t := range s.cfg.Targets {
		site := &site{dialer: t.Dialer, shape: s.cfg.Shape, keys: keys[i]}
		s.sites = append(s.sites, site)
		if err := site.meet(ctx); err != nil {
			return err
		}
		if s.cfg.Flush == FlushYes && site.err != nil {
			return site.err
		}
	}
	if err := s.checkCommands(ctx); err != nil {
		return err
	}
	if s.cfg.Flush != FlushYes {
		return nil
	}
	for _, site := range s.sites {
		if err := site.refuseForeign(ctx); err != nil {
			return err
		}
	}
	return nil
}
