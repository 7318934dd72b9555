package report

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// The clock of these tests is synctest's: time passes at once, and only when
// every goroutine waits.

// screen collects what is written.
type screen struct {
	mu     sync.Mutex
	writes []string
}

func (s *screen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writes = append(s.writes, string(b))
	return len(b), nil
}

func (s *screen) all() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.writes, "")
}

// show plays what was written on a terminal: the lines that stand at the end.
func show(written string) []string {
	lines := []string{""}
	for _, part := range regexp.MustCompile(`\r\x1b\[K|\n|[^\r\n]+`).FindAllString(written, -1) {
		switch part {
		case eraseLine:
			lines[len(lines)-1] = ""
		case "\n":
			lines = append(lines, "")
		default:
			lines[len(lines)-1] += part
		}
	}
	return lines
}

func measuring() Snapshot {
	return Snapshot{
		Phase: "measuring", Elapsed: 12_300 * time.Millisecond, Total: 20 * time.Second,
		Done: 1_700_000, RatePerSec: 142_101.4, P50Ns: 410_000, P99Ns: 730_000, Connections: 128,
	}
}

func reading() Snapshot {
	return Snapshot{Phase: ReadingData, Task: "wiki.xml.gz", Elapsed: 10 * time.Second, Done: 400_000_000, Want: 1_000_000_000}
}

func loading() Snapshot {
	return Snapshot{
		Phase: "loading", Elapsed: 12_700 * time.Millisecond, Done: 4_100_000, Want: 10_000_000,
		RatePerSec: 322_580, Connections: 128,
	}
}

func TestProgressLine(t *testing.T) {
	t.Parallel()
	with := func(s Snapshot, change func(*Snapshot)) Snapshot { change(&s); return s }
	for _, test := range []struct {
		name  string
		s     Snapshot
		width int
		want  string
	}{
		{"whole", measuring(), 79, "12.3/20 s  142,101/s  p50 0.41  p99 0.73 ms  128 connections"},
		{"40 columns", measuring(), 39, "12.3/20 s  142,101/s  p99 0.73 ms"},
		{"30 columns", measuring(), 29, "12.3/20 s  142,101/s"},
		{"5 columns", measuring(), 5, ""},
		{"errors", with(measuring(), func(s *Snapshot) { s.Failed = 1204 }), 39, "12.3/20 s  142,101/s  1,204 errors"},
		{"counted", with(measuring(), func(s *Snapshot) { s.Total, s.Done, s.Want = 0, 412_000, 1_000_000 }), 79,
			"12.3 s  412,000/1,000,000  142,101/s  p50 0.41  p99 0.73 ms  128 connections"},
		{"endless", with(measuring(), func(s *Snapshot) { s.Total, s.P50Ns, s.P99Ns = 0, 0, 0 }), 79, "12.3 s  142,101/s  128 connections"},
		{"tuning", with(measuring(), func(s *Snapshot) { s.Phase, s.Total, s.Connections = "tuning", 0, 1 }), 79,
			"tuning 12.3 s  142,101/s  p50 0.41  p99 0.73 ms  1 connection"},
		{"warm-up", with(measuring(), func(s *Snapshot) { s.Phase, s.Total = "warm-up", 1500*time.Millisecond }), 39,
			"warm-up 12.3/1.5 s  142,101/s"},
		{"before the first gather", Snapshot{Phase: "measuring"}, 39, "0.0 s  0/s"},
		{"loading", loading(), 79, "  41% [==========>................]  322,580/s  18 s left  4,100,000/10,000,000"},
		{"loading at 40 columns", loading(), 39, "  41% [==>......]  322,580/s  18 s left"},
		{"loading at 24 columns", loading(), 23, "  41% [=====>.........]"},
		{"loading at 12 columns", loading(), 11, ""},
		{"loading begins", with(loading(), func(s *Snapshot) { s.Done, s.Elapsed, s.RatePerSec = 0, 0, 0 }), 39, "   0% [............]  0/s  0/10,000,000"},
		{"loading ends", with(loading(), func(s *Snapshot) { s.Done = s.Want }), 39, " 100% [==========]  322,580/s  0 s left"},
		{"more than wanted", with(loading(), func(s *Snapshot) { s.Done = 2 * s.Want }), 39, " 100% [====================]  322,580/s"},
		{"loading with errors", with(loading(), func(s *Snapshot) { s.Failed = 3 }), 39, "  41% [===>......]  3 errors  322,580/s"},
		{"one of several", with(measuring(), func(s *Snapshot) { s.Task, s.Left = "GET on new (2/22)", 200*time.Second }), 79,
			"GET on new (2/22)  3 min 20 s left  12.3/20 s  142,101/s  p50 0.41  p99 0.73 ms"},
		{"one of several, 40 columns", with(measuring(), func(s *Snapshot) { s.Task, s.Left = "GET (2/11)", 9500*time.Millisecond }), 39,
			"GET (2/11)  10 s left  12.3/20 s"},
		{"loading for one of several", with(loading(), func(s *Snapshot) { s.Task, s.Left = "GET (2/11)", 115*time.Second }), 59,
			"GET (2/11)  115 s left  loading 41.0 %  322,580/s"},
		{"reading", reading(), 79, "reading wiki.xml.gz  40.0 %  400 MB of 1.00 GB  15 s left"},
		{"reading at 40 columns", reading(), 39, "reading wiki.xml.gz  40.0 %"},
		{"reading standard input", with(reading(), func(s *Snapshot) { s.Task, s.Want = "standard input", 0 }), 79, "reading standard input  400 MB"},
		{"loading without end", with(loading(), func(s *Snapshot) { s.Want = 0 }), 39, "loading 12.7 s  322,580/s"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := progressLine(&test.s, test.width, false); got != test.want {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
			for width := range 120 {
				plain, coloured := progressLine(&test.s, width, false), progressLine(&test.s, width, true)
				if len(plain) > width || strings.ContainsAny(plain, "\r\n\x1b") {
					t.Fatalf("%d columns: %q", width, plain)
				}
				if cells(coloured) > width {
					t.Fatalf("%d columns: %q", width, coloured)
				}
			}
		})
	}
}

func TestProgressOnTerminal(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var s screen
		p := NewProgress(&s, ProgressOptions{Terminal: true, Width: func() int { return 40 }})
		p.Update(measuring())
		synctest.Wait()
		want := "12.3/20 s  142,101/s  p99 0.73 ms"
		if got := show(s.all()); len(got) != 1 || got[0] != want {
			t.Fatalf("first: %q, want %q", got, want)
		}

		// Between two drawings only the newest counts.
		for i := range 100 {
			next := measuring()
			next.Elapsed = time.Duration(i) * time.Second
			p.Update(next)
			synctest.Wait()
		}
		time.Sleep(redrawEvery)
		synctest.Wait()
		if got := show(s.all())[0]; !strings.HasPrefix(got, "99.0/20 s") || len(s.writes) != 2 {
			t.Errorf("newest: %q after %d drawings", got, len(s.writes))
		}

		p.Remark("2 connections \x1b[2J refused\n")
		synctest.Wait()
		got := show(s.all())
		if len(got) != 2 || got[0] != `2 connections \x1b[2J refused\n` || !strings.HasPrefix(got[1], "99.0/20 s") {
			t.Errorf("remark: %q", got)
		}

		p.Remark("the last")
		p.Stop()
		if got := show(s.all()); len(got) != 3 || got[1] != "the last" || got[2] != "" {
			t.Errorf("stopped: %q", got)
		}
		before := s.all()
		p.Update(measuring())
		p.Remark("too late")
		p.Stop()
		if after := s.all(); after != before {
			t.Errorf("drawn after Stop: %q", after[len(before):])
		}
	})
}

func TestProgressInPipe(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var s screen
		p := NewProgress(&s, ProgressOptions{Every: 5 * time.Second, Color: true})
		const pace = 700 * time.Millisecond // meets no multiple of 5 s in this test
		for i := range 31 {
			next := measuring()
			next.Failed = 1
			next.Elapsed = time.Duration(i) * pace
			p.Update(next)
			if i == 2 {
				p.Remark("said\rat once")
			}
			time.Sleep(pace)
		}
		p.Stop()
		got := strings.Split(s.all(), "\n")
		want := []string{`said\rat once`, "4.9/20 s", "9.8/20 s", "14.7/20 s", "19.6/20 s", ""}
		if len(got) != len(want) {
			t.Fatalf("%q", got)
		}
		for i := range want {
			if !strings.HasPrefix(got[i], want[i]) {
				t.Errorf("line %d is %q, want %q", i, got[i], want[i])
			}
		}
		if strings.ContainsAny(s.all(), "\r\x1b") {
			t.Errorf("control characters: %q", s.all())
		}
	})
}

func TestProgressInPipeWhileLoading(t *testing.T) {
	t.Parallel()
	s := loading()
	if got, want := progressText(&s), "loading 41.0 %  322,580/s  18 s left  4,100,000/10,000,000"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// stalled blocks in its first write until it is released.
type stalled struct {
	release chan struct{}
	screen
}

func (s *stalled) Write(b []byte) (int, error) {
	<-s.release
	return s.screen.Write(b)
}

// Without progress there are the remarks, on the spot, each of them once.
func TestProgressOfRemarksOnly(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var s screen
		p := NewProgress(&s, ProgressOptions{RemarksOnly: true, Every: time.Second})
		for _, text := range []string{"waiting", "waiting", "moved", "waiting"} {
			p.Update(measuring())
			p.Remark(text)
			time.Sleep(2 * time.Second)
		}
		if got := s.all(); got != "waiting\nmoved\n" {
			t.Errorf("%q", got)
		}
		p.Stop()
		if got := s.all(); got != "waiting\nmoved\n" {
			t.Errorf("stopped: %q", got)
		}
	})
}

func TestProgressWithStalledReader(t *testing.T) {
	t.Parallel()
	for _, terminal := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			s := stalled{release: make(chan struct{})}
			p := NewProgress(&s, ProgressOptions{Terminal: terminal, Every: time.Second})
			start := time.Now()
			for i := range 3 * remarksAtMost {
				p.Update(measuring())
				p.Remark(fmt.Sprint("remark ", i))
				synctest.Wait()
			}
			if took := time.Since(start); took != 0 {
				t.Errorf("the caller waited for %v", took)
			}
			if n := len(p.remarks); n > remarksAtMost {
				t.Errorf("%d remarks wait", n)
			}
			p.Stop()
			if took := time.Since(start); took != stopPatience {
				t.Errorf("Stop took %v, want %v", took, stopPatience)
			}
			// When the reader comes back, what it was being told arrives, but
			// nothing new: the screen belongs to the summary.
			close(s.release)
			synctest.Wait()
			if n := len(s.writes); n != 1 {
				t.Errorf("%d writes, want 1", n)
			}
		})
	}
}

// gone counts the writes it refuses.
type gone struct{ writes int }

func (g *gone) Write([]byte) (int, error) {
	g.writes++
	return 0, io.ErrClosedPipe
}

func TestProgressWithReaderGone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var g gone
		p := NewProgress(&g, ProgressOptions{Terminal: true})
		start := time.Now()
		for range 10 {
			p.Update(measuring())
			p.Remark("remark")
			synctest.Wait()
			time.Sleep(redrawEvery)
		}
		took := time.Since(start)
		p.Stop()
		if time.Since(start) != took {
			t.Error("Stop waited for a reader that is gone")
		}
		if g.writes != 1 {
			t.Errorf("%d writes, want 1 and no more after its error", g.writes)
		}
	})
}

func TestProgressNil(t *testing.T) {
	t.Parallel()
	var p *Progress
	p.Update(measuring())
	p.Remark("nobody hears")
	p.Stop()
}

func TestProgressFromManyGoroutines(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer // only the drawing goroutine writes to it
	p := NewProgress(&b, ProgressOptions{Terminal: true})
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for range 50 {
				p.Update(measuring())
				p.Remark(fmt.Sprint(i))
			}
			p.Stop()
		})
	}
	all.Wait()
	if got := show(b.String()); got[len(got)-1] != "" {
		t.Errorf("a live line is left: %q", got[len(got)-1])
	}
}

var errFull = errors.New("no space left")

// full takes nothing.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }
