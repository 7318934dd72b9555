package resp

// The limits of the shortcuts: longer text and bigger numbers take the
// Scanner's ordinary way.
const (
	maxWholeText   = 32 // bytes of a simple string
	maxWholeDigits = 9  // digits of a length or an integer; cannot overflow an int
)

// wholeElement returns the length of the element at the start of buf if it is
// of a common kind, has no elements and no error in it, and lies whole in buf.
// Otherwise it returns 0, which says nothing about the element.
func wholeElement(buf []byte) int {
	if len(buf) < len("_\r\n") {
		return 0
	}
	switch buf[0] {
	case '$':
		return wholeBulk(buf)
	case ':':
		return wholeInteger(buf)
	case '+':
		return wholeText(buf)
	case '_':
		if buf[1] == '\r' && buf[2] == '\n' {
			return 3
		}
	}
	return 0
}

// isNull reports whether the element that wholeElement found is a null.
func isNull(buf []byte) bool {
	return buf[0] == '_' || buf[0] == '$' && buf[1] == '-'
}

// wholeBulk is wholeElement for a bulk string or its null.
func wholeBulk(buf []byte) int {
	n, i := digits(buf, 1)
	if i == 1 {
		if len(buf) >= 5 && string(buf[:5]) == "$-1\r\n" {
			return 5
		}
		return 0
	}
	end := i + 2 + n
	if len(buf) < end+2 || !crlfAt(buf, i) || !crlfAt(buf, end) {
		return 0
	}
	return end + 2
}

// wholeInteger is wholeElement for an integer.
func wholeInteger(buf []byte) int {
	start := 1
	if buf[1] == '-' {
		start = 2
	}
	_, i := digits(buf, start)
	if i == start || !crlfAt(buf, i) {
		return 0
	}
	return i + 2
}

// wholeText is wholeElement for a simple string.
func wholeText(buf []byte) int {
	for i, b := range buf[1:min(len(buf), maxWholeText)] {
		if b == '\n' {
			return 0
		}
		if b == '\r' {
			if !crlfAt(buf, i+1) {
				return 0
			}
			return i + 3
		}
	}
	return 0
}

// digits reads up to maxWholeDigits decimal digits from buf[i:] and returns
// their value and the index after them.
func digits(buf []byte, i int) (value, end int) {
	for end = i; end < len(buf) && end < i+maxWholeDigits; end++ {
		d := buf[end] - '0'
		if d > 9 {
			break
		}
		value = value*10 + int(d)
	}
	return value, end
}

// crlfAt reports whether buf[i:] starts with CR LF.
func crlfAt(buf []byte, i int) bool {
	return i+1 < len(buf) && buf[i] == '\r' && buf[i+1] == '\n'
}
