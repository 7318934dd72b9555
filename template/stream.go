package template

import (
	"math/bits"

	"github.com/respbench/respbench/internal/splitmix"
)

// Every unit has a stream of random words of its own, which follows from the
// seed and the unit's index alone: nothing is carried from unit to unit. It is
// the generator of package splitmix, of which both the counter's start and its
// step, gamma, depend on the unit: two units share a stretch of their streams
// with a probability of about 2^-127 per pair, and no two units of one seed start
// alike.

// seedKeys is a seed, mixed into the keys of the units' streams.
type seedKeys struct{ state, gamma uint64 }

func newSeedKeys(seed uint64) seedKeys {
	state := splitmix.Mix(seed + splitmix.Gamma)
	return seedKeys{state, splitmix.Mix(^state)}
}

// stream is the random words of one unit.
type stream struct{ state, gamma uint64 }

// unit returns the stream of unit i.
func (k seedKeys) unit(i uint64) stream {
	step := i * splitmix.Gamma
	gamma := mixGamma(k.gamma+step) | 1
	if bits.OnesCount64(gamma^gamma>>1) < 24 { // too regular, see section 5 of the paper
		gamma ^= 0xaaaaaaaaaaaaaaaa
	}
	return stream{splitmix.Mix(k.state + step), gamma}
}

// next returns 64 random bits.
func (s *stream) next() uint64 {
	s.state += s.gamma
	return splitmix.Mix(s.state)
}

// below returns a number in 0..n-1, n >= 1, without bias: Lemire, "Fast
// Random Integer Generation in an Interval" (ACM TOMACS 2019).
func (s *stream) below(n uint64) uint64 {
	high, low := bits.Mul64(s.next(), n)
	if low < n {
		return s.belowSlow(n, high, low)
	}
	return high
}

// belowSlow draws again while low lies among the 2^64 mod n values that make
// some numbers likelier.
func (s *stream) belowSlow(n, high, low uint64) uint64 {
	for surplus := -n % n; low < surplus; {
		high, low = bits.Mul64(s.next(), n)
	}
	return high
}

// unitInterval maps a word to the open interval 0..1, to a multiple of 2^-53.
func unitInterval(word uint64) float64 {
	return (float64(word>>12) + 0.5) * 0x1p-52
}

// mixGamma is the finisher of MurmurHash3, which the paper uses for gammas.
func mixGamma(z uint64) uint64 {
	z = (z ^ z>>33) * 0xff51afd7ed558ccd
	z = (z ^ z>>33) * 0xc4ceb9fe1a85ec53
	return z ^ z>>33
}
