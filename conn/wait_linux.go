package conn

import (
	"runtime"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/respbench/respbench/internal/clock"
)

// await returns the number of ready events. While requests are in flight it
// waits in the kernel without the scheduler's knowledge, for at most
// waitBound; a wait that brought nothing gives the scheduler a turn, as far as
// yield thinks it is time.
func (e *epollEngine) await() int {
	switch {
	case len(e.more) > 0:
		return e.poll(0)
	case e.next != Never:
		return e.awaitTick()
	case e.waiting == 0: // only a message can come: sleep where the scheduler sees it
		n, err := unix.EpollWait(e.ep, e.events, -1)
		if err != nil {
			return 0
		}
		return n
	case e.active == 1:
		if n := e.look(); n > 0 {
			return n
		}
	}
	n := e.poll(waitBound)
	if n == 0 {
		e.yield(clock.Now())
	}
	return n
}

// yield gives the scheduler a turn, unless the last one was less than waitBound
// ago. The loop's goroutine is locked to its thread, so a turn costs two
// switches between threads: a request that is due, or a reply that comes
// meanwhile, is late by some 50 us. Most waits of an open loop bring nothing,
// and a turn after each of them would be measured as the server's latency.
func (e *epollEngine) yield(now int64) {
	if now-e.yielded >= int64(waitBound*time.Millisecond) {
		e.yielded = now
		runtime.Gosched()
	}
}

// awaitTick is await with an appointment: it sleeps to a little before it and
// looks for events until it has come, as a sleeping thread wakes late.
func (e *epollEngine) awaitTick() int {
	now := clock.Now()
	if e.active == 1 { // as without an appointment
		n := e.look()
		if now = clock.Now(); n > 0 || now >= e.next {
			return n
		}
	}
	if left := min(e.next-now-int64(e.lead), int64(waitBound*time.Millisecond)); left > 0 {
		n := e.pollFor(left)
		if n == 0 {
			woken := clock.Now()
			e.lead.learn(woken - now - left)
			e.yield(woken)
		}
		return n
	}
	for start := now; ; {
		n := e.poll(0)
		now = clock.Now()
		if n > 0 || now >= e.next {
			e.spin.spent += now - start
			return n
		}
	}
}

// tick keeps the appointment.
func (e *epollEngine) tick() {
	if e.next == Never {
		return
	}
	if now := clock.Now(); now >= e.next {
		e.next = Never // unless Tick itself schedules
		if next := e.handler.Tick(now); next < e.next {
			e.next = next
		}
	}
}

func (e *epollEngine) schedule(at int64) {
	if !e.punctual {
		e.punctual = true
		wakePunctually()
	}
	e.next = at
}

// poll is epoll_wait; an interrupted one found nothing.
func (e *epollEngine) poll(milliseconds uintptr) int {
	n, _, errno := syscall.RawSyscall6(unix.SYS_EPOLL_PWAIT, uintptr(e.ep),
		uintptr(unsafe.Pointer(&e.events[0])), uintptr(len(e.events)), milliseconds, 0, 0)
	if errno != 0 {
		return 0
	}
	return int(n)
}

// pollFor is poll with a bound in nanoseconds.
func (e *epollEngine) pollFor(ns int64) int {
	bound := unix.NsecToTimespec(ns)
	n, _, errno := syscall.RawSyscall6(unix.SYS_EPOLL_PWAIT2, uintptr(e.ep),
		uintptr(unsafe.Pointer(&e.events[0])), uintptr(len(e.events)),
		uintptr(unsafe.Pointer(&bound)), 0, 0)
	if errno == unix.ENOSYS { // before Linux 5.11; the rest is looked away
		return e.poll(uintptr(ns / 1e6))
	}
	if errno != 0 {
		return 0
	}
	return int(n)
}

// look polls without sleeping for as long as spinBound, or to the appointment if
// that is earlier, where it pays. Only a loop that has nothing else in flight does: with more, the next reply is
// never far.
func (e *epollEngine) look() int {
	if !e.spin.worth() {
		return 0
	}
	start := clock.Now()
	for {
		n := e.poll(0)
		now := clock.Now()
		took := now - start
		if now >= e.next {
			e.spin.spent += took
			return n
		}
		if n > 0 || took > spinBound {
			e.spin.learn(took, n > 0)
			return n
		}
	}
}
