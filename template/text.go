package template

import (
	"unicode"
	"unicode/utf8"
)

// AppendText appends unit i as a person would type it at a Redis prompt, one
// command a line. Arguments that the prompt would read otherwise are quoted.
// It is made for reading, not for speed.
func (a *Appender) AppendText(dst []byte, i uint64) []byte {
	for _, args := range a.Arguments(i) {
		for n, arg := range args {
			if n > 0 {
				dst = append(dst, ' ')
			}
			dst = appendTyped(dst, arg)
		}
		dst = append(dst, '\n')
	}
	return dst
}

// appendTyped appends an argument, bare where that is read as it stands and
// in double quotes where not. Characters that can be seen stay, of whatever
// script; of all others every byte is escaped.
func appendTyped(dst []byte, arg string) []byte {
	if isBare(arg) {
		return append(dst, arg...)
	}
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for i := 0; i < len(arg); i++ {
		c := arg[i]
		if r, size := utf8.DecodeRuneInString(arg[i:]); size > 1 && unicode.IsPrint(r) {
			dst = append(dst, arg[i:i+size]...)
			i += size - 1
			continue
		}
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c == '\r':
			dst = append(dst, '\\', 'r')
		case c == '\t':
			dst = append(dst, '\\', 't')
		case c < ' ' || c >= 0x7f:
			dst = append(dst, '\\', 'x', hex[c>>4], hex[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}

func isBare(arg string) bool {
	for _, c := range []byte(arg) {
		if c <= ' ' || c >= 0x7f || c == '"' || c == '\'' || c == '\\' {
			return false
		}
	}
	return arg != ""
}
