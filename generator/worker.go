package generator

import (
	"slices"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/data"
	"github.com/respbench/respbench/internal/clock"
	"github.com/respbench/respbench/template"
)

// worker is the policy of one event loop: what its connections send and what
// becomes of the replies. It belongs to the loop's thread; the control
// goroutine touches it only inside Loop.Do.
type worker struct {
	loop    *conn.Loop
	number  int // of this worker
	of      int // workers
	clients []*client
	links   []*link // by the ID of their connection; nil where it is free
	freeIDs []int
	ring    int // requests that a connection has room for

	// What a fault or a cluster asks for.
	faults faultPolicy
	mend   *mender
	places []placement // by class, in a cluster
	routes *routes     // of a cluster; nil of a single server
	routed bool        // there are several nodes to choose from
	home   int         // the only node, where there are not

	now        int64     // clock time of the last read
	planned    []planned // what is being rendered
	scratch    []byte    // one rendered unit
	spareUnits []unit
	rec        *ledger
	spare      *ledger

	phaseState
}

// phaseState is what a worker knows of the phase that is running, or ran last.
type phaseState struct {
	mix       *mix
	appenders []*template.Appender // by class
	budget    *Budget
	deadline  int64           // clock time after which nothing more is sent
	idle      bool            // nothing is sent
	window    int             // requests that a client may have in flight
	largest   int             // requests that a unit has at most
	whole     bool            // joint units are settled as a whole
	ties      *data.TieReader // before the next unit, where units are tied to each other
	done      chan<- *worker
	finished  bool       // done has been told, or no phase has begun
	dry       bool       // the budget has nothing left
	table     *timetable // of an open loop; nil in a closed one

	lease    lease
	alarm    int64 // clock time at which Tick will be called
	waits    int   // units that wait, of all clients
	retryAt  int64 // clock time before which none of them can be sent, unless a link comes up
	inflight int   // requests that the clients owe
	unsent   int   // requests that were due and have been given up
	trouble  trouble
	pushes   int64 // on connections that are closed
	broken   int   // connections
	ended    int   // clients
	brokeErr error // of the first
	brokeAt  int64 // clock time of the last
}

// planned is requests of one class that are about to be sent: n of them, from
// command number at of unit index on.
type planned struct {
	class, at, n int
	index        uint64
	due          int64 // clock time from which their latency runs; 0 = when they are sent
	flags        uint8 // of the conn.Request
}

// begin makes w ready for a phase. Call it inside Loop.Do.
func (w *worker) begin(p *phase) {
	w.phaseState = phaseState{
		mix: p.mix, budget: p.budget, deadline: p.deadline, idle: p.idle, window: p.window, largest: p.mix.largest(),
		done: p.done, alarm: conn.Never, retryAt: conn.Never,
	}
	if p.ties != nil {
		w.ties = p.ties.Reader()
	}
	for _, c := range p.mix.classes {
		w.appenders = append(w.appenders, template.NewAppender(c.program, c.seed))
	}
	w.whole = w.resends() && slices.ContainsFunc(p.mix.classes, func(c class) bool { return c.joint })
	w.now = p.started // so that even the shortest phase sends something
	w.faults.most = w.faults.mostOf(p.maxErrors)
	for _, cl := range w.clients {
		cl.owed, cl.waiting, cl.idle, cl.ended, cl.retryAt = 0, nil, false, false, conn.Never
	}
	w.each(func(l *link) {
		l.worked = false
		if l.Conn != nil {
			l.pushesBefore = l.Pushes()
		}
		l.outbox, l.planned, l.partial = l.outbox[:0], l.planned[:0], l.partial[:0]
		if l.wanted && !l.up {
			w.trouble.begin(p.started)
			w.rec.FirstSentNs = p.started // or it would have been
			w.trouble.down++
			l.lost = true
			w.mend.remake(w, l)
		}
	})
	if p.rate > 0 {
		w.beginOpen(p)
	}
}

// setRoutes says where units go from now on. Call it inside Loop.Do or a
// method of the Handler.
func (w *worker) setRoutes(r *routes) {
	w.routes = r
	if r != nil {
		w.home, w.routed = r.home(), r.several()
	}
}

// stop lets nothing more be sent. Call it inside Loop.Do.
func (w *worker) stop() {
	w.deadline = 0
	for _, cl := range w.clients {
		if cl.retryNow(); len(cl.waiting) > 0 {
			w.carryOn(cl, nil)
		}
	}
	w.finishIfIdle()
}

// Fill sends the next batch of a closed loop once the last one is answered:
// with pipeline depth k, k requests go out in one write. Where there are
// several nodes, the batch has been put into the outboxes already.
func (w *worker) Fill(c *conn.Conn, dst []byte) []byte {
	l := w.links[c.ID]
	switch {
	case l == nil || !l.up:
		return dst
	case len(l.outbox) > 0:
		return w.flush(l, dst)
	case w.routed || l.node != w.home:
		return dst
	case w.table != nil:
		return w.fillDue(l, dst)
	case l.client.owed > 0:
		return dst
	}
	empty := len(dst)
	if w.now < w.deadline || w.midway() {
		dst = w.fillBatch(dst)
	}
	if len(dst) == empty {
		w.finishIfIdle()
		return dst
	}
	w.owe(l.client)
	w.announce(l, len(dst)-empty)
	return dst
}

// fillBatch appends as many units as fit the window.
func (w *worker) fillBatch(dst []byte) []byte {
	w.planned = w.planned[:0]
	switch {
	case w.idle:
		return dst
	case w.ties != nil:
		return w.fillTied(dst)
	}
	if len(w.appenders) == 1 && w.mix.order != Shuffled {
		return w.fillPlain(dst)
	}
	for requests := 0; requests+w.largest <= w.window; {
		var p planned
		var ok bool
		if dst, p.class, p.index, ok = w.render(dst); !ok {
			break
		}
		p.n = w.mix.classes[p.class].perUnit
		requests += p.n
		// Which unit a reply belongs to is asked only where one may have to be
		// sent again.
		last := len(w.planned) - 1
		if last >= 0 && w.planned[last].class == p.class && !w.resends() {
			w.planned[last].n += p.n
		} else {
			w.planned = append(w.planned, p)
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
		w.planRange(i, end)
		for w.lease.next = end; i < end; i++ {
			dst = only.Append(dst, i)
		}
	}
	return dst
}

// planRange plans the units i..end-1 of the only template.
func (w *worker) planRange(i, end uint64) {
	if !w.settles(0) {
		w.planned = append(w.planned, planned{n: int(end-i) * w.largest, index: i})
		return
	}
	for ; i < end; i++ {
		w.planned = append(w.planned, planned{n: w.largest, index: i})
	}
}

// settles tells whether units of a class count once all of their replies are
// there.
func (w *worker) settles(class int) bool { return w.whole && w.mix.classes[class].joint }

// resends tells whether units may have to be sent again.
func (w *worker) resends() bool {
	return w.faults.reconnect || w.faults.timeout > 0 || w.routes != nil
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

// render appends the next unit and says which it is of its class; ok is false
// when the budget has none left.
func (w *worker) render(dst []byte) (_ []byte, class int, index uint64, ok bool) {
	if !w.renew() {
		return dst, 0, 0, false
	}
	class, index = w.mix.choose(w.lease.next)
	w.lease.next++
	return w.appenders[class].Append(dst, index), class, index, true
}

// owe notes that a client has taken what is planned.
func (w *worker) owe(cl *client) {
	for i := range w.planned {
		cl.owed += w.planned[i].n
		w.inflight += w.planned[i].n
	}
}

// announce tells the connection and the ledger of what is planned, just before
// the write.
func (w *worker) announce(l *link, bytes int) {
	sent := clock.Now()
	requests := 0
	for i := range w.planned {
		p := &w.planned[i]
		r := conn.Request{Due: sent, Sent: sent, Index: p.index, Class: int32(p.class), Flags: p.flags}
		if p.due != 0 {
			r.Due = p.due
		}
		if p.flags&flagSent != 0 {
			w.announceAgain(l, r, p.at, p.n)
			continue
		}
		if w.table != nil {
			w.rec.lag.Record(sent-p.due, int64(p.n))
		}
		if p.flags&flagSelect != 0 {
			l.Expect(conn.Request{Class: asking}, 1)
		}
		l.Expect(r, p.n)
		requests += p.n
		if w.rec.parts != nil {
			w.rec.parts[p.class].Sent += int64(p.n)
		}
	}
	l.worked = true
	l.sent += int64(requests)
	w.rec.Sent += int64(requests)
	w.rec.BytesOut += int64(bytes)
	if w.rec.FirstSentNs == 0 {
		w.rec.FirstSentNs = sent
	}
	if w.rec.nodes != nil {
		w.rec.node(l.node).Sent += int64(requests)
	}
}

// announceAgain announces n commands of one unit, from number at on, that have
// been sent before.
func (w *worker) announceAgain(l *link, r conn.Request, at, n int) {
	if r.Flags&flagLost != 0 {
		r.Flags &^= flagLost
		w.rec.repeated += int64(n)
	}
	if r.Flags&flagAsking != 0 {
		l.Expect(conn.Request{Class: asking}, 1)
	}
	l.ExpectFrom(r, at, n)
}

// Closed gives up on a connection, or has it made again; the others go on.
func (w *worker) Closed(c *conn.Conn, err error) {
	if l := w.links[c.ID]; l != nil {
		w.lose(l, err)
	}
}

// finishIfIdle tells the control goroutine, once a phase, that nothing more
// will come: no client owes anything, and nothing may be sent or nobody is left
// to send it.
func (w *worker) finishIfIdle() {
	if w.finished || w.inflight > 0 {
		return
	}
	over := w.dry || w.now >= w.deadline && !w.midway()
	if w.table != nil {
		over = w.over()
	}
	if over || w.ended == len(w.clients) {
		w.finished = true
		w.done <- w
	}
}
