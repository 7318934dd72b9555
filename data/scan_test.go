package data

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// texts are the rows of a text: the texts of the fields of each, the JSON of
// each field, or a fault.
type texts struct {
	rows   [][]string
	lines  []string
	json   []string // the object of each row of JSON
	faults []string // place and problem of each
}

// scan reads all rows of a text. It gives the format the first have bytes of
// it, and step more each time that it asks for more.
func scan(t testing.TB, f format, text []byte, have, step int) texts {
	t.Helper()
	var got texts
	var r row
	for at, idle := 0, 0; ; {
		last := have >= len(text)
		// A copy, so that looking behind the end is found out.
		piece := bytes.Clone(text[at:min(have, len(text))])
		n, err := f.next(piece, last, &r)
		if n < 0 || n > len(piece) {
			t.Fatalf("%d of %d bytes done with", n, len(piece))
		}
		var wrong *fault
		switch {
		case err == errEnd:
			return got
		case err == errMore && last:
			t.Fatalf("more is wanted after the end, at %d of %q", at, text)
		case err == errMore:
			have += step
		case errors.As(err, &wrong):
			if wrong.at < 0 || wrong.at > len(piece) {
				t.Fatalf("fault at %d of %d bytes: %v", wrong.at, len(piece), err)
			}
			got.faults = append(got.faults, fmt.Sprintf("%d: %s", at+wrong.at, wrong.problem))
			if wrong.lost {
				return got
			}
		case err != nil:
			t.Fatal(err)
		default:
			r.number = uint64(len(got.rows) + 1)
			var fields []string
			for _, v := range r.fields {
				fields = append(fields, string(r.appendText(nil, v)))
			}
			got.rows = append(got.rows, fields)
			got.lines = append(got.lines, string(r.raw))
			got.json = append(got.json, string(r.object))
		}
		at += n
		if n > 0 || err == errMore {
			idle = 0
		} else if idle++; idle > 4 {
			t.Fatalf("no progress at %d of %q", at, text)
		}
	}
}

// scanAll reads a text that is there as a whole.
func scanAll(t testing.TB, f format, text []byte) texts {
	t.Helper()
	return scan(t, f, text, len(text), 0)
}

// everySplit checks that it makes no difference where the text is cut.
func everySplit(t testing.TB, make func() format, text []byte) {
	t.Helper()
	want := fmt.Sprintf("%q", places(scanAll(t, make(), text)))
	for k := range len(text) {
		if got := fmt.Sprintf("%q", places(scan(t, make(), text, k, len(text)))); got != want {
			t.Fatalf("%q cut at %d:\n%s\nwhole:\n%s", text, k, got, want)
		}
	}
	if got := fmt.Sprintf("%q", places(scan(t, make(), text, 0, 1))); got != want {
		t.Fatalf("%q byte by byte:\n%s\nwhole:\n%s", text, got, want)
	}
}

// places leaves of the faults only where they are: what is found there may be
// half a character.
func places(got texts) texts {
	for k, f := range got.faults {
		got.faults[k], _, _ = strings.Cut(f, ":")
	}
	return got
}

// write puts a file into a folder of the test.
func write(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// open opens a file that has the text.
func open(t testing.TB, name, text string, o Options) *Source {
	t.Helper()
	s, err := Open(write(t, name, text), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// column is the shortest way to write a Column.
func col(form Form, fields ...string) Column { return Column{form, fields} }

// loaded returns all cells of the columns of a file, row by row; of Words all
// words with spaces between.
func loaded(t testing.TB, s *Source, columns ...Column) [][]string {
	t.Helper()
	for k, c := range columns {
		if got := s.Column(c); got != k {
			t.Fatalf("column %v has number %d, want %d", c, got, k)
		}
	}
	if err := s.Load(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	return cells(t, s)
}

// cells returns all cells of a loaded Source.
func cells(t testing.TB, s *Source) [][]string {
	t.Helper()
	var all [][]string
	r := s.NewReader()
	for row := range s.Rows() {
		r.Seek(row)
		var one []string
		for k, c := range s.columns {
			if c.Form != Words {
				one = append(one, string(r.Bytes(k)))
				continue
			}
			one = append(one, strings.Join(wordsOf(r.Bytes(k)), " "))
		}
		all = append(all, one)
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// wordsOf returns all words of a cell.
func wordsOf(cell []byte) []string {
	var all []string
	if len(cell) == 0 {
		return nil
	}
	n := uint64(cell[0]) // enough for tests
	for k := range n {
		// The middle of the k-th of n equal parts of all random numbers.
		all = append(all, string(wordOf(cell, (^uint64(0)/n)*k+(^uint64(0)/n)/2)))
	}
	return all
}
