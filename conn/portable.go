package conn

import (
	"net"
	"sync"
	"time"

	"github.com/respbench/respbench/internal/clock"
)

const (
	// portableReadSize is smaller than the epoll engine's, as every
	// connection has a read buffer of its own here.
	portableReadSize = 16 << 10

	// inlineWrite is the most that the goroutine which also has to read may
	// write itself: it fits any socket buffer. A larger write that waited for
	// a server that waits for us to read would never end.
	inlineWrite = 16 << 10
)

// netEngine runs a goroutine per connection over package net. A lock takes
// the place of the single thread: it is held while the Handler runs and never
// while reading or writing.
type netEngine struct {
	handler Handler
	mu      sync.Mutex
	conns   map[*Conn]struct{}
	replies []Replies
	running sync.WaitGroup
	timer   *time.Timer // of the next Tick; nil before the first
	closed  bool
}

func newNetEngine(h Handler) *netEngine {
	return &netEngine{handler: h, conns: make(map[*Conn]struct{})}
}

func (e *netEngine) do(f func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	f()
}

func (e *netEngine) add(c *Conn, nc net.Conn) error {
	c.link.net = nc
	e.conns[c] = struct{}{}
	e.running.Go(func() { e.serve(c) })
	return nil
}

// serve reads until c breaks or is dropped.
func (e *netEngine) serve(c *Conn) {
	in := make([]byte, portableReadSize)
	for {
		n, err := c.link.net.Read(in)
		now := clock.Now()
		out, ok := e.receive(c, now, in[:n], err)
		if !ok {
			return
		}
		if len(out) > 0 {
			e.write(c, out)
		}
	}
}

// receive hands on one read and returns what this goroutine may write itself.
func (e *netEngine) receive(c *Conn, now int64, in []byte, readErr error) (out []byte, ok bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if c.link.closed {
		return nil, false
	}
	err := readErr
	if len(in) > 0 {
		var bad error
		e.replies, bad = c.receive(e.handler, now, in, e.replies[:0])
		e.handler.Received(c, now, len(in), e.replies)
		if bad != nil {
			err = bad
		}
	}
	if err != nil {
		e.broken(c, err)
		return nil, false
	}
	if !e.fill(c) {
		return nil, true
	}
	if len(c.out) > inlineWrite {
		e.running.Go(func() { e.write(c, c.out) })
		return nil, true
	}
	return c.out, true
}

// fill asks the Handler for requests, unless a write is still under way.
// The lock is held. If it returns true, c.out is to be written.
func (e *netEngine) fill(c *Conn) bool {
	if c.link.closed || c.Writing() {
		return false
	}
	c.out = e.handler.Fill(c, c.out[:0])
	return c.Writing()
}

// write writes out, and then whatever the Handler has after it. The lock is
// not held.
func (e *netEngine) write(c *Conn, out []byte) {
	for len(out) > 0 {
		_, err := c.link.net.Write(out)
		out = e.wrote(c, err)
	}
}

func (e *netEngine) wrote(c *Conn, err error) (next []byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	c.out = c.out[:0]
	if err != nil {
		e.broken(c, err)
	}
	if !e.fill(c) {
		return nil
	}
	return c.out
}

func (e *netEngine) kick(c *Conn) {
	if e.fill(c) {
		e.running.Go(func() { e.write(c, c.out) })
	}
}

func (e *netEngine) schedule(at int64) {
	if e.timer != nil {
		e.timer.Stop()
	}
	if at != Never && !e.closed {
		e.timer = time.AfterFunc(time.Duration(at-clock.Now()), e.tick)
	}
}

func (e *netEngine) tick() {
	e.do(func() {
		if !e.closed {
			if next := e.handler.Tick(clock.Now()); next != Never {
				e.schedule(next)
			}
		}
	})
}

func (e *netEngine) broken(c *Conn, err error) {
	if c.link.closed {
		return
	}
	e.drop(c)
	e.handler.Closed(c, err)
}

func (e *netEngine) drop(c *Conn) {
	if c.link.closed {
		return
	}
	c.link.closed = true
	delete(e.conns, c)
	c.link.net.Close()
}

// busy is not known: the goroutines have no thread of their own.
func (e *netEngine) busy() time.Duration { return 0 }

func (e *netEngine) close() {
	e.do(func() {
		e.closed = true
		e.schedule(Never)
		for c := range e.conns {
			e.drop(c)
		}
	})
	e.running.Wait()
}
