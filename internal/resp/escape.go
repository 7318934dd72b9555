package resp

// Unescape returns the byte that the start of text, which stands behind a
// backslash in double quotes, means where Redis writes or reads commands as text
// (redis-cli, MONITOR), and how many bytes of text that takes: \\ and \" are
// themselves, \n \r \t \a \b control characters, \xHH any byte. It takes 0
// where text is none of these.
func Unescape[T ~string | ~[]byte](text T) (c byte, size int) {
	if len(text) == 0 {
		return 0, 0
	}
	switch text[0] {
	case '\\', '"':
		return text[0], 1
	case 'n':
		return '\n', 1
	case 'r':
		return '\r', 1
	case 't':
		return '\t', 1
	case 'a':
		return '\a', 1
	case 'b':
		return '\b', 1
	case 'x':
		if len(text) > 2 {
			high, low := hexDigit(text[1]), hexDigit(text[2])
			if high >= 0 && low >= 0 {
				return byte(high<<4 | low), 3
			}
		}
	}
	return 0, 0
}

// hexDigit is the value of a hexadecimal digit, or -1.
func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
