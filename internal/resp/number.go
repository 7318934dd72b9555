package resp

import (
	"bytes"
	"strconv"
)

// parseLength reads the length in an element's first line.
func parseLength(line []byte) (int64, error) {
	for _, b := range line {
		if b < '0' || b > '9' {
			return 0, malformedError{badLength, b}
		}
	}
	return parseDigits(line, badLength)
}

// parseInteger reads an integer's line: an optional sign and digits.
func parseInteger(line []byte) (int64, error) {
	if err := checkBigNumber(line); err != nil {
		return 0, err
	}
	return parseDigits(line, badInteger)
}

// parseDigits reads a number that is known to hold nothing but a sign and
// digits; none at all is a problem of kind empty.
func parseDigits(line []byte, empty problem) (int64, error) {
	if len(line) == 0 {
		return 0, malformedError{empty, '\r'}
	}
	n, err := strconv.ParseInt(string(line), 10, 64)
	if err != nil {
		return 0, malformedError{tooBig, line[len(line)-1]}
	}
	return n, nil
}

// checkBigNumber checks a line for an optional sign and one or more digits.
func checkBigNumber(line []byte) error {
	digits := line
	if len(line) > 0 && (line[0] == '+' || line[0] == '-') {
		digits = line[1:]
	}
	if len(digits) == 0 {
		return malformedError{badInteger, '\r'}
	}
	if i := bytes.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' }); i >= 0 {
		return malformedError{badInteger, digits[i]}
	}
	return nil
}

// checkDouble checks a line for the text of a double.
func checkDouble(line []byte) error {
	if len(line) == 0 {
		return malformedError{badDouble, '\r'}
	}
	for _, b := range line {
		if !isDoubleByte(b) {
			return malformedError{badDouble, b}
		}
	}
	return nil
}

// firstByte returns the first byte of a line, which is its CR if it is empty.
func firstByte(line []byte) byte {
	if len(line) == 0 {
		return '\r'
	}
	return line[0]
}
