package generator

import (
	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/internal/resp"
)

// unit is a unit that a client has taken and that cannot be sent now, or has
// to be sent again, whole or in part. Nothing of its text is kept: it is
// rendered again.
type unit struct {
	class int
	index uint64
	at, n int   // n of its commands, from number at on
	due   int64 // clock time from which its latency runs; 0 = not known before it is sent
	from  int64 // clock time before which it is not sent
	node  int   // that asked for it by a redirection; anyNode = the one of its slot
	flags uint8 // as those of a conn.Request
}

// anyNode is a unit that goes wherever its slot is.
const anyNode = -1

// Flags of a conn.Request: what has become of it before.
const (
	flagSent   = 1 << iota // it was sent before
	flagCaught             // a fault caught it: its connection broke, or the cluster was down
	flagLost               // its connection broke: the server may have done it
	flagAsking             // the node takes it only after ASKING
	flagSelect             // its database is selected before it, or before the first of those planned together
)

// asking is the class of requests that no template asked for.
const asking = -1

// take renders the next unit of the budget and hands it to the link of its
// node, if that is up. It returns false when the budget has none left.
func (w *worker) take(cl *client, due int64) bool {
	var u unit
	var ok bool
	if w.scratch, u.class, u.index, ok = w.render(w.scratch[:0]); !ok {
		return false
	}
	u.due, u.node, u.n = due, anyNode, w.mix.classes[u.class].perUnit
	cl.owed += u.n
	w.inflight += u.n
	w.place(cl, u, w.scratch)
	return true
}

// place puts a rendered unit into the outbox of its link. If that is down, the
// unit waits.
func (w *worker) place(cl *client, u unit, text []byte) {
	node := u.node
	if node == anyNode || !cl.wants(node) { // it has left since it was named
		node = w.nodeOf(u.class, u.index, text)
		u.flags &^= flagAsking
	}
	if !cl.up(node) {
		w.waitFor(cl, node, u)
		return
	}
	l := cl.links[node]
	perUnit := w.mix.classes[u.class].perUnit
	if u.n < perUnit {
		text = resp.Commands(text, u.at, u.n)
	}
	if u.flags&flagAsking != 0 {
		l.outbox = resp.AppendCommand(l.outbox, "ASKING") // holds for one command, which u is
	}
	l.outbox = append(l.outbox, text...)
	p := planned{class: u.class, at: u.at, n: u.n, index: u.index, due: u.due, flags: u.flags}
	if last := len(l.planned) - 1; last >= 0 && !w.settles(u.class) && l.planned[last].continues(&p, perUnit) {
		l.planned[last].n += p.n
		return
	}
	l.planned = append(l.planned, p)
}

// continues tells whether the unit p follows on those of q, all of one kind.
func (p *planned) continues(q *planned, perUnit int) bool {
	return p.flags == 0 && q.flags == 0 && q.class == p.class && q.due == p.due && q.index == p.index+uint64(p.n/perUnit)
}

// wait keeps a unit until its moment has come.
func (w *worker) wait(cl *client, u unit) {
	w.hold(cl, u)
	w.retry(cl, max(u.from, w.now))
}

// retry has Tick look, at a clock time, at what waits, if anything does.
func (w *worker) retry(cl *client, at int64) {
	if at == conn.Never || len(cl.waiting) == 0 {
		return
	}
	cl.retryAt, w.retryAt = min(cl.retryAt, at), min(w.retryAt, at)
	w.wakeAt(at)
}

// waitFor keeps a unit until a node can be reached. If that is a fault's doing,
// its latency runs from now: otherwise a stall of the whole client would show in
// no figure.
func (w *worker) waitFor(cl *client, node int, u unit) {
	if node < len(cl.links) && cl.links[node] != nil && cl.links[node].lost {
		w.markCaught(&u)
		if u.due == 0 {
			u.due = w.now
		}
	}
	w.hold(cl, u)
	w.retry(cl, w.closingAt())
}

// retryNow lets what waits be looked at whenever the client carries on next.
func (cl *client) retryNow() {
	if len(cl.waiting) > 0 {
		cl.retryAt = 0
	}
}

// hold puts a unit behind those that wait.
func (w *worker) hold(cl *client, u unit) {
	cl.waiting = append(cl.waiting, u)
	w.waits++
}

// resume sends the waiting units of a client that can be sent, and gives up
// those that never were sent when nothing may be sent any more.
func (w *worker) resume(cl *client) {
	if len(cl.waiting) == 0 || w.now < cl.retryAt {
		return
	}
	list := cl.waiting
	cl.waiting, cl.retryAt = w.spareUnits[:0], conn.Never
	w.waits -= len(list)
	for _, u := range list {
		switch {
		case u.flags&flagSent == 0 && w.closing():
			w.giveUp(cl, u.flags, u.n)
		case u.from > w.now:
			w.wait(cl, u)
		default:
			w.scratch = w.appenders[u.class].Append(w.scratch[:0], u.index)
			w.place(cl, u, w.scratch)
		}
	}
	w.spareUnits = list
}

// giveUp leaves n requests of units that wait undone: they stay unsent or, if
// they had been sent before, are lost.
func (w *worker) giveUp(cl *client, flags uint8, n int) {
	cl.owed -= n
	w.inflight -= n
	if flags&flagSent != 0 {
		w.rec.Lost += int64(n)
	} else {
		w.unsent += n
	}
	w.uncatch(flags, n)
}

// closing tells whether what has not been sent will not be.
func (w *worker) closing() bool {
	if w.table != nil {
		return w.now-grace >= w.deadline
	}
	return w.now >= w.deadline
}

// closingAt is the clock time from which what has not been sent will not be;
// Never if there is no such time, or it has come.
func (w *worker) closingAt() int64 {
	switch {
	case w.closing() || w.deadline == conn.Never:
		return conn.Never
	case w.table != nil:
		return w.deadline + grace
	}
	return w.deadline
}

// flush hands what is in the outbox of a link to its connection.
func (w *worker) flush(l *link, dst []byte) []byte {
	dst = append(dst, l.outbox...)
	w.planned = append(w.planned[:0], l.planned...)
	w.announce(l, len(l.outbox))
	l.outbox, l.planned = l.outbox[:0], l.planned[:0]
	return dst
}

// carryOn lets a client send what it can: what has been waiting, and, where
// there are several nodes, new units. It is called wherever connections may be
// kicked; current, if not nil, is about to be filled anyway.
func (w *worker) carryOn(cl *client, current *link) {
	w.resume(cl)
	if w.routed && !cl.ended {
		if w.table != nil {
			w.takeDue(cl, w.window)
		} else if cl.owed == 0 {
			w.takeBatch(cl)
		}
	}
	w.kick(cl, current)
	// The only node may have become so while the client was busy with others.
	if !w.routed && cl.owed == 0 && cl.up(w.home) && cl.links[w.home] != current {
		w.loop.Kick(cl.links[w.home].Conn)
	}
	if cl.owed == 0 {
		w.finishIfIdle()
	}
}

// leave ends the phase for the worker, at clock time end, and returns what it
// had not done: requests that were sent and not answered, and those that were
// due and not sent.
func (w *worker) leave(end int64) (unanswered, missed int64) {
	unsent := 0
	for _, cl := range w.clients {
		for _, u := range cl.waiting {
			if u.flags&flagSent == 0 {
				unsent += u.n
			}
		}
	}
	w.each(func(l *link) {
		for _, p := range l.planned {
			if p.flags&flagSent == 0 {
				unsent += p.n
			}
		}
	})
	missed = w.missed(end)
	if w.table != nil {
		missed += int64(w.unsent + unsent)
	}
	unanswered = int64(w.inflight - unsent)
	// Nothing may be sent again behind the back of the phase.
	for _, cl := range w.clients {
		cl.waiting, cl.retryAt = nil, conn.Never
	}
	w.waits, w.retryAt = 0, conn.Never
	return unanswered, missed
}

// kick lets the links of a client write what is in their outboxes, but for
// current.
func (w *worker) kick(cl *client, current *link) {
	for _, l := range cl.links {
		if l != nil && l != current && l.up && len(l.outbox) > 0 {
			w.loop.Kick(l.Conn)
		}
	}
}

// takeBatch takes as many units as fit the window.
func (w *worker) takeBatch(cl *client) {
	if w.idle || w.now >= w.deadline {
		return
	}
	for cl.owed+w.largest <= w.window && w.take(cl, 0) {
	}
}

// rescue turns what was in flight on a broken connection, or in its outbox,
// into units that wait.
func (w *worker) rescue(l *link) {
	cl := l.client
	for o := range l.Unanswered() {
		if o.Class == asking {
			continue
		}
		perUnit := w.mix.classes[o.Class].perUnit
		if w.settles(int(o.Class)) { // announced alone
			o.At, o.N = 0, perUnit
		}
		for o.N > 0 {
			u := unitOf(o.Request, o.At, perUnit)
			u.n = min(o.N, perUnit-u.at)
			w.catch(cl, u)
			o.At, o.N = o.At+u.n, o.N-u.n
		}
	}
	for _, p := range l.planned {
		perUnit := w.mix.classes[p.class].perUnit
		for at := 0; at < p.n; at += perUnit {
			w.hold(cl, unit{
				class: p.class, index: p.index + uint64(at/perUnit), at: p.at, n: min(p.n, perUnit),
				due: p.due, node: anyNode, flags: p.flags &^ flagAsking,
			})
		}
	}
	l.outbox, l.planned, l.partial = l.outbox[:0], l.planned[:0], l.partial[:0]
	w.retry(cl, w.now) // elsewhere, perhaps
}

// unitOf is command number at, from 0, of the units that were announced as r.
func unitOf(r conn.Request, at, perUnit int) unit {
	return unit{
		class: int(r.Class), index: r.Index + uint64(at/perUnit), at: at % perUnit, n: 1,
		due: r.Due, node: anyNode, flags: r.Flags &^ flagAsking,
	}
}
