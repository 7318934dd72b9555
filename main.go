// Command respbench makes load for every server that speaks the Redis
// protocol, and measures it. See README.md, or respbench --help.
package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	args := hideSecrets(os.Args)[1:] // before anything else, and for good
	// A reader that leaves early (| head -1) must not end a run whose result
	// goes to a file; writing to it then is an ordinary error.
	signal.Ignore(syscall.SIGPIPE)
	ctx, cancel := context.WithCancelCause(context.Background())
	go interrupts(cancel)
	os.Exit(run(ctx, args, os.Stdout, os.Stderr))
}

// echo is how soon after the first a second signal is taken for the same one:
// timeout(1), for instance, signals its child and then the child's group.
const echo = 100 * time.Millisecond

// interrupts ends the run at the first signal, with a full report, and the
// program at the second.
func interrupts(cancel context.CancelCauseFunc) {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	cancel(interrupted{<-signals})
	first := time.Now()
	for s := range signals {
		if time.Since(first) > echo {
			os.Exit(interrupted{s}.status())
		}
	}
}

// interrupted is the cause with which a signal ends a run.
type interrupted struct{ os.Signal }

func (i interrupted) Error() string {
	switch i.Signal {
	case syscall.SIGTERM:
		return "SIGTERM"
	case syscall.SIGHUP:
		return "SIGHUP"
	}
	return "SIGINT"
}

// status is the shell's: 128 and the signal's number.
func (i interrupted) status() int {
	switch i.Signal {
	case syscall.SIGTERM:
		return 128 + 15
	case syscall.SIGHUP:
		return 128 + 1
	}
	return 128 + 2
}

// Exit statuses, beside those of signals.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
	exitMissed = 3
)

// run is the whole program: it does what args say and returns the exit
// status. It ends early, with a report of what was measured, when ctx does.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	command, err := parse(args, stdout)
	if err == nil && command != nil {
		err = command.run(ctx, stdout, stderr)
	}
	if errors.Is(err, syscall.EPIPE) {
		return exitFailed // whoever read our output has left; there is nobody to tell
	}
	return explain(stderr, err)
}
