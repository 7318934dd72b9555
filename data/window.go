package data

import (
	"bytes"
	"errors"
	"io"
)

const (
	// windowSize is how much text is looked at at once.
	windowSize = 1 << 20
	// maxRow bounds a row, so that a file without line ends does not take all
	// memory.
	maxRow = 64 << 20
)

// errTooLong says that a row does not fit in the largest window.
var errTooLong = errors.New("a row is too long")

// window is the piece of a text that is being read. It grows as long as a row
// does not fit.
type window struct {
	reader   io.Reader
	buf      []byte
	from, to int // what is not yet read is buf[from:to]
	max      int // bytes that buf may grow to
	last     bool
	// Where buf[0] is, both counted from 0. The column is negative where bytes
	// that do not count come first.
	line, column int
}

func newWindow(r io.Reader) *window {
	return &window{reader: r, buf: make([]byte, windowSize), max: maxRow}
}

// text is what is not yet read of the piece.
func (w *window) text() []byte { return w.buf[w.from:w.to] }

// skip steps over n bytes of the text.
func (w *window) skip(n int) { w.from += n }

// more adds text behind, as much as there is room for or, at the end of the
// file, sets last. The rest of the old text may move.
func (w *window) more() error {
	switch {
	case w.from > 0:
		w.line, w.column = w.place(0)
		w.line, w.column = w.line-1, w.column-1
		copy(w.buf, w.text())
		w.from, w.to = 0, w.to-w.from
	case w.to == w.max:
		return errTooLong
	case w.to == len(w.buf):
		grown := make([]byte, min(2*len(w.buf), w.max))
		copy(grown, w.buf)
		w.buf = grown
	}
	for w.to < len(w.buf) {
		n, err := w.reader.Read(w.buf[w.to:])
		w.to += n
		if err == io.EOF {
			w.last = true
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// place returns the line and the column of text()[at], from 1.
func (w *window) place(at int) (line, column int) {
	before := w.buf[:w.from+at]
	feeds := bytes.Count(before, []byte{'\n'})
	if feeds == 0 {
		return w.line + 1, w.column + len(before) + 1
	}
	return w.line + feeds + 1, len(before) - bytes.LastIndexByte(before, '\n')
}
