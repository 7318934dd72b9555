package redistest

import (
	"net"
	"sync"
	"testing"
)

// Fake listens on a free port of 127.0.0.1 and calls serve, each time in a
// goroutine of its own, for every connection it accepts. A connection is
// closed when its serve returns. When the test ends, the listener and all
// connections are closed and every serve is waited for, so serve must not
// block on anything but its connection.
func Fake(t testing.TB, serve func(net.Conn)) (addr string) {
	t.Helper()
	l, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
	if err != nil {
		t.Fatal(err)
	}
	f := &fake{open: make(map[net.Conn]bool)}
	f.running.Go(func() { f.accept(l, serve) })
	t.Cleanup(func() {
		l.Close()
		f.closeAll()
		f.running.Wait()
	})
	return l.Addr().String()
}

// fake is the connections of a Fake.
type fake struct {
	running sync.WaitGroup

	mu     sync.Mutex
	open   map[net.Conn]bool
	closed bool
}

// accept serves connections until the listener is closed.
func (f *fake) accept(l net.Listener, serve func(net.Conn)) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		if !f.add(c) {
			c.Close()
			return
		}
		f.running.Go(func() {
			defer f.remove(c)
			serve(c)
		})
	}
}

// add takes note of a connection, unless the fake is closed.
func (f *fake) add(c net.Conn) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.closed {
		f.open[c] = true
	}
	return !f.closed
}

// remove closes a connection that is done.
func (f *fake) remove(c net.Conn) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.open, c)
	c.Close()
}

// closeAll closes what is open and accepts no more.
func (f *fake) closeAll() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	for c := range f.open {
		c.Close()
	}
}
