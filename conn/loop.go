package conn

import (
	"fmt"
	"net"
	"time"
)

// Engine is a way to run connections.
type Engine uint8

const (
	// Auto is the fastest engine that this system and transport allow.
	Auto Engine = iota
	// Epoll is a raw epoll loop on a thread of its own. Linux only.
	Epoll
	// Portable is a goroutine per connection over package net.
	Portable
)

// LoopOptions says how a Loop runs. The zero value is the fastest engine, not
// pinned.
type LoopOptions struct {
	Engine Engine
	// Pin binds the loop's thread to CPU. Only the epoll engine can.
	Pin bool
	CPU int
}

// Loop runs connections for one Handler. Between NewLoop and Close everything
// that its connections and its Handler hold belongs to it: others reach them
// through Do.
type Loop struct {
	handler Handler
	engine  engine
}

// engine is what the epoll and the portable engine have in common.
type engine interface {
	// do runs f where no Handler method is running and waits for it.
	do(f func())
	// add takes over a dialled connection; called inside do.
	add(c *Conn, nc net.Conn) error
	// kick fills c and writes; called inside do.
	kick(c *Conn)
	// schedule sets when to call Tick; called inside do.
	schedule(at int64)
	// drop closes c without telling the Handler; called inside do.
	drop(c *Conn)
	// busy is the CPU time that was spent on requests; 0 where not known.
	busy() time.Duration
	close()
}

// NewLoop starts a loop without connections.
func NewLoop(h Handler, o LoopOptions) (*Loop, error) {
	l := &Loop{handler: h}
	var err error
	switch {
	case o.Engine == Epoll || o.Engine == Auto && haveEpoll:
		l.engine, err = newEpollEngine(h, o)
	case o.Pin:
		err = fmt.Errorf("this system cannot pin event loops to CPUs")
	default:
		l.engine = newNetEngine(h)
	}
	if err != nil {
		return nil, err
	}
	return l, nil
}

// Do runs f between two turns of the loop, on the loop's own thread where it
// has one, and returns when f has. Inside f everything the loop owns may be
// touched, and Add, Kick and Drop may be called.
func (l *Loop) Do(f func()) { l.engine.do(f) }

// Add gives nc, which has finished its handshake, to the loop; at most window
// requests will ever be in flight on it. Call it inside Do.
func (l *Loop) Add(nc net.Conn, window int) (*Conn, error) {
	c := newConn(window)
	if err := l.engine.add(c, nc); err != nil {
		return nil, err
	}
	return c, nil
}

// Kick lets the Handler fill c. Call it inside Do, or Tick or Received of the
// Handler.
func (l *Loop) Kick(c *Conn) { l.engine.kick(c) }

// Schedule sets the clock time of the next call of the Handler's Tick. Call it
// inside Do or a method of the Handler.
func (l *Loop) Schedule(at int64) { l.engine.schedule(at) }

// Drop closes c, whatever is in flight on it, without a call of Closed. Call
// it inside Do.
func (l *Loop) Drop(c *Conn) { l.engine.drop(c) }

// Busy is the CPU time, user and system, that the loop has spent on requests;
// looking for replies that had not come yet is not part of it. 0 where the
// engine cannot tell. Do not call it inside Do.
func (l *Loop) Busy() time.Duration { return l.engine.busy() }

// Close closes every connection and ends the loop.
func (l *Loop) Close() { l.engine.close() }
