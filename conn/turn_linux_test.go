package conn

import (
	"testing"

	"golang.org/x/sys/unix"

	"github.com/respbench/respbench/internal/clock"
	"github.com/respbench/respbench/internal/resp"
)

// bouncer is a Handler that always has one more request.
type bouncer struct {
	request []byte
	replies int
}

func (b *bouncer) Fill(c *Conn, dst []byte) []byte {
	if c.Inflight() > 0 {
		return dst
	}
	c.Expect(Request{Sent: clock.Now()}, 1)
	return append(dst, b.request...)
}

func (b *bouncer) Received(_ *Conn, _ int64, _ int, replies []Replies) {
	for _, r := range replies {
		b.replies += r.N
	}
}

func (b *bouncer) Failed(*Conn, int64, Request, int, []byte) {}
func (b *bouncer) Closed(*Conn, error)                       {}
func (b *bouncer) Tick(int64) int64                          { return Never }

// bench is an epoll engine without its thread, one connection, and the other
// end of that connection.
type bench struct {
	engine *epollEngine
	conn   *Conn
	peer   int
	in     []byte
}

func newBench(tb testing.TB) *bench {
	tb.Helper()
	ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		tb.Fatal(err)
	}
	request := resp.AppendCommand(nil, "SET", "key_0000000001", "0123456789012345678901234567890123456789012345678901234567890123")
	e, err := newEpollSet(&bouncer{request: request})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		unix.Close(ends[1])
		e.closeSet()
	})
	c := newConn(1)
	if err := e.adopt(c, ends[0]); err != nil {
		tb.Fatal(err)
	}
	e.kick(c)
	return &bench{engine: e, conn: c, peer: ends[1], in: make([]byte, 4096)}
}

// turn answers the request in flight and lets the engine serve the answer and
// send the next one.
func (b *bench) turn() {
	unix.Read(b.peer, b.in)
	unix.Write(b.peer, okReply)
	for range b.engine.poll(0) {
		b.engine.turn(b.conn, unix.EPOLLIN)
	}
}

var okReply = []byte("+OK\r\n")

func TestTurnDoesNotAllocate(t *testing.T) {
	b := newBench(t)
	if n := testing.AllocsPerRun(1000, b.turn); n != 0 {
		t.Errorf("%v allocations per turn", n)
	}
	if got := b.engine.handler.(*bouncer).replies; got < 1000 {
		t.Errorf("%d replies", got)
	}
}

// BenchmarkTurn is a whole turn, with the system calls of both ends of the
// connection. With -cpu 1,2 it shows how loops scale: each has its own engine,
// and two should take half as long as one.
func BenchmarkTurn(b *testing.B) {
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		turner := newBench(b)
		for pb.Next() {
			turner.turn()
		}
	})
}
