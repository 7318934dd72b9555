package generator

import (
	"testing"

	"github.com/respbench/respbench/report"
)

// Tuning must settle on any curve: rising, flat, falling, noisy, dead.
func TestTuningSettles(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		rate    func(connections int) float64
		settled int
		steps   int
	}{
		{"saturates at 16", func(c int) float64 { return float64(min(c, 16)) * 10_000 }, 16, 7},
		{"one connection is enough", func(int) float64 { return 1000 }, 1, 3},
		{"nothing comes back", func(int) float64 { return 0 }, 1, 3},
		{"more only harms", func(c int) float64 { return 1000 / float64(c) }, 1, 3},
		{"a dent on the way", func(c int) float64 {
			if c == 4 {
				return 15_000
			}
			return float64(min(c, 32)) * 10_000
		}, 32, 8},
		{"rises for ever", func(c int) float64 { return float64(c) }, 1024, 11},
		{"creeps by a few percent", func(c int) float64 { return 1000 + float64(c) }, 1, 3},
	}
	for _, test := range tests {
		var steps []report.TuningStep
		for n := 1; n <= maxTuned && !plateau(steps); n *= 2 {
			steps = append(steps, report.TuningStep{Connections: n, RatePerSec: test.rate(n)})
		}
		if got := settled(steps); got != test.settled || len(steps) != test.steps {
			t.Errorf("%s: settled on %d after %d steps, want %d after %d", test.name, got, len(steps), test.settled, test.steps)
		}
	}
}
