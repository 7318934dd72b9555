package generator

import (
	"cmp"
	"context"
	"time"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/internal/clock"
	"github.com/respbench/respbench/report"
)

// gatherer is the control goroutine's view of a phase: it collects what the
// workers recorded, keeps the series and tells the progress.
type gatherer struct {
	fleet *fleet
	phase *phase
	out   outcome

	started   int64
	slice     *ledger // since the last interval ended, without its parts
	sliceFrom int64
	tickFrom  int64 // when it was gathered last
	tickAt    int64 // successes until then
	told      bool  // of a MOVED
	silence   silence

	cameTo uint64 // the unit that ends a transaction past the deadline, when it was asked for last
}

func newGatherer(f *fleet, p *phase) *gatherer {
	now := clock.Now()
	return &gatherer{
		fleet: f, phase: p, started: now, tickFrom: now, sliceFrom: now,
		out:   outcome{total: newLedger(&f.cfg), connections: f.size},
		slice: &ledger{Recorder: report.NewRecorder()},
	}
}

// watch returns when every worker has drained, or at the bound of the drain.
func (g *gatherer) watch(ctx context.Context) {
	working := 0
	for _, w := range g.fleet.workers {
		if len(w.clients) > 0 {
			working++
		}
	}
	bound := newBound(g.phase)
	defer bound.Stop()
	ticker := time.NewTicker(tickOf(g.phase.interval))
	defer ticker.Stop()
	interrupted := ctx.Done()
	expiry, stopExpiry := g.expiry()
	defer stopExpiry()
	for working > 0 {
		select {
		case <-g.phase.done:
			working--
		case <-ticker.C:
			g.gather()
			g.noticeMoved()
			if g.out.stopped == nil && g.isHopeless() {
				g.end(errNothingSucceeds, bound)
			}
			if g.out.stopped == nil {
				if cause := cmp.Or(g.tooManyErrors(), g.aborted()); cause != nil {
					g.end(cause, bound)
				}
			}
		case <-expiry:
			g.fleet.expire()
		case <-g.fleet.policy.failed:
			if g.out.stopped == nil {
				g.end(g.oneTooMany(), bound)
			}
		case <-interrupted:
			interrupted = nil
			if g.out.stopped == nil {
				g.end(context.Cause(ctx), bound)
			}
		case <-bound.C:
			if !g.goesOn() {
				return
			}
			bound.Reset(g.phase.drain)
		}
	}
}

// newBound is a timer for the end of the drain; for a phase without a
// duration it is only set when something ends the phase early.
func newBound(p *phase) *time.Timer {
	if p.duration == 0 {
		t := time.NewTimer(time.Hour)
		t.Stop()
		return t
	}
	return time.NewTimer(p.duration + p.drain)
}

// end stops the load early.
func (g *gatherer) end(cause error, bound *time.Timer) {
	g.out.stopped = cause
	g.out.sentUntil = min(g.phase.deadline, clock.Now())
	g.fleet.stop()
	bound.Reset(g.phase.drain)
}

// isHopeless tells whether the phase has had its time to bring one success
// and has brought errors alone.
func (g *gatherer) isHopeless() bool {
	errors := g.out.total.Failed()
	if g.fleet.cfg.Reconnect { // which waits for a server that keeps silent
		errors -= g.out.total.Errors(timeoutCode)
	} else {
		errors += g.out.total.again.sum()
	}
	return g.out.total.Succeeded() == 0 && errors > 0 && clock.Now()-g.started > int64(hopeless)
}

// tickOf divides the interval so that every interval ends with a tick.
func tickOf(interval time.Duration) time.Duration {
	parts := (interval + gatherEvery - 1) / gatherEvery
	return interval / parts
}

// gather takes over what the workers recorded since the last time. Each
// worker goes on with its spare recorder meanwhile.
func (g *gatherer) gather() {
	inFlight := 0
	for _, w := range g.fleet.workers {
		w.loop.Do(func() {
			w.rec, w.spare = w.spare, w.rec
			inFlight += w.inflight
		})
		g.take(w.spare)
	}
	now := clock.Now()
	g.silence.tick(now, g.out.total, inFlight > 0)
	g.progress(now)
	g.tickFrom, g.tickAt = now, g.out.total.Succeeded()
	// Half a tick of tolerance: tickers are late, and never early.
	if now-g.sliceFrom >= int64(g.phase.interval-tickOf(g.phase.interval)/2) {
		g.endSlice(now)
	}
}

// take takes over one ledger.
func (g *gatherer) take(l *ledger) {
	g.out.total.Merge(l)
	g.slice.Merge(l)
	l.Reset()
}

func (g *gatherer) endSlice(now int64) {
	g.out.series = append(g.out.series, slice{now, figuresOf(g.slice)})
	g.slice.Reset()
	g.sliceFrom = now
}

// finish gathers for the last time.
func (g *gatherer) finish() outcome {
	// A phase that its count ended before its time was over then.
	if g.out.sentUntil == 0 && clock.Now() >= g.phase.deadline {
		g.out.sentUntil = g.phase.deadline
	}
	if g.phase.idle {
		g.out.idleFrom, g.out.idleTo = g.phase.started, clock.Now()
	}
	table := g.out.sentUntil // when the timetable ended
	if g.phase.rate > 0 && g.diedOut() {
		g.out.sentUntil, table = min(clock.Now(), g.phase.deadline), g.phase.deadline
	}
	if g.phase.rate > 0 && g.out.sentUntil > 0 {
		g.out.tableFrom, g.out.tableTo = g.phase.started, g.out.sentUntil
	}
	down := 0 // links that are not back
	for _, w := range g.fleet.workers {
		w.loop.Do(func() {
			unanswered, missed := w.leave(table)
			g.out.unanswered += unanswered
			g.out.missed += missed
			g.out.cut = g.out.cut || w.midway()
			g.out.pushes += w.pushesSoFar()
			g.out.outages = append(g.out.outages, w.trouble.outages...)
			g.out.broken += w.broken
			down += w.trouble.down
			g.out.ended += w.ended
			g.out.brokeAt = max(g.out.brokeAt, w.brokeAt)
			if g.out.brokeErr == nil {
				g.out.brokeErr = w.brokeErr
			}
			g.take(w.rec)
		})
	}
	g.silence.tick(clock.Now(), g.out.total, g.out.unanswered > 0)
	g.silence.end()
	g.out.stall = g.silence.longest
	if down > 0 {
		g.out.remakeErr = g.fleet.mend.lastError()
	}
	if g.slice.Sent+g.slice.Succeeded()+g.slice.Failed()+g.slice.again.sum() > 0 {
		g.endSlice(clock.Now())
	}
	g.out.outages = mergeOutages(g.out.outages, clock.Now())
	return g.out
}

// diedOut tells whether the connections ended the phase, of which some are gone
// and none is left: its timetable went on without them.
func (g *gatherer) diedOut() bool {
	if g.out.sentUntil > 0 || g.phase.deadline == conn.Never {
		return false
	}
	ended := 0
	for _, w := range g.fleet.workers {
		w.loop.Do(func() { ended += w.ended })
	}
	return ended == g.fleet.size
}

// noticeMoved tells the user at the first MOVED that the server is one node of
// a cluster.
func (g *gatherer) noticeMoved() {
	cfg := &g.fleet.cfg
	if cfg.Cluster || g.told || g.slice.Failed() == 0 {
		return
	}
	for _, c := range g.slice.ErrorClasses(0) {
		if c.Code == "MOVED" {
			g.told = true
			cfg.remark(movedText(cfg.Dialer.Address, adviceFor(cfg)))
		}
	}
}

// progress tells what the last tick brought.
func (g *gatherer) progress(now int64) {
	if g.fleet.cfg.OnProgress == nil {
		return
	}
	failed := g.out.total.Failed()
	s := report.Snapshot{
		Phase:   g.phase.name,
		Elapsed: time.Duration(now - g.started),
		Total:   g.phase.duration,
		Done:    g.out.total.Succeeded() + failed,
		Failed:  failed,
		P50Ns:   g.slice.Percentile(50), P99Ns: g.slice.Percentile(99),
		Connections: g.fleet.size,
	}
	if units := g.phase.budget.units; units < uint64(conn.Never) {
		s.Want = int64(units) * int64(g.phase.mix.classes[0].perUnit)
	}
	if d := now - g.tickFrom; d > 0 {
		s.RatePerSec = float64(g.out.total.Succeeded()-g.tickAt) / (float64(d) / 1e9)
	}
	g.fleet.cfg.OnProgress(s)
}
