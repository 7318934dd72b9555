package resp

import "bytes"

// Status is what Scan found in the bytes it was given.
type Status uint8

const (
	// NeedMore means that the bytes ended within a reply, or before one.
	NeedMore Status = iota
	// Complete means that a reply ended.
	Complete
	// Malformed means that the bytes are not RESP; see Scanner.Problem.
	Malformed
)

// maxErrText is how many bytes of an error's text a Scanner keeps.
const maxErrText = 256

// Scanner finds the ends of replies in a byte stream that arrives in pieces.
// It keeps its place, down to a single byte within a header, and stores no
// payload, so a reply of any size costs no memory and a caller never has to
// hold back unread bytes. Nesting needs no stack: the Scanner counts the
// elements that are still to come. The zero value is ready for the first reply.
type Scanner struct {
	pending uint64 // elements still to come before the reply is complete
	floor   uint64 // value of pending at which the open attribute is over; 0 outside attributes
	num     uint64 // the header's number so far; then the payload bytes still to come
	text    []byte // the first error's text; allocated with the first error

	step    step
	elem    byte // type byte of the element being read
	kind    byte // type byte of the reply; 0 until known
	bad     byte // the offending byte, once malformed
	problem problem

	root    bool // the element being read is the reply itself, not a part of it
	neg     bool // the header's number has a minus sign
	empty   bool
	failed  bool // the reply contains an error
	capture bool // the element being read is the error whose text is kept
}

// Scan steps over the bytes of buf, up to the end of one reply at most, and
// returns how many it consumed. With NeedMore that is all of buf; the next
// call goes on with the bytes that follow. With Complete it is the end of the
// reply, which Kind, Empty and Err then describe until the next call. With
// Malformed n is the index of the offending byte, and the Scanner stays
// malformed.
func (s *Scanner) Scan(buf []byte) (n int, st Status) {
	if s.step == atReply {
		// The commonest replies usually lie whole in the buffer.
		if len(buf) >= 5 && string(buf[:5]) == "+OK\r\n" {
			s.kind, s.empty, s.failed = '+', false, false
			return 5, Complete
		}
		if n := wholeElement(buf); n > 0 {
			s.kind, s.empty, s.failed = buf[0], isNull(buf), false
			return n, Complete
		}
	}
	return s.scan(buf)
}

// Kind returns the type byte of the reply just completed: one of
// + - : $ * _ # , ( ! = % ~ >. Attributes are no reply and never shown.
func (s *Scanner) Kind() byte { return s.kind }

// Empty reports whether the reply just completed was null ($-1, *-1, _) or an
// aggregate without elements. An empty string is not Empty.
func (s *Scanner) Empty() bool { return s.empty }

// Err returns the text of the first error in the reply just completed, at any
// depth (a failed command within EXEC's array, say), without its type byte and
// line end and cut to 256 bytes. It is nil if there was none. Errors within
// attributes do not count. The bytes are valid until the next Scan.
func (s *Scanner) Err() []byte {
	if !s.failed {
		return nil
	}
	return s.text
}

// Problem says what was wrong, naming the byte, after Scan returned Malformed.
// Before that it is nil.
func (s *Scanner) Problem() error {
	if s.problem == noProblem {
		return nil
	}
	return malformedError{s.problem, s.bad}
}

// scan is Scan without the shortcuts for a whole reply.
func (s *Scanner) scan(buf []byte) (n int, st Status) {
	if s.step == stuck {
		return 0, Malformed
	}
	for i := 0; i < len(buf); {
		switch s.step {
		case atReply:
			s.pending, s.floor = 1, 0
			s.kind, s.empty, s.failed = 0, false, false
			s.step = atElement
		case inText:
			n, ok := s.skipText(buf[i:])
			if i += n; !ok {
				return i, s.fail(bareLF, '\n')
			}
		case inPayload:
			i += s.skipPayload(buf[i:])
		default:
			if s.step == atElement && s.kind != 0 {
				if n := wholeElement(buf[i:]); n > 0 {
					if i += n; s.endElement() {
						return i, Complete
					}
					continue
				}
			}
			p := s.stepByte(buf[i])
			if p != noProblem {
				return i, s.fail(p, buf[i])
			}
			if i++; s.step == atReply {
				return i, Complete
			}
		}
	}
	return len(buf), NeedMore
}

// fail makes the Scanner malformed for good.
func (s *Scanner) fail(p problem, b byte) Status {
	s.step, s.problem, s.bad = stuck, p, b
	return Malformed
}

// skipText steps over a line's text and the CR that ends it. It reports false
// at an LF without CR; n is then the LF's index.
func (s *Scanner) skipText(buf []byte) (n int, ok bool) {
	end := bytes.IndexByte(buf, '\r')
	text := buf
	if end >= 0 {
		text = buf[:end]
	}
	if lf := bytes.IndexByte(text, '\n'); lf >= 0 {
		return lf, false
	}
	s.keep(text)
	if end < 0 {
		return len(buf), true
	}
	s.step = wantLF
	return end + 1, true
}

// skipPayload steps over the payload of a bulk element.
func (s *Scanner) skipPayload(buf []byte) (n int) {
	if uint64(len(buf)) < s.num {
		n = len(buf)
	} else {
		n = int(s.num)
		s.step = wantPayloadCR
	}
	s.keep(buf[:n])
	s.num -= uint64(n)
	return n
}

// keep adds to the error text, if the element being read is the one to keep.
func (s *Scanner) keep(text []byte) {
	if s.capture {
		room := maxErrText - len(s.text)
		s.text = append(s.text, text[:min(room, len(text))]...)
	}
}
