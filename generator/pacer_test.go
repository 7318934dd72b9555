package generator

import (
	"math"
	"slices"
	"testing"
)

// times returns the due times of all workers before clock time end, in order.
func times(perSec float64, workers int, arrivals Arrivals, start, end int64) (due []int64) {
	for i := range workers {
		for p := newPacer(start, perSec, i, workers, arrivals, 7); p.due < end; p.advance() {
			due = append(due, p.due)
		}
	}
	slices.Sort(due)
	return due
}

// Whatever the number of workers, a constant rate is one request every
// 1/rate seconds, exactly, however long it runs.
func TestPacerConstant(t *testing.T) {
	t.Parallel()
	for _, rate := range []float64{1, 7, 1000, 50_000, 0.25, 333.3} {
		for _, workers := range []int{1, 2, 3, 8} {
			const start, seconds = int64(12_345), 40
			due := times(rate, workers, Constant, start, start+seconds*1e9)
			if want := rate * seconds; math.Abs(float64(len(due))-want) > 1 {
				t.Fatalf("%v/s by %d: %d due in %d s", rate, workers, len(due), seconds)
			}
			for k, got := range due {
				if want := start + int64(float64(k)/rate*1e9); got-want > 1000 || want-got > 1000 {
					t.Fatalf("%v/s by %d: request %d is due at %d, want %d", rate, workers, k, got, want)
				}
			}
		}
	}
}

// The gaps of Poisson arrivals are exponential: a Kolmogorov-Smirnov test at
// the level 0.001, of which the seed is fixed.
func TestPacerPoisson(t *testing.T) {
	t.Parallel()
	for _, workers := range []int{1, 4} {
		const rate = 1000.0
		due := times(rate, workers, Poisson, 0, 20e9)
		gaps := make([]float64, 0, len(due))
		last := int64(0)
		for _, at := range due {
			gaps = append(gaps, float64(at-last)/1e9)
			last = at
		}
		slices.Sort(gaps)
		n, distance := float64(len(gaps)), 0.0
		for k, g := range gaps {
			law := 1 - math.Exp(-rate*g)
			distance = max(distance, math.Abs(law-float64(k)/n), math.Abs(law-float64(k+1)/n))
		}
		if limit := 1.95 / math.Sqrt(n); distance > limit {
			t.Errorf("%d workers: distance %.4f from the exponential law, allowed is %.4f", workers, distance, limit)
		}
		if off := math.Abs(n - 20*rate); off > 4*math.Sqrt(20*rate) {
			t.Errorf("%d workers: %v requests in 20 s at %v/s", workers, n, rate)
		}
	}
}

func TestPacerOverdue(t *testing.T) {
	t.Parallel()
	p := newPacer(1000, 1e6, 0, 1, Constant, 0) // one every 1000 ns
	for _, test := range []struct {
		now  int64
		want int
	}{{0, 0}, {999, 0}, {1000, 1}, {1999, 1}, {2000, 2}, {11_500, 11}} {
		if got := p.overdue(test.now); got != test.want {
			t.Errorf("at %d: %d overdue, want %d", test.now, got, test.want)
		}
	}
	// As many as no int of a 32-bit machine holds, and as no int64 does.
	fast := newPacer(0, 1e9, 0, 1, Constant, 0)
	for _, now := range []int64{5e9, math.MaxInt64} {
		if got := int64(fast.overdue(now)); got < min(now, mostOverdue) || got > mostOverdue+2 {
			t.Errorf("at %d: %d overdue", now, got)
		}
	}
	p.advance()
	if p.due != 2000 || p.overdue(2000) != 1 {
		t.Errorf("the second is due at %d", p.due)
	}
}
