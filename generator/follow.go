package generator

import "context"

// follow reads the topology again and lets the clients go on by it: new nodes
// get connections, those that serve nothing any more are left. It runs in the
// mender's goroutine.
func (f *fleet) follow(ctx context.Context) {
	c := f.cluster
	t, err := c.read(ctx)
	if err != nil {
		f.mend.lookAgain("")
		return
	}
	c.mu.Lock()
	c.adopt(t)
	f.mend.takeHints(c)
	c.mu.Unlock()
	for _, w := range f.workers {
		w.loop.Do(func() { w.adopt(c) })
	}
}

// adopt lets the clients of w go on by a topology that may have changed. Call
// it inside Loop.Do.
func (w *worker) adopt(c *cluster) {
	w.setRoutes(c.routes)
	for _, cl := range w.clients {
		for k, n := range c.nodes {
			switch {
			case n.wanted:
				w.want(cl.link(k), !n.primary)
			case k < len(cl.links) && cl.links[k] != nil:
				w.release(cl.links[k])
			}
		}
		cl.retryNow()
		w.carryOn(cl, nil)
	}
}

// want has a link made, or made again where the node has become a replica and
// its connection has not said READONLY.
func (w *worker) want(l *link, replica bool) {
	switch {
	case !l.wanted:
		l.wanted, l.remaking = true, true
		w.mend.remake(w, l)
	case replica && l.up && !l.readOnly:
		l.up = false
		w.wear(l)
	}
}
