package conn

import (
	"testing"
	"time"

	"github.com/respbench/respbench/internal/clock"
)

// Most waits for an appointment bring nothing. The scheduler gets a turn after
// few of them: each would make what comes next late.
func TestAwaitTickRarelyYields(t *testing.T) {
	t.Parallel()
	e := newBench(t).engine
	e.poll(0) // a new socket is writable
	turns, last := int64(0), e.yielded
	start := clock.Now()
	for clock.Now()-start < 3*int64(waitBound*time.Millisecond) {
		e.next = clock.Now() + int64(mostLead) + int64(100*time.Microsecond)
		for clock.Now() < e.next {
			if n := e.awaitTick(); n != 0 {
				t.Fatalf("%d events, and nothing had come", n)
			}
		}
		if e.yielded != last {
			last = e.yielded
			turns++
		}
	}
	elapsed := clock.Now() - start
	if most := 1 + elapsed/int64(waitBound*time.Millisecond); turns > most {
		t.Errorf("%d turns of the scheduler in %d ns, want at most %d", turns, elapsed, most)
	}
	if turns == 0 {
		t.Error("the scheduler never got a turn")
	}
}
