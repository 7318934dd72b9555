package generator

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/internal/redistest"
	"github.com/respbench/respbench/report"
)

// onceRunning returns an OnProgress that calls do, on a goroutine of its own,
// as soon as requests succeed in the measured phase, and a function that waits
// until do has returned.
func onceRunning(do func()) (func(report.Snapshot), func()) {
	var once sync.Once
	done := make(chan struct{})
	return func(s report.Snapshot) {
		if s.Phase == "measuring" && s.Done > s.Failed {
			once.Do(func() {
				go func() {
					defer close(done)
					do()
				}()
			})
		}
	}, func() { <-done }
}

// eachEngine runs a test on every engine that this system has.
func eachEngine(t *testing.T, test func(t *testing.T, engine conn.Engine)) {
	t.Run("fastest", func(t *testing.T) { t.Parallel(); test(t, conn.Auto) })
	t.Run("portable", func(t *testing.T) { t.Parallel(); test(t, conn.Portable) })
}

// The server's counter is the witness: with a server that loses its
// connections and no data, each request is done once, or twice where it was
// sent again.
func TestReconnectAfterClientKill(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(t *testing.T, engine conn.Engine) {
		s := redistest.Start(t)
		progress, wait := onceRunning(func() {
			for range 3 {
				s.Do(t, "CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
			}
		})
		r := mustRun(t, s, "INCR c", Config{
			Connections: 10, Pipeline: 4, Threads: 2, Duration: time.Second, Reconnect: true,
			OnProgress: progress, Interval: 100 * time.Millisecond, Engine: engine,
		})
		wait()
		q, f := r.Requests, r.Faults
		if f == nil {
			t.Fatal("no faults in the report")
		}
		done, _ := strconv.ParseInt(s.Do(t, "GET", "c").Str, 10, 64)
		if q.Lost != 0 || q.Unanswered != 0 || q.Succeeded != q.Sent || done < q.Succeeded || done > q.Succeeded+f.Repeated {
			t.Errorf("%+v, %+v, and the server counts %d", q, f, done)
		}
		if f.Reconnects < 10 || len(f.Outages) != 1 || f.Outages[0].Caught < 1 || r.Connect.Again.Count != f.Reconnects {
			t.Errorf("faults: %+v, connecting again: %+v", f, r.Connect.Again)
		}
		var repeated, reconnects int64
		for _, i := range r.Intervals {
			repeated, reconnects = repeated+i.Repeated, reconnects+i.Reconnects
		}
		if repeated != f.Repeated || reconnects != f.Reconnects {
			t.Errorf("the series has %d repeated requests and %d connections, the sum %+v", repeated, reconnects, f)
		}
		if len(r.Server.Notes) > 0 {
			t.Errorf("the facts after the run are missing: %v", r.Server.Notes)
		}
	})
}

// A server that is gone for a while: the run keeps its count, and what was
// caught waits as long as the outage lasted.
func TestReconnectAfterRestart(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		cfg  Config
	}{
		{"closed loop", Config{Connections: 8, Pipeline: 5, Requests: 300_000}},
		{"open loop", Config{Connections: 8, Rate: 20000, Requests: 30_000}},
		{"units", Config{Connections: 4, Pipeline: 9, Requests: 300_000}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := redistest.Start(t)
			cfg := test.cfg
			cfg.Reconnect = true
			var down, up time.Time
			var wait func()
			cfg.OnProgress, wait = onceRunning(func() {
				down = time.Now()
				s.Kill(t)
				time.Sleep(300 * time.Millisecond) // the length of the outage
				up = time.Now()
				s.Restart(t)
			})
			text := "SET <key sequence 1000000> v"
			if test.name == "units" {
				text = "MULTI ; SET <key sequence 1000000> v ; EXEC"
			}
			r := mustRun(t, s, text, cfg)
			wait()
			q := r.Requests
			if q.Sent != cfg.Requests || q.Succeeded != cfg.Requests || q.Lost != 0 {
				t.Errorf("%+v", q)
			}
			if len(r.Faults.Outages) != 1 {
				t.Fatalf("%+v", r.Faults)
			}
			if r.Server.CPUNs != nil || len(r.Server.Notes) != 1 || !strings.Contains(r.Server.Notes[0], "started again") {
				t.Errorf("of two processes: %+v", r.Server)
			}
			o := r.Faults.Outages[0]
			if !o.Over || r.Down() {
				t.Errorf("the server came back, and the outage goes on: %+v", o)
			}
			if least := int64(up.Sub(down)) * 9 / 10; o.LengthNs < least || r.Latency.MaxNs < least {
				t.Errorf("an outage of %v is reported as %v, the longest latency as %v", up.Sub(down), time.Duration(o.LengthNs), time.Duration(r.Latency.MaxNs))
			}
		})
	}
}

// An outage that is not over belongs to the run until sending ended, also where
// no request was in flight when it began: those of an open loop at two a second
// are answered long before the next is due, and are never sent.
func TestOutageGoesOnAtTheEnd(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	progress, wait := onceRunning(func() { s.Kill(t) })
	const lasts = 2 * time.Second
	r := mustRun(t, s, "SET k v", Config{Connections: 3, Rate: 2, Duration: lasts, Reconnect: true, OnProgress: progress})
	wait()
	if r.Requests.Unanswered+r.Requests.Lost != 0 || r.WindowNs < int64(lasts) {
		t.Errorf("%+v in %v", r.Requests, time.Duration(r.WindowNs))
	}
	if f := r.Faults; f == nil || len(f.Outages) != 1 || f.Outages[0].Over || !r.Down() {
		t.Errorf("%+v", r.Faults)
	}

	second := int64(time.Second)
	out := outcome{total: newLedger(&Config{}), sentUntil: 9 * second}
	out.total.FirstSentNs, out.total.LastReplyNs, out.brokeAt = second, 2*second, 3*second
	for _, test := range []struct {
		outages []outage
		to      int64
	}{
		{nil, 3},
		{[]outage{{from: 3 * second, to: 4 * second}}, 3},
		{[]outage{{from: 3 * second}}, 9},
		{[]outage{{from: 3 * second}, {from: 4 * second, to: 5 * second}}, 9},
	} {
		out.outages = mergeOutages(test.outages, 10*second)
		if _, to := out.window(); to != test.to*second {
			t.Errorf("%+v: the window ends at %v, want %d s", test.outages, time.Duration(to), test.to)
		}
	}
}

// Without reconnect a run ends with its server, and says so.
func TestServerDies(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	progress, wait := onceRunning(func() { s.Kill(t) })
	r := mustRun(t, s, "PING", Config{Connections: 5, Duration: 20 * time.Second, OnProgress: progress})
	wait()
	if r.Connect.Broken != 5 || r.WindowNs > int64(15*time.Second) || len(r.Warnings) == 0 {
		t.Errorf("%+v, window %v, %q", r.Connect, time.Duration(r.WindowNs), r.Warnings)
	}
	if r.Faults != nil && r.Faults.Reconnects > 0 {
		t.Errorf("%+v", r.Faults)
	}
}

// Connections that are made again between two stages are counted, too.
func TestReconnectBetweenStages(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	before, _ := strconv.ParseInt(s.Info(t, "total_connections_received"), 10, 64)
	progress, wait := onceRunning(func() { s.Do(t, "CLIENT", "KILL", "TYPE", "normal") })
	r := mustRun(t, s, "INCR c", Config{
		Connections: 5, Stages: []float64{300, 600}, Duration: 400 * time.Millisecond, ReconnectEvery: 20, OnProgress: progress,
	})
	wait()
	after, _ := strconv.ParseInt(s.Info(t, "total_connections_received"), 10, 64)
	// Those of the start, the side connection before and after, and those that ask here.
	if f := r.Faults; f == nil || after-before < f.Reconnects+5 || after-before > f.Reconnects+5+6 || r.Connect.Again.Count != f.Reconnects {
		t.Errorf("the server counts %d, the report %+v", after-before, f)
	}
}

func TestChurn(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(t *testing.T, engine conn.Engine) {
		s := redistest.Start(t)
		before := s.Info(t, "total_connections_received")
		r := mustRun(t, s, "INCR c", Config{Connections: 4, Pipeline: 2, Requests: 10_000, ReconnectEvery: 100, Engine: engine})
		if got := s.Do(t, "GET", "c").Str; got != "10000" || r.Requests.Succeeded != 10_000 {
			t.Errorf("the server counts %s, the report %+v", got, r.Requests)
		}
		// A connection that becomes due with the last requests is not needed.
		if n := r.Faults.Reconnects; n < 90 || n > 100 || len(r.Faults.Outages) > 0 || r.Faults.Repeated > 0 {
			t.Errorf("%+v", r.Faults)
		}
		from, _ := strconv.ParseInt(before, 10, 64)
		to, _ := strconv.ParseInt(s.Info(t, "total_connections_received"), 10, 64)
		if made := to - from; made < r.Faults.Reconnects+4 {
			t.Errorf("the server counts %d connections", made)
		}
		if r.Faults.Outages == nil {
			t.Error("the list of outages is null, not empty")
		}
		if again := r.Connect.Again; again == nil || again.Count != r.Faults.Reconnects {
			t.Errorf("connecting again: %+v", again)
		}
	})
}

// Connections are renewed at their age, whether or not anything comes over them.
func TestConnMaxAge(t *testing.T) {
	t.Parallel()
	for name, cfg := range map[string]Config{
		"closed loop": {}, "open loop": {Rate: 5}, "idle": {Idle: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := redistest.Start(t)
			cfg.Connections, cfg.Duration, cfg.ConnMaxAge, cfg.Dialer.Address = 4, time.Second, 100*time.Millisecond, s.Addr
			if !cfg.Idle {
				cfg.Templates = Only(program(t, "INCR c"))
			}
			r, err := Run(t.Context(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			// 4 connections for about 10 times their age; a busy machine is late.
			if r.Faults == nil || r.Faults.Reconnects < 8 || r.Faults.Reconnects > 48 {
				t.Errorf("%+v", r.Faults)
			}
			if got := s.Calls(t, "incr"); got != r.Requests.Succeeded {
				t.Errorf("the server counts %d, the report %+v", got, r.Requests)
			}
		})
	}
}

// A reply that does not come in time is an error, and what was behind it on
// its connection is sent again.
func TestTimeout(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(t *testing.T, engine conn.Engine) {
		s := redistest.Start(t)
		progress, wait := onceRunning(func() {
			s.Pause(t)
			time.Sleep(500 * time.Millisecond) // the length of the stall
			s.Resume(t)
		})
		r := mustRun(t, s, "INCR c", Config{
			Connections: 3, Pipeline: 2, Duration: 1500 * time.Millisecond, Timeout: 200 * time.Millisecond,
			OnProgress: progress, Engine: engine,
		})
		wait()
		q := r.Requests
		if q.Failed < 2 || q.Failed > 100 || q.Lost != 0 || len(r.Errors) != 1 || r.Errors[0].Code != "TIMEOUT" {
			t.Errorf("%+v %+v", q, r.Errors)
		}
		if r.Faults == nil || r.Faults.Reconnects < 3 {
			t.Errorf("%+v", r.Faults)
		}
	})
}

func TestErrorsEndTheRun(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	s.Do(t, "SET", "text", "x")
	half := []Template{{Program: program(t, "INCR c"), Weight: 1}, {Program: program(t, "INCR text"), Weight: 1}}
	for _, test := range []struct {
		name, ending string
		cfg          Config
	}{
		{"stop", "--on-error stop: ", Config{StopOnError: true}},
		{"count", "--max-errors 50: ", Config{MaxErrors: ErrorLimit{Set: true, Count: 50}}},
		{"share", "--max-errors 10%: ", Config{MaxErrors: ErrorLimit{Set: true, Percent: 10}}},
	} {
		cfg := test.cfg
		cfg.Templates, cfg.Dialer.Address, cfg.Connections, cfg.Duration = half, s.Addr, 2, 20*time.Second
		r, err := Run(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		if r.Aborted == nil || !r.Aborted.Failure || !strings.HasPrefix(r.Aborted.String(), test.ending) || r.WindowNs > int64(15*time.Second) {
			t.Errorf("%s: %+v after %v", test.name, r.Aborted, time.Duration(r.WindowNs))
		}
	}
	_, err := runOn(t, s, "INCR text", Config{StopOnError: true, Connections: 1, Duration: 20 * time.Second})
	if nothing := new(NoSuccessError); !errors.As(err, &nothing) {
		t.Errorf("errors alone: %v", err)
	}
}

func TestIdle(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	cfg := Config{Idle: true, Connections: 20, Dialer: conn.Dialer{Address: s.Addr}}
	cfg.OnProgress = func(snapshot report.Snapshot) {
		if snapshot.Phase == "holding" {
			if n, _ := strconv.Atoi(s.Info(t, "connected_clients")); n >= 20 {
				cancel(errors.New("seen"))
			}
		}
	}
	r, err := Run(ctx, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if r.Interrupted != "seen" || r.Requests.Sent != 0 || r.Connect.Count != 20 || r.Connect.Broken != 0 || r.WindowNs == 0 {
		t.Errorf("%q, %+v, %+v", r.Interrupted, r.Requests, r.Connect)
	}
}

// A primary that becomes a replica refuses writes; they are done when it, or
// what its name leads to by then, takes them again.
func TestPrimaryBecomesReplica(t *testing.T) {
	t.Parallel()
	s, other := redistest.Start(t), redistest.Start(t)
	refused := func() bool { return strings.Contains(s.Info(t, "errorstat_READONLY"), "count=") }
	progress, wait := onceRunning(func() {
		s.Do(t, "REPLICAOF", other.Host, strconv.Itoa(other.Port))
		for !refused() {
			time.Sleep(time.Millisecond)
		}
		s.Do(t, "REPLICAOF", "NO", "ONE")
	})
	r := mustRun(t, s, "INCR c", Config{Connections: 4, Pipeline: 3, Requests: 200_000, Reconnect: true, OnProgress: progress})
	wait()
	f := r.Faults
	if r.Requests.Succeeded != 200_000 || f == nil || f.ReadOnly == 0 || f.Reconnects == 0 || len(f.Outages) != 1 {
		t.Errorf("%+v %+v %+v", r.Requests, r.Errors, f)
	}
}

// Connections that are refused for good are given up, with the reason, although
// those that break are made again; until then the reason is told once.
func TestReconnectGivesUp(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	s.Do(t, "CONFIG", "SET", "requirepass", "old")
	root := s.As("default", "old")
	progress, wait := onceRunning(func() {
		root.Do(t, "CONFIG", "SET", "requirepass", "new")
		s.As("default", "new").Do(t, "CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
	})
	var mu sync.Mutex
	var heard []string
	r, err := Run(t.Context(), Config{
		Templates: Only(program(t, "INCR c")), Dialer: conn.Dialer{Address: s.Addr, Password: "old", Timeout: time.Second},
		Connections: 3, Requests: 1 << 40, Reconnect: true, OnProgress: progress, OnRemark: func(text string) {
			mu.Lock()
			defer mu.Unlock()
			heard = append(heard, text)
		},
	})
	wait()
	if err != nil {
		t.Fatal(err)
	}
	told := strings.Join(r.Warnings, "\n")
	if r.Connect.Broken != 3 || !strings.Contains(told, "WRONGPASS") || len(r.Faults.Outages) != 1 || r.Faults.Outages[0].Over {
		t.Errorf("%+v %+v %q", r.Connect, r.Faults, told)
	}
	refused := 0
	for _, text := range heard {
		if strings.Contains(text, "WRONGPASS") {
			refused++
		}
	}
	if refused != 1 {
		t.Errorf("the reason is told %d times: %q", refused, heard)
	}
}
