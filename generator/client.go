package generator

import (
	"net"
	"time"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/internal/clock"
)

// client is one of the connections that a user asks for. What it sends goes
// over a link of its own to each node that serves it; unless the server is a
// cluster there is one node, and one link.
type client struct {
	id      int
	links   []*link // by node; nil where none is wanted
	owed    int     // requests taken from the budget, and neither answered nor given up
	waiting []unit  // what cannot be sent now
	retryAt int64   // clock time before which none of that can be sent, unless a link comes up; Never if nothing waits
	idle    bool    // waits in the queue of an open loop
	ended   bool    // lost a link that is not made again, and sends nothing more
}

// link is a connection of a client to a node.
type link struct {
	*conn.Conn // nil until it is made
	client     *client
	node       int  // number of it
	up         bool // it can be written to
	wanted     bool // when it is down, it is being made again

	readOnly  bool // it has said READONLY
	noAsking  noAsking
	lost      bool  // it broke, and its worker waits for it
	remaking  bool  // somebody is at it
	retireAt  int64 // clock time from which it is to be renewed
	connectNs int64 // how long making the first took, in nanoseconds
	worked    bool  // sent something in the phase that is running
	sent      int64 // requests since it was made
	answered  bool  // since it was made
	fruitless int   // connections in a row that broke before they had answered anything

	pushesBefore int64 // that had come before the phase

	outbox  []byte    // units that were rendered for it and not yet handed to the connection
	planned []planned // what is in the outbox
	partial []partial // units that are partly answered; see settle
}

// noAsking is how the last refused ASKING was, and the request behind it: if that
// fails, this is why, and if it does not, this is nothing.
type noAsking struct {
	text string
	next conn.Request
}

// dialled is a connection that has finished its handshake, to a node.
type dialled struct {
	net.Conn
	node     int
	readOnly bool
	took     time.Duration
}

// link is the client's to a node, down at first if it has none.
func (cl *client) link(node int) *link {
	for node >= len(cl.links) {
		cl.links = append(cl.links, nil)
	}
	if cl.links[node] == nil {
		cl.links[node] = &link{client: cl, node: node}
	}
	return cl.links[node]
}

// attach makes nc the connection of l. Call it inside Loop.Do.
func (w *worker) attach(l *link, nc dialled) error {
	c, err := w.loop.Add(nc.Conn, w.ring)
	if err != nil {
		return err
	}
	if n := len(w.freeIDs); n > 0 {
		c.ID = w.freeIDs[n-1]
		w.freeIDs = w.freeIDs[:n-1]
		w.links[c.ID] = l
	} else {
		c.ID = len(w.links)
		w.links = append(w.links, l)
	}
	l.Conn, l.up, l.wanted, l.noAsking = c, true, true, noAsking{}
	l.readOnly, l.remaking, l.answered, l.sent, l.pushesBefore = nc.readOnly, false, false, 0, 0
	l.retireAt = w.faults.ageLimit(clock.Now())
	if l.connectNs == 0 {
		l.connectNs = int64(nc.took)
	}
	return nil
}

// detach forgets the connection of l, which is closed. Call it inside Loop.Do
// or a method of the Handler.
func (w *worker) detach(l *link) {
	w.pushes += l.newPushes()
	w.links[l.ID] = nil
	w.freeIDs = append(w.freeIDs, l.ID)
	l.Conn, l.up = nil, false
}

// drop closes the connection of l, if it has one. Call it inside Loop.Do.
func (w *worker) drop(l *link) {
	if l.Conn != nil {
		w.loop.Drop(l.Conn)
		w.detach(l)
	}
}

// wants tells whether a client has a link to a node, or waits for one.
func (cl *client) wants(node int) bool {
	return node < len(cl.links) && cl.links[node] != nil && cl.links[node].wanted
}

// up tells whether a client can write to a node.
func (cl *client) up(node int) bool {
	return node < len(cl.links) && cl.links[node] != nil && cl.links[node].up
}

// each calls do for every link of the worker. Call it inside Loop.Do.
func (w *worker) each(do func(*link)) {
	for _, cl := range w.clients {
		for _, l := range cl.links {
			if l != nil {
				do(l)
			}
		}
	}
}
