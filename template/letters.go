package template

import (
	"encoding/binary"
	"math/bits"
)

// alphabet is what values are made of.
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

const (
	pairs    = len(alphabet) * len(alphabet)
	pairSlot = 1 << 12 // the power of two above pairs: indexes need no check
)

// letterPairs holds every pair of letters, the first in the low byte.
type letterPairs [pairSlot]uint16

func newLetterPairs() *letterPairs {
	var t letterPairs
	for i := range pairs {
		t[i] = uint16(alphabet[i%len(alphabet)]) | uint16(alphabet[i/len(alphabet)])<<8
	}
	return &t
}

// fill fills b with letters and digits. One random word gives six: multiplied
// by the number of pairs, its upper half chooses a pair and its lower half is
// what remains of the word. The six letters of a word are one of 62^6
// combinations, the likeliest and the rarest of which differ by one in
// 2^64/62^6, which makes the total variation distance from the uniform
// distribution less than 2^-30.
func (t *letterPairs) fill(b []byte, rng *stream) {
	s := *rng
	for len(b) >= 8 {
		binary.LittleEndian.PutUint64(b, t.six(s.next())) // the last two bytes are overwritten
		b = b[6:]
	}
	for len(b) > 0 {
		n := min(6, len(b))
		putLow(b[:n], t.six(s.next()))
		b = b[n:]
	}
	*rng = s
}

// six returns six letters in the low bytes.
func (t *letterPairs) six(word uint64) uint64 {
	first, word := bits.Mul64(word, uint64(pairs))
	second, word := bits.Mul64(word, uint64(pairs))
	third, _ := bits.Mul64(word, uint64(pairs))
	return uint64(t[first%pairSlot]) | uint64(t[second%pairSlot])<<16 | uint64(t[third%pairSlot])<<32
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
