package template

import "github.com/respbench/respbench/data"

// argument is one argument: pieces that join without anything between them.
// An argument without pieces is empty.
type argument struct {
	pieces   []piece
	quoted   bool // some of it stood in quotes
	from, to int  // its place in the source
}

// piece is literal text or, if placeholder is set, text made afresh for each
// unit.
type piece struct {
	text        []byte
	placeholder *placeholder
}

// literal returns the text of an argument that has no placeholder.
func (a *argument) literal() (text []byte, ok bool) {
	switch len(a.pieces) {
	case 0:
		return nil, true
	case 1:
		return a.pieces[0].text, a.pieces[0].placeholder == nil
	}
	return nil, false
}

// twofold reports whether a is a range alone, which is sent as two arguments.
func (a *argument) twofold() bool {
	p := a.pieces
	return len(p) == 1 && !a.quoted && p[0].placeholder != nil && p[0].placeholder.kind == rangeKind
}

// kind says what a placeholder writes.
type kind uint8

const (
	keyKind   kind = iota // key_ and at least ten digits
	intKind               // a number
	rangeKind             // a number and that number plus the width
	valueKind             // letters and digits
	bytesKind             // any bytes
	uuidKind              // a version 4 UUID

	columnKind // a column of the unit's row of data
	wordKind   // a word of a row of data
)

// placeholder is a parsed placeholder, or a later use of a bound one.
type placeholder struct {
	kind  kind
	draw  draw         // the number that is written, or the size of the text
	width uint64       // of rangeKind: the distance between its two numbers
	name  string       // bound by "as", or ""
	first *placeholder // for a use of a bound name: where the name was bound
	used  bool         // its name is used
	blind bool         // it stands for data that are not there

	source int           // of columnKind, wordKind and rowsLaw: which of Options.Data
	column data.Column   // of columnKind and wordKind
	await  func() *Error // likewise, if the source has to show that it has the fields: what it means that it has not
	taken  taking        // likewise, set by the compiler

	reg int // the register of its number or its text, set by the compiler
}

// law says how a number is drawn.
type law uint8

const (
	uniformLaw law = iota
	sequenceLaw
	zipfianLaw
	gaussianLaw
	latestLaw
	weightedLaw
	indexLaw // the unit's index
	clockLaw // the wall clock
	rowsLaw  // the number of rows of data
)

// draw is a number that is drawn for each unit: base..base+size-1, save for
// indexLaw, clockLaw and rowsLaw, which have no bounds.
type draw struct {
	law        law
	base, size uint64
	exponent   float64  // of zipfianLaw
	mean, sd   float64  // of gaussianLaw; the mean counts from base
	weights    []weight // of weightedLaw, at least two
	unit       string   // of clockLaw: "s", "ms" or "us"
}

// weight is one of the sizes that a weighted size is drawn from.
type weight struct {
	size  uint64
	share float64 // > 0, relative to the sum of all
}

// bounds returns the smallest and the largest number that d draws.
func (d *draw) bounds() (least, most uint64) {
	switch d.law {
	case indexLaw, clockLaw, rowsLaw:
		return 0, ^uint64(0)
	case weightedLaw:
		least = ^uint64(0)
		for _, w := range d.weights {
			least, most = min(least, w.size), max(most, w.size)
		}
		return least, most
	}
	return d.base, d.base + d.size - 1
}

// average returns what d draws on average, in whole numbers; the middle, for
// the laws that are not used for sizes.
func (d *draw) average() uint64 {
	least, most := d.bounds()
	if d.law != weightedLaw {
		return least + (most-least)/2
	}
	sum, shares := 0.0, 0.0
	for _, w := range d.weights {
		sum += w.share * float64(w.size)
		shares += w.share
	}
	return uint64(sum / shares)
}
