package generator

import (
	"bytes"
	"time"

	"github.com/respbench/respbench/conn"
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
	moved, ask, tryAgain, clusterDown, loading int64

	sample string // one of the texts
}

func (c *redirects) add(o *redirects) {
	c.moved += o.moved
	c.ask += o.ask
	c.tryAgain += o.tryAgain
	c.clusterDown += o.clusterDown
	c.loading += o.loading
	if c.sample == "" {
		c.sample = o.sample
	}
}

// sum is all of them.
func (c *redirects) sum() int64 {
	return c.moved + c.ask + c.tryAgain + c.clusterDown + c.loading
}

// again decides whether the unit whose request was refused with text is sent
// again, and how. The reply is counted.
func (w *worker) again(l *link, now int64, u unit, text []byte) (unit, bool) {
	code, _, _ := bytes.Cut(text, []byte(" "))
	count := &w.rec.again
	refused := u.flags&flagSent != 0 // before
	switch string(code) {
	case "MOVED":
		if w.routes == nil {
			return u, false
		}
		count.moved++
		u.node = w.moved(l, text)
	case "ASK":
		if w.routes == nil {
			return u, false
		}
		count.ask++
		if w.mix.classes[u.class].transaction { // the node would queue the ASKING
			u.from = now + pause(now-u.due)
			break
		}
		if _, u.node = w.redirected(l, text); u.node != anyNode {
			u.flags |= flagAsking
			refused = false
		}
	case "TRYAGAIN":
		if w.routes == nil {
			return u, false
		}
		count.tryAgain++
		u.from = now + pause(now-u.due)
	case "CLUSTERDOWN":
		if w.routes == nil {
			return u, false
		}
		count.clusterDown++
		w.mend.lookAgain("")
		u.from = now + pause(now-u.due)
	case "LOADING", "MASTERDOWN":
		if !w.faults.reconnect {
			return u, false
		}
		count.loading++
		u.from = now + pause(now-u.due)
	default:
		return u, false
	}
	if now-u.due > patience {
		return u, false
	}
	if count.sample == "" {
		count.sample = string(text)
	}
	if refused {
		u.from = max(u.from, now+leastPause)
	}
	u.flags |= flagSent
	return u, true
}

// fault tells whether a reply that asks to be tried again means that something
// is out of order.
func fault(text []byte) bool {
	return bytes.HasPrefix(text, []byte("CLUSTERDOWN")) || bytes.HasPrefix(text, []byte("LOADING")) || bytes.HasPrefix(text, []byte("MASTERDOWN"))
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
