package data

import (
	"encoding/binary"
	"slices"
)

// Ties is what ties the rows of a log to each other: the database that each is
// for, and the transactions, of which a server executes nothing before their end.
// Only where a row differs in that from the one before is something kept.
type Ties struct {
	changes   []byte // for each: rows since the last one, and the tie of the row, as varints
	rows      int64
	changed   int64 // the row of the last change
	first     tie
	last      tie
	databases []int // in order
}

// tie is what a row has to do with those before it.
type tie struct {
	db     int
	inside bool // it belongs to a transaction that began before it
}

// add notes the tie of the next row.
func (t *Ties) add(next tie) {
	switch {
	case t.rows == 0:
		t.first = next
	case next != t.last:
		what := uint64(next.db) << 1
		if next.inside {
			what |= 1
		}
		t.changes = binary.AppendUvarint(t.changes, uint64(t.rows-t.changed))
		t.changes = binary.AppendUvarint(t.changes, what)
		t.changed = t.rows
	}
	if at, known := slices.BinarySearch(t.databases, next.db); !known {
		t.databases = slices.Insert(t.databases, at, next.db)
	}
	t.last = next
	t.rows++
}

// Databases is those of all rows, in order.
func (t *Ties) Databases() []int { return t.databases }

// Nearest is the numbers of rows next to n, n itself where that is one of them,
// that do not end inside a transaction: the largest up to n, and the smallest
// from n on. Behind its last row the log begins again.
func (t *Ties) Nearest(n int64) (below, above int64) {
	pass, rest := n/t.rows*t.rows, n%t.rows
	below, above = 0, t.rows // the end of the log is the end of its transactions
	r := t.Reader()
	for row := int64(0); row < above; row++ {
		if !r.Inside() && row <= rest {
			below = row
		}
		if !r.Inside() && row >= rest {
			above = row
		}
		r.Next()
	}
	return pass + below, pass + above
}

// TieReader goes through the rows of a log, and from the last to the first again.
type TieReader struct {
	ties *Ties
	rest []byte
	row  int64 // the one to come
	at   int64 // the row of the next change; -1 if there is none
	next tie   // of the row to come
	then tie   // from the next change on
	db   int   // of the row before
}

// Reader returns a TieReader before the first row, whose database is taken for
// the one that a connection begins with. The Ties must not change any more.
func (t *Ties) Reader() *TieReader {
	r := &TieReader{ties: t, db: t.first.db}
	r.rewind()
	return r
}

// rewind makes the first row the one to come.
func (r *TieReader) rewind() {
	r.rest, r.row, r.next, r.at = r.ties.changes, 0, r.ties.first, 0
	r.change()
}

// change reads the next change.
func (r *TieReader) change() {
	distance, n := binary.Uvarint(r.rest)
	if n <= 0 {
		r.at = -1
		return
	}
	what, m := binary.Uvarint(r.rest[n:])
	r.rest = r.rest[n+m:]
	r.at += int64(distance)
	r.then = tie{db: int(what >> 1), inside: what&1 != 0}
}

// Inside tells whether the row to come belongs to a transaction that has begun.
func (r *TieReader) Inside() bool { return r.next.inside }

// Next goes behind the row to come. Where that is for another database than the
// row before it, ok is true, and db has to be selected first.
func (r *TieReader) Next() (db int, ok bool) {
	db, ok = r.next.db, r.next.db != r.db
	r.db = db
	switch r.row++; r.row {
	case r.ties.rows:
		r.rewind()
	case r.at:
		r.next = r.then
		r.change()
	}
	return db, ok
}
