package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/alecthomas/kong"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/report"
	"github.com/respbench/respbench/suite"
)

// suiteCommand runs a list of tests and makes one table of them.
type suiteCommand struct {
	serverFlags
	clusterFlags
	Target targetList `group:"server" placeholder:"NAME=URI" help:"A server by name, in place of the flags above. Repeatable: all are compared in one table."`

	Only   nameList  `group:"tests" placeholder:"LIST" help:"These tests alone: set,get."`
	Skip   nameList  `group:"tests" placeholder:"LIST" help:"All tests but these."`
	Scale  *float64  `group:"tests" placeholder:"X" help:"Size of the data sets, as a share of their full size (1): 0.01."`
	Repeat *int      `group:"tests" placeholder:"K" help:"Run every test so often; the table has the median and the spread (1)."`
	Flush  flushFlag `group:"tests" help:"Delete the keys of suites before each test and at the end; refused where there are others. --flush=force empties the database whatever it holds. Without it the keys stay."`
	List   bool      `group:"tests" help:"Print the tests with their commands."`
	Print  bool      `group:"tests" help:"Print the file of a built-in suite."`
	Clean  bool      `group:"tests" help:"Delete the keys that suites left on the server, and do nothing else."`

	Connections *count    `short:"c" group:"load" placeholder:"N" help:"Connections, whatever the suite says. 0: tuned for each test."`
	Pipeline    *count    `short:"P" group:"load" placeholder:"N" help:"Pipeline depth, whatever the suite says."`
	Duration    *duration `name:"duration" short:"s" group:"load" placeholder:"TIME" help:"How long each test is measured, whatever the suite says."`
	Seed        *uint64   `group:"load" placeholder:"N" help:"Repeatable commands (random, always printed)."`

	dataFlags
	clientFlags
	reportFlags

	Suites []string `arg:"" optional:"" name:"suite" help:"Built-in suites or YAML files."`
}

// checkGiven refuses what --print and --clean, which run no test, would leave out
// without a word: --clean --only set deletes the keys of all tests.
func (s *suiteCommand) checkGiven(given []*kong.Flag) error {
	for _, f := range given {
		server := f.Group != nil && (f.Group.Key == "server" || f.Group.Key == "tls")
		switch {
		case s.Print && f.Name != "print":
			return usagef("--print prints the files of suites, whole; leave out --%s", f.Name)
		case s.Clean && f.Name != "clean" && f.Name != "quiet" && f.Name != "no-progress" && !server:
			return usagef("--clean deletes the keys of all suites, and does nothing else; leave out --%s", f.Name)
		}
	}
	if s.Clean && len(s.Suites) > 0 {
		return usagef("--clean deletes the keys of all suites; leave out %q", s.Suites[0])
	}
	return nil
}

func (s *suiteCommand) run(ctx context.Context, stdout, stderr io.Writer) error {
	switch {
	case s.Print:
		return s.print(stdout)
	case s.Clean:
		return s.clean(ctx, stdout, stderr)
	}
	cfg, err := s.config(ctx)
	defer func() { opened(cfg.Data).close() }()
	if err != nil {
		return err
	}
	if err := s.Output.check(report.Output.CheckSuite); err != nil {
		return err
	}
	if s.List {
		return suite.List(stdout, cfg)
	}
	if err := opened(cfg.Data).load(ctx, s.progress(stderr), cfg.Validate); err != nil {
		return err
	}
	if err := s.askFor(ctx, stderr, cfg.Targets); err != nil {
		return err
	}
	stop, err := s.embed(&cfg.Targets[0].Dialer)
	if err != nil {
		return err
	}
	defer stop()
	progress := s.progress(stderr)
	cfg.OnProgress, cfg.OnRemark = progress.Update, progress.Remark
	result, ended := suite.Run(ctx, cfg)
	progress.Stop()
	if result == nil {
		return ended
	}
	result.Version = version
	for r := range result.Results() {
		r.Version = version
	}
	if result.Interrupted != "" {
		ended = nil // the report says the rest
	}
	if err := s.write(result, stdout, stderr); err != nil || ended != nil {
		return errors.Join(ended, err)
	}
	return suiteVerdict(ctx, result)
}

// suiteVerdict is the exit status of a suite that has its report.
func suiteVerdict(ctx context.Context, r *report.SuiteResult) error {
	if err := bySignal(ctx, r.Interrupted); err != nil {
		return err
	}
	if r.Failed() {
		return &reported{exitFailed}
	}
	return nil
}

// config checks the flags and makes of them what the generator wants. Nothing
// has been dialled or written when it returns an error.
func (s *suiteCommand) config(ctx context.Context) (suite.Config, error) {
	cfg := suite.Config{
		Flush: suite.Flush(s.Flush), Seed: seedOr(s.Seed),
		Cores: s.Cores, Percentiles: s.Percentiles, Wait: s.wait(),
	}
	var err error
	if cfg.Suite, err = s.suite(ctx); err != nil {
		return cfg, err
	}
	if err := s.readsOnce(s.Data); err != nil {
		return cfg, err
	}
	if s.List { // what is sent can be listed without the files
		_, err = s.suiteFiles(cfg.Suite)
	} else {
		cfg.Data, err = s.openSuite(ctx, cfg.Suite)
	}
	if err != nil {
		return cfg, err
	}
	if cfg.Targets, err = s.targets(ctx); err != nil {
		return cfg, err
	}
	if cfg.Shape, err = s.shape(); err != nil {
		return cfg, err
	}
	if cfg.Load, err = s.load(); err != nil {
		return cfg, err
	}
	if s.Scale != nil {
		if !(*s.Scale > 0) {
			return cfg, usagef("--scale %v: must be more than 0, and at most 1000", *s.Scale)
		}
		cfg.Scale = *s.Scale
	}
	if s.Repeat != nil {
		if *s.Repeat < 1 {
			return cfg, usagef("--repeat %d: must be 1 to 1000", *s.Repeat)
		}
		cfg.Repeat = *s.Repeat
	}
	if err := (timeFlag{"--interval", s.Interval, &cfg.Interval}).set(); err != nil {
		return cfg, err
	}
	if cfg.Threads, err = s.threads(); err != nil {
		return cfg, err
	}
	if err := cfg.Validate(); err != nil {
		return cfg, &usageError{problem: err}
	}
	return cfg, nil
}

// load is what the flags say in place of the suite.
func (s *suiteCommand) load() (l suite.Load, err error) {
	if s.Connections != nil {
		n := clampInt(*s.Connections)
		l.Connections = &n
	}
	if s.Pipeline != nil {
		if *s.Pipeline < 1 {
			return l, usagef("-P %d: must be at least 1", *s.Pipeline)
		}
		l.Pipeline = clampInt(*s.Pipeline)
	}
	return l, timeFlag{"-s", s.Duration, &l.Duration}.set()
}

// suite is the tests that are to be run. Where no suite is named, --only may
// name tests of all that are built in.
func (s *suiteCommand) suite(ctx context.Context) (*suite.Suite, error) {
	names := s.Suites
	if len(names) == 0 {
		names = suite.Builtins()
		if len(s.Only) == 0 && !s.List {
			names = names[:1]
		}
	}
	var suites []*suite.Suite
	for i, name := range names {
		if slices.ContainsFunc(names[:i], func(other string) bool { return suitePath(other) == suitePath(name) }) {
			return nil, usagef("suite %q is named twice", name)
		}
		one, err := readSuite(ctx, name)
		if err != nil {
			return nil, err
		}
		suites = append(suites, one)
	}
	if len(s.Suites) == 0 {
		suites = relevant(suites, s.Only)
	}
	all, err := suite.Join(suites...)
	if err != nil {
		return nil, &usageError{problem: err}
	}
	if all, err = all.Select(s.Only, s.Skip); err != nil {
		return nil, &usageError{problem: err}
	}
	return all, nil
}

// targets are those of --target, or the one that the server flags name.
func (s *suiteCommand) targets(ctx context.Context) ([]suite.Target, error) {
	if len(s.Target) == 0 {
		d, err := s.dialer(ctx)
		return []suite.Target{{Dialer: d, InProcess: s.Embedded}}, err
	}
	if s.Host != nil || s.Port != nil || s.Socket != nil || s.URI != nil || s.User != "" || s.DB != nil || s.Embedded || s.TLS {
		return nil, usagef("--target says which servers; leave out -h, -p, --socket, --uri, -u, --db, --tls and --embedded")
	}
	var servers []*conn.Dialer
	secured := false
	for i := range s.Target {
		servers = append(servers, &s.Target[i].dialer)
		secured = secured || s.Target[i].dialer.TLS != nil
	}
	if given := s.tlsFlags.given(); given != "" && !secured {
		return nil, usagef("%s is for targets with TLS, and there is none; write rediss://", given)
	}
	if err := s.complete(ctx, servers...); err != nil {
		return nil, err
	}
	var list []suite.Target
	for _, t := range s.Target {
		list = append(list, suite.Target{Name: t.name, Dialer: t.dialer})
	}
	return list, nil
}

// askFor asks for the password of all targets, if that is wanted.
func (s *suiteCommand) askFor(ctx context.Context, stderr io.Writer, targets []suite.Target) error {
	var servers []*conn.Dialer
	for i := range targets {
		servers = append(servers, &targets[i].Dialer)
	}
	return s.ask(ctx, stderr, servers...)
}

// print prints the files of built-in suites.
func (s *suiteCommand) print(stdout io.Writer) error {
	names := s.Suites
	if len(names) == 0 {
		names = suite.Builtins()[:1]
	}
	for _, name := range names {
		text, err := suite.BuiltinText(name)
		if err != nil {
			return &usageError{problem: err}
		}
		if _, err := stdout.Write(text); err != nil {
			return err
		}
	}
	return nil
}

// clean deletes what earlier suites left.
func (s *suiteCommand) clean(ctx context.Context, stdout, stderr io.Writer) error {
	targets, err := s.targets(ctx)
	if err != nil {
		return err
	}
	shape, err := s.shape()
	if err != nil {
		return err
	}
	if s.Embedded {
		return usagef("--clean: there is nothing on a server that --embedded only starts")
	}
	if err := s.askFor(ctx, stderr, targets); err != nil {
		return err
	}
	progress := s.progress(stderr)
	err = suite.AwaitTargets(ctx, targets, shape, s.wait(), progress.Remark)
	progress.Stop()
	if err != nil {
		return err
	}
	for _, t := range targets {
		n, err := suite.Clean(ctx, t.Dialer, shape)
		if err == nil || n > 0 {
			noun := "keys"
			if n == 1 {
				noun = "key"
			}
			fmt.Fprintf(stdout, "%s: %s %s of suites deleted\n", t.Dialer.Address, report.Thousands(n), noun)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
