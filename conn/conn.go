// Package conn moves bytes: it dials and logs in, sends what it is given and
// finds the replies. It knows neither templates nor rates nor reports; what
// to send, and what a reply means, it asks a Handler.
//
// A Loop runs many connections. On Linux it is an epoll loop on a thread of
// its own; elsewhere it is a goroutine per connection. Either encrypts where
// that is wanted. The Handler sees no difference.
package conn

import (
	"errors"
	"fmt"
	"iter"
	"math"
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

	// Received reports one read from c at clock time now: its plain bytes
	// and the successful replies it completed, oldest first. The slice is
	// valid during the call only.
	Received(c *Conn, now int64, bytes int, replies []Replies)

	// Failed reports an error reply to the request number at, from 0, of
	// those that were announced as r, before the Received of the same read.
	// The text is valid during the call only.
	Failed(c *Conn, now int64, r Request, at int, text []byte)

	// Tick is called when the clock time has come that Loop.Schedule set or
	// the last Tick returned. It may Kick connections. It returns the next
	// such time, Never for none.
	Tick(now int64) (next int64)

	// Closed tells that c broke. Its Inflight requests, which Unanswered
	// lists, stay unanswered; it is not used again.
	Closed(c *Conn, err error)
}

// Never is a clock time that does not come.
const Never = int64(math.MaxInt64)

// Request is what a Handler wants to know again when the reply comes.
type Request struct {
	Due   int64  // clock time at which it should have been sent
	Sent  int64  // clock time at which it was, just before the write
	Index uint64 // the Handler's own, as are the others
	Class int32
	Flags uint8
}

// Replies are successful replies, one after another, to requests that were
// announced by one Expect, such as a pipeline that went out in one write.
type Replies struct {
	Request
	N     int // how many
	Empty int // how many of them are null, or an array, map or set without elements
}

// Conn is one pipelined connection, owned by one Loop. Requests and replies
// pair up in order.
type Conn struct {
	// ID is the owner's own, never read here.
	ID int

	scan    resp.Scanner
	ring    []inflight // the requests in flight; its length is a power of two
	head    uint32     // of the oldest
	tail    uint32     // behind the newest
	pending int        // requests in flight
	out     []byte     // requests of which written bytes have been written
	written int
	pushes  int64
	link    link
}

// inflight is equal requests in flight, one after another: n of them, after
// at that have been answered.
type inflight struct {
	Request
	at, n int32
}

// Outstanding is requests that were announced together and are not answered
// yet: N of them, after At that are.
type Outstanding struct {
	Request
	At, N int
}

// link is the engine's side of a Conn; each engine uses its own part.
type link struct {
	fd     int      // epoll: the socket, -1 when closed
	slot   int      // epoll: the index in the loop's table
	ending bool     // epoll: the other side has hung up
	sealed *sealed  // epoll: what encrypts, if something does
	net    net.Conn // portable: the connection
	closed bool     // portable
}

// errUnasked is a reply that no request is waiting for.
var errUnasked = errors.New("a reply came that nothing had asked for")

// newConn makes a connection that can hold window requests in flight.
func newConn(window int) *Conn {
	size := 1
	for size < window {
		size <<= 1
	}
	return &Conn{ring: make([]inflight, size)}
}

// Inflight is the number of requests sent and not yet answered.
func (c *Conn) Inflight() int { return c.pending }

// Pushes is the number of pushes (RESP3) that have come. They answer nothing.
func (c *Conn) Pushes() int64 { return c.pushes }

// Writing tells whether the socket has not taken all of the last Fill yet. A
// Kick does nothing then; Fill is called once it has.
func (c *Conn) Writing() bool { return len(c.unwritten()) > 0 }

// unwritten is what is still to be written of out.
func (c *Conn) unwritten() []byte { return c.out[c.written:] }

// Unanswered lists the requests in flight, oldest first.
func (c *Conn) Unanswered() iter.Seq[Outstanding] {
	return func(yield func(Outstanding) bool) {
		for at := c.head; at != c.tail; at++ {
			e := &c.ring[at&uint32(len(c.ring)-1)]
			if !yield(Outstanding{e.Request, int(e.at), int(e.n)}) {
				return
			}
		}
	}
}

// Oldest is the request that has waited longest; ok is false if none does.
func (c *Conn) Oldest() (r Request, ok bool) {
	if c.pending == 0 {
		return r, false
	}
	return c.ring[c.head&uint32(len(c.ring)-1)].Request, true
}

// GiveUp takes the oldest requests, those of one Expect, out of those in
// flight. Their replies must not come any more: call it on a connection that
// was dropped.
func (c *Conn) GiveUp() Outstanding {
	e := &c.ring[c.head&uint32(len(c.ring)-1)]
	c.head++
	c.pending -= int(e.n)
	return Outstanding{e.Request, int(e.at), int(e.n)}
}

// Expect announces n equal requests, 1 or more, in the order of their bytes.
// With those in flight they must not exceed the window of the connection.
func (c *Conn) Expect(r Request, n int) { c.ExpectFrom(r, 0, n) }

// ExpectFrom is Expect of which the first at have been answered elsewhere: Failed
// and Unanswered count from there.
func (c *Conn) ExpectFrom(r Request, at, n int) {
	c.ring[c.tail&uint32(len(c.ring)-1)] = inflight{Request: r, at: int32(at), n: int32(n)}
	c.tail++
	c.pending += n
}

// receive steps over the replies in buf, appends the successful ones to batch
// and tells h of the failed ones. An error means that the stream cannot be
// understood any further.
func (c *Conn) receive(h Handler, now int64, buf []byte, batch []Replies) ([]Replies, error) {
	entry := c.head - 1 // of the ring, which the last of batch belongs to; none yet
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
			c.pushes++
			continue
		}
		if c.pending == 0 {
			return batch, c.unasked()
		}
		at := c.head
		r := c.answered()
		if text := c.scan.Err(); text != nil {
			h.Failed(c, now, r.Request, int(r.at)-1, text)
			continue
		}
		if at != entry {
			batch = append(batch, Replies{Request: r.Request})
			entry = at
		}
		last := len(batch) - 1
		batch[last].N++
		if c.scan.Empty() {
			batch[last].Empty++
		}
	}
	return batch, nil
}

// answered takes the oldest request out of those in flight. What it returns
// is valid until the next Expect.
func (c *Conn) answered() *inflight {
	oldest := &c.ring[c.head&uint32(len(c.ring)-1)]
	c.pending--
	oldest.at++
	if oldest.n--; oldest.n == 0 {
		c.head++
	}
	return oldest
}

// unasked explains a reply without a request: servers say goodbye that way.
func (c *Conn) unasked() error {
	if text := c.scan.Err(); text != nil {
		return fmt.Errorf("the server ended the connection: %s", text)
	}
	return errUnasked
}
