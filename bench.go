package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/respbench/respbench/generator"
	"github.com/respbench/respbench/report"
	"github.com/respbench/respbench/template"
)

// benchCommand is the main job.
type benchCommand struct {
	serverFlags
	clusterFlags

	Connections *count                `short:"c" group:"load" placeholder:"N" help:"Connections. Without it, or 0: tuned; 50 with -n or --rate, 128 with --load."`
	Pipeline    *count                `short:"P" group:"load" placeholder:"N" help:"Pipeline depth (1; 10 with --load; up to 256 in flight with --rate)."`
	Requests    *count                `short:"n" group:"load" placeholder:"N" help:"How many requests, exactly. The first of -n and -s ends the run; without both, Ctrl-C does."`
	Duration    *duration             `name:"duration" short:"s" group:"load" placeholder:"TIME" help:"How long: 20 (seconds), 300ms, 1.5m. Of each of several rates."`
	Ratio       ratioList             `group:"load" placeholder:"A:B:…" help:"How often each of several templates is sent: 65:35."`
	Lanes       laneList              `name:"lane" sep:"none" group:"load" placeholder:"NAME[,c=N,P=N,rate=N]=TEMPLATE" help:"Load beside that of other lanes, with connections, pace and figures of its own. Repeatable."`
	Rate        rateList              `short:"t" group:"load" placeholder:"N" help:"Requests a second, open loop: 1000, 50k; several one after another: 1k,2k,4k or 1k..16k/5. Latency then runs from when each was due."`
	Arrivals    *generator.Arrivals   `group:"load" placeholder:"HOW" help:"How they are spread: constant or poisson (constant)."`
	Assert      []generator.Objective `sep:"none" group:"load" placeholder:"WHAT" help:"A figure that must be reached, or the exit status is 3: p99<2ms, qps>100k, errors<0.1%. Repeatable."`
	AbortIf     []generator.Objective `sep:"none" group:"load" placeholder:"WHAT" help:"End early, with status 3, once this is so: errors>5%. Repeatable."`
	Warmup      *duration             `group:"load" placeholder:"TIME" help:"Run this long before measuring."`
	Load        bool                  `group:"load" help:"Fill a data set: every index of the sequences once, throughput instead of percentiles."`
	Seed        *uint64               `group:"load" placeholder:"N" help:"Repeatable commands (random, always printed)."`

	faultFlags
	dataFlags
	onceFlag
	replayFlags
	paceFlag
	clientFlags
	reportFlags

	Template []string `arg:"" optional:"" help:"The command, as one argument; several with --ratio."`
}

func (b *benchCommand) run(ctx context.Context, stdout, stderr io.Writer) error {
	if err := b.readsOnce(b.Data, b.flag(), b.file()); err != nil {
		return err
	}
	files, err := b.open(ctx)
	defer func() { files.close() }()
	if err != nil {
		return err
	}
	replay, err := b.take(ctx, func() *report.Progress { return b.progress(stderr) }, &files, b.skipsBad(), b.Template)
	defer replay.close()
	if err != nil {
		return err
	}
	cfg, err := b.config(ctx, files, replay)
	if err != nil {
		return err
	}
	if err := b.Output.check(report.Output.Check); err != nil {
		return err
	}
	if err := b.load(ctx, stderr, files, replay, &cfg); err != nil {
		return err
	}
	replay.warn(stderr)
	if err := b.ask(ctx, stderr, &cfg.Dialer); err != nil {
		return err
	}
	stop, err := b.embed(&cfg.Dialer)
	if err != nil {
		return err
	}
	defer stop()
	progress := b.progress(stderr)
	cfg.OnProgress, cfg.OnRemark = progress.Update, progress.Remark
	result, err := generator.Run(ctx, cfg)
	progress.Stop()
	if err != nil {
		return err
	}
	result.Version = version
	if err := b.write(result, stdout, stderr); err != nil {
		return err
	}
	return verdict(ctx, result)
}

// load loads the data, and checks cfg against what is in them.
func (b *benchCommand) load(ctx context.Context, stderr io.Writer, files opened, replay *replay, cfg *generator.Config) error {
	return files.load(ctx, b.progress(stderr), func() error {
		if b.DataOnce {
			cfg.Requests = b.requests(files, cfg.Templates[0].Program)
		}
		if err := b.settle(replay, cfg); err != nil {
			return err
		}
		return cfg.Validate()
	})
}

// config checks the flags and makes of them what the generator wants. Nothing
// has been dialled or written when it returns an error.
func (b *benchCommand) config(ctx context.Context, files opened, replay *replay) (generator.Config, error) {
	cfg := generator.Config{
		Data: slices.Concat(files, replay.made),

		Load: b.Load, InProcess: b.Embedded, Seed: seedOr(b.Seed),
		Cores: b.Cores, Percentiles: b.Percentiles,
		Objectives: b.Assert, AbortIf: b.AbortIf, Wait: b.wait(),
	}
	var err error
	if cfg.Templates, cfg.Lanes, err = b.content(files, replay); err != nil {
		return cfg, err
	}
	if cfg.Dialer, err = b.dialer(ctx); err != nil {
		return cfg, err
	}
	for _, f := range []countFlag{
		{"-c", b.Connections, 0, func(n count) { cfg.Connections = clampInt(n) }},
		{"-P", b.Pipeline, 1, func(n count) { cfg.Pipeline = clampInt(n) }},
		{"-n", b.Requests, 1, func(n count) { cfg.Requests = int64(n) }},
	} {
		if err := f.set(); err != nil {
			return cfg, err
		}
	}
	for _, f := range []timeFlag{{"-s", b.Duration, &cfg.Duration}, {"--warmup", b.Warmup, &cfg.Warmup}, {"--interval", b.Interval, &cfg.Interval}} {
		if err := f.set(); err != nil {
			return cfg, err
		}
	}
	if b.Arrivals != nil {
		cfg.Arrivals = *b.Arrivals
		if len(b.Rate) == 0 && !slices.ContainsFunc(b.Lanes, func(l laneText) bool { return l.Rate > 0 }) {
			return cfg, usagef("--arrivals %v: in a closed loop requests follow replies; state a rate in a --lane", cfg.Arrivals)
		}
	}
	if len(b.Rate) == 1 {
		cfg.Rate = b.Rate[0]
	} else {
		cfg.Stages = b.Rate
	}
	if cfg.Threads, err = b.threads(); err != nil {
		return cfg, err
	}
	if err := b.settleFlags(replay, &cfg); err != nil {
		return cfg, err
	}
	if err := b.clusterFlags.set(&cfg); err != nil {
		return cfg, err
	}
	if err := b.faultFlags.set(&cfg); err != nil {
		return cfg, err
	}
	if err := cfg.Validate(); err != nil {
		return cfg, &usageError{problem: err}
	}
	return cfg, nil
}

// content is what is sent: templates, or those of lanes.
func (b *benchCommand) content(files opened, replay *replay) (templates []generator.Template, lanes []generator.Lane, err error) {
	switch {
	case replay.given && (b.Idle || len(b.Lanes) > 0 || b.Ratio != nil || b.DataOnce):
		err = usagef("%s says what is sent, and how often; leave out --idle, --lane, --ratio and --data-once", b.flag())
	case replay.given:
		templates = replay.templates
	case b.Idle && len(b.Template)+len(b.Lanes) > 0:
		err = usagef("--idle sends nothing; leave out the template")
	case b.Idle:
	case len(b.Lanes) == 0:
		templates, err = b.templates(files.options())
	case len(b.Template) > 0 || b.Ratio != nil:
		err = usagef("--lane says what is sent; leave out other templates and --ratio")
	case b.DataOnce:
		err = usagef("--data-once: lanes run side by side for a time (-s)")
	default:
		lanes, err = b.Lanes.compile(files.options())
	}
	if err == nil && b.DataOnce && len(templates) > 1 {
		err = usagef("--data-once: of several templates each has the rows in a sequence of its own; give one")
	}
	if err == nil {
		err = b.onceFlag.check(files, b.Requests != nil)
	}
	if err != nil {
		return nil, nil, err
	}
	var programs []*template.Program
	all := templates
	for _, lane := range lanes {
		all = append(all, lane.Templates...)
	}
	for _, t := range all {
		programs = append(programs, t.Program)
	}
	return templates, lanes, files.used(programs)
}

// templates are the arguments, compiled, with the weights of --ratio.
func (b *benchCommand) templates(o template.Options) ([]generator.Template, error) {
	if name := misspelt(b.Template); name != "" {
		return nil, &usageError{
			problem: fmt.Errorf("%q is no command of respbench; as a template it would be sent to the server", b.Template[0]),
			hint:    "did you mean " + name + "? To send it as it is, put a space behind it, in quotes",
		}
	}
	if len(b.Template) < 2 && b.Ratio != nil {
		return nil, usagef("--ratio %s: it divides several templates, and %d is given", b.Ratio, len(b.Template))
	}
	if len(b.Template) < 2 || b.Ratio == nil {
		program, err := compile(b.Template, o)
		return generator.Only(program), err
	}
	if len(b.Ratio) != len(b.Template) {
		return nil, usagef("--ratio %s: %d weights for %d templates", b.Ratio, len(b.Ratio), len(b.Template))
	}
	var list []generator.Template
	for i, text := range b.Template {
		program, err := template.ParseWith(text, o)
		if err != nil {
			return nil, err
		}
		list = append(list, generator.Template{Program: program, Weight: b.Ratio[i]})
	}
	return list, nil
}

// misspelt is the sub-command that the first argument is a slip of, if it is a
// word alone; "" if it is none.
func misspelt(args []string) string {
	if len(args) == 0 || strings.ContainsFunc(args[0], func(r rune) bool { return !unicode.IsLetter(r) }) {
		return ""
	}
	if strings.EqualFold(args[0], "QUIT") { // a command of the server, and near to suite
		return ""
	}
	return template.Nearest(args[0], "suite", "sweep", "report", "preview", "bench")
}

// verdict is the exit status of a run that has its report.
func verdict(ctx context.Context, r *report.Result) error {
	if err := bySignal(ctx, r.Interrupted); err != nil {
		return err
	}
	switch missed := r.Missed(); {
	case r.Aborted != nil && !r.Aborted.Failure:
		return &missedError{"ended early by " + r.Aborted.String()}
	case r.Aborted == nil && len(missed) > 0:
		return &missedError{missedText(missed)}
	case r.Failed():
		return &reported{exitFailed}
	}
	return nil
}

// missedText names the objectives that were missed and what was measured.
func missedText(missed []report.Objective) string {
	var list []string
	for _, o := range missed {
		list = append(list, o.String())
	}
	what := "objective missed: "
	if len(missed) > 1 {
		what = "objectives missed: "
	}
	return what + strings.Join(list, "; ")
}
