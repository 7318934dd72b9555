// Package data turns files of rows into text for templates. A Source is
// opened, asked for the columns that templates need, loaded once before any
// load is made, and then read by any number of goroutines, each through a
// Reader of its own. What a Reader returns is ready to be sent. The package
// knows neither templates nor servers.
//
// A file is plain, or compressed with gzip, bzip2 or zstd, and has one of these
// formats, by its name's extension or, if that says nothing, by how it begins:
//
//	csv    .csv  the first row names the fields; quotes as RFC 4180 has them
//	tsv    .tsv .tab  the same between tabs; quotes mean nothing
//	jsonl  .jsonl .ndjson .json  a JSON object in each line
//	json   .json  one JSON array of objects
//	lines  .txt  each line is a row of one field, line; empty ones too
//	xml    .xml  Wikipedia's abstracts: fields id (the row's number, from 1),
//	       title, url, abstract, title_len, url_len, abstract_len
//
// The text is UTF-8. A byte order mark is left out, as are zeros behind compressed
// data; a line may end in CR LF, and the last one need not end. Formats other
// than lines leave empty lines out. Of JSON objects a.b is field b of the object
// in field a. Opening learns the fields that rows of the first megabyte have;
// what else is asked for is looked for while the rest is loaded. A row that
// misses a field has an empty text for it, and no member in its JSON. The titles
// of English abstracts are stored without the "Wikipedia: " that each begins
// with.
package data

import (
	"slices"
	"sync/atomic"
)

// Order is which row serves a unit of a template.
type Order uint8

const (
	// Sequence is row i for unit i, from the start again after the last.
	Sequence Order = iota
	// Random is any row, all equally likely.
	Random
	// Zipfian prefers the first rows.
	Zipfian
)

// Form is what a column makes of the fields of a row.
type Form uint8

const (
	// Text is a field as it is: of a JSON string what it says, of null nothing,
	// of any other JSON value how it is written.
	Text Form = iota
	// Base64 is the bytes that a field encodes. A row whose field is not base64
	// is a bad one.
	Base64
	// Length is the number of characters of a field, in decimal.
	Length
	// JSON is the row as an object, of the named fields in that order or of
	// all. What is JSON in the file stays as it is written there; of other text,
	// that is a number which is one in JSON to the letter. Of abstracts, id and
	// the lengths are numbers.
	JSON
	// Line is the row as it stands in the file, without the line end; of
	// abstracts the element doc.
	Line
	// Words is the words of a field, one of which Reader.Word chooses: runs of
	// letters and digits, not of digits alone, of two characters at least.
	// Runs of Chinese and Japanese characters are cut into pieces of two.
	Words
	// Command is the row as a command for the wire, a RESP array. Only the rows
	// of a Log, and of Made, have it.
	Command
)

// Column is one thing that templates want of every row.
type Column struct {
	Form   Form
	Fields []string // one; for JSON any number, none for all; for Line and Command none
}

// Options says how to read a file. The zero value finds the format out.
type Options struct {
	Name  string // "" where templates need no name for it
	Order Order
	// Format is one of Formats, or "" to find it out.
	Format string
	// SkipBad leaves out rows that cannot be read, and counts them; otherwise
	// the first one is an error.
	SkipBad bool
	// Room is shared by the files of a run. Without it a file has one of its own.
	Room *Room
}

// Source is the rows of one file.
type Source struct {
	options Options
	name    string // of the file, for messages
	fields  []string
	columns []Column

	input   *input
	window  *window
	format  format
	objects *objects // of JSON, otherwise nil
	partial bool     // of JSON: rows that have not been read may have further fields
	late    []*late  // the fields that are looked for there
	guessed bool     // only the text tells the format
	headed  string   // the first of guessed lines, if it looks like a header

	loaded   bool
	built    *builder
	store    store
	bad      int64
	firstBad error
	flaw     error
	open     *Error // the last fault of a row whose end had to be looked for further on
	err      atomic.Pointer[error]
}

// Name is the one that Options gave.
func (s *Source) Name() string { return s.options.Name }

// Order is the one that Options gave.
func (s *Source) Order() Order { return s.options.Order }

// File is the path of the file, for messages.
func (s *Source) File() string { return s.name }

// Fields are the names of the fields, in the order of the file; of JSON then
// those within objects, and those that were asked for and found while loading.
func (s *Source) Fields() []string { return s.fields }

// Partial tells whether there may be fields besides Fields: those of JSON are
// not all known before Load, unless the file is small.
func (s *Source) Partial() bool { return s.partial }

// GuessedLines tells whether each line is taken for a row only because nothing
// says what the file is: it may be a table of one column, too.
func (s *Source) GuessedLines() bool {
	_, is := s.format.(lines)
	return is && s.guessed
}

// Header is the first row of GuessedLines where it looks like the name of a
// column: a word above numbers. Otherwise it is "".
func (s *Source) Header() string { return s.headed }

// Column asks for a column and returns its number; equal ones are one. Call it
// before Load. The fields must be among Fields or, if those are Partial, may be
// others; after Load the ones that a row has are among Fields.
func (s *Source) Column(c Column) int {
	for k, have := range s.columns {
		if have.Form == c.Form && slices.Equal(have.Fields, c.Fields) {
			return k
		}
	}
	s.columns = append(s.columns, Column{c.Form, slices.Clone(c.Fields)})
	return len(s.columns) - 1
}

// Rows is the number of rows, 1 or more after Load.
func (s *Source) Rows() uint64 { return s.store.index.rows }

// Bad is the number of rows that were left out, and why the first of them was.
func (s *Source) Bad() (n int64, first error) { return s.bad, s.firstBad }

// Flaw is what else is wrong with the file, where bad rows are left out: that it
// was cut off between two rows, say. It is the first such thing, or nil.
func (s *Source) Flaw() error { return s.flaw }

// MeanSize is the mean number of bytes of a column; of Words, of one word. It
// is 0 before Load.
func (s *Source) MeanSize(column int) float64 {
	if s.built == nil || s.built.columns[column].count == 0 {
		return 0
	}
	c := &s.built.columns[column]
	return float64(c.bytes) / float64(c.count)
}

// MaxSize is the largest number of bytes of a column; of Words, of one word. It
// is 0 before Load.
func (s *Source) MaxSize(column int) int {
	if s.built == nil {
		return 0
	}
	return s.built.columns[column].max
}

// Err is why a Reader could not read, if one could not. What it returned is
// empty then.
func (s *Source) Err() error {
	if err := s.err.Load(); err != nil {
		return *err
	}
	return nil
}

// fail keeps the first error of a Reader.
func (s *Source) fail(err error) { s.err.CompareAndSwap(nil, &err) }

// Close frees what Open and Load took. No Reader may be used after it.
func (s *Source) Close() error {
	var err error
	if s.input != nil {
		err = s.input.close()
		s.input, s.window = nil, nil
	}
	s.options.Room.leave(&s.store)
	if spool := s.store.close(); err == nil {
		err = spool
	}
	return err
}
