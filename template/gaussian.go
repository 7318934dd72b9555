package template

import "math"

// gaussian draws whole numbers in 0..size-1: a normal variate, drawn again
// until it rounds to one of them. The same law is had in one step by
// inverting the distribution function between its values at -1/2 and
// size-1/2; number k has the probability of k-1/2..k+1/2 under the normal
// law, divided by that of -1/2..size-1/2.
type gaussian struct {
	mean, sd float64
	from, to float64 // erf at the two ends
	last     uint64
}

// newGaussian wants a mean in 0..size-1 and a finite sd above 0.
func newGaussian(mean, sd float64, size uint64) *gaussian {
	erf := func(x float64) float64 { return math.Erf((x - mean) / sd / math.Sqrt2) }
	return &gaussian{mean, sd, erf(-0.5), erf(float64(size) - 0.5), size - 1}
}

// number returns a number in 0..size-1.
func (g *gaussian) number(rng *stream) uint64 {
	u := g.from + unitInterval(rng.next())*(g.to-g.from)
	x := math.Floor(g.mean + g.sd*(math.Sqrt2*math.Erfinv(u)) + 0.5)
	if x <= 0 {
		return 0
	}
	if x >= float64(g.last) {
		return g.last
	}
	return uint64(x)
}
