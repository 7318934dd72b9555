package generator

import (
	"github.com/respbench/respbench/conn"
)

// grace is how long after the end of a timed run, in nanoseconds, a request
// that was due before it may still be sent: more than a loop is late even on a
// busy machine, and little enough for a server that cannot keep up.
const grace = int64(250e6)

// timetable is the open loop of one worker: which request is due when, and
// which connection is free to take it.
type timetable struct {
	pacer *Pacer
	limit int   // units that the connection being kicked may take
	idle  []int // a queue of connections without requests, from head on
	head  int
	turn  int  // the connection to try next when none is idle
	armed bool // Tick is going to be called
}

// beginOpen makes an open loop of the phase. Call it inside Loop.Do.
func (w *worker) beginOpen(p *phase) {
	w.table = &timetable{limit: w.window}
	if p.timetable != nil {
		w.table.pacer = newRecordedPacer(p.started, p.timetable, p.budget.units)
	} else {
		w.table.pacer = newPacer(p.started, p.rate/p.mix.mean(), w.number, w.of, p.arrivals, p.mix.key)
	}
	for _, cl := range w.clients {
		w.setIdle(cl)
	}
	w.table.armed = true
	w.wakeAt(w.table.pacer.due)
}

// setIdle puts a client at the end of the queue of those that are free.
func (w *worker) setIdle(cl *client) {
	if !cl.idle && !cl.ended {
		cl.idle = true
		w.table.idle = append(w.table.idle, cl.id)
	}
}

// usable tells whether a client can send something now. One whose socket is
// full cannot: it goes on by itself when there is room.
func (w *worker) usable(cl *client) bool {
	return !cl.ended && (w.routed || cl.up(w.home) && !cl.links[w.home].Writing())
}

// tickDue sends what is due: each unit on a connection that is free, or where
// none is, behind those in flight on one that has room. It returns when it
// wants to be called again.
func (w *worker) tickDue(now int64) int64 {
	t := w.table
	for w.due() <= now && w.maySend() {
		cl := w.nextFree()
		if cl == nil {
			t.armed = false // until a reply, or a socket, makes room
			return conn.Never
		}
		t.limit = 1 + t.pacer.overdue(now)/len(w.clients)
		if w.routed {
			w.takeDue(cl, t.limit)
			w.kick(cl, nil)
		} else {
			w.loop.Kick(cl.links[w.home].Conn)
		}
		t.limit = w.window
	}
	if w.over() {
		w.finishIfIdle()
		return conn.Never
	}
	return w.nextTick()
}

// takeDue takes up to limit units that are due and that the client has room
// for.
func (w *worker) takeDue(cl *client, limit int) {
	t := w.table
	for room := min((w.window-cl.owed)/w.largest, limit); room > 0; room-- {
		if t.pacer.due > w.now || !w.maySend() || !w.take(cl, t.pacer.due) {
			break
		}
		t.pacer.advance()
	}
	w.rearm(cl)
}

// rearm lets Tick be called again where a client that has room makes that
// useful.
func (w *worker) rearm(cl *client) {
	if cl.owed == 0 {
		w.setIdle(cl)
		w.finishIfIdle()
	}
	if t := w.table; !t.armed && !w.over() {
		t.armed = true
		w.wakeAt(w.nextTick())
	}
}

// Tick lets clients go on that wait for a moment, and keeps the timetable of
// an open loop.
func (w *worker) Tick(now int64) int64 {
	w.now, w.alarm = now, conn.Never
	if now >= w.retryAt {
		w.retryAt = conn.Never
		for _, cl := range w.clients {
			if now >= cl.retryAt {
				w.carryOn(cl, nil)
			}
			w.retryAt = min(w.retryAt, cl.retryAt)
		}
	}
	next := conn.Never
	if w.table != nil {
		next = w.tickDue(now)
	}
	w.alarm = min(w.alarm, next, w.retryAt)
	return w.alarm
}

// wakeAt has Tick called at a clock time, if not earlier.
func (w *worker) wakeAt(at int64) {
	if at < w.alarm {
		w.alarm = at
		w.loop.Schedule(at)
	}
}

// nextTick is when there is something to do: a unit is due, or the time is up.
func (w *worker) nextTick() int64 { return min(w.table.pacer.due, w.deadline) }

// due is when the next unit is due. Past the deadline, that is at once for what
// ends a transaction.
func (w *worker) due() int64 {
	if w.now >= w.deadline && w.midway() {
		return min(w.table.pacer.due, w.now)
	}
	return w.table.pacer.due
}

// maySend tells whether the unit that is due next belongs to the phase.
func (w *worker) maySend() bool {
	return !w.dry && (w.table.pacer.due < w.deadline && w.now-grace < w.deadline || w.midway())
}

// over tells whether the timetable has ended: by the count, or at its time,
// when all that was due before has been sent or is too late.
func (w *worker) over() bool {
	return w.dry || w.now >= w.deadline && !w.maySend()
}

// missed is how many requests were due before clock time end and not sent.
func (w *worker) missed(end int64) int64 {
	if w.table == nil || w.dry {
		return 0
	}
	return int64(float64(w.table.pacer.overdue(end-1)) * w.mix.mean())
}

// nextFree is the connection that has been free longest, or else one that has
// room for a unit; nil if there is none.
func (w *worker) nextFree() *client {
	t := w.table
	for t.head < len(t.idle) {
		cl := w.clients[t.idle[t.head]]
		if t.head++; t.head > len(w.clients) { // keep the queue from growing
			t.idle = append(t.idle[:0], t.idle[t.head:]...)
			t.head = 0
		}
		if cl.idle = false; cl.owed == 0 && w.usable(cl) {
			return cl
		}
	}
	for range w.clients {
		cl := w.clients[t.turn]
		if t.turn++; t.turn == len(w.clients) {
			t.turn = 0
		}
		if cl.owed+w.largest <= w.window && w.usable(cl) {
			return cl
		}
	}
	return nil
}

// fillDue appends the units that are due and that the client has room for.
func (w *worker) fillDue(l *link, dst []byte) []byte {
	t, empty := w.table, len(dst)
	w.planned = w.planned[:0]
	for room := (w.window - l.client.owed) / w.largest; len(w.planned) < min(room, t.limit); {
		due := w.due()
		if due > w.now || !w.maySend() || !w.renew() {
			break
		}
		var p planned
		if w.ties != nil {
			dst, p = w.renderTied(dst)
		} else {
			dst, p.class, p.index, _ = w.render(dst)
			p.n = w.mix.classes[p.class].perUnit
		}
		p.due = due
		w.planned = append(w.planned, p)
		t.pacer.advance()
	}
	if len(dst) > empty {
		w.owe(l.client)
		w.announce(l, len(dst)-empty)
	}
	w.rearm(l.client)
	return dst
}
