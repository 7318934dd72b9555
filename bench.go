package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/generator"
	"github.com/respbench/respbench/report"
)

// benchCommand is the main job.
type benchCommand struct {
	Host     *string `short:"h" group:"server" placeholder:"HOST" help:"Host name or address (127.0.0.1)."`
	Port     *port   `short:"p" group:"server" placeholder:"PORT" help:"Port (6379)."`
	Socket   *string `group:"server" placeholder:"PATH" help:"Unix socket."`
	URI      *string `name:"uri" group:"server" placeholder:"URI" help:"redis://user:pass@host:port/db or unix:///path?db=0."`
	User     string  `short:"u" group:"server" placeholder:"USER" help:"ACL user."`
	Password *string `name:"pass" short:"a" group:"server" placeholder:"PASS" help:"Password; also from REDISCLI_AUTH."`
	DB       *int    `name:"db" group:"server" placeholder:"N" help:"Database (0)."`
	RESP3    bool    `name:"resp3" short:"3" group:"server" help:"Speak RESP3."`
	Embedded bool    `group:"server" help:"Start a small server in this process (miniredis) and use it: for a first try, no figures worth quoting."`

	Connections *count             `short:"c" group:"load" placeholder:"N" help:"Connections. Without it, or 0: tuned; 50 with -n, 128 with --load."`
	Pipeline    *count             `short:"P" group:"load" placeholder:"N" help:"Pipeline depth (1; 10 with --load)."`
	Requests    *count             `short:"n" group:"load" placeholder:"N" help:"How many requests, exactly. The first of -n and -s ends the run; without both, Ctrl-C does."`
	Duration    *duration          `name:"duration" short:"s" group:"load" placeholder:"TIME" help:"How long: 20 (seconds), 300ms, 1.5m."`
	Rate        *rate              `short:"t" group:"load" placeholder:"N" help:"Requests a second, open loop: 1000, 50k. Latency then runs from when each was due."`
	Arrivals    generator.Arrivals `group:"load" default:"constant" placeholder:"HOW" help:"How they are spread: constant or poisson (constant)."`
	Warmup      *duration          `group:"load" placeholder:"TIME" help:"Run this long before measuring."`
	Load        bool               `group:"load" help:"Fill a data set: every index of the sequences once, throughput instead of percentiles."`
	Seed        *uint64            `group:"load" placeholder:"N" help:"Repeatable commands (random, always printed)."`

	Threads *int    `group:"client" placeholder:"N" help:"Event loops (half of the usable CPUs)."`
	Cores   cpuList `group:"client" placeholder:"LIST" help:"CPU ids to pin the event loops to: 0,2-3."`

	Output      outputList     `short:"o" group:"report" placeholder:"FILE" help:"Also write the result; .json or .txt; -.json is standard output. Repeatable."`
	Quiet       bool           `short:"q" group:"report" help:"One line of result, no progress."`
	NoProgress  bool           `group:"report" help:"No progress."`
	Percentiles percentileList `group:"report" placeholder:"LIST" help:"Which percentiles (50,90,99,99.9)."`
	Interval    *duration      `group:"report" placeholder:"TIME" help:"Length of a slice of the interval series (1s)."`

	Template []string `arg:"" optional:"" help:"The command, as one argument."`
}

func (b *benchCommand) run(ctx context.Context, stdout, stderr io.Writer) error {
	cfg, err := b.config()
	if err != nil {
		return err
	}
	if err := b.checkOutputs(); err != nil {
		return err
	}
	if b.Embedded {
		server, err := startEmbedded()
		if err != nil {
			return fmt.Errorf("the embedded server does not start: %w", err)
		}
		defer server.Close()
		cfg.Dialer.Address = server.Addr()
	}
	progress := b.progress(stderr)
	if progress != nil {
		cfg.OnProgress = progress.Update
	}
	result, err := generator.Run(ctx, cfg)
	if progress != nil {
		progress.Stop()
	}
	if err != nil {
		return err
	}
	result.Version = version
	if err := b.write(result, stdout, stderr); err != nil {
		return err
	}
	return verdict(ctx, result)
}

// config checks the flags and makes of them what the generator wants. Nothing
// has been dialled or written when it returns an error.
func (b *benchCommand) config() (generator.Config, error) {
	cfg := generator.Config{
		Load: b.Load, InProcess: b.Embedded, Seed: seedOr(b.Seed),
		Cores: b.Cores, Percentiles: b.Percentiles,
	}
	var err error
	if cfg.Program, err = compile(b.Template); err != nil {
		return cfg, err
	}
	if cfg.Dialer, err = b.dialer(); err != nil {
		return cfg, err
	}
	for _, f := range []struct {
		flag  string
		given *count
		least count
		to    func(count)
	}{
		{"-c", b.Connections, 0, func(n count) { cfg.Connections = clampInt(n) }},
		{"-P", b.Pipeline, 1, func(n count) { cfg.Pipeline = clampInt(n) }},
		{"-n", b.Requests, 1, func(n count) { cfg.Requests = int64(n) }},
	} {
		if f.given == nil {
			continue
		}
		if *f.given < f.least {
			return cfg, usagef("%s %d: must be at least %d", f.flag, *f.given, f.least)
		}
		f.to(*f.given)
	}
	for _, f := range []struct {
		flag  string
		given *duration
		to    *time.Duration
	}{
		{"-s", b.Duration, &cfg.Duration},
		{"--warmup", b.Warmup, &cfg.Warmup},
		{"--interval", b.Interval, &cfg.Interval},
	} {
		if f.given == nil {
			continue
		}
		if *f.given <= 0 {
			return cfg, usagef("%s %v: must be more than 0", f.flag, time.Duration(*f.given))
		}
		*f.to = time.Duration(*f.given)
	}
	if b.Rate != nil {
		cfg.Rate, cfg.Arrivals = float64(*b.Rate), b.Arrivals
	}
	if b.Threads != nil {
		if *b.Threads < 1 {
			return cfg, usagef("--threads %d: must be at least 1", *b.Threads)
		}
		cfg.Threads = *b.Threads
	}
	if err := cfg.Validate(); err != nil {
		return cfg, &usageError{problem: err}
	}
	return cfg, nil
}

// clampInt keeps a count within int32, which any limit on an int refuses.
func clampInt(n count) int { return int(min(n, 1<<31-1)) }

// dialer says which server, and as whom.
func (b *benchCommand) dialer() (conn.Dialer, error) {
	named := b.Host != nil || b.Port != nil
	switch {
	case b.Embedded && (named || b.Socket != nil || b.URI != nil || b.Password != nil || b.User != ""):
		return conn.Dialer{}, usagef("--embedded starts its own server; leave out -h, -p, -u, -a, --socket and --uri")
	case b.URI != nil && (named || b.Socket != nil || b.User != "" || b.DB != nil):
		return conn.Dialer{}, usagef("--uri says it all; leave out -h, -p, --socket, -u and --db")
	case b.Socket != nil && named:
		return conn.Dialer{}, usagef("--socket and a host or port contradict each other; give one of them")
	case b.Socket != nil && *b.Socket == "":
		return conn.Dialer{}, usagef("--socket: the path is empty")
	case b.DB != nil && *b.DB < 0:
		return conn.Dialer{}, usagef("--db %d: must be 0 or more", *b.DB)
	}
	address, err := b.address()
	if err != nil {
		return conn.Dialer{}, err
	}
	d := conn.Dialer{Network: "tcp", Address: address, User: b.User}
	if b.Socket != nil {
		d.Network, d.Address = "unix", *b.Socket
	}
	if b.DB != nil {
		d.DB = *b.DB
	}
	if b.URI != nil {
		if d, err = conn.ParseURI(*b.URI); err != nil {
			return d, &usageError{problem: fmt.Errorf("--uri: %w", err)}
		}
	}
	d.RESP3 = b.RESP3
	return d, b.password(&d)
}

// password finds the password: -a, then the URI, then the environment, as
// redis-cli does. The embedded server has none.
func (b *benchCommand) password(d *conn.Dialer) error {
	switch {
	case b.Password != nil && d.Password != "":
		return usagef("-a and a password in --uri contradict each other; give one of them")
	case b.Password != nil:
		d.Password = *b.Password
	case d.Password == "" && !b.Embedded:
		d.Password = os.Getenv("REDISCLI_AUTH")
	}
	return nil
}

func (b *benchCommand) address() (string, error) {
	host, number := "127.0.0.1", port(conn.DefaultPort)
	if b.Port != nil {
		number = *b.Port
	}
	if b.Host != nil {
		host = strings.TrimSuffix(strings.TrimPrefix(*b.Host, "["), "]")
		if host == "" {
			return "", usagef("-h: the host is empty")
		}
		if name, digits, ok := strings.Cut(host, ":"); ok && net.ParseIP(host) == nil {
			return "", &usageError{
				problem: fmt.Errorf("-h %s: not a host name or an address", host),
				hint:    fmt.Sprintf("the port has a flag of its own: -h %s -p %s", name, digits),
			}
		}
	}
	return net.JoinHostPort(host, strconv.Itoa(int(number))), nil
}

// checkOutputs finds out before the run whether its result can be written.
func (b *benchCommand) checkOutputs() error {
	streams := 0
	for _, o := range b.Output {
		if o.Stdout {
			streams++
		}
		if err := o.Check(); err != nil {
			return &usageError{problem: err}
		}
	}
	if streams > 1 {
		return usagef("-o: only one format can go to standard output")
	}
	return nil
}

// progress is nil where none is wanted.
func (b *benchCommand) progress(stderr io.Writer) *report.Progress {
	if b.Quiet || b.NoProgress {
		return nil
	}
	o := report.ProgressOptions{Terminal: isTerminal(stderr), Color: colorful(stderr), Every: 10 * time.Second}
	if b.Interval != nil {
		o.Every = time.Duration(*b.Interval)
	}
	if f, ok := stderr.(*os.File); ok {
		o.Width = func() int {
			width, _, err := term.GetSize(int(f.Fd()))
			if err != nil {
				return 80
			}
			return width
		}
	}
	return report.NewProgress(stderr, o)
}

// write puts the result everywhere it is wanted: files first, as a reader of
// standard output may stall. Where standard output is for a machine, the
// summary goes to stderr.
func (b *benchCommand) write(r *report.Result, stdout, stderr io.Writer) error {
	var failed []error
	summary := stdout
	for _, o := range b.Output {
		if o.Stdout {
			summary = stderr
			continue
		}
		if err := o.Write(nil, r); err != nil {
			failed = append(failed, err)
		}
	}
	for _, o := range b.Output {
		if o.Stdout {
			failed = append(failed, o.Write(stdout, r))
		}
	}
	failed = append(failed, report.Text(summary, r, report.TextOptions{Color: colorful(summary), Quiet: b.Quiet}))
	return errors.Join(failed...)
}

// verdict is the exit status of a run that has its report.
func verdict(ctx context.Context, r *report.Result) error {
	if r.Interrupted != "" {
		var i interrupted
		if errors.As(context.Cause(ctx), &i) {
			return &reported{i.status()}
		}
	}
	q := r.Requests
	if q.Failed > 0 || q.Unanswered > 0 || q.Lost > 0 || r.Connect.Broken > 0 || q.Succeeded == 0 {
		return &reported{exitFailed}
	}
	return nil
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

func colorful(w io.Writer) bool { return isTerminal(w) && os.Getenv("NO_COLOR") == "" }
