package conn

import (
	"bufio"
	"crypto/tls"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/respbench/respbench/internal/clock"
	"github.com/respbench/respbench/internal/redistest"
	"github.com/respbench/respbench/internal/resp"
)

// way is how connections are run: an engine, with or without TLS.
type way struct {
	engine Engine
	ca     *redistest.CA          // nil is plain
	server *redistest.Certificate // signed by ca
}

// ways runs a test on every engine that this system has, plain and over TLS.
func ways(t *testing.T, test func(t *testing.T, w way)) {
	t.Helper()
	ca := redistest.NewCA(t)
	server := ca.Server(t)
	for _, w := range []struct {
		name string
		way
	}{
		{"epoll", way{engine: Epoll}}, {"portable", way{engine: Portable}},
		{"epoll, TLS", way{Epoll, ca, server}}, {"portable, TLS", way{Portable, ca, server}},
	} {
		if w.engine == Epoll && !haveEpoll {
			continue
		}
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			test(t, w.way)
		})
	}
}

// fake is a fake server that is spoken to in this way.
func (w way) fake(t *testing.T, serve func(net.Conn)) (address string) {
	t.Helper()
	if w.ca == nil {
		return redistest.Fake(t, serve)
	}
	config := &tls.Config{Certificates: []tls.Certificate{w.server.TLS}}
	return redistest.FakeTLS(t, config, func(c *tls.Conn) { serve(c) })
}

// dial connects without logging in.
func (w way) dial(t *testing.T, network, address string) net.Conn {
	t.Helper()
	nc, err := net.Dial(network, address)
	if err == nil && w.ca != nil {
		d := Dialer{Address: address, TLS: &TLS{CA: w.ca.File}}
		nc, err = d.secure(t.Context(), nc)
	}
	if err != nil {
		t.Fatal(err)
	}
	return nc
}

// pump is a Handler that sends requests in batches and keeps what comes back.
type pump struct {
	batch   []byte // what one Fill sends
	size    int    // requests in it
	batches int    // still to be sent

	replies, empties, bytes int
	failed                  []string
	closed                  []error
	latencies               []int64
	inflight                int
	done                    chan struct{}
	once                    sync.Once
}

func newPump(batches int, commands ...[]string) *pump {
	p := &pump{size: len(commands), batches: batches, done: make(chan struct{})}
	for _, c := range commands {
		p.batch = resp.AppendCommand(p.batch, c...)
	}
	return p
}

func (p *pump) Fill(c *Conn, dst []byte) []byte {
	if c.Inflight() > 0 {
		return dst
	}
	if p.batches == 0 {
		if p.inflight == 0 {
			p.finish()
		}
		return dst
	}
	p.batches--
	p.inflight += p.size
	c.Expect(Request{Sent: clock.Now()}, p.size)
	return append(dst, p.batch...)
}

func (p *pump) Received(_ *Conn, now int64, bytes int, replies []Replies) {
	p.bytes += bytes
	for _, r := range replies {
		p.replies += r.N
		p.inflight -= r.N
		p.empties += r.Empty
		p.latencies = append(p.latencies, now-r.Sent)
	}
}

func (p *pump) Failed(_ *Conn, _ int64, _ Request, _ int, text []byte) {
	p.inflight--
	p.failed = append(p.failed, string(text))
}

func (p *pump) Closed(c *Conn, err error) {
	p.inflight -= c.Inflight()
	p.closed = append(p.closed, err)
	p.finish()
}

func (p *pump) Tick(int64) int64 { return Never }

func (p *pump) finish() { p.once.Do(func() { close(p.done) }) }

// drive runs p over conns connections to address and waits for its end.
func drive(t *testing.T, w way, p *pump, network, address string, conns int) {
	t.Helper()
	l, err := NewLoop(p, LoopOptions{Engine: w.engine})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for range conns {
		nc := w.dial(t, network, address)
		l.Do(func() {
			c, err := l.Add(nc, p.size)
			if err != nil {
				t.Error(err)
				return
			}
			l.Kick(c)
		})
	}
	select {
	case <-p.done:
	case <-time.After(20 * time.Second):
		t.Fatal("the loop did not finish")
	}
	l.Do(func() {}) // what Closed or Fill wrote is ours to read now
}

// answering serves each command by the reply that f gives it.
func answering(f func(args []string) string) func(net.Conn) {
	return func(nc net.Conn) {
		br := bufio.NewReader(nc)
		for {
			v, err := resp.ReadValue(br)
			if err != nil {
				return
			}
			var args []string
			for _, e := range v.Elems {
				args = append(args, e.Str)
			}
			if _, err := io.WriteString(nc, f(args)); err != nil {
				return
			}
		}
	}
}

func TestLoopCountsReplies(t *testing.T) {
	t.Parallel()
	ways(t, func(t *testing.T, w way) {
		replies := map[string]string{
			"ok": "+OK\r\n", "nil": "$-1\r\n", "bulk": "$0\r\n\r\n", "none": "*0\r\n",
			"nested": "*2\r\n*1\r\n:1\r\n%1\r\n+a\r\n_\r\n", "bad": "-OOM no room\r\n",
			"push": ">2\r\n+invalidate\r\n_\r\n+OK\r\n",
		}
		address := w.fake(t, answering(func(args []string) string { return replies[args[0]] }))
		p := newPump(30, []string{"ok"}, []string{"nil"}, []string{"bulk"}, []string{"none"}, []string{"nested"}, []string{"bad"}, []string{"push"})
		drive(t, w, p, "tcp", address, 3)
		if p.replies != 30*6 || p.empties != 30*2 || len(p.failed) != 30 || len(p.closed) != 0 {
			t.Errorf("replies %d, empties %d, failed %d, closed %v", p.replies, p.empties, len(p.failed), p.closed)
		}
		if p.failed[0] != "OOM no room" {
			t.Errorf("error text %q", p.failed[0])
		}
		for _, l := range p.latencies {
			if l <= 0 {
				t.Fatalf("latency %d ns", l)
			}
		}
	})
}

// A server that answers byte by byte, and reads as slowly, exercises partial
// reads and short writes.
func TestLoopPartialReadsAndWrites(t *testing.T) {
	t.Parallel()
	ways(t, func(t *testing.T, w way) {
		const size = 8 << 20 // beyond any socket buffer
		address := w.fake(t, func(nc net.Conn) {
			br := bufio.NewReaderSize(nc, 512)
			for {
				v, err := resp.ReadValue(br)
				if err != nil {
					return
				}
				if len(v.Elems) != 3 || len(v.Elems[2].Str) != size {
					io.WriteString(nc, "-ERR damaged\r\n")
					continue
				}
				for _, b := range []byte("$3\r\na\nb\r\n") {
					nc.Write([]byte{b})
				}
			}
		})
		big := strings.Repeat("x", size)
		p := newPump(3, []string{"SET", "a", big}, []string{"SET", "b", big})
		drive(t, w, p, "tcp", address, 2)
		if p.replies != 6 || len(p.failed) != 0 || len(p.closed) != 0 {
			t.Errorf("replies %d, failed %v, closed %v", p.replies, p.failed, p.closed)
		}
	})
}

// Requests and replies that together exceed every buffer must not wait for
// each other.
func TestLoopReadsWhileWriting(t *testing.T) {
	t.Parallel()
	ways(t, func(t *testing.T, w way) {
		const size = 4 << 20
		big := strings.Repeat("x", size)
		address := w.fake(t, answering(func(args []string) string { return "$" + "4194304\r\n" + args[1] + "\r\n" }))
		commands := slices.Repeat([][]string{{"ECHO", big}}, 6)
		p := newPump(2, commands...)
		drive(t, w, p, "tcp", address, 1)
		if p.replies != 12 || p.bytes < 12*size || len(p.closed) != 0 {
			t.Errorf("replies %d, %d bytes, closed %v", p.replies, p.bytes, p.closed)
		}
	})
}

func TestLoopClosed(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, reply string
		want        string
	}{
		{"end of stream", "+OK\r\n", "EOF"},
		{"malformed", "+OK\r\nwhat?\r\n", "malformed"},
		{"unasked", "+OK\r\n+OK\r\n+OK\r\n", errUnasked.Error()},
		{"goodbye", "+OK\r\n+OK\r\n-ERR too many\r\n", "ERR too many"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			ways(t, func(t *testing.T, w way) {
				address := w.fake(t, func(nc net.Conn) {
					if _, err := resp.ReadValue(bufio.NewReader(nc)); err != nil {
						return
					}
					io.WriteString(nc, test.reply)
				})
				p := newPump(1, []string{"PING"}, []string{"PING"})
				drive(t, w, p, "tcp", address, 1)
				if len(p.closed) != 1 || !strings.Contains(p.closed[0].Error(), test.want) {
					t.Errorf("closed by %v, want %q", p.closed, test.want)
				}
			})
		})
	}
}

// Drop inside Do closes silently, and its slot serves the next connection.
func TestLoopDropAndReuse(t *testing.T) {
	t.Parallel()
	ways(t, func(t *testing.T, w way) {
		address := w.fake(t, answering(func([]string) string { return "+OK\r\n" }))
		p := newPump(0, []string{"PING"})
		l, err := NewLoop(p, LoopOptions{Engine: w.engine})
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		for round := range 5 {
			nc := w.dial(t, "tcp", address)
			var c *Conn
			p.done, p.once = make(chan struct{}), sync.Once{}
			l.Do(func() {
				p.batches = 1
				if c, err = l.Add(nc, 1); err == nil {
					l.Kick(c)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			<-p.done
			l.Do(func() {
				if p.replies != round+1 {
					t.Errorf("round %d: %d replies", round, p.replies)
				}
				l.Drop(c)
				l.Drop(c) // twice does no harm
			})
		}
		l.Do(func() {
			if len(p.closed) != 0 {
				t.Errorf("closed: %v", p.closed)
			}
		})
	})
}

func TestNewLoopRefusesToPinPortable(t *testing.T) {
	t.Parallel()
	if _, err := NewLoop(newPump(0), LoopOptions{Engine: Portable, Pin: true}); err == nil {
		t.Error("no error")
	}
}

func TestEpollPins(t *testing.T) {
	t.Parallel()
	ids := UsableCPUs()
	if ids == nil {
		t.Skip("this system does not pin")
	}
	l, err := NewLoop(newPump(0), LoopOptions{Engine: Epoll, Pin: true, CPU: ids[len(ids)-1]})
	if err != nil {
		t.Fatal(err)
	}
	var got []int
	l.Do(func() { got = UsableCPUs() })
	l.Close()
	if !slices.Equal(got, ids[len(ids)-1:]) {
		t.Errorf("the loop runs on %v", got)
	}
	if _, err := NewLoop(newPump(0), LoopOptions{Engine: Epoll, Pin: true, CPU: 1023}); err == nil {
		t.Error("a CPU that is not there was accepted")
	}
}
