package suite

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/internal/redistest"
	"github.com/respbench/respbench/report"
)

func TestIsSuiteKey(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		keySpace(7).prefix("SET", 0):                  true,
		keySpace(7).prefix("lrange_100", 41) + "list": true,
		keySpace(1<<33).prefix("a.b-c", 0) + "x:y":    true,
		"respbench:1:x.1:":                            true,
		"respbench:1:x.1":                             false,
		"respbench:1:x:":                              false,
		"respbench:1:x.:k":                            false,
		"respbench:1:.1:k":                            false,
		"respbench:1:X.1:k":                           false,
		"respbench:1:x y.1:k":                         false,
		"respbench:a:x.1:k":                           false,
		"respbench::x.1:k":                            false,
		"respbench:results":                           false,
		"respbench:":                                  false,
		"respbenchmark:1:x.1:k":                       false,
		"key_0000000001":                              false,
		"":                                            false,
		"respbench:1:" + strings.Repeat("x", 41) + ".1:key": false,
	} {
		if got := isSuiteKey(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}

// TestUnprefixed: a test is named for a command that may have a key of another
// name, whether or not it is one that all know.
func TestUnprefixed(t *testing.T) {
	t.Parallel()
	for template, want := range map[string]bool{
		"SET ${prefix}k v":    false,
		"GET k":               true,
		"OBJECT ENCODING k":   true,
		"FT.SEARCH idx *":     true,
		"PING":                false,
		"ECHO hello":          false,
		"SCAN 0 MATCH user:*": false,
		"KEYS user:*":         false,
		"PUBSUB CHANNELS a*":  false,
		"spublish news v":     false,
		"GET ${prefix}k ; TYPE k ; PUBLISH news v": true,
	} {
		suite := &Suite{Tests: []Test{{Name: "T", Template: template}}}
		if got := suite.unprefixed(1); (len(got) == 1) != want {
			t.Errorf("%s: %q", template, got)
		}
	}
}

// during calls do once, when a test is seen in a phase.
func during(task, phase string, do func()) func(report.Snapshot) {
	done := false
	return func(p report.Snapshot) {
		if !done && strings.HasPrefix(p.Task, task) && p.Phase == phase {
			done = true
			do()
		}
	}
}

// put makes a key as somebody else would, beside a running suite.
func put(t *testing.T, s *redistest.Server, key string) {
	c, err := (&conn.Dialer{Address: s.Addr}).Client(context.Background())
	if err != nil {
		t.Error(err)
		return
	}
	defer c.Close()
	if _, err := c.Do(context.Background(), "SET", key, "precious"); err != nil {
		t.Error(err)
	}
}

// A key that comes while a suite runs ends it, is kept, and so is what had
// been measured.
func TestFlushKeepsKeysThatComeLater(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		during   string // the test in which it comes
		key      string
		measured int
	}{
		{"one", "user:1", 1},
		{"one", "key_0000000001", 1}, // as the published commands write it
		{"one", "respbench:results", 1},
		{"three", "user:1", 3},
	} {
		s := redistest.Start(t)
		cfg := briefly(Config{
			Suite: suiteOf(
				Test{Name: "one", Template: "SET ${prefix}<key uniform 5000> x"},
				Test{Name: "two", Template: "SET ${prefix}<key uniform 5000> x"},
				Test{Name: "three", Template: "SET ${prefix}<key uniform 5000> x"},
			),
			Targets: []Target{at("", s)}, Flush: FlushYes, Load: Load{Duration: 150 * time.Millisecond},
			Interval: 20 * time.Millisecond, OnProgress: during(test.during, "measuring", func() { put(t, s, test.key) }),
		})
		r, err := Run(t.Context(), cfg)
		var foreign *ForeignKeysError
		if !errors.As(err, &foreign) || foreign.Key != test.key || foreign.Keys != 1 || r == nil {
			t.Fatalf("%+v: %v", test, err)
		}
		measured := 0
		for _, row := range r.Tests {
			if row.Cells[0].Median() != nil {
				measured++
			}
		}
		left := r.Targets[0].Left
		if measured != test.measured || left == nil || left.Emptied || !strings.Contains(left.Problem, test.key) {
			t.Errorf("%+v: %d tests measured, left %+v", test, measured, left)
		}
		if got := s.Do(t, "KEYS", "*"); len(got.Elems) != 1 || got.Elems[0].Str != test.key {
			t.Errorf("%+v: %d keys are left", test, len(got.Elems))
		}
		if n := s.Calls(t, "flushdb"); n != 0 {
			t.Errorf("%d FLUSHDB", n)
		}
		// Told to, it does not care.
		cfg.Flush, cfg.OnProgress = FlushForce, during("two", "measuring", func() { put(t, s, test.key) })
		mustSuite(t, cfg)
		if n := s.Do(t, "DBSIZE").Int; n != 0 {
			t.Errorf("%d keys are left by force", n)
		}
	}
}

// Keys without a prefix are as foreign as others, and their test is named.
func TestFlushNamesTestsWithoutPrefix(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	_, err := Run(t.Context(), briefly(Config{
		Suite: suiteOf(Test{Name: "own", Template: "SET a b"}), Targets: []Target{at("", s)}, Flush: FlushYes,
	}))
	if err == nil || !strings.HasSuffix(err.Error(), `"a" (own: keys without ${prefix})`) {
		t.Error(err)
	}
}

// Ctrl-C while the first test is tuned: nothing is measured, and the result is
// there all the same, with what is left.
func TestSuiteInterruptedWhileTuning(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	for _, flush := range []Flush{FlushNo, FlushYes, FlushForce} {
		ctx, cancel := context.WithCancelCause(t.Context())
		tuned := 0
		r, err := Run(ctx, briefly(Config{
			Suite:   suiteOf(Test{Name: "one", Template: "INCR ${prefix}a"}),
			Targets: []Target{at("", s)}, Flush: flush,
			Load: Load{Connections: &tuned}, Interval: 20 * time.Millisecond,
			OnProgress: during("one", "tuning", func() { cancel(errors.New("SIGINT")) }),
		}))
		if err != nil || r.Interrupted != "SIGINT" || r.Tests[0].Cells[0].Median() != nil {
			t.Fatalf("%v: %v", flush, err)
		}
		left := r.Targets[0].Left
		if keys := s.Do(t, "DBSIZE").Int; left == nil || left.Keys != keys || left.Emptied != (keys == 0) || left.Emptied != (flush != FlushNo) {
			t.Errorf("%v: left %+v of %d", flush, left, keys)
		}
	}
}

// What is left is counted by name: of each target on one database its own,
// whatever others write beside, and two runs with one seed do not meet.
func TestSuiteCountsItsOwnKeys(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	for i := range 3 {
		s.Do(t, "SET", "old:"+strconv.Itoa(i), "x")
	}
	cfg := briefly(Config{
		Suite:   suiteOf(Test{Name: "x", Preload: []Preload{{"SET ${prefix}<key sequence 2000> x", ""}}, Template: "GET ${prefix}<key uniform 2000>"}),
		Targets: []Target{at("a", s), at("b", s)},
	})
	cfg.OnProgress = during("x on b", "measuring", func() { put(t, s, "new") })
	cfg.Interval = 20 * time.Millisecond
	var patterns []string
	for range 2 {
		r := mustSuite(t, cfg)
		for _, target := range r.Targets {
			if target.Left == nil || target.Left.Keys != 2000 || target.Left.Grown {
				t.Errorf("%s: %+v", target.Name, target.Left)
			} else {
				patterns = append(patterns, target.Left.Pattern)
			}
		}
	}
	slices.Sort(patterns)
	if len(slices.Compact(patterns)) != 4 || s.Do(t, "DBSIZE").Int != 8004 {
		t.Errorf("%q, %d keys", patterns, s.Do(t, "DBSIZE").Int)
	}
	// Who may not look at names has the size of the database to go by.
	s.Do(t, "ACL", "SETUSER", "counter", "on", ">p", "+set", "+get", "+dbsize", "~*")
	cfg.Targets = []Target{at("", s)}
	cfg.Targets[0].Dialer.User, cfg.Targets[0].Dialer.Password = "counter", "p"
	cfg.OnProgress = nil
	if left := mustSuite(t, cfg).Targets[0].Left; left == nil || left.Keys != 2000 || !left.Grown {
		t.Errorf("%+v", left)
	}
}

// A database that could not be emptied at the end is said to be that.
func TestSuiteTellsOfAFailedEnd(t *testing.T) {
	t.Parallel()
	for _, flush := range []Flush{FlushYes, FlushForce} {
		s := redistest.Start(t)
		r, err := Run(t.Context(), briefly(Config{
			Suite:   suiteOf(Test{Name: "x", Template: "SET ${prefix}a b"}),
			Targets: []Target{at("", s)}, Flush: flush, Load: Load{Duration: 150 * time.Millisecond}, Interval: 20 * time.Millisecond,
			OnProgress: during("x", "measuring", func() {
				c, err := (&conn.Dialer{Address: s.Addr}).Client(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				defer c.Close()
				if _, err := c.Do(t.Context(), "ACL", "SETUSER", "default", "-flushdb", "-del"); err != nil {
					t.Error(err)
				}
			}),
		}))
		if err != nil {
			t.Fatal(err)
		}
		left := r.Targets[0].Left
		if left == nil || left.Emptied || !strings.Contains(left.Problem, "was not emptied at the end") || !r.Failed() {
			t.Errorf("%v: %+v", flush, left)
		}
	}
}
