package generator

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/report"
)

// What lanes did in the same time is added up, also where the slices of one are
// late, longer or fewer than those of the other; nothing gets lost.
func TestAddSeries(t *testing.T) {
	t.Parallel()
	const base = int64(1e12) // the clock does not begin with the run
	series := func(counts ...[2]int64) outcome {
		var o outcome
		for _, c := range counts {
			o.series = append(o.series, slice{base + c[0], figures{succeeded: c[1], max: c[1], p50: 1, p99: 1}})
		}
		return o
	}
	tests := []struct {
		name string
		outs []outcome
		want [][2]int64 // ends and successes
	}{
		{"in step", []outcome{series([2]int64{10, 1}, [2]int64{20, 2}), series([2]int64{11, 4}, [2]int64{19, 8})}, [][2]int64{{10, 5}, {20, 10}}},
		{"one is longer", []outcome{series([2]int64{10, 1}, [2]int64{20, 2}), series([2]int64{9, 4}, [2]int64{21, 8}, [2]int64{23, 16})}, [][2]int64{{9, 5}, {21, 10}, {23, 16}}},
		{"one missed a tick", []outcome{series([2]int64{10, 1}, [2]int64{20, 2}, [2]int64{30, 4}), series([2]int64{10, 8}, [2]int64{30, 16})}, [][2]int64{{10, 9}, {20, 2}, {30, 20}}},
		{"one has none", []outcome{series(), series([2]int64{10, 1})}, [][2]int64{{10, 1}}},
		{"none has any", []outcome{series(), series()}, nil},
	}
	for _, test := range tests {
		var got [][2]int64
		for _, s := range addSeries(test.outs) {
			got = append(got, [2]int64{s.end - base, s.rec.succeeded})
			if !s.rec.mixed || s.rec.p50 != 0 || s.rec.max == 0 {
				t.Errorf("%s: %+v", test.name, s.rec)
			}
		}
		if d := cmp.Diff(test.want, got); d != "" {
			t.Errorf("%s: %s", test.name, d)
		}
	}
}

// What went wrong in one lane did in the run, whichever lane it was: an outage
// that was not over, and what ended it early.
func TestSideBySide(t *testing.T) {
	t.Parallel()
	cause := errors.New("ended")
	lane := func(o outcome) outcome {
		o.total, o.sentUntil = newLedger(&Config{}), 50
		o.total.FirstSentNs, o.total.LastReplyNs = 10, 20
		return o
	}
	for _, outs := range [][]outcome{
		{lane(outcome{stopped: cause, outages: []outage{{from: 15, to: 60, open: true}}}), lane(outcome{})},
		{lane(outcome{}), lane(outcome{stopped: cause, outages: []outage{{from: 15, to: 60, open: true}}})},
	} {
		all := sideBySide(outs)
		if _, to := all.window(); to != 50 || all.stopped != cause || len(all.outages) != 1 || !all.outages[0].open {
			t.Errorf("the window ends at %d: %+v", to, all)
		}
	}
}

// Lanes share the CPUs that are given, and do not crowd on the first.
func TestLanesOnCores(t *testing.T) {
	t.Parallel()
	usable := conn.UsableCPUs()
	if len(usable) < 2 {
		t.Skip("no two CPUs to be pinned to")
	}
	lane := Lane{Templates: Only(program(t, "PING"))}
	c := Config{Dialer: conn.Dialer{Address: "localhost:1"}, Cores: usable[:2], Lanes: []Lane{lane, lane, lane}}
	list, err := c.split()
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{usable[0], usable[1], usable[0]} {
		if list[i].Threads != 1 || list[i].Cores[0] != want {
			t.Errorf("lane %d: %d threads on %v", i, list[i].Threads, list[i].Cores)
		}
	}
}

// Each lane that did not keep its rate is named.
func TestDoubtLanes(t *testing.T) {
	t.Parallel()
	r := second(func(r *report.Result) {
		kept, missed := report.Lane{Name: "a", OpenLoop: &report.OpenLoop{}}, report.Lane{Name: "b", OpenLoop: &report.OpenLoop{Missed: 300}}
		kept.Requests.Sent, missed.Requests.Sent = 100, 100
		r.Lanes = []report.Lane{kept, {Name: "closed"}, missed}
	})
	if text := doubtLanes(r, advice{}); !strings.HasPrefix(text, "Lane b: Only 25.0 % ") || strings.Count(text, "Lane") != 1 {
		t.Errorf("%q", text)
	}
}

// A lane that stood still is named, where the others did not.
func TestStalledLane(t *testing.T) {
	t.Parallel()
	const second = int64(time.Second)
	lane := func(s stall) outcome {
		o := outcome{total: newLedger(&Config{}), stall: s}
		o.total.FirstSentNs, o.total.LastReplyNs = second, 9*second
		return o
	}
	c := crew{{cfg: Config{lane: "a"}}, {cfg: Config{lane: "b"}}}
	alone, together := []outcome{lane(stall{3 * second, 5 * second}), lane(stall{})}, []outcome{lane(stall{3 * second, 5 * second}), lane(stall{3 * second, 6 * second})}
	all := sideBySide(alone)
	if texts := c.stalls(alone, &all); len(texts) != 1 || !strings.HasPrefix(texts[0], "Lane a: For at least 2.0 s, from 2.0 s on, ") {
		t.Errorf("%q", texts)
	}
	if all = sideBySide(together); all.stalled(second) == "" || c.stalls(together, &all) != nil {
		t.Errorf("%q, and %q", all.stalled(second), c.stalls(together, &all))
	}
}
