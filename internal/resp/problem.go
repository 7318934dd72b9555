package resp

import (
	"errors"
	"fmt"
)

// problem is a way in which bytes can fail to be RESP.
type problem uint8

const (
	noProblem problem = iota
	badType
	nestedPush
	badLength
	badInteger
	tooBig
	tooMany
	shortVerbatim
	badDouble
	badBool
	bareLF
	noCR
	noLF
	badPayloadEnd
)

// String describes the problem up to the byte where it showed.
func (p problem) String() string {
	switch p {
	case badType:
		return "type byte"
	case nestedPush:
		return "a push within another reply: byte"
	case badLength:
		return "length byte"
	case badInteger:
		return "integer byte"
	case tooBig:
		return "number beyond 64 bits at byte"
	case tooMany:
		return "more elements than fit 63 bits before byte"
	case shortVerbatim:
		return "verbatim string without a format before byte"
	case badDouble:
		return "double byte"
	case badBool:
		return "boolean byte"
	case bareLF:
		return "end of line without CR: byte"
	case noCR:
		return "instead of CR, byte"
	case noLF:
		return "after CR, byte"
	case badPayloadEnd:
		return "instead of CR LF after the payload, byte"
	}
	return "byte"
}

// unless returns p unless ok.
func unless(ok bool, p problem) problem {
	if ok {
		return noProblem
	}
	return p
}

// malformedError is a problem and the byte where it showed.
type malformedError struct {
	problem problem
	b       byte
}

// IsMalformed tells whether err says that bytes are not RESP.
func IsMalformed(err error) bool { return errors.As(err, new(malformedError)) }

func (e malformedError) Error() string {
	if e.b >= 0x80 {
		return fmt.Sprintf("malformed reply: %v 0x%02x", e.problem, e.b)
	}
	return fmt.Sprintf("malformed reply: %v %q (0x%02x)", e.problem, e.b, e.b)
}
