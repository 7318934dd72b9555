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
	w.table = &timetable{
		pacer: newPacer(p.started, p.rate/p.mix.mean(), w.number, w.of, p.arrivals, p.mix.key),
		limit: w.window,
	}
	for _, m := range w.conns {
		m.idle = false
		w.setIdle(m)
	}
	w.table.armed = true
	w.loop.Schedule(w.table.pacer.due)
}

// setIdle puts m at the end of the queue of those that are free.
func (w *worker) setIdle(m *member) {
	if !m.idle && !m.broken {
		m.idle = true
		w.table.idle = append(w.table.idle, m.ID)
	}
}

// Tick sends what is due: each unit on a connection that is free, or where
// none is, behind those in flight on one that has room.
func (w *worker) Tick(now int64) int64 {
	t := w.table
	if t == nil {
		return conn.Never
	}
	w.now = now
	for t.pacer.due <= now && w.maySend() {
		m := w.nextFree()
		if m == nil {
			t.armed = false // the next reply makes room
			return conn.Never
		}
		t.limit = 1 + t.pacer.overdue(now)/len(w.conns)
		w.loop.Kick(m.Conn)
		t.limit = w.window
	}
	if w.over() {
		w.finishIfIdle()
		return conn.Never
	}
	return w.nextTick()
}

// nextTick is when there is something to do: a unit is due, or the time is up.
func (w *worker) nextTick() int64 { return min(w.table.pacer.due, w.deadline) }

// maySend tells whether the unit that is due next belongs to the phase.
func (w *worker) maySend() bool {
	return !w.dry && w.table.pacer.due < w.deadline && w.now-grace < w.deadline
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
func (w *worker) nextFree() *member {
	t := w.table
	for t.head < len(t.idle) {
		m := w.conns[t.idle[t.head]]
		if t.head++; t.head > len(w.conns) { // keep the queue from growing
			t.idle = append(t.idle[:0], t.idle[t.head:]...)
			t.head = 0
		}
		if m.idle = false; !m.broken && m.Inflight() == 0 {
			return m
		}
	}
	for range w.conns {
		m := w.conns[t.turn]
		if t.turn++; t.turn == len(w.conns) {
			t.turn = 0
		}
		if !m.broken && m.Inflight()+w.largest <= w.window {
			return m
		}
	}
	return nil
}

// fillDue appends the units that are due and that c has room for.
func (w *worker) fillDue(c *conn.Conn, dst []byte) []byte {
	t, empty := w.table, len(dst)
	w.planned = w.planned[:0]
	for room := (w.window - c.Inflight()) / w.largest; len(w.planned) < min(room, t.limit); {
		if t.pacer.due > w.now || !w.maySend() {
			break
		}
		var class int
		var ok bool
		if dst, class, ok = w.render(dst); !ok {
			break
		}
		w.planned = append(w.planned, planned{class, w.mix.classes[class].perUnit, t.pacer.due})
		t.pacer.advance()
	}
	if len(dst) > empty {
		w.announce(c, len(dst)-empty)
	}
	if c.Inflight() == 0 {
		w.setIdle(w.conns[c.ID])
		w.finishIfIdle()
	}
	if !t.armed && !w.over() {
		t.armed = true
		w.loop.Schedule(w.nextTick())
	}
	return dst
}
