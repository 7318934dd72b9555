package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/term"

	"github.com/respbench/respbench/report"
)

// clientFlags say how the load is made on this side.
type clientFlags struct {
	Threads *int    `group:"client" placeholder:"N" help:"Event loops (half of the usable CPUs)."`
	Cores   cpuList `group:"client" placeholder:"LIST" help:"CPU ids to pin the event loops to: 0,2-3."`
}

// threads is 0 where none were asked for.
func (f *clientFlags) threads() (int, error) {
	if f.Threads == nil {
		return 0, nil
	}
	if *f.Threads < 1 {
		return 0, usagef("--threads %d: must be at least 1", *f.Threads)
	}
	return *f.Threads, nil
}

// reportFlags say what is told, and where.
type reportFlags struct {
	Output      outputList     `short:"o" group:"report" placeholder:"FILE" help:"Also write the result, in the format of the extension: .json, .csv, .md, .txt, .hgrm, .bench; -.json is standard output. Repeatable."`
	Quiet       bool           `short:"q" group:"report" help:"The figures alone, no progress."`
	NoProgress  bool           `group:"report" help:"No progress."`
	Percentiles percentileList `group:"report" placeholder:"LIST" help:"Which percentiles (50,90,99,99.9)."`
	Interval    *duration      `group:"report" placeholder:"TIME" help:"Length of a slice of the interval series (1s)."`
}

// check finds out before a result is written, or measured, whether it can be.
func (l outputList) check(one func(report.Output) error) error {
	seen := map[string]bool{}
	for _, o := range l {
		if err := one(o); err != nil {
			return &usageError{problem: err}
		}
		place := "" // standard output
		if !o.Stdout {
			place = filepath.Clean(o.Path)
		}
		switch {
		case !seen[place]:
		case o.Stdout:
			return usagef("-o: only one format can go to standard output")
		default:
			return usagef("-o: %q is given twice", o.Path)
		}
		seen[place] = true
	}
	return nil
}

// progress shows how a run stands, or where no progress is wanted the remarks
// alone, which have no other place.
func (f *reportFlags) progress(stderr io.Writer) *report.Progress {
	if f.Quiet || f.NoProgress {
		return report.NewProgress(stderr, report.ProgressOptions{RemarksOnly: true})
	}
	o := report.ProgressOptions{Terminal: isTerminal(stderr), Color: colorful(stderr), Every: 10 * time.Second}
	if f.Interval != nil {
		o.Every = time.Duration(*f.Interval)
	}
	if file, ok := stderr.(*os.File); ok {
		o.Width = func() int {
			width, _, err := term.GetSize(int(file.Fd()))
			if err != nil {
				return 80
			}
			return width
		}
	}
	return report.NewProgress(stderr, o)
}

// write puts a result everywhere it is wanted: files first, as a reader of
// standard output may stall. Where standard output is for a machine, the
// summary goes to stderr.
func (f *reportFlags) write(d report.Document, stdout, stderr io.Writer) error {
	failed := f.Output.write(d, stdout)
	summary := stdout
	if f.Output.takesStdout() {
		summary = stderr
	}
	return errors.Join(failed, report.Summary(summary, d, report.TextOptions{Color: colorful(summary), Quiet: f.Quiet}))
}

// write writes all files, and then what goes to standard output.
func (l outputList) write(d report.Document, stdout io.Writer) error {
	var failed []error
	for _, o := range l {
		if !o.Stdout {
			failed = append(failed, o.Write(nil, d))
		}
	}
	for _, o := range l {
		if o.Stdout {
			failed = append(failed, o.Write(stdout, d))
		}
	}
	return errors.Join(failed...)
}

func (l outputList) takesStdout() bool {
	for _, o := range l {
		if o.Stdout {
			return true
		}
	}
	return false
}

// countFlag is a flag for a number of at least least, and where it goes.
type countFlag struct {
	flag  string
	given *count
	least count
	to    func(count)
}

func (f countFlag) set() error {
	if f.given == nil {
		return nil
	}
	if *f.given < f.least {
		return usagef("%s %d: must be at least %d", f.flag, *f.given, f.least)
	}
	f.to(*f.given)
	return nil
}

// clampInt keeps a count within int32, which any limit on an int refuses.
func clampInt(n count) int { return int(min(n, 1<<31-1)) }

// timeFlag is a flag for a time span above 0, and where it goes.
type timeFlag struct {
	flag  string
	given *duration
	to    *time.Duration
}

func (f timeFlag) set() error {
	if f.given == nil {
		return nil
	}
	if *f.given <= 0 {
		return usagef("%s %v: must be more than 0", f.flag, time.Duration(*f.given))
	}
	*f.to = time.Duration(*f.given)
	return nil
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

func colorful(w io.Writer) bool { return isTerminal(w) && os.Getenv("NO_COLOR") == "" }
