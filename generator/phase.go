package generator

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/data"
	"github.com/respbench/respbench/internal/clock"
)

const (
	// drainBound is how long replies are awaited after the last request.
	drainBound = time.Second

	// gatherEvery is the pace of the control goroutine: of the progress line
	// and of noticing that nothing succeeds.
	gatherEvery = 200 * time.Millisecond

	// hopeless is how long a run goes on that has brought nothing but errors.
	hopeless = 400 * time.Millisecond

	// armTime is the time, in nanoseconds, in which every loop learns of its
	// timetable, before the first request is due.
	armTime = int64(2e6)

	// kickAtOnce is how many connections start between two looks at the
	// sockets, so that the first replies are not kept waiting by the rest of
	// the start.
	kickAtOnce = 16
)

// errNothingSucceeds ends a phase in which every reply is an error.
var errNothingSucceeds = errors.New("every reply is an error")

// phase is one stretch of load from a standing start to a drained end:
// a step of tuning, the warm-up, or what is measured.
type phase struct {
	name      string
	mix       *mix
	budget    *Budget
	duration  time.Duration // 0 = until the budget is used up
	drain     time.Duration
	window    int // requests in flight on a connection
	interval  time.Duration
	idle      bool    // nothing is sent
	rate      float64 // requests a second of an open loop; 0 = closed loop
	arrivals  Arrivals
	timetable *Timetable // of an open loop with recorded times
	ties      *data.Ties // of a log; nil where its units are not tied to each other
	abortIf   []Objective
	maxErrors ErrorLimit
	started   int64 // clock time from which the rate runs

	deadline int64        // clock time, from the start and the duration
	done     chan *worker // a worker, when nothing more will come from it
}

// outcome is what a phase established.
type outcome struct {
	total       *ledger
	series      []slice
	connections int // that took part
	unanswered  int64
	pushes      int64
	broken      int
	ended       int // clients that could not go on
	brokeErr    error
	remakeErr   error // why connections were not back at the end; nil if they were
	stall       stall // the longest
	outages     []outage
	brokeAt     int64 // clock time of the last breakage; 0 = none
	sentUntil   int64 // clock time at which sending ended, if not by the count
	cut         bool  // it ended inside a transaction of a log
	stopped     error // what ended the phase early: the context's cause, or errNothingSucceeds
	loopCPU     time.Duration

	// Of an open loop: when its timetable began and ended, in clock time, and
	// how many requests were due and never sent.
	tableFrom, tableTo int64
	missed             int64

	idleFrom, idleTo int64 // clock times between which connections were held without load
}

// window is the clock times of the first request and of the last thing that
// became of one: the last reply. Requests that were never answered, an outage
// that was not over, and connections that broke were waited for too, so they
// keep the window open until sending ended and until the breakage; a server that
// stalls to the end must not look as fast as it was before.
func (o *outcome) window() (from, to int64) {
	if o.idleFrom > 0 {
		return o.idleFrom, o.idleTo
	}
	from, to = o.total.FirstSentNs, max(o.total.FirstSentNs, o.total.LastReplyNs, o.brokeAt)
	if o.unanswered > 0 || slices.ContainsFunc(o.outages, func(o outage) bool { return o.open }) {
		to = max(to, o.sentUntil)
	}
	if o.tableTo > 0 { // an open loop that is over lasted as long as its timetable
		from, to = o.tableFrom, max(to, o.tableTo)
	}
	return from, to
}

// rate is the successful replies a second within the window.
func (o *outcome) rate() float64 {
	from, to := o.window()
	return perSecond(o.total.Succeeded(), to-from)
}

// perSecond is n in ns nanoseconds, per second.
func perSecond(n, ns int64) float64 {
	if ns == 0 {
		return 0
	}
	return float64(n) / (float64(ns) / 1e9)
}

// slice is one interval of a phase.
type slice struct {
	end int64 // clock time; it starts where the one before ended
	rec figures
}

// figures is what the series keeps of a Recorder.
type figures struct {
	succeeded, failed int64
	p50, p99, max     int64
	mixed             bool // of several lanes, whose percentiles together are not known

	lost, repeated, redirected, reconnects int64
}

func figuresOf(r *ledger) figures {
	return figures{
		succeeded: r.Succeeded(), failed: r.Failed(),
		p50: r.Percentile(50), p99: r.Percentile(99), max: r.Percentile(100),
		lost: r.Lost, repeated: r.repeated, redirected: r.again.sum(), reconnects: r.reconnects,
	}
}

// run makes the load of p and returns when it has drained, or when the drain's
// bound is reached. The fleet's connections all take part.
func (f *fleet) run(ctx context.Context, p *phase) outcome {
	g := newGatherer(f, p)
	cpu := f.loopCPU()
	stopMending := f.mend.start(ctx)
	f.start(p)
	g.watch(ctx)
	stopMending()
	out := g.finish()
	for i, after := range f.loopCPU() {
		out.loopCPU = max(out.loopCPU, after-cpu[i])
	}
	return out
}

// start lets every connection send its first requests.
func (f *fleet) start(p *phase) {
	p.done = make(chan *worker, len(f.workers))
	f.policy.seen.Store(0)
	select {
	case <-f.policy.failed: // of an earlier phase, which had ended
	default:
	}
	p.started, p.deadline = clock.Now(), conn.Never
	if p.rate > 0 {
		p.started += armTime
	}
	if p.duration > 0 {
		p.deadline = p.started + int64(p.duration)
	}
	for _, w := range f.workers {
		w.loop.Do(func() {
			w.rec.Reset()
			w.spare.Reset()
			w.begin(p)
		})
	}
	if p.rate > 0 { // the timetable starts the connections
		return
	}
	for from := 0; from < f.size; from += kickAtOnce {
		for i, w := range f.workers {
			w.loop.Do(func() {
				for id := from / len(f.workers); id < len(w.clients) && id*len(f.workers)+i < from+kickAtOnce; id++ {
					w.carryOn(w.clients[id], nil)
				}
			})
		}
	}
}

func (f *fleet) stop() {
	for _, w := range f.workers {
		w.loop.Do(w.stop)
	}
}

// loopCPU is the CPU time that each loop has spent on requests so far.
func (f *fleet) loopCPU() []time.Duration {
	used := make([]time.Duration, len(f.workers))
	for i, w := range f.workers {
		used[i] = w.loop.Busy()
	}
	return used
}
