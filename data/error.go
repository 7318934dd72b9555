package data

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Error is something in a file that cannot be used, or a file that cannot be.
// Line and Column count from 1, Column in bytes, both in the uncompressed text;
// 0 means that there is no such place. Problem and Hint are single lines; Hint
// may be empty.
type Error struct {
	File          string
	Line, Column  int
	Problem, Hint string
	Err           error // what the system said, or nil
}

// Error returns one line without the hint.
func (e *Error) Error() string {
	switch {
	case e.Line == 0:
		return e.File + ": " + e.Problem
	case e.Column == 0:
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Problem)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Problem)
}

// Unwrap returns what the system said.
func (e *Error) Unwrap() error { return e.Err }

// What a format says instead of giving a row.
var (
	errMore = errors.New("more text is needed")
	errEnd  = errors.New("there are no more rows")
)

// fault is why a row cannot be used. at is its place in the text that a format
// was given.
type fault struct {
	at            int
	problem, hint string
	// lost: where the next row begins cannot be known.
	lost bool
	// rowless: all rows can be read nevertheless.
	rowless bool
	// open: the end of the row has not been found in the text. passed: there is
	// none for the last such row.
	open, passed bool
}

// Error returns the problem without its place.
func (f *fault) Error() string { return f.problem }

// faultf makes a fault.
func faultf(at int, format string, args ...any) *fault {
	return &fault{at: at, problem: fmt.Sprintf(format, args...)}
}

// costsNoRow notes that no row is left out for it.
func (f *fault) costsNoRow() *fault {
	f.rowless = true
	return f
}

// withHint adds a remedy.
func (f *fault) withHint(hint string) *fault {
	f.hint = hint
	return f
}

// unfit is a value that a column cannot be made of, for a reason.
type unfit struct {
	raw     []byte // where it stands
	problem string
}

// Error returns the problem without its place.
func (u *unfit) Error() string { return u.problem }

// found names what stands at text[i] for a message.
func found(text []byte, i int) string {
	if i >= len(text) || text[i] == '\n' || text[i] == '\r' {
		return "the end of the line"
	}
	_, size := utf8.DecodeRune(text[i:])
	return strconv.Quote(string(text[i : i+size]))
}

// quotedBytes bounds what a message repeats of a file.
const quotedBytes = 40

// quoted returns text in quotes on one line, shortened when it is long.
func quoted(text []byte) string {
	if len(text) <= quotedBytes {
		return strconv.Quote(string(text))
	}
	cut := quotedBytes
	for cut > quotedBytes-utf8.UTFMax && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return strconv.Quote(string(text[:cut]) + "...")
}

// plural writes a number and what it counts.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// list joins names with commas.
func list(names []string) string { return strings.Join(names, ", ") }
