package resp

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
)

// The bounds of a value. They are far above what INFO, CONFIG or CLUSTER
// answer and keep a hostile or confused server from using up the memory.
const (
	maxValueDepth = 100      // aggregates within aggregates
	maxValueBytes = 64 << 20 // text and elements of one value together
	elementBytes  = 64       // what an element counts besides its text
	readAhead     = 64       // elements to make room for before they arrive
)

// Value is one reply in memory, for connections whose replies are read rather
// than counted.
type Value struct {
	Kind  byte    // type byte: one of + - : $ * _ # , ( ! = % ~ >
	Str   string  // text of + - $ ! = , (; a verbatim string's without its format
	Int   int64   // value of :, and 1 or 0 for #t or #f
	Null  bool    // $-1, *-1 or _
	Elems []Value // elements of * ~ >; keys and values of % in turn
}

// Err returns the first error in the value, at any depth, as an Error, or nil.
func (v Value) Err() error {
	if v.Kind == '-' || v.Kind == '!' {
		return Error(v.Str)
	}
	for _, e := range v.Elems {
		if err := e.Err(); err != nil {
			return err
		}
	}
	return nil
}

// ReadValue reads one reply from br; attributes are dropped. An error reply is
// a Value like any other. The error is io.EOF if the stream ended before the
// reply, io.ErrUnexpectedEOF if it ended within, whatever br reported, or says
// that the bytes are malformed or that the reply is larger than 64 MiB or
// nested deeper than 100.
func ReadValue(br *bufio.Reader) (Value, error) {
	if _, err := br.Peek(1); err != nil {
		return Value{}, err
	}
	r := valueReader{br: br, left: maxValueBytes}
	v, err := r.value(0)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return Value{}, err
	}
	return v, nil
}

// limitError says which bound a value exceeded.
type limitError string

func (e limitError) Error() string { return "reply too large: " + string(e) }

// valueReader reads one value.
type valueReader struct {
	br   *bufio.Reader
	left int64 // what the value may still take of maxValueBytes
}

// value reads one element and the attributes before it.
func (r *valueReader) value(depth int) (Value, error) {
	if depth > maxValueDepth {
		return Value{}, limitError("nested deeper than " + strconv.Itoa(maxValueDepth))
	}
	for {
		if err := r.charge(elementBytes); err != nil {
			return Value{}, err
		}
		kind, err := r.br.ReadByte()
		if err != nil {
			return Value{}, err
		}
		switch {
		case stepAfterType(kind) == stuck:
			return Value{}, malformedError{badType, kind}
		case kind == '>' && depth > 0:
			return Value{}, malformedError{nestedPush, kind}
		}
		line, err := r.line()
		if err != nil {
			return Value{}, err
		}
		v := Value{Kind: kind}
		err = r.body(&v, line, depth)
		if err != nil || kind != '|' {
			return v, err
		}
	}
}

// body makes the rest of v from its first line and, if it has them, its
// payload or elements.
func (r *valueReader) body(v *Value, line []byte, depth int) (err error) {
	switch v.Kind {
	case '+', '-':
		v.Str = string(line)
	case ':':
		v.Int, err = parseInteger(line)
	case '(':
		v.Str = string(line)
		err = checkBigNumber(line)
	case ',':
		v.Str = string(line)
		err = checkDouble(line)
	case '#':
		switch string(line) {
		case "t":
			v.Int = 1
		case "f":
		default:
			return malformedError{badBool, firstByte(line)}
		}
	case '_':
		v.Null = true
		if len(line) > 0 {
			return malformedError{noCR, line[0]}
		}
	case '$', '!', '=':
		return r.payload(v, line)
	default:
		return r.elements(v, line, depth)
	}
	return err
}

// payload reads the text of a bulk element.
func (r *valueReader) payload(v *Value, line []byte) error {
	if v.Kind == '$' && string(line) == "-1" {
		v.Null = true
		return nil
	}
	n, err := parseLength(line)
	if err != nil {
		return err
	}
	if v.Kind == '=' && n < 4 {
		return malformedError{shortVerbatim, '\r'}
	}
	if err := r.charge(n); err != nil {
		return err
	}
	// A Buffer grows with what arrives, not with what was promised.
	var text bytes.Buffer
	if _, err := io.CopyN(&text, r.br, n); err != nil {
		return err
	}
	for _, want := range []byte("\r\n") {
		b, err := r.br.ReadByte()
		if err != nil {
			return err
		}
		if b != want {
			return malformedError{badPayloadEnd, b}
		}
	}
	v.Str = text.String()
	if v.Kind == '=' {
		v.Str = v.Str[4:]
	}
	return nil
}

// elements reads the elements of an aggregate.
func (r *valueReader) elements(v *Value, line []byte, depth int) error {
	if v.Kind == '*' && string(line) == "-1" {
		v.Null = true
		return nil
	}
	n, err := parseLength(line)
	if err != nil {
		return err
	}
	if n > maxValueBytes/elementBytes {
		return limitError(strconv.FormatInt(n, 10) + " elements")
	}
	if v.Kind == '%' || v.Kind == '|' {
		n *= 2
	}
	if n > 0 {
		v.Elems = make([]Value, 0, min(n, readAhead))
	}
	for range n {
		e, err := r.value(depth + 1)
		if err != nil {
			return err
		}
		v.Elems = append(v.Elems, e)
	}
	return nil
}

// line reads up to CR LF and returns what stands before them.
func (r *valueReader) line() ([]byte, error) {
	var line []byte
	for {
		b, err := r.br.ReadByte()
		if err != nil {
			return nil, err
		}
		switch b {
		case '\n':
			return nil, malformedError{bareLF, b}
		case '\r':
			if b, err = r.br.ReadByte(); err == nil && b != '\n' {
				err = malformedError{noLF, b}
			}
			return line, err
		}
		if err := r.charge(1); err != nil {
			return nil, err
		}
		line = append(line, b)
	}
}

// charge takes n bytes from what the value may still use.
func (r *valueReader) charge(n int64) error {
	if n > r.left {
		return limitError("more than " + strconv.Itoa(maxValueBytes>>20) + " MiB")
	}
	r.left -= n
	return nil
}
