package generator

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/data"
	"github.com/respbench/respbench/internal/redistest"
	"github.com/respbench/respbench/template"
)

// logOf is a MONITOR log with an ECHO at each of the times, in microseconds.
func logOf(t *testing.T, at ...int64) *data.Log {
	t.Helper()
	var text strings.Builder
	for i, us := range at {
		us += 1339518083107412
		fmt.Fprintf(&text, "%d.%06d [0 127.0.0.1:1] \"ECHO\" \"%d\"\n", us/1e6, us%1e6, i)
	}
	return logOfText(t, text.String())
}

// logOfText is a MONITOR log of some lines.
func logOfText(t *testing.T, text string) *data.Log {
	t.Helper()
	path := filepath.Join(t.TempDir(), "monitor.log")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	log, err := data.OpenLog(path, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close() })
	if err := log.Load(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	return log
}

// Due times are those of the log to the nanosecond, also where it begins again:
// behind a gap of the mean length.
func TestRecordedPacer(t *testing.T) {
	t.Parallel()
	const start = int64(1e9)
	at := []int64{0, 3, 3, 1_000_000, 86_400_000_000, 86_400_000_001}
	span := at[len(at)-1]
	pass := span*1000 + span*1000/int64(len(at)-1)
	for _, speed := range []float64{1, 2, 0.5} {
		p := newRecordedPacer(start, &Timetable{logOf(t, at...).Times(), speed}, 1e9)
		for i := range 3 * len(at) {
			want := start + int64(float64(int64(i/len(at))*pass+at[i%len(at)]*1000)/speed)
			if p.due != want {
				t.Fatalf("speed %v: unit %d is due at %d, want %d", speed, i, p.due, want)
			}
			p.advance()
		}
	}
	// What follows the last of a number of units is not waited for.
	p := newRecordedPacer(start, &Timetable{logOf(t, at...).Times(), 1}, 4)
	for range 4 {
		p.advance()
	}
	if want := start + 1_000_000_000; p.due != want {
		t.Errorf("after the last unit %d is due, want %d", p.due, want)
	}
}

// How many units are overdue follows from the log, whether or not they are
// sent meanwhile, and is none beyond the number that is to be sent.
func TestRecordedOverdue(t *testing.T) {
	t.Parallel()
	log := logOf(t, 0, 10, 10, 20, 1000)
	p := newRecordedPacer(0, &Timetable{log.Times(), 1}, 7)
	for _, c := range []struct {
		us      int64
		overdue int
		advance int
	}{{-1, 0, 0}, {0, 1, 0}, {9, 1, 1}, {9, 0, 0}, {10, 2, 0}, {25, 3, 2}, {999, 1, 0}, {1000, 2, 0}, {1249, 2, 0}, {1250, 3, 0}, {1260, 4, 0}, {5000, 4, 4}, {9000, 0, 0}} {
		if got := p.overdue(c.us * 1000); got != c.overdue {
			t.Errorf("at %d us %d units are overdue, want %d", c.us, got, c.overdue)
		}
		for range c.advance {
			p.advance()
		}
	}
}

// Logs without any time to them still have a pace.
func TestRecordedRate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		at   []int64
		want float64
	}{{[]int64{5}, 1}, {[]int64{5, 5, 5}, 3}, {[]int64{0, 1_000_000}, 1}, {[]int64{0, 1000, 2000, 3000}, 1000}} {
		table := &Timetable{logOf(t, c.at...).Times(), 2}
		if got := table.rate(); got != 2*c.want {
			t.Errorf("%v: %v units a second, want %v", c.at, got, 2*c.want)
		}
	}
}

// A log is sent at its times: none before, and the run takes as long as the
// log.
func TestRunRecorded(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	at := []int64{0, 1000, 2000, 150_000, 150_100, 400_000}
	log := logOf(t, at...)
	cfg := Config{
		Templates: Only(template.Whole("log", log.Source, 1)), Dialer: conn.Dialer{Address: s.Addr},
		Connections: 1, Requests: 6, Timetable: &Timetable{log.Times(), 1},
	}
	began := time.Now()
	r, err := Run(t.Context(), cfg)
	took := time.Since(began)
	if err != nil {
		t.Fatal(err)
	}
	if r.Requests.Sent != 6 || r.Requests.Succeeded != 6 || r.OpenLoop == nil || r.OpenLoop.Missed != 0 || r.OpenLoop.Arrivals != "recorded" {
		t.Errorf("%+v, %+v", r.Requests, r.OpenLoop)
	}
	// Requests may be late, and never early.
	if took < 400*time.Millisecond || r.OpenLoop.SendLag.MinNs < 0 {
		t.Errorf("the run took %v, requests were early by %d ns", took, -r.OpenLoop.SendLag.MinNs)
	}
	if n := s.Calls(t, "echo"); n != 6 {
		t.Errorf("%d commands arrived", n)
	}
	// With twice the time there are two passes and what is due of a third.
	cfg.Requests, cfg.Duration, cfg.Timetable.Speed = 0, 400*time.Millisecond, 10
	if r, err = Run(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	// A pass is 48 ms, and 400 ms are eight and a third, of which five are due.
	if all := r.Requests.Sent + r.OpenLoop.Missed; all != 8*6+5 {
		t.Errorf("%d requests were due, want %d", all, 8*6+5)
	}
}

func TestRecordedRefused(t *testing.T) {
	t.Parallel()
	log := logOf(t, 0, 1000)
	whole := Only(template.Whole("log", log.Source, 1))
	good := Config{Templates: whole, Dialer: conn.Dialer{Address: "127.0.0.1:1"}, Connections: 1, Timetable: &Timetable{log.Times(), 1}}
	if err := good.Validate(); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*Config){
		"a rate contradict":           func(c *Config) { c.Rate = 5 },
		"load is as fast":             func(c *Config) { c.Load = true },
		"twice":                       func(c *Config) { c.Warmup = time.Second },
		"one event loop":              func(c *Config) { c.Threads = 2 },
		"of one template":             func(c *Config) { c.Templates = append(c.Templates, whole...) },
		"0 times the recorded":        func(c *Config) { c.Timetable = &Timetable{log.Times(), 0} },
		"keys of these commands":      func(c *Config) { c.Cluster = true },
		"of a run without lanes":      func(c *Config) { c.Lanes = []Lane{{Templates: whole}}; c.Templates = nil; c.Connections = 0 },
		"orders of templates, are of": func(c *Config) { c.Lanes = []Lane{{}}; c.Order = InTurn; c.Templates = nil; c.Connections = 0 },
	} {
		c := good
		change(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
