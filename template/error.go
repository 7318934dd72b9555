package template

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Error is a mistake in a template. Offset and Length, in bytes, mark the
// offending place in Source; Length 0 means that there is no place, as in an
// empty template. Problem and Hint are single lines; Hint may be empty.
type Error struct {
	Source         string
	Offset, Length int
	Problem, Hint  string
}

// Error returns one line without the place and the hint.
func (e *Error) Error() string { return "template: " + e.Problem }

// mistakeAt makes an Error whose place is src[from:to].
func mistakeAt(src string, from, to int, hint, format string, args ...any) *Error {
	return &Error{
		Source:  src,
		Offset:  from,
		Length:  to - from,
		Problem: fmt.Sprintf(format, args...),
		Hint:    hint,
	}
}

// quotedBytes bounds what a message repeats of the user's text.
const quotedBytes = 48

// quoted returns s in quotes on one line, shortened when it is long.
func quoted(s string) string {
	if len(s) <= quotedBytes {
		return strconv.Quote(s)
	}
	cut := quotedBytes
	for cut > quotedBytes-utf8.UTFMax && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return strconv.Quote(s[:cut] + "...")
}

// plain returns s as it may stand unquoted in a hint: on one line, shortened
// when it is long.
func plain(s string) string {
	q := quoted(s)
	return strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`)
}
