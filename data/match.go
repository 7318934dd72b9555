package data

import (
	"encoding/binary"
	"math/bits"
)

// Text is searched eight bytes at once, where bytes.IndexByte would have to be
// asked for each of several bytes. A byte of a word is zero where (w-ones)&^w
// has its high bit set; a borrow may set further ones, but only above the first
// that is true, and the first is all that is asked for.
const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// zeros marks the first byte of w that is zero, if there is one.
func zeros(w uint64) uint64 { return (w - ones) &^ w & highs }

// indexStop returns where the first comma, quote or line feed of text is, its
// length if there is none.
func indexStop(text []byte) int {
	i := 0
	for ; i+8 <= len(text); i += 8 {
		w := binary.LittleEndian.Uint64(text[i:])
		if m := zeros(w^(ones*',')) | zeros(w^(ones*'"')) | zeros(w^(ones*'\n')); m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
	}
	for ; i < len(text); i++ {
		if c := text[i]; c == ',' || c == '"' || c == '\n' {
			break
		}
	}
	return i
}

// indexSpecial returns where the first quote, backslash or control character of
// text is, its length if there is none: where a plain piece of a JSON string
// ends.
func indexSpecial(text []byte) int {
	i := 0
	for ; i+8 <= len(text); i += 8 {
		w := binary.LittleEndian.Uint64(text[i:])
		m := zeros(w^(ones*'"')) | zeros(w^(ones*'\\')) | (w-ones*' ')&^w&highs
		if m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
	}
	for ; i < len(text); i++ {
		if c := text[i]; c == '"' || c == '\\' || c < ' ' {
			break
		}
	}
	return i
}
