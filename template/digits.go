package template

import "math/bits"

// decimalLen returns the number of digits of v; 0 has one.
func decimalLen(v uint64) int {
	// 1233/4096 is a little above log10(2): the guess is right or one short.
	guess := bits.Len64(v|1) * 1233 >> 12
	if v >= powerOfTen(guess) {
		guess++
	}
	return max(guess, 1)
}

// powerOfTen returns 10^n, n in 0..19.
func powerOfTen(n int) uint64 {
	return [...]uint64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9,
		1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19}[n]
}

// twoDigits holds 00 to 99.
const twoDigits = "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748495051" +
	"525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899"

// padDigits fills b with the last digits of v, zeros in front.
func padDigits(b []byte, v uint64) {
	n := len(b)
	for n >= 2 {
		rest := v / 100
		two := 2 * (v - rest*100)
		b[n-1], b[n-2] = twoDigits[two+1], twoDigits[two]
		v = rest
		n -= 2
	}
	if n > 0 {
		b[0] = byte('0' + v%10)
	}
}
