package suite

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/respbench/respbench/internal/redistest"
	"github.com/respbench/respbench/report"
)

// What prepare made is taken back after the test, also of one that failed, and
// nothing is taken back where nothing was made.
func TestRunCleansUp(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	prepare, cleanup := []string{"SADD ${prefix}open x", "INCR ${prefix}prepared"}, []string{"RENAME ${prefix}open ${prefix}closed"}
	r, err := Run(t.Context(), briefly(Config{
		Suite: suiteOf(
			Test{Name: "fine", Prepare: prepare, Cleanup: cleanup, Template: "SADD ${prefix}open y"},
			Test{Name: "failing", Prepare: prepare, Cleanup: cleanup, Template: "INCR ${prefix}open"},
			Test{Name: "unfilled", Prepare: prepare, Cleanup: cleanup, Preload: []Preload{{"INCR ${prefix}open", "5"}}, Template: "PING"},
			Test{Name: "unprepared", Prepare: []string{"SADD ${prefix}open x", "INCR ${prefix}open"}, Cleanup: cleanup, Template: "PING"},
			Test{Name: "unclean", Cleanup: []string{"RENAME ${prefix}none ${prefix}x", "SADD ${prefix}closed x"}, Template: "PING"},
		),
		Targets: []Target{at("", s)},
	}))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		open, closed int64
		problem      string
	}{
		{0, 2, ""},
		{0, 1, "WRONGTYPE"},
		{0, 1, "preload: nothing succeeded"},
		{1, 0, "prepare INCR"},
		{0, 1, "cleanup RENAME: ERR no such key"},
	} {
		test := r.Tests[i]
		run := test.Cells[0].Runs[0]
		open, closed := s.Do(t, "SCARD", run.Prefix+"open").Int, s.Do(t, "SCARD", run.Prefix+"closed").Int
		if open != want.open || closed != want.closed {
			t.Errorf("%s: %d open and %d closed, want %d and %d", test.Name, open, closed, want.open, want.closed)
		}
		if !strings.Contains(run.Problem, want.problem) || (want.problem == "") != (run.Problem == "") {
			t.Errorf("%s: %q, want %q", test.Name, run.Problem, want.problem)
		}
	}
	if unclean := r.Tests[4].Cells[0]; unclean.Median() == nil || !r.Failed() {
		t.Errorf("a test that could not be cleaned up has no figure, or is no failure: %+v", unclean)
	}
}

// A suite that is interrupted cleans up all the same.
func TestRunCleansUpAfterInterrupt(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	two := 2
	ctx, cancel := context.WithCancelCause(t.Context())
	r, err := Run(ctx, Config{
		Suite: suiteOf(Test{
			Name: "x", Prepare: []string{"SADD ${prefix}open x"}, Cleanup: []string{"RENAME ${prefix}open ${prefix}closed"}, Template: "PING",
		}),
		Targets: []Target{at("", s)}, Load: Load{Duration: time.Hour, Connections: &two},
		OnProgress: func(report.Snapshot) { cancel(errors.New("SIGINT")) },
	})
	if err != nil || r.Interrupted != "SIGINT" {
		t.Fatalf("%v, interrupted by %q", err, r.Interrupted)
	}
	if run := r.Tests[0].Cells[0].Runs[0]; run.Problem != "" || s.Do(t, "SCARD", run.Prefix+"closed").Int != 1 {
		t.Errorf("%q, or not cleaned up", run.Problem)
	}
}
