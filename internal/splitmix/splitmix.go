// Package splitmix has the parts of SplitMix64, the generator of Steele, Lea and
// Flood, "Fast Splittable Pseudorandom Number Generators" (OOPSLA 2014): a counter
// that steps by an odd number, finished by a mixing function.
package splitmix

// Gamma is 2^64 divided by the golden ratio, odd: the step of the paper's counter.
const Gamma = 0x9e3779b97f4a7c15

// Mix is a bijection of 64-bit words that looks random: Stafford's variant 13
// of the finisher of MurmurHash3.
func Mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
