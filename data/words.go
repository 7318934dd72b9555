package data

import (
	"encoding/binary"
	"math/bits"
	"unicode"
	"unicode/utf8"
)

// The words of a field are what a search engine's analyser would make terms
// of, so that a search for one hits: runs of letters and digits, their case
// kept, of two characters at least, but not those of digits alone. Chinese and
// Japanese have no spaces between words; runs of their characters are cut into
// pieces of two.
//
// They are stored as their number, the number of bytes that a place takes, the
// place where each ends, and then the words themselves, so that one is chosen
// without looking at the others. No words are stored as nothing.

// wordList gathers the words of one text.
type wordList struct {
	text    []byte
	ends    []uint32
	longest int
}

func (w *wordList) reset() { w.text, w.ends, w.longest = w.text[:0], w.ends[:0], 0 }

func (w *wordList) add(word []byte) {
	w.text = append(w.text, word...)
	w.ends = append(w.ends, uint32(len(w.text)))
	w.longest = max(w.longest, len(word))
}

// class is what a character is to words.
type class uint8

const (
	apart  class = iota // ends a word
	letter              // and marks, which belong to the letter before
	digit
	ideograph // Han, Hiragana, Katakana: has no spaces around its words
)

// split adds the words of text.
func (w *wordList) split(text []byte) {
	from, characters, letters := 0, 0, false
	was := apart
	flush := func(to int) {
		if letters && characters >= 2 {
			w.add(text[from:to])
		}
		from, characters, letters = to, 0, false
	}
	for i := 0; i < len(text); {
		if end, any := asciiRun(text, i); end > i {
			if was == ideograph {
				flush(i)
			}
			was = letter
			characters += end - i
			letters = letters || any
			i = end
			continue
		}
		c, size := classOf(text[i:])
		if (c == ideograph) != (was == ideograph) || characters == 2 && c == ideograph {
			flush(i)
		}
		was = c
		if c == apart {
			flush(i)
			from = i + size
		} else {
			characters++
			letters = letters || c != digit
		}
		i += size
	}
	flush(len(text))
}

// asciiRun returns where the run of ASCII letters and digits at text[i] ends,
// and whether there are letters among them. Most of most texts is that.
func asciiRun(text []byte, i int) (end int, letters bool) {
	for ; i < len(text); i++ {
		if text[i]|0x20-'a' < 26 {
			letters = true
		} else if text[i]-'0' >= 10 {
			break
		}
	}
	return i, letters
}

// classOf returns the class of the first character of text, which is no ASCII
// letter or digit, and its size.
func classOf(text []byte) (class, int) {
	if text[0] < utf8.RuneSelf {
		return apart, 1
	}
	r, size := utf8.DecodeRune(text)
	switch {
	case r >= 0x4E00 && r <= 0x9FFF, unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana), r == 'ー':
		return ideograph, size
	case unicode.IsLetter(r), unicode.IsMark(r):
		return letter, size
	case unicode.IsDigit(r):
		return digit, size
	}
	return apart, size
}

// appendTo adds the words as they are stored.
func (w *wordList) appendTo(dst []byte) []byte {
	if len(w.ends) == 0 {
		return dst
	}
	dst = binary.AppendUvarint(dst, uint64(len(w.ends)))
	width := widthOf(uint64(len(w.text)))
	dst = append(dst, byte(width))
	for _, end := range w.ends {
		dst = appendWide(dst, uint64(end), width)
	}
	return append(dst, w.text...)
}

// wordOf returns one of the stored words, which random decides.
func wordOf(stored []byte, random uint64) []byte {
	n, size := binary.Uvarint(stored)
	if size <= 0 {
		return nil
	}
	width := int(stored[size])
	ends := stored[size+1:]
	k, _ := bits.Mul64(random, n)
	from := uint64(0)
	if k > 0 {
		from = readWide(ends[int(k-1)*width:], width)
	}
	to := readWide(ends[int(k)*width:], width)
	text := ends[int(n)*width:]
	return text[from:to]
}

// widthOf returns in how many bytes, 1, 2, 4 or 8, a number fits.
func widthOf(n uint64) int {
	switch {
	case n < 1<<8:
		return 1
	case n < 1<<16:
		return 2
	case n < 1<<32:
		return 4
	}
	return 8
}

// appendWide adds the low bytes of a number.
func appendWide(dst []byte, n uint64, width int) []byte {
	switch width {
	case 1:
		return append(dst, byte(n))
	case 2:
		return binary.LittleEndian.AppendUint16(dst, uint16(n))
	case 4:
		return binary.LittleEndian.AppendUint32(dst, uint32(n))
	}
	return binary.LittleEndian.AppendUint64(dst, n)
}

// readWide reads what appendWide wrote.
func readWide(text []byte, width int) uint64 {
	switch width {
	case 1:
		return uint64(text[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(text))
	case 4:
		return uint64(binary.LittleEndian.Uint32(text))
	}
	return binary.LittleEndian.Uint64(text)
}
