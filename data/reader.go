package data

import "encoding/binary"

const (
	firstAhead = 4 << 10
	maxAhead   = 256 << 10
	// walkAhead is how much is read at once to look for a row.
	walkAhead = 4 << 10
)

// Reader reads the rows of a loaded Source, for one goroutine.
type Reader struct {
	source *Source
	cuts   []uint32 // column k of record is record[cuts[k]:cuts[k+1]]
	record []byte
	// What has been read of the file: buf holds the bytes from place on.
	buf   []byte
	place uint64
	end   uint64 // where the row before ended, if rows are read in order
	ahead uint64 // how much to read at once
	// Where the row after the current one is, if the index is coarse.
	next, nextPlace uint64

	expected [expected]uint64 // a ring of rows; those that no call has named yet are row 0
	expects  uint             // calls of Expect
}

// NewReader returns a Reader at no row. It may be made before Load, and used
// after it.
func (s *Source) NewReader() *Reader { return &Reader{source: s} }

// Seek makes a row, below Rows, the current one.
func (r *Reader) Seek(row uint64) {
	if len(r.cuts) == 0 {
		r.cuts = make([]uint32, len(r.source.columns)+1)
	}
	s := &r.source.store
	switch {
	case len(r.cuts) == 1:
		return
	case s.index.coarse:
		r.record = r.walk(row)
	default:
		r.record = r.bytes(s.index.place(row))
	}
	r.cut()
}

// bytes returns what is stored at a place.
func (r *Reader) bytes(from, to uint64) []byte {
	if s := &r.source.store; s.file == nil {
		return s.memory(from, to)
	}
	return r.load(from, to)
}

// cut finds the columns in the record.
func (r *Reader) cut() {
	if len(r.record) == 0 {
		clear(r.cuts) // a file could not be read, or there are no columns
		return
	}
	at, end := 0, uint32(0)
	for k := 1; k < len(r.cuts); k++ {
		n := uint64(r.record[at])
		size := 1
		if n >= 0x80 {
			n, size = binary.Uvarint(r.record[at:])
		}
		at += size
		end += uint32(n)
		r.cuts[k] = end
	}
	r.record = r.record[at:]
}

// Bytes is a column of the current row. It is valid until the next Seek.
func (r *Reader) Bytes(column int) []byte {
	return r.record[r.cuts[column]:r.cuts[column+1]]
}

// Word is one word of a column of Words of the current row, which random, any
// number, decides; empty if the row has none. It is valid until the next Seek.
func (r *Reader) Word(column int, random uint64) []byte {
	return wordOf(r.Bytes(column), random)
}

// load returns what the file holds at a place. A row after the one before is
// read with ever more of those that follow, any other row alone.
func (r *Reader) load(from, to uint64) []byte {
	if !r.has(from, to) && !r.fetch(from, r.amount(from, to-from), to-from) {
		return nil
	}
	r.end = to
	return r.buf[from-r.place : to-r.place]
}

// has reports whether a place of the file has been read.
func (r *Reader) has(from, to uint64) bool {
	return from >= r.place && to <= r.place+uint64(len(r.buf))
}

// amount is how much to read from a place on, of which size bytes are needed.
func (r *Reader) amount(from, size uint64) uint64 {
	if from != r.end && from > 0 {
		r.ahead = 0
		return size
	}
	r.ahead = min(max(2*r.ahead, firstAhead), maxAhead)
	return max(size, r.ahead)
}

// fetch reads size bytes of the file, or what there is of them, but at least
// want.
func (r *Reader) fetch(place, size, want uint64) bool {
	if uint64(cap(r.buf)) < size {
		r.buf = make([]byte, size)
	}
	r.buf = r.buf[:size]
	n, err := r.source.store.file.ReadAt(r.buf, int64(place))
	r.buf, r.place = r.buf[:n], place
	if uint64(n) < want {
		r.buf = r.buf[:0]
		r.source.fail(err)
		return false
	}
	return true
}
