package generator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/data"
	"github.com/respbench/respbench/internal/redistest"
	"github.com/respbench/respbench/report"
	"github.com/respbench/respbench/template"
)

// logOfCommands is a MONITOR log of one client, a command every millisecond, each
// with the number of its database before it: "0 GET k".
func logOfCommands(t *testing.T, commands ...string) *data.Log {
	t.Helper()
	var text strings.Builder
	for i, c := range commands {
		words := strings.Fields(c)
		fmt.Fprintf(&text, "%d.%03d000 [%s 127.0.0.1:1] \"%s\"\n", 1339518083+i/1000, i%1000, words[0], strings.Join(words[1:], `" "`))
	}
	return logOfText(t, text.String())
}

// replayOf is a run that sends a log.
func replayOf(log *data.Log, s *redistest.Server) Config {
	return Config{
		Templates: Only(template.Whole("log", log.Source, 1)), Log: log,
		Dialer: conn.Dialer{Address: s.Addr, DB: log.Database()}, Connections: 1,
	}
}

// transaction is one of n commands.
func transaction(n int, command string) []string {
	return slices.Concat([]string{"0 MULTI"}, slices.Repeat([]string{command}, n), []string{"0 EXEC"})
}

// A transaction that has begun goes on to its end, whatever ends the run: the
// time, a cause from outside, or a condition.
func TestTransactionGoesOn(t *testing.T) {
	t.Parallel()
	const long = 3000
	const open, closed = 300 * time.Millisecond, 20 * time.Millisecond
	for name, change := range map[string]func(*Config, *data.Log){
		"closed":        func(c *Config, _ *data.Log) { c.Duration = closed },
		"deep":          func(c *Config, _ *data.Log) { c.Duration, c.Pipeline = closed, 70 },
		"portable":      func(c *Config, _ *data.Log) { c.Duration, c.Engine = closed, conn.Portable },
		"rate":          func(c *Config, _ *data.Log) { c.Duration, c.Rate = open, 500 },
		"recorded":      func(c *Config, l *data.Log) { c.Duration, c.Timetable = open, &Timetable{l.Times(), 1} },
		"much too slow": func(c *Config, l *data.Log) { c.Duration, c.Timetable = open, &Timetable{l.Times(), 1e-5} },
		"a condition": func(c *Config, _ *data.Log) {
			c.Rate, c.Duration = 500, 30*time.Second
			c.AbortIf = []Objective{objective(t, "p99>0.001ms")}
		},
		"interrupted": func(c *Config, _ *data.Log) { c.Rate, c.Duration = 500, 29*time.Second },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := redistest.Start(t)
			log := logOfCommands(t, transaction(long, "0 INCR n")...)
			cfg := replayOf(log, s)
			change(&cfg, log)
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			if name == "interrupted" {
				cfg.OnProgress = func(p report.Snapshot) {
					if p.Done > 0 {
						cancel(errors.New("enough"))
					}
				}
			}
			r, err := Run(ctx, cfg)
			if err != nil {
				t.Fatal(err)
			}
			multi, exec, incr := s.Calls(t, "multi"), s.Calls(t, "exec"), s.Calls(t, "incr")
			if multi == 0 || exec != multi || incr != multi*long || r.Requests.Sent != multi*(long+2) || r.Requests.Succeeded != r.Requests.Sent {
				t.Errorf("%d MULTI, %d EXEC, %d INCR, %+v", multi, exec, incr, r.Requests)
			}
			if slices.Contains(r.Warnings, cutText) {
				t.Error(r.Warnings)
			}
			if o := r.OpenLoop; o != nil && (o.SendLag.MinNs < 0 || r.Latency.MinNs < 0) {
				t.Errorf("sent %d ns before they were due", -o.SendLag.MinNs)
			}
		})
	}
}

// Where that cannot be, the report says so.
func TestTransactionCut(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	cfg := replayOf(logOfCommands(t, transaction(100_000, "0 INCR n")...), s)
	cfg.Rate, cfg.Duration = 500, time.Minute
	progress, wait := onceRunning(func() { s.Do(t, "CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes") })
	cfg.OnProgress, cfg.Interval = progress, 100*time.Millisecond
	r, err := Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	wait()
	if !slices.Contains(r.Warnings, cutText) || s.Calls(t, "exec") != 0 {
		t.Errorf("%q, %+v", r.Warnings, r.Requests)
	}
}

// A SELECT that the log needs is sent and counts as nothing; the keys are those
// of all its databases.
func TestLogOfDatabases(t *testing.T) {
	t.Parallel()
	log := logOfCommands(t, "3 INCR a", "3 INCR b", "0 INCR a", "0 MULTI", "0 INCR c", "9 INCR a", "9 EXEC", "9 INCR d")
	for name, change := range map[string]func(*Config){
		"closed":   func(c *Config) {},
		"deep":     func(c *Config) { c.Pipeline = 50 },
		"portable": func(c *Config) { c.Engine, c.Pipeline = conn.Portable, 7 },
		"rate":     func(c *Config) { c.Rate, c.Pipeline = 5000, 1 },
		"recorded": func(c *Config) { c.Timetable = &Timetable{log.Times(), 3} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := redistest.Start(t)
			cfg := replayOf(log, s)
			cfg.Requests = 10*8 + 3
			change(&cfg)
			r, err := Run(t.Context(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			if q := r.Requests; q.Sent != 83 || q.Succeeded != 83 || r.Latency.Count != 83 || q.Failed+q.Unanswered != 0 {
				t.Errorf("%+v, %d latencies", q, r.Latency.Count)
			}
			if n := s.Calls(t, "incr"); n != 6*10+3 {
				t.Errorf("%d INCR", n)
			}
			if k := r.Server.Keys; k == nil || k.After != 6 {
				t.Errorf("keys: %+v", k)
			}
			for db, want := range map[string]string{"db0": "keys=2,", "db3": "keys=2,", "db9": "keys=2,"} {
				if got := s.Info(t, db); !strings.HasPrefix(got, want) {
					t.Errorf("%s has %s, want %s", db, got, want)
				}
			}
		})
	}
}

// A server without one of the databases is known before anything is sent to it;
// where a SELECT is refused later, that is a failure of the run.
func TestLogOfDatabasesRefused(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t, "--databases", "4")
	cfg := replayOf(logOfCommands(t, "0 INCR a", "7 INCR a"), s)
	if _, err := Run(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), "the log has commands for database 7: ") || s.Calls(t, "incr") != 0 {
		t.Errorf("error %v, %d INCR", err, s.Calls(t, "incr"))
	}
	// This user may not select any more, once it has begun.
	cfg = replayOf(logOfCommands(t, "0 INCR a", "1 INCR a"), s)
	s.Do(t, "ACL", "SETUSER", "other", "on", "nopass", "+@all", "~*", "&*")
	progress, wait := onceRunning(func() { s.Do(t, "ACL", "SETUSER", "other", "-select") })
	cfg.Dialer.User, cfg.Dialer.Password = "other", "x"
	cfg.Duration, cfg.Rate, cfg.OnProgress, cfg.Interval = 5*time.Second, 2000, progress, 100*time.Millisecond
	cfg.StopOnError = true
	r, err := Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	wait()
	if q := r.Requests; q.Failed == 0 || len(r.Errors) != 1 || r.Errors[0].Code != "NOPERM" || q.Sent != q.Succeeded+q.Failed+q.Unanswered {
		t.Errorf("%+v, %+v", q, r.Errors)
	}
}

// What would take apart what is tied together is refused.
func TestTiedRefused(t *testing.T) {
	t.Parallel()
	log := logOfCommands(t, "0 GET a", "0 MULTI", "0 INCR n", "0 EXEC", "0 GET b")
	good := Config{Templates: Only(template.Whole("log", log.Source, 1)), Log: log, Dialer: conn.Dialer{Address: "127.0.0.1:1"}, Connections: 1}
	for n, want := range map[int64]string{
		0: "", 1: "", 4: "", 5: "", 6: "", 10: "", 9: "",
		2: "2 would end inside a transaction of the log; the nearest that do not are 1 and 4",
		3: "the nearest that do not are 1 and 4", 8: "the nearest that do not are 6 and 9",
	} {
		c := good
		c.Requests = n
		if err := c.Validate(); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%d requests: %v", n, err)
		}
	}
	for want, change := range map[string]func(*Config){
		"need one connection from": func(c *Config) { c.Connections = 2 },
		"need one connection":      func(c *Config) { c.Reconnect = true },
		"one connection":           func(c *Config) { c.Timeout = time.Second },
		"at one rate":              func(c *Config) { c.Stages, c.Duration = []float64{1, 2}, time.Second },
		"from its begin":           func(c *Config) { c.Warmup = time.Second },
		"in order":                 func(c *Config) { c.Order = Shuffled },
	} {
		c := good
		change(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// A log whose commands were sent again has perhaps been done in part twice, and
// the report says so.
func TestLogSentAgain(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	cfg := replayOf(logOfCommands(t, "0 INCR n", "0 INCR n"), s)
	cfg.Duration, cfg.Pipeline, cfg.Reconnect, cfg.Interval = time.Second, 500, true, 100*time.Millisecond
	progress, wait := onceRunning(func() { s.Do(t, "CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes") })
	cfg.OnProgress = progress
	r, err := Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	wait()
	if r.Faults == nil || r.Faults.Repeated == 0 {
		t.Fatalf("nothing was sent again: %+v", r.Faults)
	}
	if !slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.HasPrefix(w, "Sent again, as their") }) {
		t.Errorf("%d commands were sent again: %q", r.Faults.Repeated, r.Warnings)
	}
}
