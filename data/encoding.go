package data

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// WideEncoding returns the name of the encoding, as iconv has it, of a text
// whose beginning shows that its characters take two or four bytes, with a byte
// order mark or without; otherwise "". Such files are none of UTF-8.
func WideEncoding(text []byte) string {
	for _, e := range []struct{ mark, name string }{
		{"\xff\xfe\x00\x00", "utf-32"},
		{"\x00\x00\xfe\xff", "utf-32"},
		{"\xff\xfe", "utf-16"},
		{"\xfe\xff", "utf-16"},
	} {
		if bytes.HasPrefix(text, []byte(e.mark)) {
			return e.name
		}
	}
	// Without a mark it is what makes text of bytes that are none in UTF-8. Of
	// those whose other byte is zero, as all ASCII is, every text has some, if
	// only around its line ends.
	text = text[:min(len(text), 4096)]
	if badUTF8(text) < 1+len(text)/10 {
		return ""
	}
	zeros := [2]int{}
	for i, b := range text {
		if b == 0 {
			zeros[i%2]++
		}
	}
	switch {
	case isUTF32(text, binary.LittleEndian):
		return "utf-32le"
	case isUTF32(text, binary.BigEndian):
		return "utf-32be"
	case zeros[1] >= 2 && zeros[1] > zeros[0] && isUTF16(text, binary.LittleEndian):
		return "utf-16le"
	case zeros[0] >= 2 && zeros[0] > zeros[1] && isUTF16(text, binary.BigEndian):
		return "utf-16be"
	}
	return ""
}

// badUTF8 counts what no text in UTF-8 has: wrong bytes, and control characters.
func badUTF8(text []byte) int {
	bad := 0
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size == 1 || isControl(r) {
			bad++
		}
		text = text[size:]
	}
	return bad
}

// isControl tells whether a character is none of a text.
func isControl(r rune) bool {
	return unicode.IsControl(r) && !strings.ContainsRune("\t\n\v\f\r\x1b\u0085", r)
}

// isUTF32 looks for characters of the planes that are in use: two of UTF-16,
// taken for one, are beyond them.
func isUTF32(text []byte, order binary.ByteOrder) bool {
	for i := 0; i+4 <= len(text); i += 4 {
		r := order.Uint32(text[i:])
		if r >= 4<<16 || !utf8.ValidRune(rune(r)) || isControl(rune(r)) {
			return false
		}
	}
	return len(text) >= 8
}

func isUTF16(text []byte, order binary.ByteOrder) bool {
	for i := 0; i+2 <= len(text); i += 2 {
		r := rune(order.Uint16(text[i:]))
		if utf16.IsSurrogate(r) {
			if i += 2; i+2 > len(text) {
				return true // cut between the two halves of a character
			}
			r = utf16.DecodeRune(r, rune(order.Uint16(text[i:])))
		}
		if r == utf8.RuneError || isControl(r) {
			return false
		}
	}
	return true
}
