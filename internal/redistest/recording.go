package redistest

import (
	"bufio"
	"hash/maphash"
	"io"
	"net"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/respbench/respbench/internal/clock"
	"github.com/respbench/respbench/internal/resp"
)

// Recording is a fake server that answers +OK to every request at once and
// keeps when each arrived and was answered: the witness of a timetable. It can
// be told to stall.
type Recording struct {
	Addr string

	mu        sync.Mutex
	exchanges map[string][]*Exchange // by the command's name
	digest    map[string]uint64
	stall     stall
}

// Exchange is one request and its reply, in clock time.
type Exchange struct {
	Key      string // the first argument, if it has one
	Arrived  int64
	Answered int64 // 0 = it has not been
}

// stall is a stretch of time in which nothing is answered.
type stall struct {
	command  string
	after    int // requests
	length   time.Duration
	from, to int64 // clock time; 0 = it has not begun
}

// digestSeed is one for all, so that the digests of several fakes compare.
var digestSeed = maphash.MakeSeed()

// Record starts a Recording, which ends with the test.
func Record(t testing.TB) *Recording {
	t.Helper()
	r := &Recording{exchanges: make(map[string][]*Exchange), digest: make(map[string]uint64)}
	r.Addr = Fake(t, r.serve)
	return r
}

// StallAfter lets the fake read and answer nothing for length once it has got
// so many requests of a command. Call it before they come.
func (r *Recording) StallAfter(command string, requests int, length time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stall = stall{command: command, after: requests, length: length}
}

// Stalled returns from when to when nothing was answered, in clock time; 0, 0
// if it has not come to that.
func (r *Recording) Stalled() (from, to int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stall.from, r.stall.to
}

// Arrivals returns when the requests of a command have arrived so far, in
// clock time, ascending.
func (r *Recording) Arrivals(command string) []int64 {
	var times []int64
	for _, e := range r.Exchanges(command) {
		times = append(times, e.Arrived)
	}
	slices.Sort(times)
	return times
}

// Exchanges returns what became of the requests of a command so far.
func (r *Recording) Exchanges(command string) []Exchange {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := make([]Exchange, 0, len(r.exchanges[command]))
	for _, e := range r.exchanges[command] {
		all = append(all, *e)
	}
	return all
}

// Digest returns a number that tells apart what the requests of a command were
// and, where one connection sent them, in which order they came.
func (r *Recording) Digest(command string) uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.digest[command]
}

// serve is one connection.
func (r *Recording) serve(c net.Conn) {
	in := bufio.NewReaderSize(c, 64<<10)
	for {
		request, err := resp.ReadValue(in)
		if err != nil || len(request.Elems) == 0 {
			return
		}
		e := r.note(request.Elems, clock.Now())
		// Where a stall has begun, also by a request of another connection,
		// this one waits for its end.
		if _, to := r.Stalled(); to > 0 {
			time.Sleep(time.Duration(to - clock.Now()))
		}
		r.answers(e, clock.Now())
		if _, err := io.WriteString(c, "+OK\r\n"); err != nil {
			return
		}
	}
}

// note keeps a request that has arrived.
func (r *Recording) note(request []resp.Value, at int64) *Exchange {
	var h maphash.Hash
	h.SetSeed(digestSeed)
	for _, argument := range request {
		h.WriteString(argument.Str)
		h.WriteByte(0)
	}
	command, e := request[0].Str, &Exchange{Arrived: at}
	if len(request) > 1 {
		e.Key = request[1].Str
	}

	r.mu.Lock()
	defer r.mu.Unlock()
	r.exchanges[command] = append(r.exchanges[command], e)
	r.digest[command] = r.digest[command]*31 + h.Sum64()
	if s := &r.stall; command == s.command && s.from == 0 && len(r.exchanges[command]) >= s.after {
		s.from, s.to = at, at+int64(s.length)
	}
	return e
}

// answers keeps when a request is answered.
func (r *Recording) answers(e *Exchange, at int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e.Answered = at
}
