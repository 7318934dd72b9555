package generator

import (
	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/internal/clock"
	"github.com/respbench/respbench/template"
)

// worker is the policy of one event loop: what its connections send and what
// becomes of the replies. It belongs to the loop's thread; the control
// goroutine touches it only inside Loop.Do.
type worker struct {
	loop   *conn.Loop
	number int // of this worker
	of     int // workers
	conns  []*member

	// Of the phase that is running.
	mix       *mix
	appenders []*template.Appender // by class
	budget    *Budget
	deadline  int64 // clock time after which nothing more is sent
	window    int   // requests that may be in flight on a connection
	largest   int   // requests that a unit has at most
	done      chan<- *worker
	finished  bool
	dry       bool       // the budget has nothing left
	table     *timetable // of an open loop; nil in a closed one

	lease    lease
	planned  []planned // what is being rendered
	now      int64     // clock time of the last read
	inflight int
	rec      *ledger
	spare    *ledger
	broken   int   // connections, in this phase
	brokeErr error // of the first
	brokeAt  int64 // clock time of the last
}

// planned is requests of one class that are about to be sent.
type planned struct {
	class, n int
	due      int64 // clock time; 0 in a closed loop, where it is when they are sent
}

// member is a connection and what the report wants to know of it.
type member struct {
	*conn.Conn
	connectNs int64
	worked    bool // sent something in the phase that is running
	broken    bool
	idle      bool // waits in the queue of an open loop

	pushesBefore int64 // that had come before the phase
}

// begin makes w ready for a phase. Call it inside Loop.Do.
func (w *worker) begin(p *phase) {
	w.mix, w.budget, w.deadline = p.mix, p.budget, p.deadline
	w.appenders = w.appenders[:0]
	for _, c := range p.mix.classes {
		w.appenders = append(w.appenders, template.NewAppender(c.program, c.seed))
	}
	w.window, w.largest = p.window, p.mix.largest()
	w.done, w.finished, w.dry = p.done, false, false
	w.lease = lease{}
	w.now = p.started // so that even the shortest phase sends something
	w.inflight = 0
	for _, m := range w.conns {
		m.worked, m.pushesBefore = false, m.Pushes()
	}
	if w.table = nil; p.rate > 0 {
		w.beginOpen(p)
	}
}

// stop lets nothing more be sent. Call it inside Loop.Do.
func (w *worker) stop() {
	w.deadline = 0
	w.finishIfIdle()
}

// Fill sends the next batch of a closed loop once the last one is answered:
// with pipeline depth k, k requests go out in one write.
func (w *worker) Fill(c *conn.Conn, dst []byte) []byte {
	if w.table != nil {
		return w.fillDue(c, dst)
	}
	if c.Inflight() > 0 {
		return dst
	}
	empty := len(dst)
	if w.now < w.deadline {
		dst = w.fillBatch(dst)
	}
	if len(dst) == empty {
		w.finishIfIdle()
		return dst
	}
	w.announce(c, len(dst)-empty)
	return dst
}

// fillBatch appends as many units as fit the window.
func (w *worker) fillBatch(dst []byte) []byte {
	w.planned = w.planned[:0]
	if len(w.appenders) == 1 {
		return w.fillPlain(dst)
	}
	for requests := 0; requests+w.largest <= w.window; {
		var class int
		var ok bool
		if dst, class, ok = w.render(dst); !ok {
			break
		}
		n := w.mix.classes[class].perUnit
		requests += n
		if last := len(w.planned) - 1; last >= 0 && w.planned[last].class == class {
			w.planned[last].n += n
		} else {
			w.planned = append(w.planned, planned{class: class, n: n})
		}
	}
	return dst
}

// fillPlain is fillBatch where there is one template: the same without a choice
// for each unit.
func (w *worker) fillPlain(dst []byte) []byte {
	only := w.appenders[0]
	units := 0
	for most := w.window / w.largest; units < most && w.renew(); {
		i := w.lease.next
		end := min(w.lease.end, i+uint64(most-units))
		units += int(end - i)
		for w.lease.next = end; i < end; i++ {
			dst = only.Append(dst, i)
		}
	}
	if units > 0 {
		w.planned = append(w.planned, planned{n: units * w.largest})
	}
	return dst
}

// renew takes another lease if the last one is used up; false means that the
// budget has nothing left.
func (w *worker) renew() bool {
	if w.lease.next < w.lease.end {
		return true
	}
	w.lease = w.budget.take()
	w.dry = w.lease.next == w.lease.end
	return !w.dry
}

// render appends the next unit; ok is false when the budget has none left.
func (w *worker) render(dst []byte) (_ []byte, class int, ok bool) {
	if !w.renew() {
		return dst, 0, false
	}
	class, index := w.mix.choose(w.lease.next)
	w.lease.next++
	return w.appenders[class].Append(dst, index), class, true
}

// announce tells c and the ledger of what is planned, just before the write.
func (w *worker) announce(c *conn.Conn, bytes int) {
	sent := clock.Now()
	requests := 0
	for _, p := range w.planned {
		r := conn.Request{Due: sent, Sent: sent, Class: p.class}
		if p.due != 0 {
			r.Due = p.due
			w.rec.lag.Record(sent-p.due, int64(p.n))
		}
		c.Expect(r, p.n)
		requests += p.n
		if w.rec.parts != nil {
			w.rec.parts[p.class].Sent += int64(p.n)
		}
	}
	w.conns[c.ID].worked = true
	w.inflight += requests
	w.rec.Sent += int64(requests)
	w.rec.BytesOut += int64(bytes)
	if w.rec.FirstSentNs == 0 {
		w.rec.FirstSentNs = sent
	}
}

// Received records the latency of each reply.
func (w *worker) Received(_ *conn.Conn, now int64, bytes int, replies []conn.Replies) {
	w.now = now
	w.rec.BytesIn += int64(bytes)
	if len(replies) == 0 {
		return
	}
	w.rec.LastReplyNs = now
	for i := range replies {
		r := &replies[i]
		w.inflight -= r.N
		w.rec.Record(now-r.Due, int64(r.N))
		w.rec.Empty += int64(r.Empty)
		if w.table != nil {
			w.rec.service.Record(now-r.Sent, int64(r.N))
		}
		if w.rec.parts != nil {
			w.rec.parts[r.Class].Record(now-r.Due, int64(r.N))
		}
	}
}

// Failed counts an error reply by its code. It is no work, so it moves no
// percentile and adds nothing to the rate.
func (w *worker) Failed(_ *conn.Conn, now int64, r conn.Request, text []byte) {
	w.now = now
	w.inflight--
	w.rec.LastReplyNs = now
	w.rec.Fail(text, now)
	if w.rec.parts != nil {
		w.rec.parts[r.Class].Fail(text, now)
	}
}

// Closed gives up on a connection; the others go on.
func (w *worker) Closed(c *conn.Conn, err error) {
	w.inflight -= c.Inflight()
	w.rec.Lost += int64(c.Inflight())
	w.conns[c.ID].broken = true
	w.broken++
	w.brokeAt = clock.Now()
	if w.brokeErr == nil {
		w.brokeErr = err
	}
	w.finishIfIdle()
}

// finishIfIdle tells the control goroutine, once a phase, that nothing more
// will come: nothing is in flight, and nothing may be sent or nobody is left
// to send it.
func (w *worker) finishIfIdle() {
	if w.finished || w.inflight > 0 {
		return
	}
	over := w.dry || w.now >= w.deadline
	if w.table != nil {
		over = w.over()
	}
	if over || w.broken == len(w.conns) {
		w.finished = true
		w.done <- w
	}
}
