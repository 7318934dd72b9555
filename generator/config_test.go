package generator

import (
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/respbench/respbench/conn"
)

func TestConfigDefaults(t *testing.T) {
	t.Parallel()
	half := max(1, shared.usableCPUs()/2)
	tests := []struct {
		name, template string
		cfg            Config
		c, p, threads  int
		n              int64
	}{
		{"timed runs are tuned", "PING", Config{Duration: time.Second}, 0, 1, half, 0},
		{"endless runs are tuned", "PING", Config{}, 0, 1, half, 0},
		{"counted runs are not", "PING", Config{Requests: 10}, 50, 1, half, 10},
		{"no more threads than connections", "PING", Config{Connections: 1, Threads: 8}, 1, 1, 1, 0},
		{"load", "SET {key sequence 10} v", Config{Load: true}, 128, 10, half, 10},
		{"load of two sequences", "HSET {key sequence 1000} {key sequence 10007} v", Config{Load: true}, 128, 10, half, 10_007_000},
		{"load of units", "SET {key sequence 10} v ; PING", Config{Load: true, Connections: 4, Pipeline: 2}, 4, 2, min(half, 4), 20},
		{"load with a count", "SET {rand 5} v", Config{Load: true, Requests: 3}, 128, 10, half, 3},
	}
	for _, test := range tests {
		test.cfg.Templates = Only(program(t, test.template))
		got, err := test.cfg.resolve()
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if got.Connections != test.c || got.Pipeline != test.p || got.Threads != test.threads || got.Requests != test.n {
			t.Errorf("%s: c %d P %d threads %d n %d", test.name, got.Connections, got.Pipeline, got.Threads, got.Requests)
		}
	}
}

func TestConfigRefuses(t *testing.T) {
	t.Parallel()
	ping := program(t, "PING")
	tests := []struct {
		cfg  Config
		want string
	}{
		{Config{}, "no template"},
		{Config{Templates: Only(ping), Connections: -1}, "connections: -1"},
		{Config{Templates: Only(ping), Connections: math.MaxInt32}, "connections: 2147483647 is not in 0..1000000"},
		{Config{Templates: Only(ping), Pipeline: -1}, "pipeline depth: -1"},
		{Config{Templates: Only(ping), Pipeline: math.MaxInt32}, "pipeline depth"},
		{Config{Templates: Only(ping), Requests: -1}, "requests: -1"},
		{Config{Templates: Only(ping), Duration: -1}, "duration"},
		{Config{Templates: Only(ping), Warmup: -1}, "warm-up"},
		{Config{Templates: Only(program(t, "SET {key sequence 9} v")), Load: true, Warmup: 1}, "warm-up: it would write"},
		{Config{Templates: Only(program(t, "SET k {value 512mi}")), Connections: 100_000, Pipeline: 1000}, "may hold"},
		{Config{Templates: Only(ping), Interval: time.Millisecond}, "interval: 1ms is below 10ms"},
		{Config{Templates: Only(ping), Threads: -1}, "threads: -1"},
		{Config{Templates: Only(ping), Threads: 5000}, "threads: 5000"},
		{Config{Templates: Only(ping), Cores: []int{4000}}, "cores: "},
		{Config{Templates: Only(ping), Cores: []int{0}, Engine: conn.Portable}, "cannot be pinned"},
		{Config{Templates: Only(ping), Percentiles: []float64{50, 0}}, "percentile 0"},
		{Config{Templates: Only(ping), Percentiles: []float64{100.1}}, "percentile 100.1"},
		{Config{Templates: Only(ping), Percentiles: []float64{math.NaN()}}, "percentile NaN"},
		{Config{Templates: Only(ping), Load: true}, "no sequence"},
		{Config{Templates: Only(program(t, "PING ; PING ; PING")), Requests: 10}, "unit of 3 commands; the nearest is 9"},
		{Config{Templates: Only(program(t, "SET {key sequence 9223372036854775807} {key sequence 2}")), Load: true}, "more than 2^63-1"},
		{Config{Templates: Only(program(t, "PING ; SET {key sequence 9223372036854775807} v")), Load: true}, "more than 2^63-1"},
	}
	for _, test := range tests {
		if err := test.cfg.Validate(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, want %q", err, test.want)
		}
	}
}

// TestConfigFilledIn: what was checked can be filled in, and filling in makes
// nothing of what was given but what follows from it.
func TestConfigFilledIn(t *testing.T) {
	t.Parallel()
	times := logOf(t, 0, 1000, 2000).Times()
	for name, test := range map[string]struct {
		cfg  Config
		want func(c Config) bool
	}{
		"idle":     {Config{Idle: true, Connections: 3}, func(c Config) bool { return len(c.Templates) == 1 && c.Connections == 3 && c.Pipeline == 1 }},
		"stages":   {Config{Templates: Only(program(t, "PING")), Stages: []float64{7, 9}, Duration: 1}, func(c Config) bool { return c.Rate == 7 && c.Pipeline == 256 }},
		"recorded": {Config{Templates: Only(program(t, "PING")), Timetable: &Timetable{times, 2}}, func(c Config) bool { return c.Rate > 0 && c.Threads == 1 && c.Arrivals == Recorded }},
		"units":    {Config{Templates: Only(program(t, "SET <key sequence 10> v ; PING")), Load: true}, func(c Config) bool { return c.Requests == 20 }},
		"in turn":  {Config{Templates: []Template{{program(t, "PING"), 3}, {program(t, "TIME"), 6}}, Load: true, Order: InTurn}, func(c Config) bool { return c.Requests == 9 }},
		"for a time": {Config{Templates: Only(program(t, "PING")), Load: true, Duration: time.Second}, func(c Config) bool {
			return c.Requests == 0 && c.Duration == time.Second && c.Connections == 128
		}},
	} {
		before := test.cfg
		if err := test.cfg.check(); err != nil || !reflect.DeepEqual(before, test.cfg) {
			t.Errorf("%s: error %v, and now %+v", name, err, test.cfg)
		}
		if got := test.cfg.filled(); !test.want(got) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// A unit is never split, so a connection always has room for one.
func TestConfigWindow(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		template         string
		pipeline, window int
	}{{"PING", 1, 1}, {"PING", 7, 7}, {"PING ; PING", 1, 2}, {"PING ; PING", 7, 7}, {"PING ; PING ; PING ; PING", 10, 10}} {
		cfg := Config{Templates: Only(program(t, test.template)), Pipeline: test.pipeline}
		if got := cfg.window(); got != test.window {
			t.Errorf("%s with -P %d: window %d, want %d", test.template, test.pipeline, got, test.window)
		}
	}
}
