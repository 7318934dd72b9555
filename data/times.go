package data

import (
	"encoding/binary"
	"time"
)

// Times is when the rows of a log were recorded: distances between them, in
// microseconds, as varints, of which most take two bytes.
type Times struct {
	distances []byte
	rows      int64
	last      int64 // microseconds since 1970
	span      int64 // microseconds
	backwards int64 // steps
	back      int64 // microseconds of all of them
}

// add notes the time of the next row, in microseconds since 1970. One that is
// before that of the row before, as the server's clock was set back, is taken
// for the same.
func (t *Times) add(at int64) {
	distance := int64(0)
	if t.rows > 0 {
		distance = max(0, at-t.last)
		if at < t.last {
			t.backwards++
			t.back += t.last - at
		}
	}
	t.distances = binary.AppendUvarint(t.distances, uint64(distance))
	t.span += distance
	t.last = at
	t.rows++
}

// Rows is how many times there are.
func (t *Times) Rows() int64 { return t.rows }

// Span is the time from the first row to the last.
func (t *Times) Span() time.Duration { return time.Duration(t.span) * time.Microsecond }

// Backwards is how often a row was recorded before the one in front of it, and
// how long before in all.
func (t *Times) Backwards() (steps int64, all time.Duration) {
	return t.backwards, time.Duration(t.back) * time.Microsecond
}

// TimeReader reads Times in their order.
type TimeReader struct {
	rest []byte
	at   int64
}

// Reader returns a TimeReader before the first time. The Times must not change
// any more.
func (t *Times) Reader() TimeReader { return TimeReader{rest: t.distances} }

// Next returns the time of the next row after that of the first; ok is false
// if there is none.
func (r *TimeReader) Next() (after time.Duration, ok bool) {
	distance, size := binary.Uvarint(r.rest)
	if size <= 0 {
		return 0, false
	}
	r.rest = r.rest[size:]
	r.at += int64(distance)
	return time.Duration(r.at) * time.Microsecond, true
}
