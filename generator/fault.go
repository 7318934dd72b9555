package generator

import (
	"errors"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/internal/clock"
	"github.com/respbench/respbench/report"
)

// faultPolicy is what a worker does about faults.
type faultPolicy struct {
	reconnect bool
	maxAge    int64 // nanoseconds that a connection is used, more or less; 0 = for ever
	every     int64 // requests that a connection is used for; 0 = any number
	timeout   int64 // nanoseconds that a reply may take; 0 = any time
	stop      bool  // end at the first error

	most   int64         // errors that the phase may have; conn.Never is any number
	seen   *atomic.Int64 // of them, by all workers
	failed chan struct{} // of capacity 1: there have been more
}

// policyOf is that of a fleet, whose workers share the channel.
func policyOf(cfg *Config) faultPolicy {
	return faultPolicy{
		reconnect: cfg.Reconnect, maxAge: int64(cfg.ConnMaxAge), every: cfg.ReconnectEvery,
		timeout: int64(cfg.Timeout), stop: cfg.StopOnError, seen: new(atomic.Int64), failed: make(chan struct{}, 1),
	}
}

// churns tells whether connections are renewed on purpose.
func (p *faultPolicy) churns() bool { return p.maxAge > 0 || p.every > 0 }

// mostOf is how many errors a phase may have; a limit that is a share is looked
// at by the control goroutine.
func (p *faultPolicy) mostOf(limit ErrorLimit) int64 {
	switch {
	case p.stop:
		return 0
	case limit.Set && limit.Percent == 0:
		return limit.Count
	}
	return conn.Never
}

// tell takes note of an error, and tells the control goroutine if there have
// been too many.
func (p *faultPolicy) tell() {
	if p.most != conn.Never && p.seen.Add(1) > p.most {
		select {
		case p.failed <- struct{}{}:
		default:
		}
	}
}

// ageLimit is when a connection made now is to be renewed: ages differ by up to
// a tenth, so that connections made together are not renewed together.
func (p *faultPolicy) ageLimit(now int64) int64 {
	return now + int64(float64(p.maxAge)*(0.9+0.2*rand.Float64()))
}

// expiry ticks as often as replies must be looked for that did not come in
// time, and connections that are to be renewed though nothing comes over them;
// never, where both may take any time.
func (g *gatherer) expiry() (<-chan time.Time, func()) {
	limit := g.fleet.cfg.Timeout
	if age := g.fleet.cfg.ConnMaxAge; limit == 0 || age > 0 && age < limit {
		limit = age
	}
	if limit == 0 {
		return nil, func() {}
	}
	t := time.NewTicker(min(max(limit/10, time.Millisecond), gatherEvery))
	return t.C, t.Stop
}

// expire lets every worker look for such replies and connections.
func (f *fleet) expire() {
	for _, w := range f.workers {
		w.loop.Do(func() {
			if f.cfg.Timeout > 0 {
				w.expire()
			}
			if f.cfg.ConnMaxAge > 0 {
				w.now = clock.Now()
				w.each(w.wear)
			}
		})
	}
}

// wear renews a connection that has been used long enough, once nothing is in
// flight on it. Meanwhile its client does not send over it.
func (w *worker) wear(l *link) {
	p := &w.faults
	if l.up && (p.every > 0 && l.sent >= p.every || p.maxAge > 0 && w.now >= l.retireAt) {
		l.up = false
	}
	if !l.up && l.Conn != nil && l.Inflight() == 0 && l.wanted && !l.remaking {
		l.remaking = true
		w.mend.remake(w, l)
	}
}

// lose takes note of a broken connection. With reconnect, what was in flight
// on it is sent again once it is back; otherwise that is lost, and its client
// sends nothing more.
func (w *worker) lose(l *link, err error) {
	cl := l.client
	if !l.wanted && l.Inflight() == 0 && len(l.outbox) == 0 { // to a node that has left, and used no more
		w.detach(l)
		return
	}
	if l.answered || l.Inflight() == 0 {
		l.fruitless = 0
	} else {
		l.fruitless++
	}
	w.broken++
	w.brokeAt = clock.Now()
	if w.brokeErr == nil {
		w.brokeErr = err
	}
	if w.faults.reconnect || errors.As(err, new(timeoutError)) {
		w.rescue(l)
	} else {
		w.abandon(l)
	}
	w.detach(l)
	if l.wanted && !cl.ended {
		w.trouble.begin(w.brokeAt)
		w.trouble.down++
		l.lost, l.remaking = true, true
		w.mend.remake(w, l)
	}
	w.finishIfIdle()
}

// abandon ends a client that has lost a link: what was in flight on it is
// lost, and so is what waits.
func (w *worker) abandon(l *link) {
	cl := l.client
	if l.Conn != nil {
		for o := range l.Unanswered() {
			if o.Class != asking {
				w.giveUp(cl, o.Flags|flagSent, o.N)
			}
		}
	}
	for _, p := range l.partial { // answered, and not counted yet
		w.inflight -= p.answered
		cl.owed -= p.answered
		w.rec.Lost += int64(p.answered)
	}
	for _, p := range l.planned {
		w.giveUp(cl, p.flags, p.n)
	}
	l.outbox, l.planned, l.partial = l.outbox[:0], l.planned[:0], l.partial[:0]
	if !cl.ended {
		cl.ended = true
		w.ended++
	}
	for _, u := range cl.waiting {
		w.giveUp(cl, u.flags, u.n)
	}
	w.waits -= len(cl.waiting)
	cl.waiting, cl.retryAt = nil, conn.Never
}

// forsake gives up on a link that could not be made again. Call it inside
// Loop.Do.
func (w *worker) forsake(l *link, err error) {
	if l.up || !l.wanted {
		return
	}
	if !l.lost { // or it has been counted
		w.broken++
	}
	w.brokeAt = clock.Now()
	w.brokeErr = err // says more than how it broke
	if o := w.trouble.ongoing(); o != nil && l.lost {
		o.open = true // nobody will see its end
	}
	w.abandon(l)
	l.remaking = false
	w.well(l)
	w.finishIfIdle()
}

// well notes that a link is no longer waited for.
func (w *worker) well(l *link) {
	if l.lost {
		l.lost = false
		w.trouble.down--
		w.trouble.end(clock.Now())
	}
}

// expire breaks the connections whose oldest request has waited too long for
// its reply. Call it inside Loop.Do.
func (w *worker) expire() {
	now := clock.Now()
	limit := w.faults.timeout
	w.each(func(l *link) {
		if l.Conn == nil {
			return
		}
		oldest, ok := l.Oldest()
		if !ok || now-oldest.Sent <= limit {
			return
		}
		w.now = now
		w.loop.Drop(l.Conn)
		err := timeoutError(limit)
		for ok && now-oldest.Sent > limit {
			w.timedOut(l, l.GiveUp(), err)
			oldest, ok = l.Oldest()
		}
		w.lose(l, err)
	})
}

// timedOut counts requests whose replies did not come in time as errors.
func (w *worker) timedOut(l *link, o conn.Outstanding, err error) {
	if o.Class == asking {
		return
	}
	for k := range l.partial {
		if p := &l.partial[k]; p.index == o.Index && p.class == int(o.Class) {
			p.again = nil
			w.conclude(l, p)
			l.partial = slices.Delete(l.partial, k, k+1)
			break
		}
	}
	for range o.N {
		w.failed(l, w.now, o.Request, []byte(timeoutCode+" "+err.Error()))
	}
}

// timeoutCode is the code of such errors, which no server sends.
const timeoutCode = "TIMEOUT"

// timeoutError is a reply that did not come in time.
type timeoutError time.Duration

func (e timeoutError) Error() string { return "no reply within " + time.Duration(e).String() }

// faults is what a run with faults reports; nil where there were none.
func (o *outcome) faults(from int64) *report.Faults {
	t := o.total
	f := &report.Faults{
		Reconnects: t.reconnects, Repeated: t.repeated,
		Moved: t.again.moved, Ask: t.again.ask, TryAgain: t.again.tryAgain, ClusterDown: t.again.clusterDown, Loading: t.again.loading, ReadOnly: t.again.readOnly,
		Outages: reportOutages(o.outages, from),
	}
	if f.Empty() {
		return nil
	}
	return f
}
