package generator

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/internal/redistest"
	"github.com/respbench/respbench/report"
)

// Of a constant rate the timetable alone decides how many requests are due in
// each second, and how evenly: exactly, whatever the number of loops.
func TestTimetableIsEven(t *testing.T) {
	t.Parallel()
	for _, rate := range []float64{7, 1000, 50_000} {
		for _, workers := range []int{1, 2, 3} {
			const seconds = 10
			due := times(rate, workers, Constant, 0, seconds*1e9)
			perSecond := make([]float64, seconds)
			for _, at := range due {
				perSecond[at/1e9]++
			}
			for second, n := range perSecond {
				if math.Abs(n-rate) > 1 { // the rounding of a due time that falls on the boundary
					t.Errorf("%v/s by %d: %v due in second %d", rate, workers, n, second)
				}
			}
			if cv := variation(gapsOf(due)); cv > 0.001 {
				t.Errorf("%v/s by %d: the gaps vary by %.4f", rate, workers, cv)
			}
		}
	}
}

// gapsOf is the times between each and the next, in nanoseconds.
func gapsOf(times []int64) []float64 {
	gaps := make([]float64, 0, len(times))
	for k := 1; k < len(times); k++ {
		gaps = append(gaps, float64(times[k]-times[k-1]))
	}
	return gaps
}

// variation is the coefficient of variation.
func variation(values []float64) float64 {
	sum, squares := 0.0, 0.0
	for _, v := range values {
		sum += v
	}
	mean := sum / float64(len(values))
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	return math.Sqrt(squares/float64(len(values))) / mean
}

// An open loop sends rate times time requests, whatever the pipeline depth and
// the number of connections; the server has seen as many. What a machine or a
// server could not keep up with is counted as missed and said. The arithmetic
// of a longer run is the same: due times follow from their number alone, as
// TestPacerConstant shows for 40 seconds.
func TestOpenLoopSendsRateTimesTime(t *testing.T) {
	t.Parallel()
	for _, rate := range []float64{7, 1000, 50_000} {
		for _, pipeline := range []int{1, 10} {
			for _, connections := range []int{1, 50} {
				t.Run(fmt.Sprintf("%v-%d-%d", rate, pipeline, connections), func(t *testing.T) {
					t.Parallel()
					lasts := map[float64]time.Duration{7: 3 * time.Second, 1000: time.Second, 50_000: 500 * time.Millisecond}[rate]
					sendsRateTimesTime(t, Config{
						Rate: rate, Pipeline: pipeline, Connections: connections,
						Duration: lasts, Threads: min(2, connections),
					})
				})
			}
		}
	}
}

func sendsRateTimesTime(t *testing.T, cfg Config) {
	t.Helper()
	fake := redistest.Record(t)
	r, err := openLoopOn(t, fake, cfg)
	if err != nil {
		t.Fatal(err)
	}
	want := cfg.Rate * cfg.Duration.Seconds()
	q := r.Requests
	if due := float64(q.Sent + r.OpenLoop.Missed); math.Abs(due-want) > 0.001*want {
		t.Errorf("%d sent and %d missed, want %v together", q.Sent, r.OpenLoop.Missed, want)
	}
	if q.Succeeded != q.Sent || q.Failed > 0 {
		t.Errorf("%+v", q)
	}
	if seen := int64(len(fake.Arrivals("SET"))); seen != q.Sent {
		t.Errorf("%d sent, the server has seen %d", q.Sent, seen)
	}
	if share := float64(r.OpenLoop.Missed) / want; share > 0.01 && len(r.Warnings) == 0 {
		t.Errorf("%d requests were missed, and nothing was said", r.OpenLoop.Missed)
	}
}

// openLoopOn makes the load of cfg on a fake; request i has number i in its key.
func openLoopOn(t *testing.T, fake *redistest.Recording, cfg Config) (*report.Result, error) {
	t.Helper()
	cfg.Templates = Only(program(t, "SET <key sequence 1000000> <value 8>"))
	cfg.Dialer.Address = fake.Addr
	return Run(t.Context(), cfg)
}

// A mix keeps its ratio by the server's own count, and with the same seed it is
// the same mix: increments come out alike in whatever order they arrive.
func TestMixIsRepeatable(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t, "--enable-debug-command", "yes")
	const requests = 100_000
	digest := func(seed uint64) string {
		s.Do(t, "FLUSHALL")
		s.Do(t, "CONFIG", "RESETSTAT")
		_, err := Run(t.Context(), Config{
			Templates: []Template{{program(t, "INCR a{rand 1000}"), 65}, {program(t, "INCRBY b{rand 1000} 1"), 35}},
			Dialer:    conn.Dialer{Address: s.Addr}, Seed: seed,
			Requests: requests, Connections: 20, Pipeline: 8, Threads: 2,
		})
		if err != nil {
			t.Fatal(err)
		}
		incr, incrby := s.Calls(t, "incr"), s.Calls(t, "incrby")
		if share := float64(incr) / requests; incr+incrby != requests || math.Abs(share/0.65-1) > 0.005 {
			t.Errorf("seed %d: the server has counted %d INCR and %d INCRBY", seed, incr, incrby)
		}
		return s.Do(t, "DEBUG", "DIGEST").Str
	}
	first := digest(1)
	if again := digest(1); again != first {
		t.Errorf("the same seed made %s and %s", first, again)
	}
	if other := digest(2); other == first {
		t.Errorf("two seeds made the same data set")
	}
}

// On one connection the very order of a mix is repeated.
func TestMixRepeatsItsOrder(t *testing.T) {
	t.Parallel()
	order := func(seed uint64) uint64 {
		fake := redistest.Record(t)
		_, err := Run(t.Context(), Config{
			Templates: []Template{{program(t, "SET {key uniform 100} {value 8}"), 65}, {program(t, "SET {key uniform 100} {value 9}"), 35}},
			Dialer:    conn.Dialer{Address: fake.Addr}, Seed: seed,
			Requests: 5000, Connections: 1, Pipeline: 10,
		})
		if err != nil {
			t.Fatal(err)
		}
		return fake.Digest("SET")
	}
	first := order(1)
	if again := order(1); again != first {
		t.Error("the same seed, another order")
	}
	if other := order(2); other == first {
		t.Error("two seeds, one order")
	}
}

// What is due goes on, on every engine, while sockets take nothing more, and
// once they do again.
func TestOpenLoopWithFullSockets(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(t *testing.T, engine conn.Engine) {
		fake := redistest.Record(t)
		fake.StallAfter("SET", 5, 300*time.Millisecond)
		const rate, lasts = 100, 700 * time.Millisecond
		r, err := Run(t.Context(), Config{
			Templates: Only(program(t, "SET <key sequence 1000000> <value 1000000>")), Dialer: conn.Dialer{Address: fake.Addr},
			Rate: rate, Duration: lasts, Connections: 2, Engine: engine,
		})
		if err != nil {
			t.Fatal(err)
		}
		// The race detector may take too long over the last ones.
		if q := r.Requests; q.Succeeded == 0 || q.Succeeded+q.Unanswered != q.Sent || q.Sent+r.OpenLoop.Missed != int64(rate*lasts.Seconds()) {
			t.Errorf("%+v, %d missed", q, r.OpenLoop.Missed)
		}
		if r.Latency.MaxNs < int64(200*time.Millisecond) {
			t.Errorf("the server stalled, and the longest latency is %v", time.Duration(r.Latency.MaxNs))
		}
	})
}

// Every engine keeps the timetable where requests come faster than a write
// ends.
func TestOpenLoopOnEveryEngine(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(t *testing.T, engine conn.Engine) {
		sendsRateTimesTime(t, Config{Rate: 20_000, Connections: 2, Duration: 300 * time.Millisecond, Engine: engine})
	})
}

// The timetable goes on where the connections do not: what was due is counted as
// never sent, and the rate was not reached.
func TestOpenLoopDies(t *testing.T) {
	t.Parallel()
	for _, stages := range [][]float64{nil, {300, 200}} {
		s := redistest.Start(t)
		progress, wait := onceRunning(func() { s.Do(t, "CLIENT", "KILL", "TYPE", "normal") })
		cfg := Config{Connections: 4, Rate: 200, Duration: 2 * time.Second, OnProgress: progress}
		due, longer := int64(400), time.Duration(0)
		if stages != nil { // whose connections are made again for the second
			cfg.Rate, cfg.Stages, due, longer = 0, stages, 1000, 2*time.Second
		}
		r := mustRun(t, s, "INCR c", cfg)
		wait()
		if got := r.Requests.Sent + r.OpenLoop.Missed; r.OpenLoop.Missed < due/10 || math.Abs(float64(got-due)) > 5 {
			t.Errorf("stages %v: %d sent and %d missed of %d", stages, r.Requests.Sent, r.OpenLoop.Missed, due)
		}
		if r.Limit.Who == "rate" || !strings.Contains(strings.Join(r.Warnings, "\n"), "of the requests that were due were done, as connections broke") {
			t.Errorf("stages %v: %+v %q", stages, r.Limit, r.Warnings)
		}
		sum := int64(0)
		for _, i := range r.Intervals {
			sum += i.LengthNs
		}
		if r.WindowNs < int64(longer) || sum > r.WindowNs || r.RatePerSec > 1.1*slices.Max(append(stages, 200)) {
			t.Errorf("stages %v: %.0f/s in %v, intervals of %v", stages, r.RatePerSec, time.Duration(r.WindowNs), time.Duration(sum))
		}
	}
}
