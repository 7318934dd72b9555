package conn

import "testing"

// A spinner goes on where looking pays, looks ever more rarely where it does
// not, and takes it up again at once when it pays again.
func TestSpinner(t *testing.T) {
	t.Parallel()
	var s spinner
	looks := func(waits int, found bool) (n int) {
		for range waits {
			if s.worth() {
				n++
				s.learn(spinBound, found)
			}
		}
		return n
	}
	if n := looks(1000, true); n != 1000 {
		t.Errorf("looked %d times of 1000 although it paid", n)
	}
	if n := looks(10_000, false); n < 10 || n > 25 {
		t.Errorf("looked %d times in vain", n)
	}
	if n := looks(2000, true); n < 900 {
		t.Errorf("looked %d times of 2000 when it paid again", n)
	}
	if want := int64(1900) * spinBound; s.spent < want {
		t.Errorf("spent %d ns, want more than %d", s.spent, want)
	}
}
