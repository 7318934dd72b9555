package generator

import (
	"strings"
	"testing"

	"github.com/respbench/respbench/report"
)

// second is a Result of one second with nothing to doubt.
func second(change func(*report.Result)) *report.Result {
	r := &report.Result{
		WindowNs: 1e9,
		Requests: report.Requests{Sent: 100_000, Succeeded: 100_000},
		Latency:  &report.Latency{Count: 100_000, Percentiles: []report.Percentile{{Percent: 50}, {Percent: 99.9}, {Percent: 100}}},
		Target:   report.Target{Address: "10.0.0.1:6379"},
		Client:   report.Client{UsableCPUs: 4},
	}
	change(r)
	return r
}

func TestLimit(t *testing.T) {
	t.Parallel()
	cpu := func(client, loop, server float64) func(*report.Result) {
		return func(r *report.Result) {
			r.Client.CPUNs, r.Client.LoopCPUNs = int64(client*1e9), int64(loop*1e9)
			ns := int64(server * 1e9)
			r.Server.CPUNs = &ns
		}
	}
	tests := []struct {
		name   string
		change func(*report.Result)
		who    string
		why    string
	}{
		{"server", cpu(1, 0.5, 0.98), "server", "the client has 3.0 cores left"},
		{"client", cpu(1, 0.97, 0.4), "client", "97 %"},
		{"both", cpu(1, 0.97, 0.95), "machine", "both"},
		{"neither", cpu(0.3, 0.3, 0.4), "neither", "40 %"},
		{"local and full", func(r *report.Result) {
			cpu(0.8, 0.8, 0.8)(r)
			r.Client.MachineCPUs, r.Target.Address, r.Client.MachineCPUNs = 2, "127.0.0.1:6379", 1.9e9
		}, "machine", "its 2 CPUs are full: the client uses 0.8, the server 0.8, other programs 0.3"},
		{"far and full", func(r *report.Result) {
			cpu(0.8, 0.8, 0.8)(r)
			r.Client.MachineCPUs, r.Client.MachineCPUNs = 4, 3.9e9
		}, "machine", "its 4 CPUs are full: the client uses 0.8, other programs 3.1"},
		{"confined and full", func(r *report.Result) {
			cpu(0.3, 0.3, 0.8)(r)
			r.Client.MachineCPUs, r.Client.Confined, r.Target.Address, r.Client.MachineCPUNs = 1, true, "127.0.0.1:6379", 1e9
		}, "machine", "the client's 1 CPU is full: the client uses 0.3, the server and other programs 0.7"},
		{"a quota, and others busy", func(r *report.Result) {
			cpu(0.3, 0.3, 0.4)(r)
			r.Client.UsableCPUs, r.Client.MachineCPUs, r.Client.MachineCPUNs = 1, 64, 20e9
		}, "neither", "40 %"},
		{"neither, tuned", func(r *report.Result) { cpu(0.3, 0.3, 0.4)(r); r.Workload.Tuned = true }, "neither", "tuning found"},
		{"the main thread counts", func(r *report.Result) {
			cpu(1, 0.5, 3)(r)
			ns := int64(0.5e9)
			r.Server.MainCPUNs = &ns
		}, "neither", "50 %"},
		{"server silent, client full", func(r *report.Result) { r.Client.LoopCPUNs = 99e7 }, "client", "99 %"},
		{"server silent", func(r *report.Result) { r.Client.LoopCPUNs = 5e7 }, "unknown", "does not tell"},
		{"too short", func(r *report.Result) { r.WindowNs = 1e6 }, "unknown", "too short"},
		{"embedded", func(r *report.Result) { r.Target.Embedded = true }, "unknown", "one process"},
	}
	for _, test := range tests {
		got := limit(second(test.change), advice{})
		if got.Who != test.who || !strings.Contains(got.Why, test.why) {
			t.Errorf("%s: %+v, want %s, %q", test.name, got, test.who, test.why)
		}
	}
}

func TestDoubts(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(*report.Result)
		want   string
	}{
		{"embedded", func(r *report.Result) { r.Target.Embedded = true }, "no figures worth quoting"},
		{"client full", func(r *report.Result) { r.Client.LoopCPUNs = 99e7 }, "--threads"},
		{"not all sent", func(r *report.Result) { r.Workload.Requests = 200_000 }, "Only 100,000 of 200,000"},
		{"in flight", func(r *report.Result) { r.Requests.Unanswered = 3 }, "Unanswered 1s after sending ended: 3."},
		{"empty replies", func(r *report.Result) { r.Requests.Empty = 37_000 }, "37.0 % of the replies were empty"},
		{"missing keys", func(r *report.Result) { h, m := int64(30_000), int64(70_000); r.Server.Hits, r.Server.Misses = &h, &m }, "70.0 % of the reads met keys that do not exist"},
		{"a load cut short", func(r *report.Result) {
			r.Workload.Load, r.Workload.Requests, r.Workload.DurationNs = true, 200_000, 1e9
		}, "Only 100,000 of 200,000"},
		{"evictions", func(r *report.Result) { n := int64(5); r.Server.Evicted = &n }, "evicted 5 keys"},
		{"few samples", func(r *report.Result) { r.Latency.Count = 500 }, "few samples (500), p99.9 and above"},
		{"very few samples", func(r *report.Result) { r.Latency.Count = 5 }, "p50 and above"},
		{"replies long after the end", func(r *report.Result) {
			r.OpenLoop, r.Workload.DurationNs, r.WindowNs = &report.OpenLoop{RatePerSec: 100_000}, 1e9, 1.2e9
		}, "came 200 ms after the time was up"},
		{"over range", func(r *report.Result) { r.Latency.OverRange = 2 }, "2 latencies exceed"},
	}
	for _, test := range tests {
		r := second(test.change)
		judge(r, advice{})
		if len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], test.want) {
			t.Errorf("%s: %q, want %q", test.name, r.Warnings, test.want)
		}
	}
	for name, change := range map[string]func(*report.Result){
		"nothing to doubt": func(*report.Result) {},
		"interrupted":      func(r *report.Result) { r.Workload.Requests, r.Interrupted = 200_000, "SIGINT" },
		"time came first":  func(r *report.Result) { r.Workload.Requests, r.Workload.DurationNs = 200_000, 1e9 },
		"few lookups":      func(r *report.Result) { h, m := int64(0), int64(10); r.Server.Hits, r.Server.Misses = &h, &m },
		"some misses":      func(r *report.Result) { r.Requests.Empty = 5_000 },
		"replies soon after the end": func(r *report.Result) {
			r.OpenLoop, r.Workload.DurationNs, r.WindowNs = &report.OpenLoop{RatePerSec: 100_000}, 1e9, 1.06e9
		},
		"a slow reply": func(r *report.Result) {
			r.OpenLoop, r.Workload.DurationNs, r.WindowNs = &report.OpenLoop{RatePerSec: 100_000}, 1e9, 1.4e9
			r.Latency.MinNs = 390e6
		},
		"load":       func(r *report.Result) { r.Workload.Load, r.Latency.Count = true, 500 },
		"no success": func(r *report.Result) { r.Latency, r.Requests = nil, report.Requests{} },
	} {
		r := second(change)
		if judge(r, advice{}); len(r.Warnings) != 0 {
			t.Errorf("%s: %q", name, r.Warnings)
		}
	}
}

// What a doubt advises is what the run can take.
func TestAdvice(t *testing.T) {
	t.Parallel()
	moved := func(r *report.Result) { r.Errors = []report.ErrorClass{{Code: "MOVED"}} }
	missed := func(r *report.Result) { r.Requests.Empty = 37_000 }
	busy := func(r *report.Result) { r.Client.LoopCPUNs = 99e7 }
	late := func(r *report.Result) {
		r.OpenLoop = &report.OpenLoop{RatePerSec: 400_000, Missed: 300_000}
		r.Client.LoopCPUNs = 5e7
	}
	log := advice{log: true, rows: true}
	for _, test := range []struct {
		name   string
		change func(*report.Result)
		advice advice
		want   string
		not    string
	}{
		{"a node", moved, advice{}, "add --cluster", "log"},
		{"a node, of a log", moved, log, "replay the log of each node against that node", "--cluster"},
		{"a node, of a command file", moved, advice{rows: true}, "send each node a file", "--cluster"},
		{"missing keys", missed, advice{}, "(--load)", "log"},
		{"missing keys, of a log", missed, log, "the data that the logged server had", "--load"},
		{"a busy client", busy, advice{}, "--threads", "--pace"},
		{"a busy client, of recorded times", busy, advice{log: true, recorded: true}, "--pace", "--threads"},
		{"a busy client, of one connection", busy, advice{log: true, tied: true}, "-P", "--threads"},
		{"a busy client, with few connections", func(r *report.Result) { busy(r); r.Workload.Connections, r.Workload.Threads = 2, 2 }, advice{}, "(-c)", "--threads"},
		{"late", late, advice{}, "Only 25.0 % of the requests that were due were done", "--pace"},
		{"late, of recorded times", late, advice{recorded: true}, "replay slower (--pace)", "ask for less"},
		{"sent again", func(r *report.Result) { r.Faults = &report.Faults{Repeated: 1} }, log, "broke: 1 command. The server may have done them before, so the data may differ", "commands."},
	} {
		r := second(test.change)
		judge(r, test.advice)
		if text := strings.Join(r.Warnings, "\n"); len(r.Warnings) != 1 || !strings.Contains(text, test.want) || strings.Contains(text, test.not) {
			t.Errorf("%s: %q, want %q and not %q", test.name, text, test.want, test.not)
		}
	}
	r := second(func(r *report.Result) { r.Faults = &report.Faults{Repeated: 1} })
	if judge(r, advice{}); len(r.Warnings) != 0 {
		t.Errorf("templates that were sent again: %q", r.Warnings)
	}
	r = second(func(r *report.Result) { ns := int64(3e8); r.Server.CPUNs = &ns })
	if judge(r, advice{tied: true}); strings.Contains(r.Limit.Why, "connections") {
		t.Error(r.Limit)
	}
}

// Reads that were to go to replicas, and where there were none.
func TestDoubtReplicas(t *testing.T) {
	t.Parallel()
	nodes := []report.Node{{Address: "a:1", Primary: true}, {Address: "b:1"}}
	for _, test := range []struct {
		readFrom string
		nodes    []report.Node
		want     bool
	}{
		{"", nil, false}, {"primary", nodes[:1], false}, {"replica", nodes, false}, {"any", nodes, false},
		{"replica", nodes[:1], true}, {"any", nodes[:1], true},
	} {
		r := second(func(r *report.Result) { r.Workload.ReadFrom, r.Nodes = test.readFrom, test.nodes })
		if got := doubtReplicas(r, advice{}); (got != "") != test.want {
			t.Errorf("from %q at %d nodes: %q", test.readFrom, len(test.nodes), got)
		}
	}
}

// Rows with a p99 that rests on few samples are named, where the total has enough.
func TestDoubtRows(t *testing.T) {
	t.Parallel()
	thin, enough := &report.Latency{Count: 999}, &report.Latency{Count: 1000}
	r := second(func(r *report.Result) {
		r.Stages = []report.Stage{{AskedPerSec: 20, Latency: thin}, {AskedPerSec: 2000, Latency: enough}}
		r.Lanes = []report.Lane{{Name: "a", Latency: thin}, {Name: "none"}}
		r.Parts = []report.Part{{Latency: enough}, {Latency: thin}}
	})
	if text := doubtRows(r, advice{}); !strings.HasSuffix(text, "in: 20/s (999), lane a (999), template 2 (999).") {
		t.Errorf("%q", text)
	}
	if r.Latency = thin; doubtRows(r, advice{}) != "" {
		t.Error("said twice")
	}
}

// Lanes reached their rate if each has one and did.
func TestLanesReached(t *testing.T) {
	t.Parallel()
	lane := func(missed int64) report.Lane {
		l := report.Lane{OpenLoop: &report.OpenLoop{Missed: missed}}
		l.Requests.Sent = 100
		return l
	}
	for _, test := range []struct {
		lanes []report.Lane
		want  bool
	}{
		{[]report.Lane{lane(0), lane(0)}, true}, {[]report.Lane{lane(0), lane(50)}, false}, {[]report.Lane{lane(0), {}}, false},
	} {
		if got := reached(second(func(r *report.Result) { r.Lanes = test.lanes })); got != test.want {
			t.Errorf("%+v: %v", test.lanes, got)
		}
	}
}
