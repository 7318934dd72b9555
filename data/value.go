package data

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// kind is what the bytes of a value are.
type kind uint8

const (
	absent        kind = iota // the row has no such field
	plain                     // the text
	doubled                   // the text with its quotes doubled
	jsonString                // what stands between the quotes, without escapes
	jsonEscaped               // what stands between the quotes, with escapes
	jsonBare                  // a number, true, false
	jsonNull                  // null
	jsonNested                // an object or an array
	xmlPlain                  // the text
	xmlMixed                  // the text with entities or markup
	xmlCount                  // text whose number of characters is the value
	xmlMixedCount             // the same, with entities or markup
	rowNumber                 // none: the value is the row's number, from 1
)

// value is a field of a row as it stands in the file.
type value struct {
	raw  []byte
	kind kind
}

// row is a row as it stands in the file. It is valid as long as the text that
// it was found in.
type row struct {
	raw     []byte // all of it, without the line end
	command []byte // what it is for the wire; only of logs
	object  []byte // the JSON object that it is, or nil
	fields  []value
	number  uint64 // from 1
}

// appendText adds the text of a value: what a person would say that the field
// holds.
func (r *row) appendText(dst []byte, v value) []byte {
	switch v.kind {
	case plain, jsonString, jsonBare, jsonNested, xmlPlain:
		return append(dst, v.raw...)
	case doubled:
		return appendUndoubled(dst, v.raw)
	case jsonEscaped:
		return appendUnescaped(dst, v.raw)
	case xmlMixed:
		return appendXMLText(dst, v.raw)
	case xmlCount:
		return strconv.AppendInt(dst, int64(utf8.RuneCount(v.raw)), 10)
	case xmlMixedCount:
		from := len(dst)
		dst = appendXMLText(dst, v.raw)
		return strconv.AppendInt(dst[:from], int64(utf8.RuneCount(dst[from:])), 10)
	case rowNumber:
		return strconv.AppendUint(dst, r.number, 10)
	}
	return dst
}

// appendJSON adds a value as JSON. What is JSON in the file stays as it is. Of
// other text, that is a number which is one in JSON to the letter; "007", "+5"
// and "1_000" are not, and stay strings.
func (r *row) appendJSON(dst []byte, v value) []byte {
	switch v.kind {
	case plain:
		if isNumber(v.raw) {
			return append(dst, v.raw...)
		}
		return appendString(dst, v.raw)
	case xmlPlain:
		return appendString(dst, v.raw)
	case doubled, xmlMixed:
		// Decoded where the string will end, then written in front of it.
		from := len(dst)
		dst = r.appendText(dst, v)
		to := len(dst)
		dst = appendString(dst, dst[from:to])
		return append(dst[:from], dst[to:]...)
	case jsonString, jsonEscaped:
		dst = append(dst, '"')
		dst = appendValid(dst, v.raw)
		return append(dst, '"')
	case jsonBare, jsonNested:
		return appendValid(dst, v.raw)
	case xmlCount, xmlMixedCount, rowNumber:
		return r.appendText(dst, v)
	}
	return append(dst, "null"...)
}

// appendString adds text as a JSON string, in which only what must be is
// escaped, and what is not UTF-8 is replaced.
func appendString(dst, text []byte) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for {
		n := indexSpecial(text)
		dst = appendValid(dst, text[:n])
		if n == len(text) {
			return append(dst, '"')
		}
		switch c := text[n]; c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		text = text[n+1:]
	}
}

// appendValid adds text, in which U+FFFD replaces each byte that is not UTF-8.
func appendValid(dst, text []byte) []byte {
	if utf8.Valid(text) {
		return append(dst, text...)
	}
	for len(text) > 0 {
		c, size := utf8.DecodeRune(text)
		dst = utf8.AppendRune(dst, c)
		text = text[size:]
	}
	return dst
}

// appendUndoubled adds text in which each quote stands twice.
func appendUndoubled(dst, text []byte) []byte {
	for {
		n := bytes.IndexByte(text, '"')
		if n < 0 {
			return append(dst, text...)
		}
		dst = append(dst, text[:n+1]...)
		text = text[n+2:]
	}
}

// isNumber reports whether text is a number of JSON.
func isNumber(text []byte) bool {
	if len(text) == 0 || text[0] != '-' && (text[0] < '0' || text[0] > '9') {
		return false
	}
	end, err := numberEnd(text, 0)
	return err == nil && end == len(text)
}
