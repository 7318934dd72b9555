// Package data turns files of rows into text for templates: CSV, TSV, JSON,
// lines, Wikipedia abstracts. A Source is opened, asked for the columns that
// templates need, loaded once before any load is made, and then read by any
// number of goroutines, each through a Reader of its own. It knows neither
// templates nor servers.
package data

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"slices"
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
	// Text is a field as it is.
	Text Form = iota
	// Base64 is the bytes that a field encodes.
	Base64
	// Length is the number of characters of a field, in decimal.
	Length
	// JSON is the row as an object, of the named fields or of all.
	JSON
	// Line is the row as it stands in the file.
	Line
	// Words is the words of a field, one of which Reader.Word chooses.
	Words
)

// Column is one thing that templates want of every row.
type Column struct {
	Form   Form
	Fields []string // one; for JSON any number, none for all; for Line none
}

// Options says how to read a file. The zero value finds the format out.
type Options struct {
	Name  string // "" where templates need no name for it
	Order Order
	// SkipBad leaves out rows that cannot be read, and counts them; otherwise
	// the first one is an error.
	SkipBad bool
}

// Source is the rows of one file.
type Source struct {
	options Options
	fields  []string
	columns []Column
	rows    [][]string
	cells   [][][]byte
}

// Open opens the file at path, "-" for standard input, and finds its fields.
func Open(path string, o Options) (*Source, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		return nil, err
	}
	return &Source{options: o, fields: rows[0], rows: rows[1:]}, nil
}

// Name is the one that Options gave.
func (s *Source) Name() string { return s.options.Name }

// Order is the one that Options gave.
func (s *Source) Order() Order { return s.options.Order }

// Fields are the names of the fields, in the order of the file.
func (s *Source) Fields() []string { return s.fields }

// Column asks for a column and returns its number; equal ones are one. Call it
// before Load. The fields must be among Fields.
func (s *Source) Column(c Column) int {
	for k, have := range s.columns {
		if have.Form == c.Form && slices.Equal(have.Fields, c.Fields) {
			return k
		}
	}
	s.columns = append(s.columns, c)
	return len(s.columns) - 1
}

// Load reads all rows. progress, if not nil, is told now and then how many
// bytes of the file have been read, and how many it has, 0 if not known.
func (s *Source) Load(_ context.Context, _ func(read, total int64)) error {
	for _, row := range s.rows {
		var cells [][]byte
		for _, c := range s.columns {
			if c.Form != Text {
				return fmt.Errorf("form %d is not built yet", c.Form)
			}
			cells = append(cells, []byte(row[slices.Index(s.fields, c.Fields[0])]))
		}
		s.cells = append(s.cells, cells)
	}
	return nil
}

// Rows is the number of rows, 1 or more after Load.
func (s *Source) Rows() uint64 { return uint64(len(s.cells)) }

// Bad is the number of rows that were left out, and why the first of them was.
func (s *Source) Bad() (n int64, first error) { return 0, nil }

// MeanSize is the mean number of bytes of a column; of Words, of one word.
func (s *Source) MeanSize(int) float64 { return 100 }

// MaxSize is the largest number of bytes of a column; of Words, of one word.
func (s *Source) MaxSize(int) int { return 1000 }

// Err is why a Reader could not read, if one could not.
func (s *Source) Err() error { return nil }

// Close frees what Load took. No Reader may be used after it.
func (s *Source) Close() error { return nil }

// Reader reads the rows of a loaded Source, for one goroutine.
type Reader struct {
	source *Source
	row    uint64
}

// NewReader returns a Reader at row 0. It may be made before Load, and used
// after it.
func (s *Source) NewReader() *Reader { return &Reader{source: s} }

// Seek makes a row, below Rows, the current one.
func (r *Reader) Seek(row uint64) { r.row = row }

// Bytes is a column of the current row. It is valid until the next Seek.
func (r *Reader) Bytes(column int) []byte { return r.source.cells[r.row][column] }

// Word is one word of a column of Words of the current row, which random, any
// number, decides; empty if the row has none. It is valid until the next Seek.
func (r *Reader) Word(column int, random uint64) []byte { return r.Bytes(column) }
