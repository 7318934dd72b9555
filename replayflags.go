package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/respbench/respbench/data"
	"github.com/respbench/respbench/generator"
	"github.com/respbench/respbench/report"
	"github.com/respbench/respbench/template"
)

// replayFlags take what is sent from a file in place of the command line.
type replayFlags struct {
	Commands      *string          `group:"data" placeholder:"FILE" help:"A file of templates, one a line, in place of TEMPLATE; 3x before one counts it three times. - is standard input."`
	CommandsOrder *generator.Order `group:"data" placeholder:"HOW" help:"Their order: sequence or random (sequence)."`
	Monitor       *string          `group:"data" placeholder:"FILE" help:"Replay the commands of a MONITOR log; - is standard input."`
}

// paceFlag is how fast a log is replayed.
type paceFlag struct {
	Pace *pace `group:"data" placeholder:"HOW" help:"Of a MONITOR log: fast (as fast as replies come), original (at its times), or 2x, 0.5x (fast)."`
}

// pace is how much faster than recorded a log is replayed; 0 is as fast as
// replies come.
type pace float64

// UnmarshalText implements encoding.TextUnmarshaler.
func (p *pace) UnmarshalText(text []byte) error {
	switch string(text) {
	case "fast":
		*p = 0
		return nil
	case "original":
		*p = 1
		return nil
	}
	number, ok := strings.CutSuffix(string(text), "x")
	f, err := strconv.ParseFloat(number, 64)
	if !ok || err != nil || !(f >= 1e-6 && f <= 1e6) {
		return fmt.Errorf("%q is not known; use fast, original, or how much faster than recorded, as 2x or 0.5x", text)
	}
	*p = pace(f)
	return nil
}

// replay is what the flags of replayFlags bring. The zero value is that they
// are not given.
type replay struct {
	given     bool
	templates []generator.Template
	order     generator.Order
	origin    string
	warnings  []string
	made      opened    // rows that were made of a command file
	log       *data.Log // nil of a command file
	path      string    // of the log
}

// close frees what was read; the log belongs to the files that were opened.
func (r *replay) close() { r.made.close() }

// take reads the command file, or opens the log and adds it to files, which are
// loaded later. What it returns is to be closed, also with an error.
func (f *replayFlags) take(ctx context.Context, progress func() *report.Progress, files *opened, skipBad bool, args []string) (*replay, error) {
	r := &replay{}
	switch {
	case f.Commands == nil && f.Monitor == nil:
		return r, nil
	case f.Commands != nil && f.Monitor != nil:
		return r, usagef("--commands and --monitor both say what is sent; give one")
	case f.file() == "":
		return r, usagef("%s: the name of the file is empty", f.flag())
	case len(args) > 0:
		return r, usagef("%s says what is sent; leave out the template %q", f.flag(), args[0])
	case slices.ContainsFunc(*files, func(d generator.Data) bool { return d.File == "-" }) && f.file() == "-":
		return r, usagef("%s - and --data -: standard input can be read once", f.flag())
	}
	r.given = true
	if f.Monitor != nil {
		return r, r.openLog(ctx, *f.Monitor, files, skipBad)
	}
	r.origin, r.order = "--commands "+*f.Commands, generator.InTurn
	if f.CommandsOrder != nil {
		r.order = *f.CommandsOrder
	}
	if r.order == generator.Shuffled {
		r.origin += " --commands-order random"
	}
	shown := progress()
	defer shown.Stop()
	return r, r.readCommands(ctx, shown, *f.Commands, files.options(), skipBad)
}

// flag is the one that is given.
func (f *replayFlags) flag() string {
	if f.Commands != nil {
		return "--commands"
	}
	return "--monitor"
}

// file is the one that is given, "" without any.
func (f *replayFlags) file() string {
	switch {
	case f.Commands != nil:
		return *f.Commands
	case f.Monitor != nil:
		return *f.Monitor
	}
	return ""
}

// openLog opens a log and makes the template that sends its commands.
func (r *replay) openLog(ctx context.Context, path string, files *opened, skipBad bool) error {
	log, err := opening(ctx, func() (*data.Log, error) { return data.OpenLog(path, data.Options{SkipBad: skipBad}) })
	if err != nil {
		return fileError("--monitor", path, err)
	}
	r.origin, r.log, r.path = "--monitor "+path, log, path
	r.templates = generator.Only(template.Whole(r.origin, log.Source, 1))
	*files = append(*files, generator.Data{Source: log.Source, File: path, Load: log.Load})
	return nil
}

// settleFlags refuses flags that a replayed log has no use for, and sets what
// follows from the others.
func (b *benchCommand) settleFlags(r *replay, cfg *generator.Config) error {
	cfg.Order, cfg.Origin, cfg.Warnings = r.order, r.origin, r.warnings
	if r.log == nil {
		return nil
	}
	switch {
	case b.Load:
		return usagef("--monitor and --load: a log is replayed in its order; leave one of them out")
	case b.Warmup != nil:
		return usagef("--monitor and --warmup: the commands of the log would be sent twice; leave --warmup out")
	case b.Cluster:
		return &usageError{
			problem: errors.New("--monitor and --cluster: where the keys of the logged commands are is not known, so they cannot be sent to the nodes of their slots"),
			hint:    "replay the log of each node against that node, without --cluster",
		}
	case b.Pace != nil && len(b.Rate) > 0:
		return usagef("--pace and --rate both say when commands are sent; give one")
	case b.Connections != nil && *b.Connections == 0:
		return usagef("-c 0: the number of connections cannot be tuned with the commands of a log, which would be sent again and again; say how many")
	}
	if cfg.Log = r.log; b.Connections == nil {
		cfg.Connections = 1
	}
	if b.DB != nil || cfg.Dialer.DB != 0 {
		r.log.OneDatabase()
	}
	if b.Pace != nil && *b.Pace != 0 {
		cfg.Timetable = &generator.Timetable{Times: r.log.Times(), Speed: float64(*b.Pace)}
		cfg.Origin += " --pace " + b.Pace.String()
	}
	return nil
}

func (p pace) String() string {
	if p == 1 {
		return "original"
	}
	return strconv.FormatFloat(float64(p), 'g', -1, 64) + "x"
}

// settle sets what is known when the log has been read: where it begins, how
// long it is, and what to doubt.
func (b *benchCommand) settle(r *replay, cfg *generator.Config) error {
	if r.log == nil {
		return nil
	}
	remakes := b.Reconnect || b.Timeout != nil || b.ConnMaxAge != nil || b.ReconnectEvery != nil
	if what := ordered(r.log.Facts()); what != "" && (cfg.Connections > 1 || remakes) {
		flag := "-c " + strconv.Itoa(cfg.Connections)
		if cfg.Connections == 1 {
			flag = "connections that are made again"
		}
		hint := "leave them out"
		if r.log.Facts().Multi == 0 {
			hint = "--db N sends all commands to one database"
		} else if cfg.Connections > 1 {
			hint = "use -c 1; -P sends several commands at once"
		}
		return &usageError{problem: fmt.Errorf("%s: the log has %s, which need one connection from begin to end", flag, what), hint: hint}
	}
	if b.DB == nil && cfg.Dialer.DB == 0 {
		cfg.Dialer.DB = r.log.Database()
	}
	if b.Requests == nil && b.Duration == nil {
		cfg.Requests = int64(r.log.Rows())
	}
	cfg.Warnings = append(cfg.Warnings, logWarnings(r.path, r.log.Facts())...)
	if steps, all := r.log.Times().Backwards(); cfg.Timetable != nil && steps > 0 {
		places := "places"
		if steps == 1 {
			places = "place"
		}
		cfg.Warnings = append(cfg.Warnings, fmt.Sprintf("The times of %s run backwards in %s %s, by %v in all: what follows is sent there without any time between. It may be several logs in one, or the clock was set back.",
			r.path, report.Thousands(steps), places, all))
	}
	return nil
}

// ordered is what a log has that ties its commands to one connection, or "".
func ordered(facts data.LogFacts) string {
	switch {
	case facts.Multi > 0 && facts.Switches > 0:
		return "transactions and several databases"
	case facts.Multi > 0:
		return "transactions"
	case facts.Switches > 0:
		return "several databases"
	}
	return ""
}

// logWarnings says what of a log is not sent, and what may hold it up.
func logWarnings(path string, facts data.LogFacts) []string {
	var list []string
	skipped := maps.Clone(facts.Skipped)
	delete(skipped, "SELECT") // the numbers of the databases say it all
	if len(skipped) > 0 {
		list = append(list, fmt.Sprintf("Not replayed of %s, as they belong to the connections that sent them or manage the server: %s.", path, byCount(skipped)))
	}
	if len(facts.Blocking) > 0 {
		list = append(list, fmt.Sprintf("%s has commands that may wait for another client: %s. What follows them on their connection waits, too, until they time out.", path, byCount(facts.Blocking)))
	}
	return list
}

// byCount lists names, the most frequent first.
func byCount(counts map[string]int64) string {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
	var list []string
	for _, name := range names {
		list = append(list, name+" "+report.Thousands(counts[name]))
	}
	return strings.Join(list, ", ")
}

// warn tells at once what can make the run stand still.
func (r *replay) warn(stderr io.Writer) {
	if r.log == nil || len(r.log.Facts().Blocking) == 0 {
		return
	}
	fmt.Fprintf(stderr, "respbench: the log has commands that may wait: %s; Ctrl-C ends the run with its report\n", byCount(r.log.Facts().Blocking))
}
