package template

import (
	"github.com/respbench/respbench/data"
	"github.com/respbench/respbench/internal/splitmix"
)

// rowReader takes the rows of one source for one Appender.
type rowReader struct {
	unit    *data.Reader // at the row of the unit
	words   *data.Reader // at the row of a word
	order   data.Order
	rows    uint64
	zipfian *zipfian // of the order Zipfian
	keys    seedKeys // rows have streams of their own, so that they are known ahead
	drawn   [ahead]drawnRow
}

// ahead is how many units before its own a row is drawn.
const ahead = 8

// drawnRow is the row of a unit.
type drawnRow struct{ unit, row uint64 }

// newRowReader takes the rows of use number k of the data.
func newRowReader(u use, seed uint64, k int) rowReader {
	r := rowReader{order: u.source.Order(), rows: max(1, u.source.Rows()), keys: newSeedKeys(splitmix.Mix(seed) + uint64(k))}
	for k := range r.drawn {
		r.drawn[k].unit = ^uint64(0) // which no unit is
	}
	if u.row {
		r.unit = u.source.NewReader()
	}
	if u.words {
		r.words = u.source.NewReader()
	}
	if r.order == data.Zipfian {
		r.zipfian = newZipfian(defaultExponent, r.rows)
	}
	return r
}

// seek makes the row of unit i the current one. Units mostly follow on each
// other, so the row of a later one is drawn, and told, at the same time.
func (r *rowReader) seek(i uint64) {
	if r.order == data.Sequence {
		r.unit.Seek(i % r.rows)
		return
	}
	d := &r.drawn[i%ahead]
	if d.unit != i {
		d.row = r.draw(i)
	}
	r.unit.Seek(d.row)
	d.unit, d.row = i+ahead, r.draw(i+ahead)
	r.unit.Expect(d.row)
}

// draw is the row of unit i.
func (r *rowReader) draw(i uint64) uint64 {
	rng := r.keys.unit(i)
	if r.order == data.Zipfian {
		return r.zipfian.rank(&rng)
	}
	return rng.below(r.rows)
}

// wordTries is how many rows are drawn for a word before it is searched for
// row by row, where few rows have any.
const wordTries = 64

// word returns a random word of a random row that has one, or nothing if no
// row has. It is valid until the next call.
func (r *rowReader) word(column int, rng *stream) []byte {
	row := uint64(0)
	for range wordTries {
		row = rng.below(r.rows)
		r.words.Seek(row)
		if w := r.words.Word(column, rng.next()); len(w) > 0 {
			return w
		}
	}
	for range r.rows {
		row = (row + 1) % r.rows
		r.words.Seek(row)
		if w := r.words.Word(column, rng.next()); len(w) > 0 {
			return w
		}
	}
	return nil
}

// take does an instruction that takes something of the data for unit i.
func (a *Appender) take(in *inst, i uint64, rng *stream) {
	r := &a.rows[in.source]
	switch in.op {
	case opRows:
		a.numbers[in.reg] = r.rows
	case opRow:
		r.seek(i)
	case opColumn:
		text := r.unit.Bytes(in.column)
		a.texts[in.reg], a.numbers[in.reg] = text, uint64(len(text))
	case opWord:
		a.keep(in, rng)
	}
}

// keep takes a word into a buffer of its register's own, where it stays until
// it is written.
func (a *Appender) keep(in *inst, rng *stream) {
	w := a.rows[in.source].word(in.column, rng)
	a.texts[in.reg] = append(a.texts[in.reg][:0], w...)
	a.numbers[in.reg] = uint64(len(w))
}

// data writes the text of a register at dst[n].
func (a *Appender) data(dst []byte, n int, in *inst) ([]byte, int) {
	text := a.texts[in.reg]
	if len(dst)-n < len(text)+in.rest {
		dst = grown(dst[:n], len(text)+in.rest)
	}
	return dst, n + copy(dst[n:], text)
}
