package generator

import (
	"math"

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
	budget   *Budget
	appender *template.Appender
	deadline int64 // clock time after which nothing more is sent
	batch    int   // units in one write
	perUnit  int   // requests in a unit
	done     chan<- *worker
	finished bool
	dry      bool       // the budget has nothing left
	table    *timetable // of an open loop; nil in a closed one

	lease    lease
	now      int64 // clock time of the last read
	inflight int
	rec      *ledger
	spare    *ledger
	broken   int   // connections, in this phase
	brokeErr error // of the first
	brokeAt  int64 // clock time of the last
}

// member is a connection and what the report wants to know of it.
type member struct {
	*conn.Conn
	connectNs int64
	worked    bool // sent something in the phase that is running
	broken    bool
	idle      bool // waits in the queue of an open loop
}

// begin makes w ready for a phase. Call it inside Loop.Do.
func (w *worker) begin(p *phase) {
	w.budget, w.appender = p.budget, template.NewAppender(p.program, p.seed)
	w.deadline, w.batch, w.perUnit = p.deadline, p.batch, p.program.Commands()
	w.done, w.finished, w.dry = p.done, false, false
	w.lease = lease{}
	w.now = clock.Now()
	w.inflight = 0
	for _, m := range w.conns {
		m.worked = false
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
	empty, units := len(dst), 0
	if w.now < w.deadline {
		dst, units = w.render(dst, w.batch)
	}
	if units == 0 {
		w.finishIfIdle()
		return dst
	}
	sent := clock.Now()
	c.Expect(conn.Request{Due: sent, Sent: sent}, units*w.perUnit)
	w.count(c, units, len(dst)-empty, sent)
	return dst
}

// count notes that units are about to be sent on c.
func (w *worker) count(c *conn.Conn, units, bytes int, sent int64) {
	requests := units * w.perUnit
	w.conns[c.ID].worked = true
	w.inflight += requests
	w.rec.Sent += int64(requests)
	w.rec.BytesOut += int64(bytes)
	if w.rec.FirstSentNs == 0 {
		w.rec.FirstSentNs = sent
	}
}

// render appends up to most units.
func (w *worker) render(dst []byte, most int) ([]byte, int) {
	units := 0
	for units < most {
		if w.lease.next == w.lease.end {
			if w.lease = w.budget.take(); w.lease.next == w.lease.end {
				w.dry = true
				break
			}
		}
		dst = w.appender.Append(dst, w.lease.next)
		w.lease.next++
		units++
	}
	return dst, units
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
		if w.table != nil {
			w.rec.service.Record(now-r.Sent, int64(r.N))
		}
		w.rec.Empty += int64(r.Empty)
	}
}

// Failed counts an error reply by its code. It is no work, so it moves no
// percentile and adds nothing to the rate.
func (w *worker) Failed(_ *conn.Conn, now int64, _ conn.Request, text []byte) {
	w.now = now
	w.inflight--
	w.rec.LastReplyNs = now
	w.rec.Fail(text, now)
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

// never is a deadline that does not come.
const never = int64(math.MaxInt64)
