package suite

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/respbench/respbench/template"
)

// builtin is a built-in suite.
func builtin(t testing.TB, name string) *Suite {
	t.Helper()
	s, err := Builtin(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The built-in suites are right at every scale, and fit together.
func TestBuiltins(t *testing.T) {
	t.Parallel()
	var all []*Suite
	for _, name := range Builtins() {
		s := builtin(t, name)
		all = append(all, s)
		for _, scale := range []float64{1e-9, 0.001, 0.0173, 0.01, 1, 3, 1000} {
			if _, err := s.plan(planOptions{scale: scale, template: template.Options{AnyData: len(s.Data) > 0}}); err != nil {
				t.Errorf("%s at scale %v: %v", name, scale, err)
			}
		}
	}
	joined, err := Join(all...)
	if err != nil {
		t.Fatal(err)
	}
	tests := 0
	for _, s := range all {
		tests += len(s.Tests)
	}
	if want := "whitepaper-and-8-more"; joined.Name != want {
		t.Errorf("together they are called %q, want %q", joined.Name, want)
	}
	if len(joined.Tests) != tests || len(all[0].Tests) != 11 {
		t.Errorf("%d tests: %q", len(joined.Tests), joined.names())
	}
	if _, err := Builtin("none"); err == nil {
		t.Error("there is a suite called none")
	}
}

// At full size the whitepaper's suite sends the whitepaper's commands.
func TestWhitepaperIsAsPublished(t *testing.T) {
	t.Parallel()
	tests, err := builtin(t, "whitepaper").plan(planOptions{scale: 1})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, x := range tests {
		for _, p := range x.prepare {
			got = append(got, p.Source())
		}
		for _, l := range x.preload {
			got = append(got, l.program.Source(), limited(l.requests))
		}
		got = append(got, sources(x.measured))
	}
	want := []string{
		"SET <key uniform 10000000> <value 64>",
		"SET <key sequence 10000000> <value 64>", "  (10000000 times)",
		"GET <key uniform 10000000>",
		"ZADD <key uniform 1000> <rand 70000> <key uniform 10000>",
		"ZADD <key sequence 1000> <rand 70000> <key sequence 10007>", "  (10007000 times)",
		"ZSCORE <key uniform 1000> <key uniform 10007>",
		"HSET <key uniform 1000> <key uniform 10000> <value 64>",
		"HSET <key sequence 1000> <key sequence 10007> <value 64>", "  (10007000 times)",
		"HGET <key uniform 1000> <key uniform 10007>",
		"LPUSH <key uniform 1000> <value 64>",
		"LPUSH <key sequence 1000> <value 64>", "  (10000000 times)",
		"LINDEX <key uniform 1000> <rand 10000>",
		"SADD <key uniform 1000> <value 64>",
		"SADD <key sequence 1000> <key sequence 10007>", "  (10007000 times)",
		"SISMEMBER <key uniform 1000> <key uniform 10007>",
		"SCRIPT LOAD \"return redis.call('SET', KEYS[1], ARGV[1])\"",
		"EVALSHA d8f2fad9f8e86a53d2a6ebd960b33c4972cacc37 1 <key uniform 10000000> <value 64>",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-published +sent):\n%s", diff)
	}
}

// What a label says is what is sent.
func TestMoreIsAsLabelled(t *testing.T) {
	t.Parallel()
	tests, err := builtin(t, "more").plan(planOptions{scale: 1})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, x := range tests {
		got[x.test.Name] = sources(x.measured)
	}
	for name, want := range map[string]string{
		"ping": "PING", "incr": "INCR <key uniform 10000000>", "rpush": "RPUSH <key uniform 1000> <value 64>",
		"lpop": "LPOP <key sequence 1000>", "rpop": "RPOP <key sequence 1000>",
		"spop": "SPOP <key sequence 1000>", "zpopmin": "ZPOPMIN <key sequence 1000>",
		"lrange_100": "LRANGE list 0 99", "lrange_300": "LRANGE list 0 299",
		"lrange_500": "LRANGE list 0 499", "lrange_600": "LRANGE list 0 599",
		"mset":  "MSET" + strings.Repeat(" <key uniform 10000000> <value 64>", 10),
		"hmset": "HMSET <key uniform 1000000> f0 <value 8> f1 <value 8> f2 <value 8> f3 <value 8> f4 <value 8> f5 <value 8> f6 <value 8> f7 <value 8> f8 <value 8> f9 <value 8>",
		"hmget": "HMGET <key uniform 1000000> f0 f1 f2 f3 f4 f5 f6 f7 f8 f9",
		"xadd":  "XADD <key uniform 1000> * field <value 64>",
	} {
		if got[name] != want {
			t.Errorf("%s sends %q, want %q", name, got[name], want)
		}
		delete(got, name)
	}
	if len(got) > 0 {
		t.Errorf("also %q", got)
	}
}

func TestScaledNumber(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		n     ScaledNumber
		scale float64
		want  int64
	}{
		{ScaledNumber{Full: 10_000_000}, 0.01, 100_000}, // 0.01 is a little more than a hundredth
		{ScaledNumber{Full: 10_000_000}, 1e-9, 1},
		{ScaledNumber{Full: 10_007, Coprime: 1000}, 1, 10_007},
		{ScaledNumber{Full: 10_007, Coprime: 1000}, 0.01, 101}, // 100 is not coprime
		{ScaledNumber{Full: 10_007, Coprime: 1000}, 0.001, 11},
		{ScaledNumber{Full: 10_007, Coprime: 1000}, 1e-9, 1},
		{ScaledNumber{Full: 10_007, Coprime: 1000}, 2, 20_017},
	} {
		if got := test.n.at(test.scale); got != test.want {
			t.Errorf("%+v at %v is %d, want %d", test.n, test.scale, got, test.want)
		}
	}
}

func TestSelect(t *testing.T) {
	t.Parallel()
	s := builtin(t, "whitepaper")
	for _, test := range []struct {
		only, skip []string
		want       string
		err        string
	}{
		{nil, []string{"zadd", "ZSCORE", "hset", "hget", "lpush", "lindex", "sadd", "sismember"}, "SET GET EVALSHA", ""},
		{[]string{"get", "set"}, nil, "SET GET", ""},
		{[]string{"get", "set"}, []string{"Get"}, "SET", ""},
		{[]string{"get"}, []string{"get"}, "", "no test is left"},
		{[]string{"gett"}, nil, "", `no test "gett"; its tests are SET, GET`},
		{nil, []string{"x"}, "", `no test "x"`},
	} {
		got, err := s.Select(test.only, test.skip)
		switch {
		case test.err != "":
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%v %v: %v, want %q", test.only, test.skip, err, test.err)
			}
		case err != nil:
			t.Errorf("%v %v: %v", test.only, test.skip, err)
		case strings.Join(got.names(), " ") != test.want:
			t.Errorf("%v %v: %v", test.only, test.skip, got.names())
		}
	}
	if len(s.Tests) != 11 {
		t.Error("the suite itself was changed")
	}
}

func TestJoinRefuses(t *testing.T) {
	t.Parallel()
	a := &Suite{Name: "a", Scaled: map[string]ScaledNumber{"n": {Full: 5}}, Tests: []Test{{Name: "x", Template: "PING"}}}
	b := &Suite{Name: "b", Scaled: map[string]ScaledNumber{"n": {Full: 6}}, Tests: []Test{{Name: "y", Template: "PING"}}}
	if _, err := Join(a, b); err == nil || !strings.Contains(err.Error(), `scaled "n" has another value`) {
		t.Errorf("two values: %v", err)
	}
	b.Scaled, b.Tests[0].Name = nil, "X"
	if _, err := Join(a, b); err == nil || !strings.Contains(err.Error(), `a second test is called "X"`) {
		t.Errorf("two tests of a name: %v", err)
	}
	connections := 7
	b.Tests[0].Name, b.Load.Connections = "y", &connections
	joined, err := Join(a, b)
	if err != nil {
		t.Fatal(err)
	}
	if l := joined.Tests[1].Load.Connections; joined.Name != "a-b" || l == nil || *l != 7 || joined.Tests[0].Load.Connections != nil {
		t.Errorf("%+v", joined)
	}
}

func TestSuiteValidate(t *testing.T) {
	t.Parallel()
	right := func() *Suite {
		return &Suite{Name: "s", Scaled: map[string]ScaledNumber{"n": {Full: 10}}, Tests: []Test{{
			Name: "x", Template: "GET ${prefix}<key uniform ${n}>",
			Preload: []Preload{{Template: "SET <key sequence ${n}> v", Count: "2 * ${n}"}},
		}}}
	}
	if err := right().Validate(); err != nil {
		t.Fatal(err)
	}
	minus := -1
	for _, test := range []struct {
		spoil      func(*Suite)
		path, want string
	}{
		{func(s *Suite) { s.Name = "" }, "name", "the suite: it has no name"},
		{func(s *Suite) { s.Name = "a b" }, "name", `the name "a b" is not`},
		{func(s *Suite) { s.Tests = nil }, "tests", "0 tests"},
		{func(s *Suite) { s.Load.Connections = &minus }, "connections", "-1 is not in 0.."},
		{func(s *Suite) { s.Load.Duration = -1 }, "seconds", "below 0"},
		{func(s *Suite) { s.Tests[0].Load.Pipeline = 2_000_000 }, "tests[0].pipeline", "2000000 is not in 1.."},
		{func(s *Suite) { s.Scaled["n"] = ScaledNumber{} }, "scaled.n", "full: 0 is not in 1..2^63-1"},
		{func(s *Suite) { s.Scaled["prefix"] = ScaledNumber{Full: 1} }, "scaled.prefix", "a name is"},
		{func(s *Suite) { s.Scaled["n"] = ScaledNumber{Full: 10, Coprime: 4} }, "scaled.n", "common divisor 2"},
		{func(s *Suite) { s.Tests[0].Name = "" }, "tests[0].name", "test 1: it has no name"},
		{func(s *Suite) { s.Tests = append(s.Tests, s.Tests[0]) }, "tests[1].name", `a second test is called "x"`},
		{func(s *Suite) { s.Tests[0].Mix = []Share{{"PING", 1}} }, "tests[0].mix", "there is a template, too"},
		{func(s *Suite) { s.Tests[0].Template, s.Tests[0].Mix = "", []Share{{"PING", 0}} }, "tests[0].mix[0].weight", "0 is not in 1.."},
		{func(s *Suite) { s.Tests[0].Template = "" }, "tests[0].template", `test "x": there is no template`},
		{func(s *Suite) { s.Tests[0].Template = "GET ${m}" }, "tests[0].template", `"${m}" is none of ${n}, ${prefix}`},
		{func(s *Suite) { s.Tests[0].Template = "GET ${" }, "tests[0].template", `"${" is none of`},
		{func(s *Suite) { s.Tests[0].Cleanup = []string{"DEL a", "DEL {kye uniform 5}"} }, "tests[0].cleanup[1]", "unknown placeholder"},
		{func(s *Suite) { s.Tests[0].Prepare = []string{"SCRIPT LOAD \"x"} }, "tests[0].prepare[0]", "never closed"},
		{func(s *Suite) { s.Tests[0].Preload[0].Count = "ten" }, "tests[0].preload[0].count", `count "ten" is not a number`},
		{func(s *Suite) { s.Tests[0].Preload[0].Count = "0" }, "tests[0].preload[0].count", `count "0" is not a number`},
		{func(s *Suite) { s.Tests[0].Preload[0].Count = "1g * 1g * 1g" }, "tests[0].preload[0].count", "is not a number"},
		{func(s *Suite) { s.Tests[0].Preload[0] = Preload{Template: "SET k v"} }, "tests[0].preload[0]", "no sequence"},
		{func(s *Suite) { s.Tests[0].Count = "once" }, "tests[0].count", "no sequences that could be covered once"},
		{func(s *Suite) {
			s.Tests[0].Template, s.Tests[0].Mix, s.Tests[0].Count = "", []Share{{"PING", 1}, {"PING", 1}}, "once"
		}, "tests[0].count", "a mix has several"},
		{func(s *Suite) { s.Tests[0].Template, s.Tests[0].Count = "MULTI ; EXEC", "3" }, "tests[0].count", "split a unit of 2"},
	} {
		s := right()
		test.spoil(s)
		err := s.Validate()
		var mistake *Error
		if !errors.As(err, &mistake) || mistake.Path != test.path || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got %v at %+v; want %q at %q", err, mistake, test.want, test.path)
		}
	}
	// A mistake in a template keeps its place.
	s := right()
	s.Tests[0].Template = "GET <kye uniform 5>"
	var syntax *template.Error
	if err := s.Validate(); !errors.As(err, &syntax) || syntax.Offset != 5 {
		t.Errorf("%v", err)
	}
}

func TestLoadPrecedence(t *testing.T) {
	t.Parallel()
	suite, test, flag := 1, 2, 0
	s := &Suite{
		Name: "s", Load: Load{Connections: &suite, Pipeline: 3, Duration: time.Second},
		Tests: []Test{{Name: "x", Template: "PING", Load: Load{Connections: &test}}},
	}
	for _, want := range []struct {
		over        Load
		connections int
		duration    time.Duration
	}{
		{Load{}, 2, time.Second},
		{Load{Connections: &flag, Duration: time.Minute}, 0, time.Minute},
	} {
		planned, err := s.plan(planOptions{scale: 1, load: want.over})
		if err != nil {
			t.Fatal(err)
		}
		c := planned[0].config()
		if c.Connections != want.connections || c.Duration != want.duration || c.Pipeline != 3 {
			t.Errorf("%+v: %+v", want, c)
		}
	}
	s.Load = Load{}
	if planned, _ := s.plan(planOptions{scale: 1}); planned[0].config().Duration != 20*time.Second {
		t.Error("without any other word a test takes 20 s")
	}
}

func TestSuiteConfigValidate(t *testing.T) {
	t.Parallel()
	good := func() Config {
		return Config{Suite: builtin(t, "whitepaper"), Targets: []Target{{}}}
	}
	if err := good().Validate(); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		spoil func(*Config)
		want  string
	}{
		{func(c *Config) { c.Suite = nil }, "no suite"},
		{func(c *Config) { c.Targets = nil }, "no target"},
		{func(c *Config) { c.Targets = make([]Target, 2) }, "a target has no name"},
		{func(c *Config) { c.Targets = []Target{{Name: "a b"}, {Name: "A-b"}} }, "given twice"},
		{func(c *Config) { c.Targets[0].Name = "a/b" }, `target "a/b"`},
		{func(c *Config) { c.Scale = -1 }, "scale: -1"},
		{func(c *Config) { c.Scale = 1001 }, "scale: 1001"},
		{func(c *Config) { c.Repeat = -1 }, "repeat: -1"},
		{func(c *Config) { c.Flush = 9 }, "flush: 9"},
		{func(c *Config) { c.Threads = -1 }, "threads: -1"},
		{func(c *Config) { c.Percentiles = []float64{101} }, "percentile 101"},
		{func(c *Config) { n := -5; c.Load.Connections = &n }, "connections: -5"},
		{func(c *Config) {
			c.Suite = &Suite{Name: "s", Scaled: map[string]ScaledNumber{"n": {Full: 100}}, Tests: []Test{{Name: "x", Template: "ZRANGE z <range ${n} 50>"}}}
			c.Scale = 0.1
		}, `at scale 0.1: test "x": template: `},
	} {
		c := good()
		test.spoil(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want %q", err, test.want)
		}
	}
}
