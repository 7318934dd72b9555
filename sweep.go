package main

import (
	"context"
	"fmt"
	"io"

	"github.com/respbench/respbench/generator"
	"github.com/respbench/respbench/report"
	"github.com/respbench/respbench/template"
)

// sweepCommand finds the curve of throughput against latency.
type sweepCommand struct {
	serverFlags
	clusterFlags

	By       string               `group:"sweep" enum:"rate,connections" default:"rate" placeholder:"WHAT" help:"What is raised step by step: rate (open loop) or connections (closed loop) (rate)."`
	SLO      *generator.Objective `name:"slo" group:"sweep" placeholder:"WHAT" help:"An objective: p99<1ms, errors<0.1%. The highest rate, or number of connections, that holds it is narrowed to a few percent."`
	From     *rate                `group:"sweep" placeholder:"N" help:"The first step (a tenth of what a short closed loop reaches; 1 connection)."`
	To       *rate                `group:"sweep" placeholder:"N" help:"No step is higher (ten times what a closed loop reaches; 1024 connections)."`
	Duration *duration            `name:"duration" short:"s" group:"sweep" placeholder:"TIME" help:"How long each step is measured (2s)."`
	StepWarm *duration            `name:"warmup" group:"sweep" placeholder:"TIME" help:"Run each step this long before measuring it."`

	Connections *count              `short:"c" group:"load" placeholder:"N" help:"Connections of a sweep by rate (50)."`
	Pipeline    *count              `short:"P" group:"load" placeholder:"N" help:"Pipeline depth: by rate the most on one connection (256), by connections exactly (1)."`
	Arrivals    *generator.Arrivals `group:"load" placeholder:"HOW" help:"How the requests of a rate are spread: constant or poisson (constant)."`
	Seed        *uint64             `group:"load" placeholder:"N" help:"Repeatable commands (random, always printed)."`

	dataFlags
	clientFlags
	reportFlags

	Template []string `arg:"" optional:"" help:"The command, as one argument."`
}

func (s *sweepCommand) run(ctx context.Context, stdout, stderr io.Writer) error {
	if err := s.readsOnce(s.Data); err != nil {
		return err
	}
	files, err := s.open(ctx)
	defer files.close()
	if err != nil {
		return err
	}
	cfg, err := s.config(ctx, files)
	if err != nil {
		return err
	}
	if err := s.Output.check(report.Output.CheckSweep); err != nil {
		return err
	}
	if err := files.load(ctx, s.progress(stderr), cfg.Validate); err != nil {
		return err
	}
	if err := s.ask(ctx, stderr, &cfg.Step.Dialer); err != nil {
		return err
	}
	stop, err := s.embed(&cfg.Step.Dialer)
	if err != nil {
		return err
	}
	defer stop()
	progress := s.progress(stderr)
	cfg.Step.OnProgress, cfg.Step.OnRemark = progress.Update, progress.Remark
	result, err := generator.RunSweep(ctx, cfg)
	progress.Stop()
	if err != nil {
		return err
	}
	result.Version = version
	for _, step := range result.Steps {
		step.Result.Version = version
	}
	if err := s.write(result, stdout, stderr); err != nil {
		return err
	}
	return sweepVerdict(ctx, result)
}

// sweepVerdict is the exit status of a sweep that has its report.
func sweepVerdict(ctx context.Context, r *report.SweepResult) error {
	if err := bySignal(ctx, r.Interrupted); err != nil {
		return err
	}
	switch {
	case r.Problem != "":
		return fmt.Errorf("the sweep ended early: %s", r.Problem)
	case r.MissedObjective():
		return &missedError{"objective missed: " + r.Sweep.Objective + " held at no step"}
	case r.Failed():
		return &reported{exitFailed}
	}
	return nil
}

// config checks the flags and makes of them what the generator wants. Nothing
// has been dialled or written when it returns an error.
func (s *sweepCommand) config(ctx context.Context, files opened) (generator.SweepConfig, error) {
	cfg := generator.SweepConfig{By: s.By, Objective: s.SLO, Step: generator.Config{
		Data: files, InProcess: s.Embedded, Seed: seedOr(s.Seed), Cores: s.Cores, Percentiles: s.Percentiles, Wait: s.wait(),
	}}
	step := &cfg.Step
	program, err := compile(s.Template, files.options())
	if err == nil {
		err = files.used([]*template.Program{program})
	}
	if err != nil {
		return cfg, err
	}
	step.Templates = generator.Only(program)
	if step.Dialer, err = s.dialer(ctx); err != nil {
		return cfg, err
	}
	if s.By == report.ByConnections && s.Connections != nil {
		return cfg, usagef("-c: --by connections raises them itself; bound them by --from and --to")
	}
	if s.By == report.ByConnections && s.Arrivals != nil {
		return cfg, usagef("--arrivals: --by connections is a closed loop, in which requests follow replies")
	}
	for _, f := range []countFlag{
		{"-c", s.Connections, 1, func(n count) { step.Connections = clampInt(n) }},
		{"-P", s.Pipeline, 1, func(n count) { step.Pipeline = clampInt(n) }},
	} {
		if err := f.set(); err != nil {
			return cfg, err
		}
	}
	for _, f := range []timeFlag{{"-s", s.Duration, &step.Duration}, {"--warmup", s.StepWarm, &step.Warmup}, {"--interval", s.Interval, &step.Interval}} {
		if err := f.set(); err != nil {
			return cfg, err
		}
	}
	if s.From != nil {
		cfg.From = float64(*s.From)
	}
	if s.To != nil {
		cfg.To = float64(*s.To)
	}
	if s.Arrivals != nil {
		step.Arrivals = *s.Arrivals
	}
	if step.Threads, err = s.threads(); err != nil {
		return cfg, err
	}
	if err := s.clusterFlags.set(step); err != nil {
		return cfg, err
	}
	if err := cfg.Validate(); err != nil {
		return cfg, &usageError{problem: err}
	}
	return cfg, nil
}
