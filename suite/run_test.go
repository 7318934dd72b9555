package suite

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/generator"
	"github.com/respbench/respbench/internal/redistest"
	"github.com/respbench/respbench/report"
	"github.com/respbench/respbench/template"
)

// at is a target on a test's server.
func at(name string, s *redistest.Server) Target {
	return Target{Name: name, Dialer: conn.Dialer{Address: s.Addr, User: s.User, Password: s.Password}}
}

// briefly is cfg with tests that take no time.
func briefly(cfg Config) Config {
	if cfg.Load.Duration == 0 {
		cfg.Load.Duration = 50 * time.Millisecond
	}
	if cfg.Load.Connections == nil {
		four := 4
		cfg.Load.Connections = &four
	}
	if cfg.Scale == 0 {
		cfg.Scale = 0.0005
	}
	if cfg.Seed == 0 {
		cfg.Seed = 7
	}
	return cfg
}

// suiteOf is a suite of tests that are written as NAME: TEMPLATE.
func suiteOf(tests ...Test) *Suite { return &Suite{Name: "own", Tests: tests} }

func mustSuite(t *testing.T, cfg Config) *report.SuiteResult {
	t.Helper()
	r, err := Run(t.Context(), briefly(cfg))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range r.Tests {
		for _, cell := range test.Cells {
			for _, run := range cell.Runs {
				if run.Problem != "" {
					t.Errorf("%s on %q: %s", test.Name, cell.Target, run.Problem)
				}
			}
		}
	}
	return r
}

// The server's own counters are those of the result, command by command, for
// all tests that are built in.
func TestRunCountsAgree(t *testing.T) {
	t.Parallel()
	for _, name := range Builtins() {
		if name != "documents" && slices.Index(Builtins(), name) >= slices.Index(Builtins(), "redisjson") {
			continue // they need commands that this server does not have
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := redistest.Start(t)
			s.Do(t, "CONFIG", "RESETSTAT") // it was pinged when it started
			cfg := Config{Suite: builtin(t, name), Targets: []Target{at("", s)}, Flush: FlushYes, Repeat: 2}
			openSuiteData(t, &cfg, examples+"abstracts.csv")
			r := mustSuite(t, cfg)
			sent := map[string]int64{}
			for one := range r.Results() {
				for text, n := range succeeded(one) {
					p, err := template.ParseWith(text, cfg.template())
					if err != nil {
						t.Fatal(err)
					}
					for _, command := range p.Names() {
						sent[strings.ToLower(command)] += n / int64(p.Commands())
					}
				}
				if one.Requests.Succeeded == 0 || one.Requests.Empty > 0 || one.Requests.Sent != one.Requests.Succeeded {
					t.Errorf("%s: %+v", one.Workload.Template, one.Requests)
				}
			}
			sent["set"] += sent["evalsha"] // each of which makes one
			for command, n := range sent {
				if got := s.Calls(t, command); got != n {
					t.Errorf("the server executed %d %s, the result says %d", got, command, n)
				}
			}
			if r.Failed() || len(r.Warnings) > 0 || s.Do(t, "DBSIZE").Int != 0 {
				t.Errorf("failed %v, %q, %d keys left", r.Failed(), r.Warnings, s.Do(t, "DBSIZE").Int)
			}
		})
	}
}

// succeeded is the successful requests of a run by template.
func succeeded(r *report.Result) map[string]int64 {
	if len(r.Lanes) > 0 {
		by := map[string]int64{}
		for _, lane := range r.Lanes {
			by[lane.Template] += lane.Requests.Succeeded
		}
		return by
	}
	if len(r.Parts) == 0 {
		return map[string]int64{r.Workload.Template: r.Requests.Succeeded}
	}
	by := map[string]int64{}
	for _, part := range r.Parts {
		by[part.Template] += part.Succeeded
	}
	return by
}

// monitor collects what a server executes, as lists of arguments, until the
// function it returns is called.
func monitor(t *testing.T, s *redistest.Server) (stop func() [][]string) {
	t.Helper()
	c, err := net.Dial("unix", s.Socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	lines := bufio.NewReader(c)
	fmt.Fprintf(c, "MONITOR\r\n")
	if _, err := lines.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	argument := regexp.MustCompile(`"((?:[^"\\]|\\.)*)"`)
	return func() (commands [][]string) {
		s.Do(t, "ECHO", "the end")
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(line, `"ECHO" "the end"`) {
				return commands
			}
			if strings.Contains(line, " lua] ") { // made by a script
				continue
			}
			var args []string
			for _, m := range argument.FindAllStringSubmatch(line, -1) {
				args = append(args, m[1])
			}
			commands = append(commands, args)
		}
	}
}

// beside are commands that every run asks beside the load.
var beside = []string{"INFO", "CONFIG", "CLIENT", "DBSIZE", "FLUSHDB", "SCAN", "DEL", "AUTH", "SELECT", "COMMAND"}

// MONITOR shows exactly the commands that the labels promise: for each test
// those of its template, and before them those of its preload.
func TestRunSendsWhatTheLabelsSay(t *testing.T) {
	t.Parallel()
	all, err := Join(builtin(t, "whitepaper"), builtin(t, "more"))
	if err != nil {
		t.Fatal(err)
	}
	for _, flush := range []Flush{FlushYes, FlushNo, FlushForce} {
		s := redistest.Start(t)
		stop := monitor(t, s)
		cfg := briefly(Config{Suite: all, Targets: []Target{at("", s)}, Flush: flush, Scale: 1e-5, Load: Load{Duration: 10 * time.Millisecond}})
		r := mustSuite(t, cfg)
		seen := stop()
		for _, test := range r.Tests {
			run := test.Cells[0].Runs[0]
			var want []*regexp.Regexp // expressions for what a command may look like, in this order
			for _, text := range test.Prepare {
				want = append(want, expression(text, ""))
			}
			for _, p := range test.Preload {
				want = append(want, expression(p.Template, run.Prefix))
			}
			want = append(want, expression(test.Template, run.Prefix))
			var counts []int64
			counts, seen = taken(seen, want)
			if got := counts[len(counts)-1]; got != run.Measured.Requests.Sent || got == 0 {
				t.Errorf("%s: MONITOR shows %d of %q, the result says %d", test.Name, counts, want, run.Measured.Requests.Sent)
			}
		}
		if counts, rest := taken(seen, nil); len(rest) > 0 {
			t.Errorf("also sent: %q, after %v", rest[0], counts)
		}
	}
}

// taken counts the commands at the start of seen that match want, one
// expression after the other, and returns the commands after them. A FLUSHDB
// starts a test.
func taken(seen [][]string, want []*regexp.Regexp) (counts []int64, rest [][]string) {
	counts = make([]int64, len(want))
	stage, started := 0, false
	for len(seen) > 0 {
		name := strings.ToUpper(seen[0][0])
		switch {
		case name == "FLUSHDB" && started && len(want) > 0:
			return counts, seen
		case slices.Contains(beside, name):
		case stage == len(want):
			return counts, seen
		case want[stage].MatchString(strings.Join(seen[0], " ")):
			counts[stage]++
			started = true
		default:
			stage++
			continue
		}
		seen = seen[1:]
	}
	return counts, nil
}

// expression matches what a template makes, as MONITOR's arguments joined by
// spaces.
func expression(text, prefix string) *regexp.Regexp {
	text = strings.ReplaceAll(text, "${prefix}", prefix)
	text = strings.NewReplacer(`"`, "").Replace(text)
	var b strings.Builder
	b.WriteString("^")
	for {
		before, rest, found := strings.Cut(text, "<")
		b.WriteString(regexp.QuoteMeta(before))
		if !found {
			return regexp.MustCompile(b.String() + "$")
		}
		placeholder, after, _ := strings.Cut(rest, ">")
		switch strings.Fields(placeholder)[0] {
		case "key":
			b.WriteString(`key_\d{10}`)
		case "value":
			b.WriteString(`\w{` + strings.Fields(placeholder)[1] + `}`)
		default:
			b.WriteString(`\d+`)
		}
		text = after
	}
}

// Without a flush nothing that was there is touched, every repeat has keys of
// its own, and the result says exactly what is left; cleaning takes it away.
func TestRunLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	s.Do(t, "SET", "key_0000000000", "mine")
	s.Do(t, "SET", "respbenchmark", "mine too")
	r := mustSuite(t, Config{Suite: builtin(t, "whitepaper"), Targets: []Target{at("", s)}, Repeat: 2})
	left := r.Targets[0].Left
	if now := s.Do(t, "DBSIZE").Int; left == nil || left.Keys != now-2 || left.Keys == 0 {
		t.Fatalf("left %+v of %d keys", left, now)
	}
	if n := int64(len(s.Do(t, "KEYS", left.Pattern).Elems)); n != left.Keys || len(left.Foreign) > 0 {
		t.Errorf("%d keys match %q; left %+v", n, left.Pattern, left)
	}
	prefixes := map[string]bool{}
	for _, test := range r.Tests {
		for _, run := range test.Cells[0].Runs {
			prefixes[run.Prefix] = true
			if !strings.Contains(run.Measured.Workload.Template, " "+run.Prefix) && !strings.Contains(run.Measured.Workload.Template, "1 "+run.Prefix) {
				t.Errorf("prefix %q, template %q", run.Prefix, run.Measured.Workload.Template)
			}
		}
	}
	if len(prefixes) != 22 {
		t.Errorf("%d prefixes of 22 runs", len(prefixes))
	}
	deleted, err := Clean(t.Context(), conn.Dialer{Address: s.Addr}, generator.ClusterShape{})
	if err != nil || deleted != left.Keys {
		t.Errorf("cleaning deleted %d of %d: %v", deleted, left.Keys, err)
	}
	var rest []string
	for _, e := range s.Do(t, "KEYS", "*").Elems {
		rest = append(rest, e.Str)
	}
	slices.Sort(rest)
	if diff := cmp.Diff([]string{"key_0000000000", "respbenchmark"}, rest); diff != "" {
		t.Error(diff)
	}
}

// Tests whose keys have no prefix are named.
func TestRunNamesForeignTests(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	r := mustSuite(t, Config{
		Suite: suiteOf(Test{Name: "p", Template: "PING"}, Test{Name: "own", Template: "SET a b"}, Test{Name: "ok", Template: "SET ${prefix}a b"},
			Test{Name: "prepared", Prepare: []string{"SET c d"}, Template: "GET ${prefix}a"},
			Test{Name: "loaded", Preload: []Preload{{"SET <key sequence 5> d", ""}}, Template: "GET ${prefix}a"},
			Test{Name: "cleaned", Cleanup: []string{"DEL c"}, Template: "GET ${prefix}a"},
			Test{Name: "unit", Template: "MULTI ; SET ${prefix}a b ; INCR x ; EXEC"},
			Test{Name: "fine", Prepare: []string{"SCRIPT LOAD 'return 1'"}, Template: "MULTI ; SET ${prefix}<key uniform 3 as k> b ; EXPIRE ${prefix}<k> 9 ; EXEC"}),
		Targets: []Target{at("", s)},
	})
	want := []string{"own", "prepared", "loaded", "cleaned", "unit"}
	if left := r.Targets[0].Left; left == nil || left.Keys < 3 || !slices.Equal(left.Foreign, want) {
		t.Errorf("%+v", left)
	}
}

func TestRunRefusesForeignKeys(t *testing.T) {
	t.Parallel()
	empty, full := redistest.Start(t), redistest.Start(t)
	for i := range 3000 { // several steps of SCAN
		full.Do(t, "SET", fmt.Sprintf("respbench:1:x.1:%d", i), "x")
	}
	empty.Do(t, "SET", "respbench:1:x.1:", "x")
	cfg := briefly(Config{
		Suite:   suiteOf(Test{Name: "x", Template: "SET ${prefix}a b"}),
		Targets: []Target{at("empty", empty), at("full", full)}, Flush: FlushYes,
	})
	full.Do(t, "SET", "user:1", "precious")
	_, err := Run(t.Context(), cfg)
	var foreign *ForeignKeysError
	if !errors.As(err, &foreign) || foreign.Key != "user:1" || foreign.Keys != 3001 || foreign.Address != full.Addr {
		t.Fatalf("%v", err)
	}
	// Nothing has been done to the other target either.
	if n := empty.Do(t, "DBSIZE").Int; n != 1 || empty.Calls(t, "set") != 1 {
		t.Errorf("the first target was touched: %d keys", n)
	}
	// What suites left is no obstacle.
	full.Do(t, "DEL", "user:1")
	mustSuite(t, cfg)
	if n := full.Do(t, "DBSIZE").Int; n != 0 {
		t.Errorf("%d keys", n)
	}
	// Told to, it deletes whatever is there.
	full.Do(t, "SET", "user:1", "x")
	cfg.Flush = FlushForce
	mustSuite(t, cfg)
	if n := full.Do(t, "DBSIZE").Int; n != 0 {
		t.Errorf("%d keys", n)
	}
}

// Only the chosen database is emptied.
func TestRunFlushesOneDatabase(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	s.Do(t, "SET", "user:1", "x")
	target := at("", s)
	target.Dialer.DB = 3
	mustSuite(t, Config{Suite: suiteOf(Test{Name: "x", Template: "SET a b"}), Targets: []Target{target}, Flush: FlushForce})
	if n := s.Do(t, "DBSIZE").Int; n != 1 {
		t.Errorf("%d keys in database 0", n)
	}
}

// A test that a server refuses is a gap, and the others have figures. This one
// does not tell beforehand which commands it has.
func TestRunGoesOnAfterFailure(t *testing.T) {
	t.Parallel()
	a, b := redistest.Start(t), redistest.Start(t, "--rename-command", "GETEX", "", "--rename-command", "COMMAND", "")
	r, err := Run(t.Context(), briefly(Config{
		Suite: suiteOf(
			Test{Name: "getex", Template: "GETEX ${prefix}a"},
			Test{Name: "prepared", Prepare: []string{"GETEX a"}, Template: "PING"},
			Test{Name: "loaded", Preload: []Preload{{"GETEX <key sequence 10>", ""}}, Template: "PING"},
			Test{Name: "ping", Template: "PING"},
		),
		Targets: []Target{at("a", a), at("b", b)},
	}))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"unknown command", "prepare GETEX: ERR unknown command", "preload: nothing succeeded: ERR unknown command", ""} {
		cells := r.Tests[i].Cells
		if cells[0].Median() == nil || cells[0].Runs[0].Problem != "" {
			t.Errorf("%s on a: %+v", r.Tests[i].Name, cells[0])
		}
		if got := cells[1].Runs[0].Problem; !strings.Contains(got, want) || (want == "") != (got == "") {
			t.Errorf("%s on b: %q, want %q", r.Tests[i].Name, got, want)
		}
	}
	if !r.Failed() {
		t.Error("that is no failure")
	}
}

func TestRunCannotStart(t *testing.T) {
	t.Parallel()
	s, locked := redistest.Start(t), redistest.Start(t, "--requirepass", "x")
	locked.Password = ""
	suite := suiteOf(Test{Name: "x", Template: "SET a b"})
	for name, target := range map[string]Target{"no server": {Dialer: conn.Dialer{Address: "127.0.0.1:1"}}, "no login": at("", locked)} {
		target.Name = "other"
		if _, err := Run(t.Context(), briefly(Config{Suite: suite, Targets: []Target{at("s", s), target}})); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	// Who may not count keys may not empty the database, but measure.
	s.Do(t, "ACL", "SETUSER", "reader", "on", ">p", "+get", "~*")
	reader := Target{Dialer: conn.Dialer{Address: s.Addr, User: "reader", Password: "p"}}
	cfg := Config{Suite: suiteOf(Test{Name: "x", Template: "GET a"}), Targets: []Target{reader}, Flush: FlushYes}
	if _, err := Run(t.Context(), briefly(cfg)); err == nil || !strings.Contains(err.Error(), "DBSIZE: NOPERM") {
		t.Errorf("%v", err)
	}
	cfg.Flush = FlushNo
	if r := mustSuite(t, cfg); !strings.Contains(r.Targets[0].Left.Problem, "could not be counted") {
		t.Errorf("%+v", r.Targets[0].Left)
	}
	if n := s.Calls(t, "set"); n != 0 {
		t.Errorf("%d SET were sent", n)
	}
}

func TestRunInterrupted(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	cause := errors.New("SIGINT")
	for _, test := range []struct {
		task, phase string
		tests       int // that have a figure
		err         error
	}{
		{"two (2/3)", "measuring", 2, nil},
		{"two (2/3)", "loading", 1, nil},
		{"", "", 0, cause},
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		cfg := briefly(Config{
			Suite: suiteOf(
				Test{Name: "one", Template: "PING"},
				Test{Name: "two", Preload: []Preload{{"SET ${prefix}<key sequence 1000> x", "300000"}}, Template: "GET ${prefix}<key uniform 1000>"},
				Test{Name: "three", Template: "PING"},
			),
			Load: Load{Duration: 400 * time.Millisecond}, Targets: []Target{at("", s)}, Flush: FlushForce,
			Interval: 20 * time.Millisecond, // so that loading does not end before it is seen
			OnProgress: func(p report.Snapshot) {
				if p.Task == test.task && p.Phase == test.phase {
					cancel(cause)
				}
			},
		})
		if test.err != nil {
			cancel(cause)
		}
		r, err := Run(ctx, cfg)
		if err != test.err {
			t.Errorf("%+v: %v", test, err)
		}
		if r == nil {
			continue
		}
		measured := 0
		for _, row := range r.Tests {
			if row.Cells[0].Median() != nil {
				measured++
			}
		}
		if measured != test.tests || r.Interrupted != "SIGINT" || len(r.Tests) != 3 {
			t.Errorf("%+v: %d tests measured, interrupted by %q", test, measured, r.Interrupted)
		}
		if n := s.Do(t, "DBSIZE").Int; n != 0 {
			t.Errorf("%+v: %d keys left", test, n)
		}
	}
}

func TestRunProgress(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	var tasks []string
	last := time.Hour
	mustSuite(t, Config{
		Suite: suiteOf(
			Test{Name: "one", Template: "PING"},
			Test{Name: "two", Preload: []Preload{{"SET ${prefix}<key sequence 1000> x", "200000"}}, Template: "PING"},
		),
		Targets: []Target{at("a", s), at("b", s)}, Load: Load{Duration: 450 * time.Millisecond}, Interval: 100 * time.Millisecond,
		OnProgress: func(p report.Snapshot) {
			if !slices.Contains(tasks, p.Task) {
				tasks = append(tasks, p.Task)
			}
			if p.Left > last+2*time.Second || p.Left <= 0 && p.Elapsed < p.Total {
				t.Errorf("%s: %v left after %v", p.Task, p.Left, last)
			}
			last = p.Left
		},
	})
	if diff := cmp.Diff([]string{"one on a (1/4)", "one on b (2/4)", "two on a (3/4)", "two on b (4/4)"}, tasks); diff != "" {
		t.Error(diff)
	}
}

func TestSuiteClock(t *testing.T) {
	t.Parallel()
	load := plannedTest{load: Load{Duration: 10 * time.Second}, preload: []plannedLoad{{requests: 1_000_000}}}
	plain := plannedTest{load: Load{Duration: 20 * time.Second}}
	c := newClock([]plannedTest{load, plain}, 2)
	c.begin(&load)
	// 5 s a million at the rate that is thought of first.
	want := func(name string, s report.Snapshot, want time.Duration) {
		t.Helper()
		if got := c.left(s); got != want {
			t.Errorf("%s: %v left, want %v", name, got, want)
		}
	}
	want("start", report.Snapshot{Phase: "loading"}, 70*time.Second)
	want("half loaded", report.Snapshot{Phase: "loading", Done: 500_000}, 67500*time.Millisecond)
	c.filled(&report.Result{Requests: report.Requests{Sent: 1_000_000}, WindowNs: 2e9})
	want("measuring", report.Snapshot{Phase: "measuring", Elapsed: 4 * time.Second}, 58*time.Second)
	want("tuning", report.Snapshot{Phase: "tuning", Elapsed: 4 * time.Second}, 62*time.Second)
	c.end()
	c.begin(&plain)
	want("second test", report.Snapshot{Phase: "measuring", Elapsed: 30 * time.Second}, 32*time.Second)
}
