package generator

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/respbench/respbench/report"
)

// RunSuite runs every test of a suite on every target and returns what that
// established. A test that fails has its reason in the result, and the others
// are run all the same.
//
// When ctx ends, RunSuite returns what it has, which says by which cause it
// was interrupted, or that cause as its error if it has nothing. Nothing has
// been sent when it returns an error because of cfg, of a target that cannot
// be reached, or of keys that FlushYes does not delete, a *ForeignKeysError.
func RunSuite(ctx context.Context, cfg SuiteConfig) (*report.SuiteResult, error) {
	cfg, err := cfg.resolve()
	if err != nil {
		return nil, err
	}
	s := &suiteRun{cfg: cfg}
	if err := s.meet(ctx); err != nil {
		return nil, causeOr(ctx, err)
	}
	if s.result, err = newSuiteResult(cfg); err != nil {
		return nil, err
	}
	if err := s.run(ctx); err != nil {
		return nil, err
	}
	// The suite may have ended because ctx did; cleaning up has its own time.
	s.leave(context.WithoutCancel(ctx))
	if s.result.Interrupted != "" && !s.hasFigures() {
		return nil, context.Cause(ctx)
	}
	return s.result, nil
}

// suiteRun is the state between the steps of one RunSuite.
type suiteRun struct {
	cfg    SuiteConfig
	sites  []*site // in the order of cfg.Targets
	result *report.SuiteResult
	clock  suiteClock
}

// newSuiteResult is a result with all rows and no figures.
func newSuiteResult(cfg SuiteConfig) (*report.SuiteResult, error) {
	r := &report.SuiteResult{
		Schema: report.Schema, Kind: report.KindSuite, StartedAt: time.Now(),
		Suite: report.SuiteWorkload{
			Name: cfg.Suite.Name, Note: cfg.Suite.Note, Scale: cfg.Scale, Repeat: cfg.Repeat,
			Flush: cfg.Flush.String(), Seed: cfg.Seed,
		},
	}
	for _, t := range cfg.Targets {
		r.Targets = append(r.Targets, report.SuiteTarget{Name: t.Name, Target: targetOf(t.Dialer, t.InProcess)})
	}
	prefix := ""
	if cfg.Flush == FlushNo {
		prefix = "${" + prefixName + "}"
	}
	tests, err := cfg.Suite.plan(planOptions{scale: cfg.Scale, prefix: prefix, load: cfg.Load})
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
// all targets in turn, so that the figures of a row are close in time.
func (s *suiteRun) run(ctx context.Context) error {
	for round := range s.cfg.Repeat {
		tests, err := s.cfg.plan(round)
		if err != nil {
			return err
		}
		if round == 0 {
			s.clock = newSuiteClock(tests, s.cfg.Repeat*len(s.sites))
		}
		for i := range tests {
			for k := range s.sites {
				s.clock.begin(&tests[i])
				run := s.one(ctx, &tests[i], k, round)
				if run.Measured != nil || len(run.Preload) > 0 || ctx.Err() == nil {
					cell := &s.result.Tests[i].Cells[k]
					cell.Runs = append(cell.Runs, run)
				}
				if ctx.Err() != nil {
					s.result.Interrupted = context.Cause(ctx).Error()
					return nil
				}
				s.clock.end()
			}
		}
	}
	return nil
}

// one runs a test once on one target.
func (s *suiteRun) one(ctx context.Context, t *plannedTest, target, round int) report.SuiteRun {
	run := report.SuiteRun{Prefix: s.cfg.prefix(t.test.Name, round)}
	err := s.ready(ctx, t, target, &run)
	if err == nil {
		run.Measured, err = Run(ctx, s.watched(s.cfg.of(t, s.cfg.Targets[target]), t, target))
	}
	switch {
	case err != nil && ctx.Err() != nil:
		run.Problem = fmt.Sprintf("interrupted by %v before it was measured", context.Cause(ctx))
	case err != nil:
		run.Problem = err.Error()
	}
	return run
}

// ready brings the database into the state that the test starts from.
func (s *suiteRun) ready(ctx context.Context, t *plannedTest, target int, run *report.SuiteRun) error {
	site := s.sites[target]
	if s.cfg.Flush != FlushNo {
		if err := site.flush(ctx); err != nil {
			return err
		}
	}
	for _, p := range t.prepare {
		if err := site.send(ctx, p, s.cfg.Seed); err != nil {
			return err
		}
	}
	for _, l := range t.preload {
		load := s.cfg.common(Config{Templates: Only(l.program), Load: true, Requests: l.requests}, s.cfg.Targets[target])
		r, err := Run(ctx, s.watched(load, t, target))
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
func (s *suiteRun) watched(c Config, t *plannedTest, target int) Config {
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

// hasFigures tells whether there is anything to report.
func (s *suiteRun) hasFigures() bool {
	for r := range s.result.Results() {
		if r.Requests.Sent > 0 {
			return true
		}
	}
	return false
}

// leave empties the databases or tells what has been left in them.
func (s *suiteRun) leave(ctx context.Context) {
	for i, site := range s.sites {
		if s.cfg.Flush != FlushNo {
			if err := site.flush(ctx); err != nil {
				s.result.Warnings = append(s.result.Warnings,
					fmt.Sprintf("The database on %s was not emptied at the end: %v.", site.dialer.Address, err))
			}
			continue
		}
		if s.cfg.Targets[i].InProcess {
			continue // its keys end with the process
		}
		after, err := site.keys(ctx)
		if site.err != nil {
			err = site.err
		}
		if err != nil {
			s.result.Warnings = append(s.result.Warnings,
				fmt.Sprintf("How many keys were left on %s is not known: %v.", site.dialer.Address, err))
			continue
		}
		if foreign := s.foreign(); after > site.before || len(foreign) > 0 {
			s.result.Targets[i].Left = &report.SuiteLeft{Keys: after - site.before, Pattern: s.cfg.pattern(), Foreign: foreign}
		}
	}
}

// foreign are the tests with commands that have arguments and no prefix: what
// keys they make is theirs.
func (s *suiteRun) foreign() []string {
	var list []string
	for _, t := range s.cfg.Suite.Tests {
		texts := []string{t.Template}
		for _, p := range t.Preload {
			texts = append(texts, p.Template)
		}
		for _, text := range texts {
			if strings.ContainsAny(strings.TrimSpace(text), " \t\n") && !strings.Contains(text, "${"+prefixName+"}") {
				list = append(list, t.Name)
				break
			}
		}
	}
	return list
}

// meet contacts every target, and with FlushYes makes sure on all of them,
// before any is emptied, that no foreign key would be deleted.
func (s *suiteRun) meet(ctx context.Context) error {
	for _, t := range s.cfg.Targets {
		site := &site{dialer: t.Dialer}
		s.sites = append(s.sites, site)
		if err := site.meet(ctx); err != nil {
			return err
		}
		if s.cfg.Flush == FlushYes && site.err != nil {
			return site.err
		}
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
