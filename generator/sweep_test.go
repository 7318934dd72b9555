package generator

import (
	"bufio"
	"context"
	"errors"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/internal/redistest"
	"github.com/respbench/respbench/internal/resp"
	"github.com/respbench/respbench/report"
)

const shortStep = 80 * time.Millisecond

func sweepOn(t *testing.T, addr, text string, cfg SweepConfig) (*report.SweepResult, error) {
	t.Helper()
	cfg.Step.Templates = Only(program(t, text))
	cfg.Step.Dialer = conn.Dialer{Address: addr}
	if cfg.Step.Duration == 0 {
		cfg.Step.Duration = shortStep
	}
	r, err := RunSweep(t.Context(), cfg)
	if err == nil {
		checkSweep(t, r)
	}
	return r, err
}

// checkSweep checks what is true of every sweep.
func checkSweep(t *testing.T, r *report.SweepResult) {
	t.Helper()
	if r.Kind != report.KindSweep || r.Schema != report.Schema || len(r.Steps) == 0 {
		t.Fatalf("%+v", r)
	}
	for i, s := range r.Steps {
		if s.Held && !s.Kept || s.At < r.Sweep.From/descent-1 || s.At > r.Sweep.To {
			t.Errorf("step %d: %+v within %+v", i, s, r.Sweep)
		}
	}
	if h := r.Highest; h != nil && (r.Steps[h.Step].At != h.At || !r.Steps[h.Step].Held || h.Fails != nil && *h.Fails <= h.At) {
		t.Errorf("highest %+v: %+v", h, r.Steps[h.Step])
	}
	if k := r.Knee; k != nil && r.Steps[k.Step].At != k.At {
		t.Errorf("knee %+v", k)
	}
}

// rateLimited is a server that works on one command at a time, for as long as
// service; answer is its reply to WORK number n.
func rateLimited(t *testing.T, service time.Duration, answer func(n int) string) string {
	var one sync.Mutex
	n := 0
	return redistest.Fake(t, func(c net.Conn) {
		in := bufio.NewReader(c)
		for {
			v, err := resp.ReadValue(in)
			if err != nil {
				return
			}
			reply := "+OK\r\n"
			if v.Elems[0].Str == "WORK" {
				one.Lock()
				time.Sleep(service)
				n++
				reply = answer(n)
				one.Unlock()
			}
			if _, err := c.Write([]byte(reply)); err != nil {
				return
			}
		}
	})
}

func ok(int) string { return "+OK\r\n" }

func TestSweepByRate(t *testing.T) {
	t.Parallel()
	// Sleeping may take a little longer than asked for, never shorter.
	const most = 500.0
	r, err := sweepOn(t, rateLimited(t, 2*time.Millisecond, ok), "WORK", SweepConfig{Step: Config{Duration: 2 * shortStep, Connections: 8}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Sweep.By != report.ByRate || r.Sweep.Trial == nil || r.Sweep.Trial.RatePerSec > most*1.05 {
		t.Errorf("%+v, trial %+v", r.Sweep, r.Sweep.Trial)
	}
	if h := r.Highest; h == nil || h.Fails == nil || h.At < 50 || h.At > most*1.4 {
		t.Errorf("highest: %+v", h)
	}
	if len(r.Steps) > maxProbes {
		t.Errorf("%d steps", len(r.Steps))
	}
}

func TestSweepWithObjective(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	o := objective(t, "p99<60s")
	r, err := sweepOn(t, s.Addr, "PING", SweepConfig{From: 100, To: 400, Objective: &o, Step: Config{Connections: 4, Percentiles: []float64{50}}})
	if err != nil {
		t.Fatal(err)
	}
	if h := r.Highest; h == nil || h.At != 400 || h.Fails != nil || r.Sweep.Trial != nil || r.Sweep.Objective != "p99<60s" {
		t.Errorf("highest %+v, sweep %+v", h, r.Sweep)
	}
	if first := r.Steps[0].Result; first.Latency.Percentiles[1].Percent != 99 || first.Workload.Connections != 4 || !first.Objectives[0].Held {
		t.Errorf("%+v", first)
	}
	if !strings.Contains(strings.Join(r.Warnings, " "), "not full") {
		t.Errorf("warnings: %q", r.Warnings)
	}
	o = objective(t, "p99<1ns")
	r, err = sweepOn(t, s.Addr, "PING", SweepConfig{From: 300, To: 400, Objective: &o})
	if err != nil {
		t.Fatal(err)
	}
	if !r.MissedObjective() || r.Highest != nil || r.Steps[0].Kept && r.Steps[0].Held {
		t.Errorf("%+v", r)
	}
}

func TestSweepByConnections(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	r, err := sweepOn(t, s.Addr, "PING", SweepConfig{By: report.ByConnections, To: 4, Step: Config{Pipeline: 3}})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Steps) != 3 || r.Steps[2].Result.Workload.Connections != 4 || r.Steps[2].Result.Workload.Pipeline != 3 || r.Highest != nil || r.Steps[0].Result.OpenLoop != nil {
		t.Errorf("%+v", r)
	}
}

// A server that answers by errors above a rate ends the climb; one that does
// so from the start, the sweep.
func TestSweepOnErrors(t *testing.T) {
	t.Parallel()
	addr := rateLimited(t, 0, func(n int) string {
		if n > 300 {
			return "-BUSY slow down\r\n"
		}
		return "+OK\r\n"
	})
	r, err := sweepOn(t, addr, "WORK", SweepConfig{From: 1000, To: 10_000, Step: Config{Duration: 450 * time.Millisecond, Connections: 4}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Highest != nil || !r.Failed() || len(r.Steps) > 4 {
		t.Errorf("highest %+v in %d steps", r.Highest, len(r.Steps))
	}
	last := r.Steps[len(r.Steps)-1].Result
	if len(last.Errors) != 1 || last.Errors[0].Code != "BUSY" || last.Requests.Succeeded != 0 || last.Workload.Template != "WORK" {
		t.Errorf("%+v", last)
	}
	s := redistest.Start(t)
	var none *NoSuccessError
	for _, cfg := range []SweepConfig{{}, {From: 1000, To: 2000}, {By: report.ByConnections}} {
		if _, err := sweepOn(t, s.Addr, "SETT a b", cfg); !errors.As(err, &none) {
			t.Errorf("%+v: %v", cfg, err)
		}
	}
}

func TestSweepWithoutReplies(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	start := time.Now()
	if _, err := sweepOn(t, s.Addr, "BLPOP none 60", SweepConfig{}); err == nil || !strings.Contains(err.Error(), "brought no reply") {
		t.Errorf("%v", err)
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
}

// duringSweep calls f once, when the progress is in the step of that name.
func duringSweep(name string, f func()) func(report.Snapshot) {
	var once sync.Once
	return func(s report.Snapshot) {
		if strings.HasPrefix(s.Phase, name) {
			once.Do(f)
		}
	}
}

func TestSweepInterrupted(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	cause := errors.New("SIGINT")
	ctx, cancel := context.WithCancelCause(t.Context())
	r, err := RunSweep(ctx, SweepConfig{From: 100, To: 1000, Step: Config{
		Templates: Only(program(t, "PING")), Dialer: conn.Dialer{Address: s.Addr}, Duration: 400 * time.Millisecond,
		OnProgress: duringSweep("step 2 at ", func() { cancel(cause) }),
	}})
	if err != nil {
		t.Fatal(err)
	}
	checkSweep(t, r)
	if r.Interrupted != "SIGINT" || len(r.Steps) != 2 || r.Steps[1].Result.Interrupted != "SIGINT" ||
		r.Highest != nil && r.Highest.At != 100 { // none was kept, on a busy machine
		t.Errorf("interrupted %q, %d steps, highest %+v", r.Interrupted, len(r.Steps), r.Highest)
	}
	ctx, cancel = context.WithCancelCause(t.Context())
	_, err = RunSweep(ctx, SweepConfig{Step: Config{
		Templates: Only(program(t, "PING")), Dialer: conn.Dialer{Address: s.Addr},
		OnProgress: duringSweep("trial", func() { cancel(cause) }),
	}})
	if err != cause {
		t.Errorf("interrupted in the trial: %v", err)
	}
}

func TestSweepServerDies(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	r, err := sweepOn(t, s.Addr, "PING", SweepConfig{From: 100, To: 1000, Step: Config{
		Duration: 400 * time.Millisecond, OnProgress: duringSweep("step 2 at ", func() { s.Kill(t) }),
	}})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Steps) > 0 && !r.Steps[0].Kept {
		t.Skip("this machine is too busy to keep 100 requests a second")
	}
	if !strings.HasPrefix(r.Problem, "step 3 at ") || !strings.Contains(r.Problem, "connection refused") || !r.Failed() || r.Highest.At != 100 {
		t.Errorf("problem %q, highest %+v", r.Problem, r.Highest)
	}
}

func TestSweepConfigErrors(t *testing.T) {
	t.Parallel()
	o := func(text string) *Objective { o := objective(t, text); return &o }
	for _, test := range []struct {
		cfg  SweepConfig
		want string
	}{
		{SweepConfig{By: "moon"}, `sweep by "moon"`},
		{SweepConfig{Step: Config{Rate: 1}}, "not for its steps"},
		{SweepConfig{Step: Config{Load: true}}, "not for its steps"},
		{SweepConfig{Step: Config{AbortIf: []Objective{*o("errors>1")}}}, "not for its steps"},
		{SweepConfig{By: report.ByConnections, Step: Config{Connections: 1}}, "raises the connections itself"},
		{SweepConfig{From: -1}, "from -1 is not above 0"},
		{SweepConfig{To: 1e10}, "to 1e+10 is not above 0 and up to 1e+09"},
		{SweepConfig{From: 2, To: 1}, "from 2 is above to 1"},
		{SweepConfig{By: report.ByConnections, From: 1.5}, "from 1.5 is not a whole number"},
		{SweepConfig{By: report.ByConnections, To: 2e6}, "to 2e+06 is not above 0"},
		{SweepConfig{Objective: o("qps>5")}, "upper bound"},
		{SweepConfig{Objective: o("p99>5ms")}, "upper bound"},
		{SweepConfig{Objective: o("unanswered<5")}, ""},
		{SweepConfig{By: report.ByConnections, Objective: o("service p99<5ms")}, "a closed loop has no service time"},
		{SweepConfig{Objective: o("service p99<5ms")}, ""},
		{SweepConfig{Step: Config{Interval: 1}}, "interval"},
		{SweepConfig{}, ""},
	} {
		test.cfg.Step.Templates = Only(program(t, "PING"))
		err := test.cfg.Validate()
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want %q", err, test.want)
		}
	}
	if _, err := RunSweep(t.Context(), SweepConfig{}); err == nil {
		t.Error("no template, no error")
	}
}

// The time that one request takes does not count as a rate that was not kept,
// nor do 20 ms.
func TestInTime(t *testing.T) {
	t.Parallel()
	latency := &report.Latency{MinNs: 200e6}
	open := func(sent, succeeded, missed, windowMs int64) *report.Result {
		return &report.Result{
			Workload: report.Workload{DurationNs: 1e9}, WindowNs: windowMs * 1e6, Latency: latency,
			Requests: report.Requests{Sent: sent, Succeeded: succeeded}, OpenLoop: &report.OpenLoop{Missed: missed},
		}
	}
	closed := open(100, 50, 0, 5000)
	closed.OpenLoop = nil
	nothing := open(0, 0, 0, 1000)
	nothing.Latency = nil
	for i, test := range []struct {
		r    *report.Result
		want float64
	}{
		{open(100, 100, 0, 1000), 1}, {open(100, 100, 0, 1220), 1}, {open(100, 100, 0, 2220), 0.5}, {open(100, 100, 0, 1470), 0.8},
		{open(100, 90, 0, 1000), 0.9}, {open(50, 50, 50, 1000), 0.5}, {open(10, 10, 0, 900), 1},
		{closed, 0.5}, {nothing, 0},
	} {
		if got := inTime(test.r); !near(got, test.want, 1.0001) {
			t.Errorf("%d: %v, want %v", i, got, test.want)
		}
	}
}
