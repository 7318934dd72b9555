package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"

	"github.com/respbench/respbench/conn"
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

// reported ends with a status a run whose report has said everything.
type reported struct{ status int }

func (r *reported) Error() string { return "see the report" }

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

// hintFor knows a remedy for what commonly goes wrong between a client and a
// server.
func hintFor(err error) string {
	if errors.Is(err, syscall.ECONNREFUSED) {
		return "is a server running there? -h and -p name another one; --embedded tries respbench out without any"
	}
	if errors.Is(err, syscall.ENOENT) {
		return "no such socket: the server's unixsocket setting names it"
	}
	if errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) {
		return "the server hung up: does this port want TLS, or speak another protocol?"
	}
	var foreign *generator.ForeignKeysError
	if errors.As(err, &foreign) {
		return "--flush=force deletes whatever is there; --db N takes another database; without --flush nothing is deleted"
	}
	var refused *conn.RefusedError
	var failed *generator.NoSuccessError
	code := ""
	if errors.As(err, &refused) {
		code, _, _ = strings.Cut(refused.Reply, " ")
	}
	if errors.As(err, &failed) {
		code = failed.Code()
	}
	switch code {
	case "NOAUTH":
		return "log in with -a PASSWORD, and -u USER where there are ACL users"
	case "WRONGPASS":
		return "check -u and -a; the password may also come from REDISCLI_AUTH"
	case "ERR":
		if refused != nil && refused.Command == "AUTH" {
			return "the server wants no password: leave out -a and -u, and unset REDISCLI_AUTH"
		}
	case "NOPERM":
		return "this user's ACL rules do not allow the command"
	case "MOVED":
		return "this is one node of a cluster, and the keys live on others; this version does not follow them"
	case "NOSCRIPT":
		return "load the script first: redis-cli SCRIPT LOAD \"…\""
	}
	return ""
}
