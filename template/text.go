package template

import "bytes"

// AppendText appends unit i as a person would type it at a Redis prompt, one
// command a line. Arguments that the prompt would read otherwise are quoted.
// It is made for reading, not for speed.
func (a *Appender) AppendText(dst []byte, i uint64) []byte {
	rest := a.Append(nil, i)
	for len(rest) > 0 {
		var args, length int
		args, rest = cutHeader(rest)
		for n := range args {
			if n > 0 {
				dst = append(dst, ' ')
			}
			length, rest = cutHeader(rest)
			dst = appendTyped(dst, string(rest[:length]))
			rest = rest[length+len("\r\n"):]
		}
		dst = append(dst, '\n')
	}
	return dst
}

// cutHeader takes a header, as Append writes them, off the front of b.
func cutHeader(b []byte) (n int, rest []byte) {
	line, rest, _ := bytes.Cut(b, []byte("\r\n"))
	for _, digit := range line[1:] {
		n = 10*n + int(digit-'0')
	}
	return n, rest
}

// appendTyped appends an argument, bare where that is read as it stands and
// in double quotes where not.
func appendTyped(dst []byte, arg string) []byte {
	if isBare(arg) {
		return append(dst, arg...)
	}
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for _, c := range []byte(arg) {
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
