package generator

import (
	"time"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/internal/resp"
)

const (
	// patience is how long, in nanoseconds, a request is tried again before
	// the error that it gets is counted as one.
	patience = int64(60 * time.Second)

	// leastPause and mostPause bound how long, in nanoseconds, a request waits
	// before it is tried again, where the server said that it needs time.
	leastPause = int64(5 * time.Millisecond)
	mostPause  = int64(200 * time.Millisecond)
)

// redirects counts replies that say to ask again, here or elsewhere. They are
// neither work nor failures.
type redirects struct {
	moved, ask, tryAgain, clusterDown, loading, readOnly int64

	sample string // one of the texts
}

// counter is the count of the replies with a code; nil if it does not say to ask
// again.
func (c *redirects) counter(code []byte) *int64 {
	switch string(code) {
	case "MOVED":
		return &c.moved
	case "ASK":
		return &c.ask
	case "TRYAGAIN":
		return &c.tryAgain
	case "CLUSTERDOWN":
		return &c.clusterDown
	case "LOADING", "MASTERDOWN":
		return &c.loading
	case "READONLY":
		return &c.readOnly
	}
	return nil
}

func (c *redirects) add(o *redirects) {
	c.moved += o.moved
	c.ask += o.ask
	c.tryAgain += o.tryAgain
	c.clusterDown += o.clusterDown
	c.loading += o.loading
	c.readOnly += o.readOnly
	if c.sample == "" {
		c.sample = o.sample
	}
}

// sum is all of them.
func (c *redirects) sum() int64 {
	return c.moved + c.ask + c.tryAgain + c.clusterDown + c.loading + c.readOnly
}

// again decides whether the unit whose request was refused with text is sent
// again, and how. The reply is counted if it is.
func (w *worker) again(l *link, now int64, u unit, text []byte) (unit, bool) {
	code := resp.ErrorCode(text)
	count := w.rec.again.counter(code)
	if count == nil || !w.heeds(code) || now-u.due > patience {
		return u, false
	}
	*count++
	if w.rec.again.sample == "" {
		w.rec.again.sample = string(text)
	}
	second := u.flags&flagSent != 0 // it has been sent again before
	u.flags |= flagSent
	u.from = now + pause(now-u.due)
	switch string(code) {
	case "MOVED":
		if u.node = w.moved(l, text); !second {
			u.from = 0
		}
	case "ASK":
		if w.mix.classes[u.class].joint {
			break // a transaction would queue the ASKING; it waits until the slot has moved
		}
		if _, u.node = w.redirected(l, text); u.node != anyNode {
			u.flags |= flagAsking
			u.from = 0
		}
	case "CLUSTERDOWN":
		w.mend.lookAgain("")
	case "READONLY":
		l.up = false // by now its name may lead to the server that took over
	}
	return u, true
}

// heeds tells whether the run follows what a reply with a code asks for: those
// of clusters in a cluster, the others where faults are waited out.
func (w *worker) heeds(code []byte) bool {
	switch string(code) {
	case "LOADING", "MASTERDOWN", "READONLY":
		return w.faults.reconnect
	}
	return w.routes != nil
}

// fault tells whether a reply that asks to be tried again means that something
// is out of order.
func fault(text []byte) bool {
	switch string(resp.ErrorCode(text)) {
	case "CLUSTERDOWN", "LOADING", "MASTERDOWN", "READONLY":
		return true
	}
	return false
}

// pause is how long to wait before a request is tried again that has waited
// for so long already.
func pause(waited int64) int64 { return min(max(waited/4, leastPause), mostPause) }

// moved notes that a slot is served by another node now, and returns that;
// anyNode if it is not known yet.
func (w *worker) moved(l *link, text []byte) int {
	slot, node := w.redirected(l, text)
	if node != anyNode && w.routes.owner[slot] != int16(node) {
		w.setRoutes(w.routes.with(slot, node))
		w.mend.lookAgain("")
	}
	return node
}

// redirected is the slot and the node that a redirection names. One that is
// not known yet is made known to the mender.
func (w *worker) redirected(l *link, text []byte) (slot, node int) {
	r, ok := conn.ParseRedirect(text)
	if !ok {
		w.mend.lookAgain("")
		return 0, anyNode
	}
	address := r.Address(w.routes.addresses[l.node], w.mend.fleet.cfg.AddressMap)
	node, known := w.routes.nodes[address]
	switch {
	case !known:
		w.mend.lookAgain(address)
		return r.Slot, anyNode
	case !l.client.wants(node): // as while it is given its first slot
		w.mend.lookAgain(address)
	}
	return r.Slot, node
}
