package generator

import (
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/respbench/respbench/internal/redistest"
	"github.com/respbench/respbench/report"
)

// A silence is as long as nothing came although something was in flight.
func TestSilence(t *testing.T) {
	t.Parallel()
	type tick struct {
		now, replied, again int64
		inFlight            bool
	}
	tests := []struct {
		name  string
		ticks []tick
		want  stall
	}{
		{"replies all the time", []tick{{10, 9, 0, true}, {20, 19, 0, true}, {30, 30, 0, true}}, stall{}},
		{"one silence", []tick{{10, 9, 0, true}, {20, 9, 0, true}, {30, 9, 0, true}, {40, 38, 0, true}}, stall{9, 30}},
		{"the longest of two", []tick{{10, 9, 0, true}, {20, 9, 0, true}, {30, 21, 0, true}, {40, 21, 0, true}, {50, 21, 0, true}, {60, 51, 0, true}}, stall{21, 50}},
		{"to the end", []tick{{10, 9, 0, true}, {20, 9, 0, true}}, stall{9, 20}},
		{"nothing has come yet", []tick{{10, 0, 0, true}, {20, 0, 0, true}}, stall{}},
		{"nothing is asked", []tick{{10, 9, 0, false}, {20, 9, 0, false}, {30, 9, 0, false}}, stall{}},
		{"asked late", []tick{{10, 9, 0, false}, {20, 9, 0, false}, {30, 9, 0, true}, {40, 9, 0, true}, {50, 41, 0, true}}, stall{20, 40}},
		{"told to ask again", []tick{{10, 9, 0, true}, {20, 9, 3, true}, {30, 9, 5, true}}, stall{}},
	}
	for _, test := range tests {
		var s silence
		for _, k := range test.ticks {
			total := &ledger{Recorder: report.NewRecorder(), again: redirects{tryAgain: k.again}}
			total.LastReplyNs = k.replied
			s.tick(k.now, total, k.inFlight)
		}
		s.end()
		if s.longest != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, s.longest, test.want)
		}
	}
}

// It is told where it is long, as these requests go, and no outage tells it.
func TestStalled(t *testing.T) {
	t.Parallel()
	const second = int64(time.Second)
	of := func(latency int64, s stall, outages ...outage) outcome {
		o := outcome{total: &ledger{Recorder: report.NewRecorder()}, stall: s, outages: outages}
		o.total.Record(latency, 100)
		return o
	}
	for _, test := range []struct {
		name string
		o    outcome
		want string
	}{
		{"long", of(1e6, stall{3 * second, 5 * second}), "For at least 2.0 s, from 1.0 s on, nothing was answered"},
		{"short", of(1e6, stall{3 * second, 4*second - 1}), ""},
		{"commands that wait", of(second, stall{3 * second, 5 * second}), ""},
		{"in an outage", of(1e6, stall{3 * second, 5 * second}, outage{from: 4 * second, to: 6 * second}), ""},
		{"after an outage", of(1e6, stall{3 * second, 5 * second}, outage{from: second, to: 2 * second}), "nothing was answered"},
	} {
		if got := test.o.stalled(2 * second); !strings.Contains(got, test.want) || (got == "") != (test.want == "") {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
	if a, b := (stall{1, 5}), (stall{3, 9}); a.common(b) != (stall{3, 5}) || a.common(stall{5, 9}) != (stall{}) {
		t.Errorf("%+v", a.common(b))
	}
}

func TestBreakage(t *testing.T) {
	t.Parallel()
	for want, err := range map[string]error{"the server closed them": io.EOF, "broken pipe": errors.New("broken pipe")} {
		if got := breakage(err); got != want {
			t.Errorf("%v: %q", err, got)
		}
	}
}

// A server that stands still breaks no connection, and is told all the same.
func TestRunTellsStall(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	progress, wait := onceRunning(func() {
		s.Pause(t)
		time.Sleep(3 * time.Second) // so long does it stand still
		s.Resume(t)
	})
	r := mustRun(t, s, "INCR c", Config{Connections: 3, Duration: 5 * time.Second, OnProgress: progress})
	wait()
	told := strings.Join(r.Warnings, "\n")
	if !strings.Contains(told, "nothing was answered, and no connection broke") {
		t.Errorf("%q", told)
	}
}

// Where connections are not back at the end, the report says why.
func TestRunTellsWhyNotBack(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	progress, wait := onceRunning(func() { s.Kill(t) })
	r := mustRun(t, s, "INCR c", Config{Connections: 3, Duration: 2 * time.Second, Reconnect: true, OnProgress: progress})
	wait()
	told := strings.Join(r.Warnings, "\n")
	if !r.Down() || !strings.Contains(told, "At the end connections were not back: cannot connect to "+s.Addr+": connection refused.") {
		t.Errorf("%+v %q", r.Faults, told)
	}
}
