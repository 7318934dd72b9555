package generator

import (
	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/internal/resp"
)

// Received records the latency of each reply.
func (w *worker) Received(c *conn.Conn, now int64, bytes int, replies []conn.Replies) {
	w.now = now
	w.rec.BytesIn += int64(bytes)
	l := w.links[c.ID]
	l.answered = true
	if w.whole {
		w.settle(l, now, replies)
	} else {
		for i := range replies {
			w.succeeded(l, now, &replies[i])
		}
	}
	if w.faults.churns() || !l.up {
		w.wear(l)
	}
	if w.routed || len(l.client.waiting) > 0 || l.node != w.home {
		w.carryOn(l.client, l)
	}
}

// succeeded records successful replies.
func (w *worker) succeeded(l *link, now int64, r *conn.Replies) {
	if r.Class == asking {
		return
	}
	w.rec.LastReplyNs = now
	w.inflight -= r.N
	l.client.owed -= r.N
	w.rec.Record(now-r.Due, int64(r.N))
	w.rec.Empty += int64(r.Empty)
	if w.table != nil {
		w.rec.service.Record(now-r.Sent, int64(r.N))
	}
	if w.rec.parts != nil {
		w.rec.parts[r.Class].Record(now-r.Due, int64(r.N))
	}
	if w.rec.nodes != nil {
		w.rec.node(l.node).Record(now-r.Due, int64(r.N))
	}
	if r.Flags != 0 {
		w.uncatch(r.Flags, r.N)
	}
}

// Failed looks at an error reply: some ask for the request to be sent again.
func (w *worker) Failed(c *conn.Conn, now int64, r conn.Request, at int, text []byte) {
	w.now = now
	l := w.links[c.ID]
	switch {
	case r.Class == asking && w.ties != nil: // the command behind it went to the database before
		w.rec.Sent++
		w.rec.Fail(resp.ErrorCode(text), text, now)
		w.faults.tell()
		return
	case r.Class == asking:
		if next, ok := c.Oldest(); ok {
			l.noAsking = noAsking{string(text), next}
		}
		return
	case r.Flags&flagAsking != 0 && l.noAsking.text != "" && l.noAsking.next == r:
		text, l.noAsking = []byte(l.noAsking.text), noAsking{}
	case w.settles(int(r.Class)):
		w.failedPart(l, now, r, text)
		return
	case w.resends():
		if u, ok := w.again(l, now, unitOf(r, at, w.mix.classes[r.Class].perUnit), text); ok {
			if fault(text) {
				w.markCaught(&u)
			}
			w.wait(l.client, u)
			return
		}
	}
	w.failed(l, now, r, text)
}

// failed counts an error reply by its code. It is no work, so it moves no
// percentile and adds nothing to the rate.
func (w *worker) failed(l *link, now int64, r conn.Request, text []byte) {
	w.inflight--
	l.client.owed--
	w.rec.LastReplyNs = now
	code := resp.ErrorCode(text)
	w.rec.Fail(code, text, now)
	if w.rec.parts != nil {
		w.rec.parts[r.Class].Fail(code, text, now)
	}
	if w.rec.nodes != nil {
		w.rec.node(l.node).Fail(code, text, now)
	}
	w.uncatch(r.Flags, 1)
	w.faults.tell()
}
