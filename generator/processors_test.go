package generator

import "testing"

// TestProcessorsOfSeveralRuns: the first of two Runs to end takes nothing from
// the other, and the last leaves what was found.
func TestProcessorsOfSeveralRuns(t *testing.T) {
	t.Parallel()
	now, calls := 2, 0
	p := processors{set: func(n int) int {
		old := now
		if n > 0 {
			now = n
			calls++
		}
		return old
	}}
	expect := func(when string, want int) {
		t.Helper()
		if now != want {
			t.Errorf("%s: %d processors, want %d", when, now, want)
		}
	}
	first := p.moreFor(3)
	expect("one run", 5)
	second := p.moreFor(4)
	expect("two runs", 9)
	first()
	expect("the first has ended", 6)
	second()
	expect("both have ended", 2)

	calls, now = 0, 8
	p.moreFor(2)()
	if calls > 0 || now != 8 {
		t.Errorf("%d calls where there were enough, and now %d", calls, now)
	}
}
