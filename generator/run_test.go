package generator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/internal/redistest"
	"github.com/respbench/respbench/report"
	"github.com/respbench/respbench/template"
)

// program compiles a template that is known to be right.
func program(t testing.TB, text string) *template.Program {
	t.Helper()
	p, err := template.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// run makes the load of cfg on s and wants a Result.
func mustRun(t testing.TB, s *redistest.Server, text string, cfg Config) *report.Result {
	t.Helper()
	r, err := runOn(t, s, text, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if q := r.Requests; q.Sent != q.Succeeded+q.Failed+q.Unanswered+q.Lost {
		t.Errorf("counts do not add up: %+v", q)
	}
	if r.Latency != nil && r.Latency.Count != r.Requests.Succeeded {
		t.Errorf("%d latencies of %d successes", r.Latency.Count, r.Requests.Succeeded)
	}
	return r
}

func runOn(t testing.TB, s *redistest.Server, text string, cfg Config) (*report.Result, error) {
	t.Helper()
	cfg.Templates = Only(program(t, text))
	cfg.Dialer.Address = s.Addr
	cfg.Dialer.Password = s.Password
	return Run(t.Context(), cfg)
}

func TestRunSendsExactlyN(t *testing.T) {
	t.Parallel()
	tests := []struct {
		n                 int64
		pipeline, c, loop int
	}{
		{103, 10, 8, 1}, {5, 50, 4, 1}, {1, 1000, 1, 1}, {10, 1, 3, 1}, {100_003, 1, 64, 1},
		{2, 1, 50, 1}, {103, 10, 8, 3}, {100_003, 16, 10, 4}, {7, 3, 0, 2}, {1, 1, 1, 4},
	}
	for _, engine := range []conn.Engine{conn.Auto, conn.Portable} {
		s := redistest.Start(t)
		t.Run(fmt.Sprint("engine ", engine), func(t *testing.T) {
			t.Parallel()
			for i, test := range tests {
				key := "c" + strconv.Itoa(i)
				r := mustRun(t, s, "INCR "+key, Config{
					Requests: test.n, Pipeline: test.pipeline, Connections: test.c, Threads: test.loop, Engine: engine,
				})
				if got := s.Do(t, "GET", key).Str; got != strconv.FormatInt(test.n, 10) {
					t.Errorf("%+v: the server counted %s", test, got)
				}
				if r.Requests.Succeeded != test.n || r.Requests.Sent != test.n {
					t.Errorf("%+v: the report counts %+v", test, r.Requests)
				}
			}
		})
	}
}

func TestRunUnits(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	r := mustRun(t, s, "MULTI ; INCR <key uniform 5 as k> ; EXPIRE <k> 60 ; EXEC", Config{Requests: 4000, Connections: 7, Pipeline: 10, Threads: 2})
	if r.Requests.Succeeded != 4000 {
		t.Errorf("%+v", r.Requests)
	}
	if got := s.Calls(t, "incr"); got != 1000 {
		t.Errorf("%d INCR", got)
	}
	if _, err := runOn(t, s, "MULTI ; EXEC", Config{Requests: 3}); err == nil || !strings.Contains(err.Error(), "unit of 2") {
		t.Errorf("a split unit: %v", err)
	}
}

// An error inside EXEC's reply is an error of that request.
func TestRunNestedErrors(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	s.Do(t, "SET", "text", "x")
	r := mustRun(t, s, "MULTI ; INCR text ; EXEC", Config{Requests: 30, Connections: 2})
	if r.Requests.Succeeded != 20 || r.Requests.Failed != 10 || r.Errors[0].Code != "ERR" {
		t.Errorf("%+v %+v", r.Requests, r.Errors)
	}
}

func TestLoadCoversSequencesExactly(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	for _, test := range []struct {
		template string
		count    []string
		want     int64
	}{
		{"SET {key sequence 1000} v", []string{"DBSIZE"}, 1000},
		{"SET {key sequence 1000} v", []string{"DBSIZE"}, 1000}, // a second time changes nothing
		{"ZADD z {key sequence 300} m{key sequence 300}", []string{"ZCARD", "z"}, 0},
		{"ZADD z {int sequence 300} m{key sequence 300}", []string{"ZCARD", "z"}, 300},
		{"HSET h{int sequence 10} {key sequence 107} {value 64}", []string{"HLEN", "h3"}, 107},
	} {
		r, err := runOn(t, s, test.template, Config{Load: true, Threads: 3})
		if test.want == 0 {
			if err == nil {
				t.Errorf("%s: a key as a score was accepted", test.template)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Do(t, test.count...).Int; got != test.want {
			t.Errorf("%s: %v is %d", test.template, test.count, got)
		}
		if r.Workload.Pipeline != 10 || r.Workload.Connections != 128 {
			t.Errorf("%s: %+v", test.template, r.Workload)
		}
	}
}

// What is sent depends on seed and index, not on who sends it.
func TestRunIsRepeatable(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	send := func(key string, cfg Config) []string {
		cfg.Requests = 2000
		mustRun(t, s, "RPUSH "+key+" <value 8..20>", cfg)
		var got []string
		for _, e := range s.Do(t, "LRANGE", key, "0", "-1").Elems {
			got = append(got, e.Str)
		}
		slices.Sort(got)
		return got
	}
	one := send("a", Config{Seed: 7, Connections: 1, Threads: 1})
	many := send("b", Config{Seed: 7, Connections: 30, Threads: 4, Pipeline: 16})
	warm := send("c", Config{Seed: 7, Connections: 5, Pipeline: 3})
	if diff := cmp.Diff(one, many); diff != "" {
		t.Errorf("thirty connections sent other values:\n%s", diff)
	}
	if !slices.Equal(one, warm) {
		t.Error("five connections sent other values")
	}
	if slices.Equal(one, send("d", Config{Seed: 8, Connections: 1})) {
		t.Error("another seed sent the same values")
	}
}

func TestRunTimed(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	start := time.Now()
	r := mustRun(t, s, "INCR x", Config{Duration: 500 * time.Millisecond, Connections: 1, Interval: 100 * time.Millisecond})
	if took := time.Since(start); took < 500*time.Millisecond || took > 5*time.Second {
		t.Errorf("took %v", took)
	}
	if w := time.Duration(r.WindowNs); w < 400*time.Millisecond || w > 5*time.Second {
		t.Errorf("window %v", w)
	}
	if got := s.Calls(t, "incr"); got != r.Requests.Succeeded {
		t.Errorf("the server counted %d, the report %d", got, r.Requests.Succeeded)
	}
	// Little's law: with one connection and no pipeline, one request is in
	// flight, but for the time between a reply and the next request.
	if inFlight := r.RatePerSec * float64(r.Latency.AvgNs) / 1e9; inFlight < 0.4 || inFlight > 1.01 {
		t.Errorf("throughput x latency = %.3f", inFlight)
	}
	// An interval may last longer where the machine is busy.
	var series, lasted int64
	for _, i := range r.Intervals {
		series += i.Succeeded
		lasted += i.LengthNs
	}
	if series != r.Requests.Succeeded || lasted != r.WindowNs || len(r.Intervals) < 2 {
		t.Errorf("%d intervals with %d of %d successes in %d of %d ns", len(r.Intervals), series, r.Requests.Succeeded, lasted, r.WindowNs)
	}
}

// Tuning and warm-up send requests, and none of them is in the figures.
func TestRunMeasuresTheWindowOnly(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	r := mustRun(t, s, "INCR x", Config{Duration: 300 * time.Millisecond, Warmup: 200 * time.Millisecond})
	if !r.Workload.Tuned || r.Workload.Connections < 1 || len(r.Tuning) < 3 {
		t.Errorf("not tuned: %+v %v", r.Workload, r.Tuning)
	}
	if all := s.Calls(t, "incr"); all <= r.Requests.Succeeded {
		t.Errorf("the server saw %d requests, %d of them measured", all, r.Requests.Succeeded)
	}
	if w := time.Duration(r.WindowNs); w > time.Second {
		t.Errorf("window %v", w)
	}
	if r.Connect.Count != int64(r.Workload.Connections) {
		t.Errorf("%d of %d connections worked", r.Connect.Count, r.Workload.Connections)
	}
}

func TestRunLatencyIsTheServers(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t, "--enable-debug-command", "yes")
	r := mustRun(t, s, "DEBUG SLEEP 0.2", Config{Requests: 3, Connections: 1})
	if ms := r.Latency.MaxNs / 1e6; ms < 200 || ms > 400 {
		t.Errorf("max %d ms", ms)
	}
	if r.Latency.MinNs < 200e6 {
		t.Errorf("min %d ns", r.Latency.MinNs)
	}
}

// A run that ended as nothing succeeded has failed, also if what was in flight
// succeeded after all.
func TestLateSuccessIsNoRun(t *testing.T) {
	t.Parallel()
	out := outcome{total: newLedger(&Config{}), stopped: errNothingSucceeds}
	out.total.Fail([]byte("LOADING"), []byte("LOADING Redis is loading"), 1)
	out.total.Record(1, 2)
	if err := failure(out); err == nil || !strings.Contains(err.Error(), "LOADING") {
		t.Errorf("error %v", err)
	}
	out.stopped = nil
	if err := failure(out); err != nil {
		t.Errorf("a run to its end: %v", err)
	}
}

func TestRunNothingSucceeds(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	s.Do(t, "SET", "text", "x")
	for _, test := range []struct {
		template, code string
		cfg            Config
	}{
		{"SETT a b", "ERR", Config{Duration: time.Minute, Connections: 4}},
		{"SETT a b", "ERR", Config{Duration: time.Minute}}, // while tuning
		{"SETT a b", "ERR", Config{Duration: time.Minute, Warmup: time.Minute, Connections: 1}},
		{"LPUSH text x", "WRONGTYPE", Config{Requests: 3}},
		{"LPUSH text x", "WRONGTYPE", Config{}}, // no limit at all
	} {
		start := time.Now()
		_, err := runOn(t, s, test.template, test.cfg)
		var none *NoSuccessError
		if !errors.As(err, &none) || none.Code() != test.code {
			t.Errorf("%s %+v: %v", test.template, test.cfg, err)
		}
		if took := time.Since(start); took > 3*time.Second {
			t.Errorf("%s: took %v", test.template, took)
		}
	}
}

func TestRunSomeErrors(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	s.Do(t, "SET", "k0", "x")
	r := mustRun(t, s, "LPUSH k<int sequence 2> v", Config{Requests: 1000, Connections: 5})
	if r.Requests.Succeeded != 500 || r.Requests.Failed != 500 {
		t.Errorf("%+v", r.Requests)
	}
	if e := r.Errors[0]; e.Code != "WRONGTYPE" || e.Count != 500 || !strings.HasPrefix(e.Sample, "WRONGTYPE ") {
		t.Errorf("%+v", e)
	}
}

func TestRunUnanswered(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	start := time.Now()
	r := mustRun(t, s, "BLPOP nokey{rand 5} 30", Config{Duration: 300 * time.Millisecond, Connections: 20, Threads: 2})
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
	if r.Requests.Unanswered != 20 || r.Latency != nil || r.RatePerSec != 0 {
		t.Errorf("%+v, latency %v, rate %v", r.Requests, r.Latency, r.RatePerSec)
	}
}

// A server that stalls to the end of the run must not look as fast as it was
// before the stall.
func TestRunStalledServer(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	paused := false
	r, err := runOn(t, s, "INCR x", Config{
		Duration: 600 * time.Millisecond, Connections: 5, Interval: 100 * time.Millisecond,
		OnProgress: func(report.Snapshot) {
			if !paused {
				paused = true
				s.Pause(t)
			}
		},
	})
	s.Resume(t)
	if err != nil {
		t.Fatal(err)
	}
	if r.Requests.Unanswered != 5 {
		t.Errorf("%+v", r.Requests)
	}
	if w := time.Duration(r.WindowNs); w < 590*time.Millisecond {
		t.Errorf("the window ended after %v", w)
	}
	var slices int64
	for _, i := range r.Intervals {
		if i.StartNs != slices {
			t.Errorf("an interval starts at %d ns, the one before ended at %d", i.StartNs, slices)
		}
		slices += i.LengthNs
	}
	if slices != r.WindowNs {
		t.Errorf("intervals of %d ns in a window of %d", slices, r.WindowNs)
	}
}

func TestRunInterrupted(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	cause := errors.New("SIGINT")
	for _, text := range []string{"PING", "BLPOP nokey 30"} {
		ctx, cancel := context.WithCancelCause(t.Context())
		cfg := Config{
			Templates: Only(program(t, text)), Connections: 2, Dialer: conn.Dialer{Address: s.Addr},
			OnProgress: func(report.Snapshot) { cancel(cause) },
		}
		r, err := Run(ctx, cfg)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if r.Interrupted != "SIGINT" || (r.Requests.Succeeded == 0) == (text == "PING") {
			t.Errorf("%s: interrupted %q, %+v", text, r.Interrupted, r.Requests)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	if _, err := Run(ctx, Config{Templates: Only(program(t, "PING")), Dialer: conn.Dialer{Address: s.Addr}}); err != cause {
		t.Errorf("interrupted before the start: %v", err)
	}
}

func TestRunServerDies(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	var once bool
	r, err := runOn(t, s, "PING", Config{Duration: time.Minute, Connections: 3, OnProgress: func(report.Snapshot) {
		if !once {
			once = true
			s.Kill(t)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Requests.Lost == 0 || r.Requests.Succeeded == 0 || !strings.Contains(r.Warnings[0], "3 of 3 connections broke") {
		t.Errorf("%+v %q", r.Requests, r.Warnings)
	}
}

func TestRunCannotConnect(t *testing.T) {
	t.Parallel()
	full := redistest.Start(t, "--maxclients", "20")
	_, err := runOn(t, full, "PING", Config{Requests: 100, Connections: 50})
	if err == nil || !strings.Contains(err.Error(), "of 50 connections made") || !strings.Contains(err.Error(), "max number of clients") {
		t.Errorf("maxclients: %v", err)
	}
	locked := redistest.Start(t, "--requirepass", "secret")
	locked.Password = ""
	var refused *conn.RefusedError
	if _, err := runOn(t, locked, "GET x", Config{}); !errors.As(err, &refused) || !strings.HasPrefix(refused.Reply, "NOAUTH") {
		t.Errorf("no password: %v", err)
	}
}

// Tuning does not fail because the server takes fewer connections than it
// would try.
func TestTuneWithinMaxclients(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t, "--maxclients", "6")
	r := mustRun(t, s, "PING", Config{Duration: 100 * time.Millisecond})
	if r.Workload.Connections > 5 {
		t.Errorf("%d connections", r.Workload.Connections)
	}
}

func TestRunHitsAndFacts(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t, "--appendonly", "yes", "--appendfsync", "no")
	mustRun(t, s, "SET <key sequence 50> <value 64>", Config{Load: true})
	r := mustRun(t, s, "GET <key sequence 100>", Config{Requests: 1000, Connections: 4})
	if r.Requests.Empty != 500 || *r.Server.Hits != 500 || *r.Server.Misses != 500 {
		t.Errorf("empty %d, hits %v, misses %v", r.Requests.Empty, r.Server.Hits, r.Server.Misses)
	}
	if f := r.Server; f.Name != "redis" || f.Mode != "standalone" || f.Persistence != "AOF no" || f.Keys.After != 50 || f.CPUNs == nil {
		t.Errorf("%+v", f)
	}
}

func TestRunWithoutInfo(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	s.Do(t, "ACL", "SETUSER", "a@b", "on", ">p:/#?% é\"", "+get", "~*")
	r, err := Run(t.Context(), Config{
		Templates: Only(program(t, "GET x")), Requests: 10,
		Dialer: conn.Dialer{Address: s.Addr, User: "a@b", Password: "p:/#?% é\""},
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.Requests.Succeeded != 10 || len(r.Server.Notes) == 0 || !strings.Contains(r.Server.Notes[0], "NOPERM") {
		t.Errorf("%+v %+v", r.Requests, r.Server)
	}
}

func TestRunOverSocketAndRESP3(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	r, err := Run(t.Context(), Config{
		Templates: Only(program(t, "HGETALL none")), Requests: 100, Connections: 3, Pipeline: 10,
		Dialer: conn.Dialer{Network: "unix", Address: s.Socket, RESP3: true, DB: 3},
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.Requests.Empty != 100 || r.Target.Protocol != 3 || r.Target.DB != 3 {
		t.Errorf("%+v %+v", r.Requests, r.Target)
	}
}

func TestRunLargeValues(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	mustRun(t, s, "SET big{int sequence 4} {value 20000000}", Config{Requests: 8, Connections: 4, Pipeline: 4, Threads: 2})
	if got := s.Do(t, "STRLEN", "big3").Int; got != 20_000_000 {
		t.Errorf("STRLEN %d", got)
	}
	r := mustRun(t, s, "GET big{int sequence 4}", Config{Requests: 8, Connections: 4})
	if r.Traffic.ReceivedBytes < 8*20_000_000 {
		t.Errorf("received %d", r.Traffic.ReceivedBytes)
	}
}

func TestRunPinned(t *testing.T) {
	t.Parallel()
	ids := conn.UsableCPUs()
	if ids == nil {
		t.Skip("this system does not pin")
	}
	s := redistest.Start(t)
	r := mustRun(t, s, "PING", Config{Requests: 1000, Connections: 4, Cores: ids[:1], Threads: 2})
	if r.Workload.Threads != 2 || r.Requests.Succeeded != 1000 {
		t.Errorf("%+v", r)
	}
}
