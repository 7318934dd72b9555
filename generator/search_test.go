package generator

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/respbench/respbench/report"
)

// synthetic is a server that answers every step of a search at once: its
// throughput and p99 at what is asked of it.
type synthetic func(at float64) (rate, p99ms float64)

// saturating serves up to capacity; its latency follows an M/M/1 queue, and
// beyond capacity a queue that grows for the two seconds of a step.
func saturating(capacity, serviceMs float64) synthetic {
	return func(at float64) (float64, float64) {
		load := at / capacity
		return min(at, capacity), serviceMs/(1-min(load, 0.99)) + max(0, 2000*(1-1/load))
	}
}

// flat is never full.
func flat(at float64) (float64, float64) { return at, 0.1 }

// collapsing gives up half of its throughput when it is overloaded.
func collapsing(at float64) (float64, float64) {
	if at > 50_000 {
		return 25_000, 1000
	}
	return at, 0.2
}

// closed is a server of 16 places, asked by connections: throughput grows up
// to there, and latency from there on.
func closed(at float64) (float64, float64) {
	return min(at, 16) * 1000, max(1, at/16)
}

// noisy doubles the latency of one step in n, and lets another one in n lag.
func noisy(s synthetic, n int, seed uint64) synthetic {
	dice := rand.New(rand.NewPCG(seed, 0))
	return func(at float64) (float64, float64) {
		rate, p99 := s(at)
		switch dice.IntN(n) {
		case 0:
			p99 *= 20
		case 1:
			rate *= 0.9
		}
		return rate, p99
	}
}

// searchOn runs a search to its end; limitMs 0 is no objective.
func searchOn(t *testing.T, s search, server synthetic, limitMs float64) []probe {
	t.Helper()
	var probes []probe
	for {
		at, ok := s.next(probes)
		if !ok {
			return probes
		}
		if at > s.to || at < s.lowest || at <= 0 || math.IsNaN(at) {
			t.Fatalf("step %d at %v is not within %v..%v", len(probes), at, s.lowest, s.to)
		}
		if len(probes) == maxProbes {
			t.Fatal("no end")
		}
		rate, p99 := server(at)
		p := probe{at: at, rate: rate, p99: int64(p99 * 1e6)}
		p.full = !s.whole && rate < kept*at
		p.held = !p.full && (limitMs == 0 || p99 < limitMs)
		probes = append(probes, p)
	}
}

func byRate(from, to, closed float64) search {
	s := search{from: from, to: to, narrow: true}
	s.rates(closed, 2)
	return s
}

func byConnections(from, to float64, narrow bool) search {
	s := search{from: from, to: to, narrow: narrow}
	s.connections()
	return s
}

func TestSearch(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		search   search
		server   synthetic
		limitMs  float64
		want     float64 // the highest that holds; 0 = none
		atMost   bool    // nothing that was tried failed
		knee     float64 // 0 = none
		mostRuns int
	}{
		// Full means that less than 95 % of the rate is reached.
		{"saturating", byRate(0, 0, 100_000), saturating(100_000, 0.1), 0, 100_000 / kept, false, 50_000, 20},
		{"saturating with an objective", byRate(0, 0, 100_000), saturating(100_000, 0.1), 1, 90_000, false, 50_000, 24},
		{"an objective near the start", byRate(0, 0, 100_000), saturating(100_000, 0.1), 0.12, 16_667, false, 50_000, 24},
		{"an objective below the start", byRate(0, 0, 100_000), saturating(100_000, 0.1), 0.105, 4_762, false, 50_000, 24},
		{"an objective out of reach", byRate(0, 0, 100_000), saturating(100_000, 0.1), 0.05, 0, false, 50_000, 24},
		{"an objective below a given start", byRate(20_000, 0, 100_000), saturating(100_000, 0.1), 0.11, 0, false, 50_000, 24},
		{"much more than the closed loop", byRate(0, 0, 20_000), saturating(100_000, 0.1), 1, 90_000, false, 50_000, 24},
		{"less than the closed loop", byRate(0, 0, 500_000), saturating(100_000, 0.1), 0, 100_000 / kept, false, 50_000, 20},
		{"slow", byRate(0, 0, 5), saturating(5, 200), 0, 5 / kept, false, 2.5, 20},
		{"bounds given", byRate(1000, 1_000_000, 0), saturating(100_000, 0.1), 0, 100_000 / kept, false, 50_000, 20},
		{"bounds far apart", byRate(1, 1e9, 0), saturating(100_000, 0.1), 0, 100_000 / kept, false, 32_000, maxProbes},
		{"one step", byRate(1000, 1000, 0), saturating(100_000, 0.1), 0, 1000, true, 0, 1},
		{"one step that fails", byRate(200_000, 200_000, 0), saturating(100_000, 0.1), 0, 0, false, 0, 2},
		{"flat", byRate(0, 0, 1000), flat, 0, 10_000, true, 0, 24},
		{"flat, bounded", byRate(0, 2000, 1000), flat, 1, 2000, true, 0, 24},
		{"collapsing", byRate(0, 0, 40_000), collapsing, 0, 50_000, false, 50_000, 20},
		{"collapsing in the closed loop", byRate(0, 0, 25_000), collapsing, 10, 50_000, false, 50_000, 24},
		{"nothing at all", byRate(100, 10_000, 0), func(float64) (float64, float64) { return 0, 0 }, 0, 0, false, 0, 2},
		{"connections", byConnections(0, 0, false), closed, 0, 0, false, 16, 7},
		{"connections with an objective", byConnections(0, 0, true), closed, 3, 47, false, 16, 20},
		{"connections, an objective beyond the plateau", byConnections(0, 0, true), closed, 20, 319, false, 16, 24},
		{"connections, none holds", byConnections(0, 0, true), closed, 0.5, 0, false, 16, 12},
		{"connections, bounded", byConnections(3, 10, true), closed, 3, 10, true, 0, 3},
		{"one connection", byConnections(1, 1, false), closed, 0, 0, false, 0, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			probes := searchOn(t, test.search, test.server, test.limitMs)
			if len(probes) > test.mostRuns {
				t.Errorf("%d steps, want at most %d: %v", len(probes), test.mostRuns, probes)
			}
			if test.search.narrow {
				held, missed, _ := test.search.highest(probes)
				if !near(held, test.want, narrowed) {
					t.Errorf("holds up to %v, want %v: %v", held, test.want, probes)
				}
				if (missed == 0) != test.atMost {
					t.Errorf("lowest that missed: %v", missed)
				}
			}
			i, ok := knee(probes)
			if ok != (test.knee > 0) || ok && !near(probes[i].at, test.knee, 1.35) {
				t.Errorf("knee %v, want near %v: %v", i, test.knee, probes)
			}
		})
	}
}

// near allows a factor in both directions.
func near(got, want, factor float64) bool {
	if want == 0 || got == 0 {
		return got == want
	}
	return got <= want*factor && got >= want/factor
}

// Single hiccups neither end the climb nor decide about a rate; the answer may
// be off when two of three fall on one rate, but never far above.
func TestSearchOnNoisyServer(t *testing.T) {
	t.Parallel()
	const want = 90_000
	good := 0
	for seed := range uint64(200) {
		s := byRate(0, 0, 100_000)
		held, _, ok := s.highest(searchOn(t, s, noisy(saturating(100_000, 0.1), 20, seed), 1))
		if !ok || held > want*narrowed {
			t.Errorf("seed %d: %v, %v", seed, held, ok)
		}
		if near(held, want, 1.1) {
			good++
		}
	}
	if good < 160 {
		t.Errorf("%d of 200 searches came within a tenth", good)
	}
}

// Whatever a server does, a search ends, within its bounds.
func TestSearchEnds(t *testing.T) {
	t.Parallel()
	for seed := range uint64(500) {
		dice := rand.New(rand.NewPCG(seed, 1))
		wild := func(at float64) (float64, float64) { return at * dice.Float64() * 1.5, dice.ExpFloat64() }
		for _, s := range []search{byRate(0, 0, 1+1e5*dice.Float64()), byRate(7, 0, 1000), byConnections(0, 0, true), byConnections(5, 1e6, false)} {
			searchOn(t, s, wild, 1)
		}
	}
}

func TestMiddleHeld(t *testing.T) {
	t.Parallel()
	probes := []probe{{at: 1, p99: 5, held: true}, {at: 2, p99: 9, held: true}, {at: 2, p99: 99}, {at: 2, p99: 3, held: true}, {at: 2, p99: 7, held: true}}
	if i := middleHeld(probes, 2); i != 4 {
		t.Errorf("probe %d", i)
	}
	if i := middleHeld(probes, 1); i != 0 {
		t.Errorf("the only probe: %d", i)
	}
}

func TestSweepDoubtsItsOrder(t *testing.T) {
	t.Parallel()
	s := sweep{cfg: SweepConfig{By: report.ByRate}, search: search{narrow: true}}
	s.probes = []probe{{at: 1000, held: true}, {at: 2000}, {at: 2000}, {at: 3000}}
	if got := s.doubtOrder(); got != "" {
		t.Errorf("in order: %q", got)
	}
	s.probes = append(s.probes, probe{at: 4000, held: true})
	if got := s.doubtOrder(); !strings.HasPrefix(got, "Steps above 2,000/s held, too") {
		t.Errorf("out of order: %q", got)
	}
}

func TestSearchMeasuresAMissAgain(t *testing.T) {
	t.Parallel()
	s := search{from: 100, to: 1000, lowest: 100, grow: 2, narrow: true}
	held, missed := probe{at: 100, rate: 100, held: true}, probe{at: 100, rate: 100}
	for _, test := range []struct {
		name   string
		probes []probe
		again  bool
	}{
		{"held", []probe{held}, false},
		{"missed", []probe{missed}, true},
		{"one of each", []probe{missed, held}, true},
		{"missed twice", []probe{missed, missed}, false},
		{"two of three held", []probe{missed, held, held}, false},
		{"two of three missed", []probe{missed, held, missed}, false},
		{"missed twice, and more held", []probe{missed, missed, {at: 200, rate: 200, held: true}}, true},
		{"missed three times, and more held", []probe{missed, missed, missed, {at: 200, rate: 200, held: true}}, false},
	} {
		at, ok := s.next(test.probes)
		if !ok || (at == 100) != test.again {
			t.Errorf("%s: next at %v, %v", test.name, at, ok)
		}
	}
}

func TestSearchRounds(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ at, want float64 }{
		{96_123.4, 96_100}, {2.5149, 2.51}, {0.012345, 0.0123}, {100, 100}, {1e9, 1e9}, {999.6, 1000},
	} {
		if got := (search{}).round(test.at); got != test.want {
			t.Errorf("%v is rounded to %v", test.at, got)
		}
	}
}

// Of several probes at one value the middle one counts, so that one lucky step
// is no knee.
func TestKneeIsNotALuckyStep(t *testing.T) {
	t.Parallel()
	probes := []probe{{at: 1, rate: 100, p99: 10}, {at: 2, rate: 200, p99: 10}, {at: 3, rate: 300, p99: 1}, {at: 3, rate: 300, p99: 90}, {at: 3, rate: 300, p99: 90}, {at: 4, rate: 300, p99: 100}}
	if i, ok := knee(probes); !ok || i != 1 {
		t.Errorf("knee at %d, %v", i, ok)
	}
	if _, ok := knee(probes[:2]); ok {
		t.Error("a knee at the end of what was measured")
	}
	if _, ok := knee(nil); ok {
		t.Error("a knee of nothing")
	}
}
