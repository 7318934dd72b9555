package generator

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/respbench/respbench/internal/clock"
	"github.com/respbench/respbench/internal/redistest"
	"github.com/respbench/respbench/report"
)

// What stands on the wire at which moment depends on the machine, too. The best
// of so many takes of a statistic counts: a faulty timetable is faulty in each.
// If most takes fell in times in which a bare timer was late as well, the
// machine cannot tell.
const takes = 5

// watch takes a statistic, which returns what is wrong with it. A machine can
// tell if it keeps a bare timer within bound in 99 of 100 cases. The tests that
// call it are not parallel, so that nothing of this package runs beside them.
// -short, with which the race detector runs, leaves them out: it is the time
// that the detector takes which they would see.
func watch(t *testing.T, bound time.Duration, statistic func() (fault string)) {
	t.Helper()
	if testing.Short() {
		t.Skip("statistics of time")
	}
	var faults []string
	calm := 0
	for range takes {
		m := startMetronome()
		fault := statistic()
		late := m.stop()
		if fault == "" {
			return
		}
		if late < bound {
			calm++
		}
		faults = append(faults, fmt.Sprintf("%s (a bare timer was %v late)", fault, late))
	}
	if calm <= takes/2 {
		t.Skipf("no timer keeps time on this machine now:\n%s", strings.Join(faults, "\n"))
	}
	t.Errorf("%d of %d times:\n%s", len(faults), takes, strings.Join(faults, "\n"))
}

// metronome is a thread that sleeps from one millisecond to the next.
type metronome struct {
	end  chan struct{}
	late chan time.Duration
}

func startMetronome() metronome {
	m := metronome{make(chan struct{}), make(chan time.Duration)}
	go m.run()
	return m
}

// stop returns how late the timer was in 99 of 100 cases.
func (m metronome) stop() time.Duration {
	close(m.end)
	return <-m.late
}

func (m metronome) run() {
	runtime.LockOSThread() // never unlocked: the thread, with its slack, ends here
	_ = unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0)
	var late []time.Duration
	for next := clock.Now(); ; {
		select {
		case <-m.end:
			slices.Sort(late)
			m.late <- late[len(late)*99/100]
			return
		default:
		}
		next += int64(time.Millisecond)
		ts := unix.NsecToTimespec(max(1, next-clock.Now()))
		_ = unix.Nanosleep(&ts, nil)
		late = append(late, time.Duration(max(0, clock.Now()-next)))
	}
}

// At 1000 a second, requests arrive evenly: every second has its share, and
// the gaps do not come in bursts.
func TestWireIsEven(t *testing.T) {
	const rate, seconds, window = 1000, 3, 100
	watch(t, 300*time.Microsecond, func() string {
		times := record(t, Config{Rate: rate, Duration: seconds * time.Second, Connections: 50})
		perSecond := make([]int, seconds+1)
		for _, at := range times {
			perSecond[min((at-times[0])/1e9, seconds)]++
		}
		for second, n := range perSecond[:seconds] {
			if math.Abs(float64(n)/rate-1) > 0.01 {
				return fmt.Sprintf("%d requests in second %d at %d/s", n, second, rate)
			}
		}
		// A machine that stops for some milliseconds now and then spoils some
		// windows; bursts would spoil each.
		gaps := gapsOf(times)
		var inWindows []float64
		for k := 0; k+window <= len(gaps); k += window {
			inWindows = append(inWindows, variation(gaps[k:k+window]))
		}
		slices.Sort(inWindows)
		t.Logf("the gaps vary by %.3f, in the median of %d windows by %.3f", variation(gaps), len(inWindows), inWindows[len(inWindows)/2])
		if cv := inWindows[len(inWindows)/2]; cv >= 0.2 {
			return fmt.Sprintf("the gaps vary by %.2f in the median window", cv)
		}
		return ""
	})
}

// Poisson arrivals have exponential gaps on the wire, too: a Kolmogorov-Smirnov
// test at the level 0.001, with some room for what the machine adds to a gap.
func TestWireIsPoisson(t *testing.T) {
	const rate = 500.0
	watch(t, 300*time.Microsecond, func() string {
		times := record(t, Config{Rate: rate, Duration: 3 * time.Second, Connections: 50, Arrivals: Poisson})
		gaps := gapsOf(times)
		slices.Sort(gaps)
		n, distance := float64(len(gaps)), 0.0
		for k, g := range gaps {
			law := 1 - math.Exp(-rate*g/1e9)
			distance = max(distance, math.Abs(law-float64(k)/n), math.Abs(law-float64(k+1)/n))
		}
		t.Logf("distance %.4f, and a constant rate would have 0.63", distance)
		if limit := 1.95 / math.Sqrt(n); distance > limit {
			return fmt.Sprintf("distance %.4f from the exponential law, allowed is %.4f", distance, limit)
		}
		return ""
	})
}

// record returns when the requests of an open loop arrived.
func record(t *testing.T, cfg Config) []int64 {
	t.Helper()
	fake := redistest.Record(t)
	if _, err := openLoopOn(t, fake, cfg); err != nil {
		t.Fatal(err)
	}
	return fake.Arrivals("SET")
}

// A server that stalls for a fifth of the run shows in the latency as the
// schedule's arithmetic has it: a fifth of the requests waits, from the whole
// stall down to nothing, and the others do not. It holds of a stall of two
// seconds in ten as of half a second in two and a half. When each request was
// answered is the fake's own word, as it takes a slow machine a while to answer
// all that have waited.
func TestStallIsArithmetic(t *testing.T) {
	const (
		rate  = 1000.0
		lasts = 2500 * time.Millisecond
		stall = 500 * time.Millisecond
		slack = 0.05
		late  = 5 * time.Millisecond // a reply may be read, where nothing waited long
	)
	for _, pipeline := range []int{1, 256} {
		watch(t, stall/50, func() string {
			fake := redistest.Record(t)
			fake.StallAfter("SET", 800, stall)
			r, err := openLoopOn(t, fake, Config{
				Rate: rate, Duration: lasts, Connections: 8, Pipeline: pipeline, Threads: 1, Interval: 100 * time.Millisecond,
				Percentiles: []float64{10, 20, 30, 40, 50, 60, 70, 90, 95, 99},
			})
			if err != nil {
				t.Fatal(err)
			}
			if _, to := fake.Stalled(); to == 0 {
				t.Fatal("the server did not stall")
			}
			waits := waitsOf(t, fake, rate)
			if longest := waits[len(waits)-1]; longest < stall*19/20 {
				t.Fatalf("a stall of %v, and the longest wait was %v", stall, longest)
			}
			figures := append(r.Latency.Percentiles, report.Percentile{Percent: 100, Ns: r.Latency.MaxNs})
			for _, p := range figures {
				want := waits[max(0, int(math.Ceil(p.Percent/100*float64(len(waits))))-1)]
				off := max(time.Duration(p.Ns)-want, want-time.Duration(p.Ns))
				if off > max(late, time.Duration(slack*float64(want))) {
					return fmt.Sprintf("-P %d: p%v is %v, want %v", pipeline, p.Percent, time.Duration(p.Ns), want)
				}
			}
			return afterStall(r, pipeline, stall)
		})
	}
}

// waitsOf returns how long after its due time the fake answered each request of
// a constant rate, ascending. That the earliest request came when it was due is
// all that it takes for granted.
func waitsOf(t *testing.T, fake *redistest.Recording, rate float64) []time.Duration {
	t.Helper()
	start, exchanges := int64(math.MaxInt64), fake.Exchanges("SET")
	due := func(e redistest.Exchange) int64 { // from the start
		number, err := strconv.Atoi(strings.TrimPrefix(e.Key, "key_"))
		if err != nil {
			t.Fatal(err)
		}
		return int64(float64(number) * 1e9 / rate)
	}
	for _, e := range exchanges {
		start = min(start, e.Arrived-due(e))
	}
	var waits []time.Duration
	for _, e := range exchanges {
		waits = append(waits, time.Duration(e.Answered-start-due(e)))
	}
	slices.Sort(waits)
	return waits
}

// afterStall looks at what came later, and at the service time where nothing
// can queue on a connection.
func afterStall(r *report.Result, pipeline int, stall time.Duration) string {
	last := 0 // the interval in which those that had waited were answered
	for k, i := range r.Intervals {
		if i.MaxNs != nil && *i.MaxNs > int64(stall)/2 {
			last = k
		}
	}
	rest := r.Intervals[last+1:]
	if last == 0 || len(rest) < 3 {
		return fmt.Sprintf("the stall ended in interval %d of %d", last, len(r.Intervals))
	}
	for k, i := range rest {
		// Latency is never less than service time.
		if i.P50Ns == nil || *i.P50Ns > int64(5*time.Millisecond) {
			return fmt.Sprintf("in interval %d after the stall half of the requests took more than 5 ms", k)
		}
	}
	for _, p := range r.OpenLoop.Service.Percentiles {
		if pipeline == 1 && p.Percent == 99 && p.Ns > int64(stall)/10 {
			return fmt.Sprintf("p99 of the service time is %v, and one request at most was in flight on each connection", time.Duration(p.Ns))
		}
	}
	return ""
}

// At a tenth of what the server can do, an open loop measures the service time
// that a closed loop with one connection does. The command keeps the server
// busy for long against what it takes to wake it up: in the closed loop it does
// not fall asleep between two requests, and at a tenth of the load it does.
func TestServiceTimeIsThatOfAClosedLoop(t *testing.T) {
	s := redistest.Start(t)
	const command = "EVAL 'local x = 0 for i = 1, 200000 do x = x + i end return x' 0"
	median := func(l *report.Latency) float64 { return float64(l.Percentiles[0].Ns) }
	watch(t, 300*time.Microsecond, func() string {
		closed := mustRun(t, s, command, Config{Connections: 1, Duration: 300 * time.Millisecond, Percentiles: []float64{50}})
		open := mustRun(t, s, command, Config{
			Rate: closed.RatePerSec / 10, Connections: 50, Duration: 1500 * time.Millisecond, Percentiles: []float64{50},
		})
		ratio := median(open.OpenLoop.Service) / median(closed.Latency)
		t.Logf("median service time %v, in the closed loop %v", time.Duration(median(open.OpenLoop.Service)), time.Duration(median(closed.Latency)))
		if math.Abs(ratio-1) > 0.2 {
			return fmt.Sprintf("the service time is %.2f of that in a closed loop", ratio)
		}
		return ""
	})
}
