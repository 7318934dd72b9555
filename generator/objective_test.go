package generator

import (
	"strings"
	"testing"
	"time"

	"github.com/respbench/respbench/internal/redistest"
	"github.com/respbench/respbench/report"
)

func TestParseObjective(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text  string
		want  string // its String, or part of the error
		limit float64
		unit  string
	}{
		{"p99<2ms", "p99<2ms", 2e6, "ns"},
		{" p99.95  <=  1.5s ", "p99.95<=1.5s", 1.5e9, "ns"},
		{"avg<500us", "avg<500us", 5e5, "ns"},
		{"avg<500µs", "avg<500µs", 5e5, "ns"},
		{"min>0ns", "min>0ns", 0, "ns"},
		{"max < 2 ms", "max<2 ms", 2e6, "ns"},
		{"service  p99 < 1ms", "service p99<1ms", 1e6, "ns"},
		{"service avg<1ms", "service avg<1ms", 1e6, "ns"},
		{"qps>100k", "qps>100k", 1e5, "per_sec"},
		{"rate>=1.5m", "rate>=1.5m", 1.5e6, "per_sec"},
		{"qps>0.5", "qps>0.5", 0.5, "per_sec"},
		{"qps>10_000", "qps>10_000", 1e4, "per_sec"},
		{"errors<0.1%", "errors<0.1%", 0.1, "percent"},
		{"errors<=0", "errors<=0", 0, "count"},
		{"lost<1%", "lost<1%", 1, "percent"},
		{"unanswered<5", "unanswered<5", 5, "count"},

		{"p99", `objective "p99": nothing is compared; write as`, 0, ""},
		{"", `objective "": nothing is compared`, 0, ""},
		{"p99=2ms", "never exactly equal", 0, ""},
		{"p99==2ms", "never exactly equal", 0, ""},
		{"p99<2", "2 has no unit; write 2ms, 2us or 2s", 0, ""},
		{"p99<2m", `"2m" is not a time; write as`, 0, ""},
		{"p99<-2ms", `"-2ms" is not a time`, 0, ""},
		{"p99<1e999ms", "is not a time", 0, ""},
		{"p99<infms", "is not a time", 0, ""},
		{"p99<", `"" is not a time`, 0, ""},
		{"p99<>2ms", "is not a time", 0, ""},
		{"p0<2ms", `"p0" is no quantity; known are`, 0, ""},
		{"p101<2ms", `"p101" is no quantity`, 0, ""},
		{"pnan<2ms", `"pnan" is no quantity`, 0, ""},
		{"latency<2ms", `"latency" is no quantity`, 0, ""},
		{"<2ms", `"" is no quantity`, 0, ""},
		{"service qps>1", "service is for times", 0, ""},
		{"qps>fast", `"fast" is not a number of requests a second`, 0, ""},
		{"qps>10%", `"10%" is not a number of requests a second`, 0, ""},
		{"errors<0.5", `"0.5" is not a whole number of requests`, 0, ""},
		{"errors<2ms", `"2ms" is not a number of requests, nor a share`, 0, ""},
		{"errors<101%", `"101%" is more than all`, 0, ""},
	} {
		o, err := ParseObjective(test.text)
		if test.unit == "" {
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%q: %v, want %q", test.text, err, test.want)
			}
			continue
		}
		if err != nil || o.String() != test.want || o.limit != test.limit || o.unit != test.unit {
			t.Errorf("%q: %q %v %s, %v", test.text, o, o.limit, o.unit, err)
		}
	}
}

func objective(t testing.TB, text string) Objective {
	t.Helper()
	o, err := ParseObjective(text)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestCheckObjectives(t *testing.T) {
	t.Parallel()
	latency, service := report.NewRecorder(), report.NewRecorder()
	for i := range int64(100) {
		latency.Record((i+1)*1e6, 1)
		service.Record(500, 1)
	}
	full := &tally{latency, service, 5000, report.Requests{Sent: 130, Succeeded: 100, Failed: 20, Unanswered: 7, Lost: 3}}
	empty := &tally{latency: report.NewRecorder(), requests: report.Requests{Sent: 3, Unanswered: 3}}
	for _, test := range []struct {
		text     string
		tally    *tally
		measured float64 // -1 = nothing
		held     bool
	}{
		{"p99<100ms", full, 99e6, true},
		{"p99<99ms", full, 99e6, false},
		{"p99<=99.1ms", full, 99e6, true},
		{"p100<100ms", full, 100e6, false},
		{"max<=100ms", full, 100e6, true},
		{"min>1ms", full, 1e6, false},
		{"min>=1ms", full, 1e6, true},
		{"avg<50.6ms", full, 50.5e6, true},
		{"service p50<=500ns", full, 500, true},
		{"service max<500ns", full, 500, false},
		{"qps>5k", full, 5000, false},
		{"rate>=5k", full, 5000, true},
		{"errors<20", full, 20, false},
		{"errors<=20", full, 20, true},
		{"errors<17%", full, 100.0 * 20 / 120, true},
		{"unanswered<7", full, 7, false},
		{"lost<=10%", full, 100.0 * 3 / 130, true},
		{"p99<100s", empty, -1, false},
		{"p99>0ns", empty, -1, false},
		{"avg<100s", empty, -1, false},
		{"service p99<100s", empty, -1, false},
		{"qps>0", empty, 0, false},
		{"errors<1%", empty, 0, true},
		{"unanswered<50%", empty, 100, false},
	} {
		got := check([]Objective{objective(t, test.text)}, test.tally)[0]
		measured := -1.0
		if got.Measured != nil {
			measured = *got.Measured
		}
		if !near(measured, test.measured, 1.001) && measured != test.measured || got.Held != test.held || got.Text != test.text {
			t.Errorf("%s: %v %v, want %v %v", test.text, measured, got.Held, test.measured, test.held)
		}
	}
}

// TestObjectiveNamesItsFigure: programs need not take the text apart.
func TestObjectiveNamesItsFigure(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{
		"p99.9<2ms": {"p99.9", "<"}, "service  max <= 2ms": {"service max", "<="}, "avg>1us": {"avg", ">"},
		"qps >= 1k": {"qps", ">="}, "rate>1k": {"qps", ">"}, "errors < 1%": {"errors", "<"}, "lost<=0": {"lost", "<="},
	} {
		got := check([]Objective{objective(t, text)}, &tally{latency: report.NewRecorder()})[0]
		if got.Figure != want[0] || got.Compare != want[1] {
			t.Errorf("%s: %q %q", text, got.Figure, got.Compare)
		}
	}
}

func TestRunChecksObjectives(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	s.Do(t, "SET", "k0", "x")
	r := mustRun(t, s, "LPUSH k<int sequence 2> v", Config{
		Requests: 1000, Connections: 2,
		Objectives: []Objective{objective(t, "p99<90s"), objective(t, "errors<50%"), objective(t, "qps>1"), objective(t, "lost<=0")},
	})
	held := ""
	for _, o := range r.Objectives {
		held += map[bool]string{true: "h", false: "m"}[o.Held]
	}
	if held != "hmhh" || *r.Objectives[1].Measured != 50 || len(r.Missed()) != 1 {
		t.Errorf("%s %+v", held, r.Objectives)
	}
	open := mustRun(t, s, "PING", Config{
		Rate: 500, Duration: 200 * time.Millisecond, Objectives: []Objective{objective(t, "service p50<10s"), objective(t, "p50<1ns")},
	})
	if o := open.Objectives; !o[0].Held || o[1].Held || *o[0].Measured > *o[1].Measured {
		t.Errorf("%+v", o)
	}
	none := mustRun(t, s, "BLPOP none 30", Config{Duration: 50 * time.Millisecond, Connections: 1, Objectives: []Objective{objective(t, "max<90s")}})
	if o := none.Objectives[0]; o.Held || o.Measured != nil {
		t.Errorf("nothing was measured, and yet: %+v", o)
	}
}

func TestObjectivesMustFit(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		cfg  Config
		want string
	}{
		{Config{Objectives: []Objective{objective(t, "service p99<1ms")}}, "a closed loop has no service time"},
		{Config{AbortIf: []Objective{objective(t, "service p99>1ms")}}, "a closed loop has no service time"},
		{Config{AbortIf: []Objective{objective(t, "unanswered>1")}}, "only known at the end"},
		{Config{Rate: 1, Objectives: []Objective{objective(t, "service p99<1ms")}}, ""},
		{Config{Stages: []float64{1, 2}, Duration: time.Second, Objectives: []Objective{objective(t, "service p99<1ms")}}, ""},
		{Config{Timetable: &Timetable{logOf(t, 0, 1000).Times(), 1}, Objectives: []Objective{objective(t, "service p99<1ms")}}, ""},
	} {
		test.cfg.Templates = Only(program(t, "PING"))
		err := test.cfg.Validate()
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want %q", err, test.want)
		}
	}
}

func TestRunEndsEarly(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	s.Do(t, "SET", "k0", "x")
	start := time.Now()
	r := mustRun(t, s, "LPUSH k<int sequence 2> v", Config{
		Duration: time.Minute, Connections: 2, Warmup: 100 * time.Millisecond,
		AbortIf: []Objective{objective(t, "lost>0"), objective(t, "errors>40%"), objective(t, "qps>1")},
	})
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("took %v", took)
	}
	a := r.Aborted
	if a == nil || a.Text != "errors>40%" || a.Measured < 49 || a.Measured > 51 || a.AtNs < int64(abortAfter)-1e8 || r.Interrupted != "" {
		t.Errorf("%+v, interrupted %q", a, r.Interrupted)
	}
	if r.Requests.Failed == 0 || r.Latency == nil {
		t.Errorf("no full report: %+v", r.Requests)
	}
}
