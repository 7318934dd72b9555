// Package conn moves bytes: it dials and logs in, sends what it is given and
// finds the replies. It knows neither templates nor rates nor reports; what
// to send, and what a reply means, it asks a Handler.
//
// A Loop runs many connections. On Linux it is an epoll loop on a thread of
// its own; elsewhere, and for transports that only Go's net package speaks,
// it is a goroutine per connection. The Handler sees no difference.
package conn

import (
	"errors"
	"fmt"
	"net"

	"github.com/respbench/respbench/internal/resp"
)

// Handler is how a Loop reaches policy. Its methods are called for a ready
// connection, never per command, and never two at a time for one Loop, so a
// Handler that serves one Loop needs no lock. They must not block.
type Handler interface {
	// Fill appends to dst the requests that c shall send now, whole ones
	// only, and announces them with c.Expect. It returns dst as it was when
	// there is nothing to send. The bytes are written at once.
	Fill(c *Conn, dst []byte) []byte

	// Received reports one read from c at clock time now: its size in bytes
	// and the successful replies it completed, oldest first. The slice is
	// valid during the call only.
	Received(c *Conn, now int64, bytes int, replies []Replies)

	// Failed reports an error reply, before the Received of the same read.
	// The text is valid during the call only.
	Failed(c *Conn, now, sent int64, text []byte)

	// Closed tells that c broke. Its Inflight requests stay unanswered; it
	// is not used again.
	Closed(c *Conn, err error)
}

// Replies are successful replies, one after another, to requests with the same
// stamp: those of a pipeline that went out in one write.
type Replies struct {
	Sent  int64 // the stamp that was given to Expect
	N     int   // how many
	Empty int   // how many of them are null, or an array, map or set without elements
}

// Conn is one pipelined connection, owned by one Loop. Requests and replies
// pair up in order.
type Conn struct {
	// ID is the owner's own, never read here.
	ID int

	scan    resp.Scanner
	stamps  []stamped // a ring of those in flight; its length is a power of two
	head    uint32    // of the oldest
	tail    uint32    // behind the newest
	pending int       // requests in flight
	out     []byte    // requests of which written bytes have been written
	written int
	link    link
}

// stamped is requests in flight that have one stamp.
type stamped struct {
	at int64
	n  int
}

// link is the engine's side of a Conn; each engine uses its own part.
type link struct {
	fd      int      // epoll: the socket, -1 when closed
	slot    int      // epoll: the index in the loop's table
	ending  bool     // epoll: the other side has hung up
	net     net.Conn // portable: the connection
	closed  bool     // portable
	writing bool     // portable: a write of out is under way
}

// errUnasked is a reply that no request is waiting for.
var errUnasked = errors.New("a reply came that nothing had asked for")

// newConn makes a connection that can hold window requests in flight.
func newConn(window int) *Conn {
	size := 1
	for size < window {
		size <<= 1
	}
	return &Conn{stamps: make([]stamped, size)}
}

// Inflight is the number of requests sent and not yet answered.
func (c *Conn) Inflight() int { return c.pending }

// unwritten is what a short write left over.
func (c *Conn) unwritten() []byte { return c.out[c.written:] }

// Expect announces n requests, 1 or more, with one stamp, in the order of
// their bytes. With those in flight they must not exceed the window of the
// connection.
func (c *Conn) Expect(stamp int64, n int) {
	c.stamps[c.tail&uint32(len(c.stamps)-1)] = stamped{stamp, n}
	c.tail++
	c.pending += n
}

// receive steps over the replies in buf, appends the successful ones to batch
// and tells h of the failed ones. An error means that the stream cannot be
// understood any further.
func (c *Conn) receive(h Handler, now int64, buf []byte, batch []Replies) ([]Replies, error) {
	for len(buf) > 0 {
		n, status := c.scan.Scan(buf)
		buf = buf[n:]
		if status != resp.Complete {
			if status == resp.Malformed {
				return batch, c.scan.Problem()
			}
			return batch, nil
		}
		if c.scan.Kind() == '>' { // a push answers nothing
			continue
		}
		if c.pending == 0 {
			return batch, c.unasked()
		}
		sent := c.answered()
		if text := c.scan.Err(); text != nil {
			h.Failed(c, now, sent, text)
			continue
		}
		last := len(batch) - 1
		if last < 0 || batch[last].Sent != sent {
			batch = append(batch, Replies{Sent: sent})
			last++
		}
		batch[last].N++
		if c.scan.Empty() {
			batch[last].Empty++
		}
	}
	return batch, nil
}

// answered takes the oldest request out of those in flight and returns its
// stamp.
func (c *Conn) answered() int64 {
	oldest := &c.stamps[c.head&uint32(len(c.stamps)-1)]
	c.pending--
	if oldest.n--; oldest.n == 0 {
		c.head++
	}
	return oldest.at
}

// unasked explains a reply without a request: servers say goodbye that way.
func (c *Conn) unasked() error {
	if text := c.scan.Err(); text != nil {
		return fmt.Errorf("the server ended the connection: %s", text)
	}
	return errUnasked
}
