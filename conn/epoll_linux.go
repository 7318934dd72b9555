package conn

import (
	"fmt"
	"net"
	"os"
	"runtime"
	"sync"

	"golang.org/x/sys/unix"

	"github.com/respbench/respbench/internal/clock"
)

const (
	haveEpoll = true

	// readSize is the size of the one read buffer of a loop: large enough for
	// a deep pipeline's replies in one read, small enough for the L2 cache.
	readSize = 64 << 10

	// waitBound is how long, in milliseconds, a loop stays in epoll_wait
	// unseen by the Go scheduler. See docs/decisions/0002-raw-wait.md.
	waitBound = 100

	wakeSlot = -1

	hangUp = unix.EPOLLRDHUP | unix.EPOLLHUP | unix.EPOLLERR
)

// epollEngine is one epoll instance and the thread that turns it. Sockets are
// non-blocking, so reads and writes go to the kernel without telling the Go
// scheduler, which saves two hand-offs a request. They are watched
// edge-triggered, for reading and writing at once: the kernel then looks at a
// ready socket once instead of twice, and a short write needs no further call.
type epollEngine struct {
	handler Handler
	ep      int
	wake    int
	conns   []*Conn // by slot; nil where free
	free    []int
	events  []unix.EpollEvent
	in      []byte
	plain   []byte // of TLS connections: a record that came, nil without any
	out     []byte // lent to Fill; swapped with a connection's on a short write
	sealed  []byte // of TLS connections: swapped with out, once it is encrypted
	replies []Replies
	waiting int // requests in flight, of all connections
	active  int // connections that have some
	spin    spinner
	next    int64 // when Tick is wanted
	lead    lead
	yielded int64 // clock time of the scheduler's last turn

	punctual bool    // wakePunctually has been called
	more     []*Conn // those whose last read filled the buffer

	mu     sync.Mutex
	inbox  []func()
	ended  bool
	exited chan struct{}
}

func newEpollEngine(h Handler, o LoopOptions) (*epollEngine, error) {
	e, err := newEpollSet(h)
	if err != nil {
		return nil, err
	}
	started := make(chan error)
	go e.run(o, started)
	return e, <-started
}

// newEpollSet makes an engine whose thread does not run yet.
func newEpollSet(h Handler) (*epollEngine, error) {
	ep, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("epoll: %w", err)
	}
	wake, err := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	if err != nil {
		unix.Close(ep)
		return nil, fmt.Errorf("eventfd: %w", err)
	}
	e := &epollEngine{
		handler: h, ep: ep, wake: wake, next: Never, lead: firstLead,
		events: make([]unix.EpollEvent, 256),
		in:     make([]byte, readSize),
		exited: make(chan struct{}),
	}
	if err := e.watch(wake, wakeSlot, unix.EPOLLIN); err != nil {
		e.closeSet()
		return nil, fmt.Errorf("epoll: %w", err)
	}
	return e, nil
}

// closeSet closes every connection, and what the engine itself has open.
func (e *epollEngine) closeSet() {
	for _, c := range e.conns {
		if c != nil {
			e.drop(c)
		}
	}
	unix.Close(e.ep)
	unix.Close(e.wake)
}

// run is the thread of the loop.
func (e *epollEngine) run(o LoopOptions, started chan<- error) {
	runtime.LockOSThread() // never unlocked: the thread ends with the loop
	defer close(e.exited)
	var err error
	if o.Pin {
		err = pinThread(o.CPU)
	}
	started <- err
	if err != nil {
		e.ended = true
	}
	for !e.ended {
		n := e.await()
		for i := range n {
			ev := &e.events[i]
			if ev.Fd == wakeSlot {
				e.serveInbox()
				continue
			}
			// An earlier event of this round may have closed it.
			if c := e.conns[ev.Fd]; c != nil {
				e.turn(c, ev.Events)
			}
		}
		e.serveMore()
		e.tick()
	}
	e.closeSet()
}

// turn serves one ready connection: one read, and one write if there is room.
func (e *epollEngine) turn(c *Conn, events uint32) {
	if events&^unix.EPOLLOUT == 0 {
		if c.Writing() {
			e.kick(c)
		}
		return
	}
	c.link.ending = c.link.ending || events&hangUp != 0
	if err := e.read(c); err != nil {
		e.broken(c, err)
		return
	}
	e.kick(c)
}

// read reads once and hands on what came. Readiness is told once, so a read
// that may have left something, be it the end of the stream, is followed by
// another in the next round: a long reply does not keep the other connections
// waiting.
func (e *epollEngine) read(c *Conn) error {
	n, err := receive(c.link.fd, e.in)
	if n == 0 {
		return err
	}
	now := clock.Now()
	if n == len(e.in) || c.link.ending {
		e.more = append(e.more, c)
	}
	before := c.Inflight()
	if c.link.sealed != nil {
		n, err = e.open(c, now, e.in[:n])
	} else {
		e.replies, err = c.receive(e.handler, now, e.in[:n], e.replies[:0])
	}
	e.account(before, c.Inflight())
	e.handler.Received(c, now, n, e.replies)
	return err
}

// open decrypts what one read brought, record by record, and steps over the
// replies in it. It returns the plain bytes.
func (e *epollEngine) open(c *Conn, now int64, in []byte) (total int, err error) {
	e.replies = e.replies[:0]
	c.link.sealed.feed(in)
	for {
		n, err := c.link.sealed.open(e.plain)
		total += n
		var bad error
		if e.replies, bad = c.receive(e.handler, now, e.plain[:n], e.replies); bad != nil {
			return total, bad
		}
		if n == 0 || err != nil {
			return total, err
		}
	}
}

// serveMore reads on where a read filled the buffer.
func (e *epollEngine) serveMore() {
	n := len(e.more)
	for i := range n {
		if c := e.more[i]; c.link.fd >= 0 {
			e.turn(c, unix.EPOLLIN)
		}
	}
	e.more = append(e.more[:0], e.more[n:]...)
}

// kick writes what c still has to write, or what the Handler has for it. What
// the socket does not take stays with c until its readiness is told.
func (e *epollEngine) kick(c *Conn) {
	if c.Writing() {
		n, err := send(c.link.fd, c.unwritten())
		if err != nil {
			e.broken(c, err)
			return
		}
		if c.written += n; c.Writing() {
			return
		}
	}
	before := c.Inflight()
	e.out = e.handler.Fill(c, e.out[:0])
	if len(e.out) == 0 {
		return
	}
	e.account(before, c.Inflight())
	if s := c.link.sealed; s != nil {
		encrypted, err := s.seal(e.sealed[:0], e.out)
		if err != nil {
			e.broken(c, err)
			return
		}
		e.out, e.sealed = encrypted, e.out
	}
	n, err := send(c.link.fd, e.out)
	if err != nil {
		e.broken(c, err)
		return
	}
	if n < len(e.out) {
		// The connection keeps this buffer and the loop takes its old one,
		// so that nothing is copied.
		e.out, c.out, c.written = c.out, e.out, n
	}
}

// account notes that a connection now has another number of requests in flight.
func (e *epollEngine) account(before, now int) {
	e.waiting += now - before
	if before == 0 && now > 0 {
		e.active++
	} else if before > 0 && now == 0 {
		e.active--
	}
}

func (e *epollEngine) watch(fd, slot int, mask uint32) error {
	return unix.EpollCtl(e.ep, unix.EPOLL_CTL_ADD, fd, &unix.EpollEvent{Events: mask, Fd: int32(slot)})
}

func (e *epollEngine) broken(c *Conn, err error) {
	if c.link.fd < 0 {
		return
	}
	e.drop(c)
	e.handler.Closed(c, err)
}

func (e *epollEngine) drop(c *Conn) {
	if c.link.fd < 0 {
		return
	}
	unix.Close(c.link.fd) // also leaves the epoll set
	c.link.fd = -1
	e.account(c.Inflight(), 0)
	e.conns[c.link.slot] = nil
	e.free = append(e.free, c.link.slot)
}

// add takes the socket out of nc: the loop needs the bare descriptor, and nc
// would keep it in the runtime's own poller.
func (e *epollEngine) add(c *Conn, nc net.Conn) error {
	if s, ok := nc.(*sealed); ok {
		nc = s.wire.Conn
		s.wire.detached = true
		c.link.sealed = s
		if e.plain == nil {
			e.plain = make([]byte, maxRecord)
		}
	}
	defer nc.Close()
	fd, err := takeDescriptor(nc)
	if err != nil {
		return err
	}
	return e.adopt(c, fd)
}

// adopt makes fd the socket of c.
func (e *epollEngine) adopt(c *Conn, fd int) error {
	slot := len(e.conns)
	if n := len(e.free); n > 0 {
		slot = e.free[n-1]
		e.free = e.free[:n-1]
	} else {
		e.conns = append(e.conns, nil)
	}
	c.link.fd, c.link.slot = fd, slot
	e.conns[slot] = c
	if err := e.watch(fd, slot, unix.EPOLLIN|unix.EPOLLOUT|unix.EPOLLRDHUP|unix.EPOLLET); err != nil {
		e.drop(c)
		return os.NewSyscallError("epoll_ctl", err)
	}
	return nil
}

func (e *epollEngine) do(f func()) {
	done := make(chan struct{})
	e.mu.Lock()
	e.inbox = append(e.inbox, func() { f(); close(done) })
	e.mu.Unlock()
	e.ring()
	<-done
}

func (e *epollEngine) close() {
	e.do(func() { e.ended = true })
	<-e.exited
}

func (e *epollEngine) ring() {
	one := [8]byte{1}
	unix.Write(e.wake, one[:]) // a full counter is a wake-up already
}

func (e *epollEngine) serveInbox() {
	var drain [8]byte
	unix.Read(e.wake, drain[:])
	e.mu.Lock()
	messages := e.inbox
	e.inbox = nil
	e.mu.Unlock()
	for _, f := range messages {
		f()
	}
}
