package conn

import (
	"math/rand/v2"
	"testing"
)

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

// The lead settles where nine sleeps of ten end before it, whatever the few
// very late ones were, and within its bounds.
func TestLead(t *testing.T) {
	t.Parallel()
	dice := rand.New(rand.NewPCG(1, 2))
	for name, test := range map[string]struct {
		late     func() int64
		from, to lead
	}{
		"even":        {func() int64 { return dice.Int64N(20_000) }, 16_000, 20_000},
		"exponential": {func() int64 { return int64(dice.ExpFloat64() * 10_000) }, 17_000, 30_000}, // ln 10 times the mean is 23,000
		"with stops": {func() int64 {
			if dice.IntN(100) == 0 {
				return 5_000_000
			}
			return dice.Int64N(20_000)
		}, 16_000, 22_000},
		"at once":     {func() int64 { return 0 }, leastLead, leastLead},
		"always late": {func() int64 { return 1e9 }, mostLead, mostLead},
	} {
		l := firstLead
		for range 2000 {
			l.learn(test.late())
		}
		sum := lead(0)
		for range 1000 {
			l.learn(test.late())
			sum += l
		}
		if mean := sum / 1000; mean < test.from || mean > test.to {
			t.Errorf("%s: the lead is %d ns, want %d to %d", name, mean, test.from, test.to)
		}
	}
}
