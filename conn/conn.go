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
	Received(c *Conn, now int64, bytes int, replies []Reply)

	// Failed reports an error reply, before the Received of the same read.
	// The text is valid during the call only.
	Failed(c *Conn, now, sent int64, text []byte)

	// Closed tells that c broke. Its Inflight requests stay unanswered; it
	// is not used again.
	Closed(c *Conn, err error)
}

// Reply is one successful reply.
type Reply struct {
	Sent  int64 // the stamp that was given to Expect
	Empty bool  // null, or an array, map or set without elements
}

// Conn is one pipelined connection, owned by one Loop. Requests and replies
// pair up in order.
type Conn struct {
	// ID is the owner's own, never read here.
	ID int

	scan    resp.Scanner
	stamps  []int64 // a ring; its length is a power of two
	head    uint32  // of the oldest request in flight
	pending uint32  // requests in flight
	out     []byte  // requests of which written bytes have been written
	written int
	link    link
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
	return &Conn{stamps: make([]int64, size)}
}

// Inflight is the number of requests sent and not yet answered.
func (c *Conn) Inflight() int { return int(c.pending) }

// unwritten is what a short write left over.
func (c *Conn) unwritten() []byte { return c.out[c.written:] }

// Expect announces n requests with one stamp, in the order of their bytes.
// With those in flight they must not exceed the window of the connection.
func (c *Conn) Expect(stamp int64, n int) {
	mask := uint32(len(c.stamps) - 1)
	at := c.head + c.pending
	for range n {
		c.stamps[at&mask] = stamp
		at++
	}
	c.pending += uint32(n)
}

// receive steps over the replies in buf, appends the successful ones to batch
// and tells h of the failed ones. An error means that the stream cannot be
// understood any further.
func (c *Conn) receive(h Handler, now int64, buf []byte, batch []Reply) ([]Reply, error) {
	mask := uint32(len(c.stamps) - 1)
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
		sent := c.stamps[c.head&mask]
		c.head++
		c.pending--
		if text := c.scan.Err(); text != nil {
			h.Failed(c, now, sent, text)
			continue
		}
		batch = append(batch, Reply{Sent: sent, Empty: c.scan.Empty()})
	}
	return batch, nil
}

// unasked explains a reply without a request: servers say goodbye that way.
func (c *Conn) unasked() error {
	if text := c.scan.Err(); text != nil {
		return fmt.Errorf("the server ended the connection: %s", text)
	}
	return errUnasked
}
