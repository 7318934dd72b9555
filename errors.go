package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/respbench/respbench/generator"
	"github.com/respbench/respbench/report"
	"github.com/respbench/respbench/template"
)

// usageError is a mistake on the command line.
type usageError struct {
	problem error
	hint    string
}

func (e *usageError) Error() string { return e.problem.Error() }
func (e *usageError) Unwrap() error { return e.problem }

// usagef makes a usageError without a hint.
func usagef(format string, args ...any) error {
	return &usageError{problem: fmt.Errorf(format, args...)}
}

// usageHint is the hint of the usageError that err is or wraps, "" without one.
func usageHint(err error) string {
	var usage *usageError
	if errors.As(err, &usage) {
		return usage.hint
	}
	return ""
}

// reported ends with a status a run whose report has said everything.
type reported struct{ status int }

func (r *reported) Error() string { return "see the report" }

// bySignal is the exit status of what a signal interrupted and that has its
// report; nil if none did.
func bySignal(ctx context.Context, by string) error {
	var i interrupted
	if by != "" && errors.As(context.Cause(ctx), &i) {
		return &reported{i.status()}
	}
	return nil
}

// missedError is a run that has its report and did not reach what it had to.
type missedError struct{ text string }

func (m *missedError) Error() string { return m.text }

// explain writes what went wrong, in one line, a place where there is one, and
// at most one hint, and returns the exit status.
func explain(stderr io.Writer, err error) int {
	var (
		done      *reported
		signalled interrupted
		missed    *missedError
		usage     *usageError
		syntax    *template.Error
		slots     *generator.SlotsError
	)
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &done):
		return done.status
	case errors.As(err, &missed):
		tell(stderr, err, "", "")
		return exitMissed
	case errors.As(err, &signalled):
		fmt.Fprintf(stderr, "respbench: interrupted by %v before anything was measured\n", signalled)
		return signalled.status()
	case errors.As(err, &syntax):
		tell(stderr, err, syntax.Caret(), syntax.Hint)
		return exitUsage
	case errors.As(err, &slots):
		tell(stderr, err, "", "keys with the same text in braces lie in the same slot: \\{tag}<key …>")
		return exitUsage
	case errors.As(err, &usage):
		tell(stderr, err, "", usage.hint)
		return exitUsage
	}
	tell(stderr, err, "", hintFor(err))
	return exitFailed
}

func tell(stderr io.Writer, err error, place, hint string) {
	fmt.Fprintf(stderr, "respbench: %s\n", report.Printable(strings.Join(strings.Fields(err.Error()), " ")))
	if place != "" {
		fmt.Fprintln(stderr, strings.TrimRight(place, "\n"))
	}
	if hint != "" {
		fmt.Fprintf(stderr, "hint: %s\n", hint)
	}
}
