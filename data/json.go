package data

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// The functions of this file read JSON as RFC 8259 has it. They return where
// what they read ends, errMore if the text ends first, or a fault.

// maxNesting bounds arrays and objects within one another.
const maxNesting = 10_000

// space returns where the white space at text[i:] ends.
func space(text []byte, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\n' || text[i] == '\t' || text[i] == '\r') {
		i++
	}
	return i
}

// readValue reads the value at text[i].
func readValue(text []byte, i int) (value, int, error) {
	if i == len(text) {
		return value{}, i, errMore
	}
	switch c := text[i]; {
	case c == '"':
		end, escaped, err := stringEnd(text, i)
		if err != nil {
			return value{}, end, err
		}
		v := value{text[i+1 : end-1], jsonString}
		if escaped {
			v.kind = jsonEscaped
		}
		return v, end, nil
	case c == '-' || '0' <= c && c <= '9':
		end, err := numberEnd(text, i)
		return value{text[i:end], jsonBare}, end, err
	case c == '{' || c == '[':
		end, err := nestedEnd(text, i)
		return value{text[i:end], jsonNested}, end, err
	case c == 't':
		end, err := wordEnd(text, i, "true")
		return value{text[i:end], jsonBare}, end, err
	case c == 'f':
		end, err := wordEnd(text, i, "false")
		return value{text[i:end], jsonBare}, end, err
	case c == 'n':
		end, err := wordEnd(text, i, "null")
		return value{text[i:end], jsonNull}, end, err
	}
	return value{}, i, faultf(i, "found %s where a JSON value has to begin", found(text, i))
}

// stringEnd reads the string whose quote is text[i], and tells whether it has
// escapes.
func stringEnd(text []byte, i int) (end int, escaped bool, err error) {
	for i++; ; {
		i += indexSpecial(text[i:])
		if i == len(text) {
			return i, escaped, errMore
		}
		switch text[i] {
		case '"':
			return i + 1, escaped, nil
		case '\\':
			escaped = true
			if i, err = escapeEnd(text, i); err != nil {
				return i, true, err
			}
		default:
			return i, escaped, faultf(i, "control character %q in a JSON string; it is written \\u%04x there", text[i], text[i])
		}
	}
}

// escapeEnd reads the escape whose backslash is text[i].
func escapeEnd(text []byte, i int) (int, error) {
	if i+1 == len(text) {
		return i, errMore
	}
	if text[i+1] != 'u' {
		if bytes.IndexByte([]byte(`"\/bfnrt`), text[i+1]) < 0 {
			return i, faultf(i, "%s is no escape of JSON", quoted(text[i:i+2]))
		}
		return i + 2, nil
	}
	for k := i + 2; k < i+6; k++ {
		if k == len(text) {
			return i, errMore
		}
		if unhex(text[k]) < 0 {
			return i, faultf(k, `\u takes four hexadecimal digits, found %s`, found(text, k))
		}
	}
	return i + 6, nil
}

// unhex returns the value of a hexadecimal digit, or -1.
func unhex(c byte) rune {
	switch {
	case '0' <= c && c <= '9':
		return rune(c - '0')
	case 'a' <= c && c <= 'f':
		return rune(c - 'a' + 10)
	case 'A' <= c && c <= 'F':
		return rune(c - 'A' + 10)
	}
	return -1
}

// numberEnd reads the number at text[i]. At the end of the text it is taken to
// be whole.
func numberEnd(text []byte, i int) (int, error) {
	digits := func() bool {
		from := i
		for i < len(text) && '0' <= text[i] && text[i] <= '9' {
			i++
		}
		return i > from
	}
	if text[i] == '-' {
		i++
	}
	zero := i < len(text) && text[i] == '0'
	if zero {
		i++
	} else if !digits() {
		return i, unfinished(text, i)
	}
	if i < len(text) && text[i] == '.' {
		if i++; !digits() {
			return i, unfinished(text, i)
		}
	}
	if i < len(text) && (text[i] == 'e' || text[i] == 'E') {
		if i++; i < len(text) && (text[i] == '+' || text[i] == '-') {
			i++
		}
		if !digits() {
			return i, unfinished(text, i)
		}
	}
	return i, nil
}

// unfinished is the error of a number that misses a digit at text[i].
func unfinished(text []byte, i int) error {
	if i == len(text) {
		return errMore
	}
	return faultf(i, "a number misses a digit, found %s", found(text, i))
}

// wordEnd reads true, false or null.
func wordEnd(text []byte, i int, word string) (int, error) {
	rest := text[i:min(len(text), i+len(word))]
	switch {
	case string(rest) == word:
		return i + len(word), nil
	case string(rest) == word[:len(rest)]:
		return i, errMore
	}
	return i, faultf(i, "found %s where a JSON value has to begin", quoted(rest))
}

// nestedEnd reads the object or array at text[i], without recursion: what is
// open is kept as one bit each.
func nestedEnd(text []byte, i int) (int, error) {
	var stack [maxNesting/64 + 1]uint64
	depth := 0
	for {
		// A value has to begin here; an opening bracket may be closed at once.
		if i == len(text) {
			return i, errMore
		}
		opened := text[i] == '{' || text[i] == '['
		if opened {
			if depth == maxNesting {
				return i, faultf(i, "more than %d arrays and objects within one another", maxNesting)
			}
			if depth++; text[i] == '{' {
				stack[depth/64] |= 1 << (depth % 64)
			} else {
				stack[depth/64] &^= 1 << (depth % 64)
			}
			i = space(text, i+1)
		} else {
			_, end, err := readValue(text, i)
			if err != nil {
				return end, err
			}
			i = space(text, end)
		}
		object := stack[depth/64]>>(depth%64)&1 == 1
		for ; i < len(text) && closes(text[i], object); object = stack[depth/64]>>(depth%64)&1 == 1 {
			i, opened = i+1, false
			if depth--; depth == 0 {
				return i, nil
			}
			i = space(text, i)
		}
		if i == len(text) {
			return i, errMore
		}
		if !opened {
			if text[i] != ',' {
				return i, faultf(i, "found %s where %s has to stand", found(text, i), separators(object))
			}
			i = space(text, i+1)
		}
		if object {
			var err error
			if _, _, i, err = readKey(text, i); err != nil {
				return i, err
			}
		}
	}
}

// closes reports whether c ends the object, or array, that is open.
func closes(c byte, object bool) bool { return object && c == '}' || !object && c == ']' }

// separators names what may follow a member or an element.
func separators(object bool) string {
	if object {
		return "a comma or }"
	}
	return "a comma or ]"
}

// readKey reads the key at text[i], the colon and the space around it.
func readKey(text []byte, i int) (key []byte, escaped bool, end int, err error) {
	if i == len(text) {
		return nil, false, i, errMore
	}
	if text[i] != '"' {
		return nil, false, i, faultf(i, "found %s where the name of a field has to stand in quotes", found(text, i))
	}
	end, escaped, err = stringEnd(text, i)
	if err != nil {
		return nil, false, end, err
	}
	key = text[i+1 : end-1]
	i = space(text, end)
	if i == len(text) {
		return nil, false, i, errMore
	}
	if text[i] != ':' {
		return nil, false, i, faultf(i, "found %s where a colon has to stand", found(text, i))
	}
	return key, escaped, space(text, i+1), nil
}

// appendUnescaped adds the text of what stands between the quotes of a string.
// Half a surrogate pair becomes U+FFFD.
func appendUnescaped(dst, raw []byte) []byte {
	for {
		n := bytes.IndexByte(raw, '\\')
		if n < 0 {
			return append(dst, raw...)
		}
		dst = append(dst, raw[:n]...)
		c := raw[n+1]
		raw = raw[n+2:]
		switch c {
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'n':
			dst = append(dst, '\n')
		case 'r':
			dst = append(dst, '\r')
		case 't':
			dst = append(dst, '\t')
		case 'u':
			r := hex4(raw)
			raw = raw[4:]
			if utf16.IsSurrogate(r) {
				low := rune(-1)
				if len(raw) >= 6 && raw[0] == '\\' && raw[1] == 'u' {
					low = hex4(raw[2:])
				}
				if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
					raw = raw[6:]
				}
			}
			dst = utf8.AppendRune(dst, r)
		default:
			dst = append(dst, c)
		}
	}
}

// hex4 returns the value of four hexadecimal digits.
func hex4(b []byte) rune {
	return unhex(b[0])<<12 | unhex(b[1])<<8 | unhex(b[2])<<4 | unhex(b[3])
}
