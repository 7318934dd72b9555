package template

import (
	"encoding/binary"
	"math/bits"
	"sync"
)

// alphabet is what values are made of.
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

const (
	pairs    = len(alphabet) * len(alphabet)
	pairSlot = 1 << 12 // the power of two above pairs: indexes need no check
)

// letterPairs holds every pair of letters, the first in the low byte.
type letterPairs [pairSlot]uint16

// sharedPairs is the one table of a process: a command file has many programs.
var sharedPairs = sync.OnceValue(func() *letterPairs {
	var t letterPairs
	for i := range pairs {
		t[i] = uint16(alphabet[i%len(alphabet)]) | uint16(alphabet[i/len(alphabet)])<<8
	}
	return &t
})

// fill fills b with letters and digits. One random word gives eight: it is
// multiplied by the number of pairs; the upper half of the product chooses a
// pair, and the lower half is what remains of the word, for the next. Eight
// letters are one of 62^8 combinations, and the likeliest and the rarest of
// them differ by one in 2^64/62^8, which is 84,000: the total variation
// distance from the uniform distribution is below 2^-17 for eight letters
// together, and below 2^-40 for the first four.
func (t *letterPairs) fill(b []byte, rng *stream) {
	s := *rng
	for len(b) >= 8 {
		t.eight((*[8]byte)(b), s.next())
		b = b[8:]
	}
	if len(b) > 0 {
		var last [8]byte
		t.eight(&last, s.next())
		copy(b, last[:])
	}
	*rng = s
}

// eight writes the letters of one word, pair by pair: stores are cheaper than
// putting the pairs together first.
func (t *letterPairs) eight(b *[8]byte, word uint64) {
	first, word := bits.Mul64(word, uint64(pairs))
	second, word := bits.Mul64(word, uint64(pairs))
	third, word := bits.Mul64(word, uint64(pairs))
	fourth, _ := bits.Mul64(word, uint64(pairs))
	binary.LittleEndian.PutUint16(b[0:], t[first%pairSlot])
	binary.LittleEndian.PutUint16(b[2:], t[second%pairSlot])
	binary.LittleEndian.PutUint16(b[4:], t[third%pairSlot])
	binary.LittleEndian.PutUint16(b[6:], t[fourth%pairSlot])
}

// fillBytes fills b with random bytes, eight of each word.
func fillBytes(b []byte, rng *stream) {
	s := *rng
	for len(b) >= 8 {
		binary.LittleEndian.PutUint64(b, s.next())
		b = b[8:]
	}
	if len(b) > 0 {
		putLow(b, s.next())
	}
	*rng = s
}

// putLow fills b, at most seven bytes, with the low bytes of word.
func putLow(b []byte, word uint64) {
	if len(b) >= 4 {
		binary.LittleEndian.PutUint32(b, uint32(word))
		word >>= 32
		b = b[4:]
	}
	if len(b) >= 2 {
		binary.LittleEndian.PutUint16(b, uint16(word))
		word >>= 16
		b = b[2:]
	}
	if len(b) > 0 {
		b[0] = byte(word)
	}
}
