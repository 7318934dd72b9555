package resp

import "math"

// step is what a Scanner expects next.
type step uint8

const (
	atReply       step = iota // the first byte of a reply
	atElement                 // the type byte of an element
	inText                    // the text of a + or - line
	wantNumber                // a number's sign or first digit
	wantDigit                 // the first digit after a sign
	inDigits                  // another digit, or the CR
	wantOne                   // the 1 of a length of -1
	wantDouble                // the first byte of a double
	inDouble                  // another byte of a double, or the CR
	wantBool                  // t or f
	wantCR                    // the CR that ends a header
	wantLF                    // the LF that ends a header
	inPayload                 // the bytes of a bulk element
	wantPayloadCR             // the CR after the payload
	wantPayloadLF             // the LF after the payload
	stuck                     // nothing: the stream is malformed
)

// stepByte takes one byte of a header or a terminator. It leaves the Scanner
// atReply when the byte completed the reply.
func (s *Scanner) stepByte(b byte) problem {
	switch s.step {
	case atElement:
		return s.beginElement(b)
	case wantNumber, wantDigit, inDigits, wantOne:
		return s.stepNumber(b)
	case wantDouble, inDouble:
		if b == '\r' && s.step == inDouble {
			s.step = wantLF
			return noProblem
		}
		s.step = inDouble
		return unless(isDoubleByte(b), badDouble)
	case wantBool:
		s.step = wantCR
		return unless(b == 't' || b == 'f', badBool)
	case wantCR:
		s.step = wantLF
		return unless(b == '\r', noCR)
	case wantLF:
		if b != '\n' {
			return noLF
		}
		s.endHeader()
	case wantPayloadCR:
		s.step = wantPayloadLF
		return unless(b == '\r', badPayloadEnd)
	case wantPayloadLF:
		if b != '\n' {
			return badPayloadEnd
		}
		s.endElement()
	}
	return noProblem
}

// beginElement takes the type byte of an element.
func (s *Scanner) beginElement(b byte) problem {
	first := s.pending == 1 && s.kind == 0
	step := stepAfterType(b)
	switch {
	case step == stuck:
		return badType
	case b == '>' && !first:
		return nestedPush
	}
	s.elem, s.step = b, step
	s.num, s.neg, s.capture = 0, false, false
	s.root = first && b != '|'
	if s.root {
		s.kind = b
	}
	if (b == '-' || b == '!') && !s.failed && s.floor == 0 {
		s.failed, s.capture = true, true
		if s.text == nil {
			s.text = make([]byte, 0, maxErrText)
		}
		s.text = s.text[:0]
	}
	return noProblem
}

// stepAfterType says what follows the type byte b; stuck if b is none.
func stepAfterType(b byte) step {
	switch b {
	case '+', '-':
		return inText
	case ':', '(', '$', '*', '!', '=', '~', '%', '>', '|':
		return wantNumber
	case ',':
		return wantDouble
	case '#':
		return wantBool
	case '_':
		return wantCR
	}
	return stuck
}

// isDoubleByte reports whether b may stand in the text of a double: -1.5e+20,
// inf, -nan.
func isDoubleByte(b byte) bool {
	switch b {
	case '+', '-', '.', 'e', 'E', 'i', 'n', 'f', 'a', 'I', 'N', 'F', 'A':
		return true
	}
	return '0' <= b && b <= '9'
}

// stepNumber takes one byte of an integer or of a length.
func (s *Scanner) stepNumber(b byte) problem {
	number := s.elem == ':' || s.elem == '('
	bad := badLength
	if number {
		bad = badInteger
	}
	switch {
	case s.step == wantOne:
		s.step = wantCR
		return unless(b == '1', bad)
	case '0' <= b && b <= '9':
		s.step = inDigits
		return s.addDigit(b - '0')
	case b == '\r' && s.step == inDigits:
		s.step = wantLF
		return s.checkLength()
	case s.step != wantNumber:
		return bad
	case number && (b == '+' || b == '-'):
		s.neg = b == '-'
		s.step = wantDigit
	case (s.elem == '$' || s.elem == '*') && b == '-':
		s.neg = true
		s.step = wantOne
	default:
		return bad
	}
	return noProblem
}

// addDigit adds a digit to the number; it must stay within an int64. A big
// number has no bound and its value is of no interest.
func (s *Scanner) addDigit(d byte) problem {
	if s.elem == '(' {
		return noProblem
	}
	limit := uint64(math.MaxInt64)
	if s.neg {
		limit++
	}
	if s.num > (limit-uint64(d))/10 {
		return tooBig
	}
	s.num = s.num*10 + uint64(d)
	return noProblem
}

// checkLength looks at a length when all its digits are known.
func (s *Scanner) checkLength() problem {
	switch s.elem {
	case '=':
		// Three bytes of format and a colon come before the text.
		return unless(s.num >= 4, shortVerbatim)
	case '*', '~', '>':
		return unless(s.num <= math.MaxInt64-s.pending, tooMany)
	case '%', '|':
		return unless(s.num <= (math.MaxInt64-s.pending)/2, tooMany)
	}
	return noProblem
}

// endHeader is called after the LF of an element's first line.
func (s *Scanner) endHeader() {
	null := s.elem == '_' || s.neg && s.elem != ':' && s.elem != '('
	if null {
		s.empty = s.root
		s.endElement()
		return
	}
	switch s.elem {
	case '$', '!', '=':
		s.step = inPayload
	case '*', '~', '>':
		s.empty = s.root && s.num == 0
		s.pending += s.num
		s.endElement()
	case '%':
		s.empty = s.root && s.num == 0
		s.pending += 2 * s.num
		s.endElement()
	case '|':
		// An attribute stands before its element and is none itself. What
		// lies within the outermost one belongs to no reply.
		if s.floor == 0 && s.num > 0 {
			s.floor = s.pending
		}
		s.pending += 2 * s.num
		s.step = atElement
	default:
		s.endElement()
	}
}

// endElement counts an element as done and reports whether it was the last.
func (s *Scanner) endElement() bool {
	s.pending--
	if s.pending == s.floor {
		s.floor = 0
	}
	if s.pending == 0 {
		s.step = atReply
		return true
	}
	s.step = atElement
	return false
}
