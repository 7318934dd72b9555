package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/respbench/respbench/report"
	"github.com/respbench/respbench/template"
)

// version is that of the next release until it is made.
const version = "0.1.0"

// command is one thing that respbench can do.
type command interface {
	run(ctx context.Context, stdout, stderr io.Writer) error
}

// cli is the whole command line.
type cli struct {
	Help    bool `help:"Print this help." group:"other"`
	Version bool `help:"Print the version." group:"other"`

	Bench   benchCommand   `cmd:"" default:"withargs" help:"Send a templated command and measure it (the main job; its name may be left out)."`
	Sweep   sweepCommand   `cmd:"" help:"Find the curve of throughput against latency, its knee, and how much holds an objective."`
	Preview previewCommand `cmd:"" help:"Print the commands that a template makes; needs no server."`
	Suite   suiteCommand   `cmd:"" help:"Run a list of tests and make one table of them."`
	Report  reportCommand  `cmd:"" help:"Render a result file again."`
}

// parse turns the arguments into a command. The command is nil when all that
// was asked for, help or the version, has been printed.
func parse(args []string, stdout io.Writer) (command, error) {
	var c cli
	parser, err := kong.New(&c,
		kong.Name("respbench"),
		kong.NoDefaultHelp(),                    // -h is the host
		kong.WithHyphenPrefixedParameters(true), // a negative number is a value, if a wrong one
		kong.Writers(stdout, stdout),
		kong.Exit(func(int) {}),
		kong.Help(printHelp),
		kong.ExplicitGroups(groups),
	)
	if err != nil {
		return nil, fmt.Errorf("internal: the command line's definition: %w", err)
	}
	if len(args) == 0 || len(args) == 1 && (args[0] == "-h" || args[0] == "help") {
		args = []string{"--help"}
	}
	parsed, err := parser.Parse(args)
	switch {
	case c.Version:
		_, err = fmt.Fprintf(stdout, "respbench %s (%s, %s/%s)\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
		return nil, err
	case c.Help:
		context := parsed
		if context == nil {
			if context, err = kong.Trace(parser, args); err != nil {
				return nil, err
			}
		}
		return nil, context.PrintUsage(false)
	case err != nil:
		return nil, misused(err)
	}
	name, _, _ := strings.Cut(parsed.Command(), " ")
	chosen := map[string]command{"bench": &c.Bench, "preview": &c.Preview, "suite": &c.Suite, "report": &c.Report, "sweep": &c.Sweep}[name]
	return chosen, checkGiven(chosen, parsed)
}

// misused is a mistake in the flags, with what to do about it.
func misused(err error) error {
	var flag, bench, other string
	if _, scanned := fmt.Sscanf(err.Error(), "flag %s applies to the default command %q, not %q", &flag, &bench, &other); scanned == nil {
		return &usageError{
			problem: fmt.Errorf("flag %s stands before the command %q", flag, other),
			hint:    fmt.Sprintf("put flags behind it: respbench %s %s …", other, flag),
		}
	}
	if other := ofOthers(err); other != nil {
		return other
	}
	return &usageError{problem: err, hint: "respbench --help lists the flags"}
}

// count is a number of things, written as in templates: 10000000, 10_000_000,
// 10m, 64ki, 1e6.
type count int64

// UnmarshalText implements encoding.TextUnmarshaler.
func (c *count) UnmarshalText(text []byte) error {
	n, err := template.ParseNumber(string(text))
	if err != nil {
		return err
	}
	*c = count(n)
	return nil
}

// ratioList is weights, written as 65:35.
type ratioList []int

// UnmarshalText implements encoding.TextUnmarshaler.
func (l *ratioList) UnmarshalText(text []byte) error {
	*l = nil
	for part := range strings.SplitSeq(string(text), ":") {
		n, err := strconv.Atoi(part)
		if err != nil || n < 1 {
			return fmt.Errorf("%q is not a ratio of numbers of 1 or more; write as 65:35", text)
		}
		*l = append(*l, n)
	}
	return nil
}

func (l ratioList) String() string {
	var parts []string
	for _, n := range l {
		parts = append(parts, strconv.Itoa(n))
	}
	return strings.Join(parts, ":")
}

// duration is a time span: a bare number is seconds, otherwise as 1.5m, 300ms.
type duration time.Duration

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *duration) UnmarshalText(text []byte) error {
	s := string(text)
	if seconds, err := strconv.ParseFloat(s, 64); err == nil {
		if !(math.Abs(seconds) <= 1e9) {
			return fmt.Errorf("%q is not a time span; the largest is 1e9 seconds", s)
		}
		*d = duration(math.Round(seconds * float64(time.Second)))
		return nil
	}
	v, err := time.ParseDuration(s)
	if err != nil {
		return fmt.Errorf("%q is not a time span; write seconds, or as 300ms, 1.5m, 2h", s)
	}
	*d = duration(v)
	return nil
}

// port is a TCP port.
type port uint16

// UnmarshalText implements encoding.TextUnmarshaler.
func (p *port) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 10, 16)
	if err != nil || n == 0 {
		return fmt.Errorf("%q is not a port, 1 to 65535", text)
	}
	*p = port(n)
	return nil
}

// cpuList is CPU ids, written as 0,2-3.
type cpuList []int

// UnmarshalText implements encoding.TextUnmarshaler.
func (l *cpuList) UnmarshalText(text []byte) error {
	const most = 4096
	*l = nil
	for part := range strings.SplitSeq(string(text), ",") {
		first, last, isRange := strings.Cut(part, "-")
		if !isRange {
			last = first
		}
		from, err := strconv.ParseUint(first, 10, 12)
		to, err2 := strconv.ParseUint(last, 10, 12)
		if err != nil || err2 != nil || to < from || to >= most {
			return fmt.Errorf("%q is not a list of CPU ids; write as 0,2-3", text)
		}
		for id := from; id <= to; id++ {
			*l = append(*l, int(id))
		}
	}
	return nil
}

// percentileList is percentiles, written as 50,99,99.9.
type percentileList []float64

// UnmarshalText implements encoding.TextUnmarshaler.
func (l *percentileList) UnmarshalText(text []byte) error {
	*l = nil
	for part := range strings.SplitSeq(string(text), ",") {
		p, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || !(p > 0 && p <= 100) {
			return fmt.Errorf("%q is not a list of percentiles above 0 and up to 100; write as 50,99,99.9", text)
		}
		*l = append(*l, p)
	}
	return nil
}

// outputList is the files that a result is written to, one for each -o.
type outputList []report.Output

// UnmarshalText implements encoding.TextUnmarshaler; it adds to the list.
func (l *outputList) UnmarshalText(text []byte) error {
	o, err := report.ParseOutput(string(text))
	*l = append(*l, o)
	return err
}
