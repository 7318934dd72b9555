package generator

import "testing"

// TestProcessorsOfSeveralRuns: the first of two Runs to end takes nothing from
// the other, and the last leaves what was found.
func TestProcessorsOfSeveralRuns(t *testing.T) {
	t.Parallel()
	now, calls := 2, 0
	p := processors{cpus: 8, set: func(n int) int {
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
		if got := p.usableCPUs(); got != 2 {
			t.Errorf("%s: %d usable CPUs, want 2", when, got)
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

// TestUsableCPUs: the mask and the runtime's choice, whichever is lower.
func TestUsableCPUs(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ cpus, runtime, want int }{{64, 64, 64}, {64, 2, 2}, {1, 8, 1}} {
		p := processors{cpus: test.cpus, set: func(int) int { return test.runtime }}
		if got := p.usableCPUs(); got != test.want {
			t.Errorf("%d CPUs, GOMAXPROCS %d: %d, want %d", test.cpus, test.runtime, got, test.want)
		}
	}
}
