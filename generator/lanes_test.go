package generator

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/internal/redistest"
	"github.com/respbench/respbench/report"
)

// Lanes run at the same time and are counted apart.
func TestRunLanes(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	var most int
	r, err := Run(t.Context(), Config{
		Dialer: conn.Dialer{Address: s.Addr}, Duration: 600 * time.Millisecond, Warmup: 50 * time.Millisecond,
		Lanes: []Lane{
			{Name: "write", Templates: Only(program(t, "INCR n")), Connections: 2, Rate: 500},
			{Name: "read", Templates: []Template{{program(t, "GET n"), 1}, {program(t, "STRLEN n"), 1}}, Connections: 3},
		},
		OnProgress: func(p report.Snapshot) { most = max(most, p.Connections) },
	})
	if err != nil {
		t.Fatal(err)
	}
	write, read := r.Lanes[0], r.Lanes[1]
	if write.Name != "write" || write.OpenLoop == nil || write.Requests.Sent+write.OpenLoop.Missed != 300 || write.Connections != 2 {
		t.Errorf("%+v", write)
	}
	if read.Requests.Succeeded == 0 || len(read.Parts) != 2 || read.OpenLoop != nil {
		t.Errorf("%+v", read)
	}
	if sum := write.Requests.Succeeded + read.Requests.Succeeded; r.Requests.Succeeded != sum || r.Latency.Count != sum {
		t.Errorf("%d in all, %d in the lanes", r.Requests.Succeeded, sum)
	}
	if r.Workload.Connections != 5 || r.Connect.Count != 5 || most != 5 || len(read.Intervals) == 0 {
		t.Errorf("%+v %+v, %d in the progress", r.Workload, r.Connect, most)
	}
}

// A lane in which nothing succeeds ends all, and is named.
func TestRunLaneFails(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	start := time.Now()
	_, err := Run(t.Context(), Config{
		Dialer: conn.Dialer{Address: s.Addr}, Duration: time.Minute,
		Lanes: []Lane{{Name: "good", Templates: Only(program(t, "PING"))}, {Name: "bad", Templates: Only(program(t, "SETT x"))}},
	})
	var none *NoSuccessError
	if !errors.As(err, &none) || !strings.Contains(err.Error(), `lane "bad"`) || time.Since(start) > 10*time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
}

func TestLanesRefuse(t *testing.T) {
	t.Parallel()
	lanes := []Lane{{Name: "a", Templates: Only(program(t, "PING"))}}
	for want, cfg := range map[string]Config{
		"give them there": {Lanes: lanes, Connections: 5},
		"side by side":    {Lanes: lanes, Requests: 5},
		`lane "b"`:        {Lanes: []Lane{{Name: "b"}}},
		"more than 64":    {Lanes: make([]Lane, 65)},
	} {
		if err := cfg.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// With lanes an outage has its place in the series, which adds up.
func TestLanesTellOutages(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	progress, wait := onceRunning(func() { s.Do(t, "CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes") })
	r, err := Run(t.Context(), Config{
		Dialer: conn.Dialer{Address: s.Addr}, Duration: time.Second, Interval: 100 * time.Millisecond, Reconnect: true, OnProgress: progress,
		Lanes: []Lane{
			{Name: "write", Templates: Only(program(t, "INCR n")), Connections: 2, Rate: 500},
			{Name: "read", Templates: Only(program(t, "GET n")), Connections: 3},
		},
	})
	wait()
	if err != nil {
		t.Fatal(err)
	}
	if r.Faults == nil || len(r.Faults.Outages) != 1 || r.Connect.Again == nil || r.Connect.Again.Count != 5 || len(r.Intervals) < 2 {
		t.Fatalf("%+v %+v, %d intervals", r.Faults, r.Connect, len(r.Intervals))
	}
	var succeeded, reconnects, inLanes, end int64
	for _, i := range r.Intervals {
		succeeded, reconnects = succeeded+i.Succeeded, reconnects+i.Reconnects
		if i.P50Ns != nil || (i.MaxNs == nil) != (i.Succeeded == 0) || i.StartNs != end {
			t.Errorf("%+v", i)
		}
		end = i.StartNs + i.LengthNs
	}
	for _, lane := range r.Lanes {
		for _, i := range lane.Intervals {
			inLanes += i.Succeeded
		}
	}
	if succeeded != r.Requests.Succeeded || inLanes != succeeded || reconnects != 5 || end != r.WindowNs {
		t.Errorf("%d successes and %d connections in the intervals, %d in the lanes, of %+v; they end at %d of %d", succeeded, reconnects, inLanes, r.Requests, end, r.WindowNs)
	}
}
