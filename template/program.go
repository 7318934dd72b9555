package template

import (
	"math"
	"math/bits"
	"slices"

	"github.com/respbench/respbench/data"
)

// Program is a compiled template: a flat list of instructions that write one
// unit, which is one or more commands, as RESP arrays. It is immutable and
// may be shared by any number of goroutines.
type Program struct {
	source    string
	insts     []inst
	names     []string
	sequences []uint64 // the sizes of all sequences
	registers int
	room      int // bytes that the instructions before the first growing one write at most
	typical   int
	most      int          // a bound of the bytes of a unit
	letters   *letterPairs // set if an instruction writes letters

	whole       bool           // its units are rows
	blind       bool           // it takes data that are not there
	uses        []use          // the data that it takes from
	arguments   []dataArgument // those with data in them
	wordColumns [][2]int       // use and column of what words are drawn from
	awaited     []awaiting     // fields that loading has to find
}

// op is what an instruction does. The first group draws a number into a
// register, the second writes text.
type op uint8

const (
	opUniform op = iota
	opSequence
	opZipfian
	opGaussian
	opLatest
	opWeighted
	opIndex
	opClock
	opRows   // the number of rows of a source
	opRow    // no number, but the row of a source that columns are taken from
	opColumn // a column of that row, and its length
	opWord   // a word of a row of its own, and its length

	opLiteral // text
	opHead    // the header of an argument: its length is n plus that of the parts
	opPad     // reg+add in exactly n digits
	opDigits  // reg+add in at least n digits
	opLetters // n letters and digits, or as many as reg says; reg then knows the place
	opBytes   // likewise, of any bytes
	opUUID    // a version 4 UUID
	opCopy    // the text that reg knows the place of
	opData    // the column or the word that reg has

	opFramedPad     // as opPad, but into the literal before it: at is how far from its end
	opFramedLetters // as opLetters of a fixed n, likewise
)

// inst is one instruction. Only the fields that its op names are set.
type inst struct {
	op       op
	grows    bool   // a text that Program.room does not count
	reg      int    // the register it draws into or writes from; -1 = none
	n        int    // number of digits or bytes; -1 = the register says
	at       int    // of a framed instruction: bytes from its first to the end of the frame
	rest     int    // of a growing text: the most bytes up to the next growing one
	add      uint64 // added to the register when it is written
	base     uint64 // added to what is drawn
	size     uint64 // how many numbers are drawn from
	text     string // of opLiteral
	parts    []part // of opHead
	zipfian  *zipfian
	gaussian *gaussian
	weighted *weighted
	unit     string // of opClock
	source   int    // number of the use of data
	column   int    // of the source
	most     int    // the most bytes that it writes
}

// part is a piece of an argument whose length differs from unit to unit.
type part struct {
	text bool   // the register is a length; otherwise a number
	reg  int    //
	min  int    // the fewest digits of the number
	add  uint64 // added to the number
}

// Parse compiles src, the text of one or several commands with placeholders.
// A mistake is an *Error.
func Parse(src string) (*Program, error) { return ParseWith(src, Options{}) }

// ParseWith is Parse for a template that may take rows of data. The sources
// are asked for the columns that it needs, so they are loaded later, and then
// CheckData is asked; no Appender may be made before.
func ParseWith(src string, o Options) (*Program, error) {
	p, err := compile(src, o)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Source returns the text that was parsed.
func (p *Program) Source() string { return p.source }

// TakesData tells whether the template takes anything from data, also where it
// was compiled without them.
func (p *Program) TakesData() bool { return len(p.uses) > 0 || p.blind }

// Commands returns the number of commands of one unit, at least 1.
func (p *Program) Commands() int { return len(p.names) }

// Names returns the upper-cased names of the unit's commands in order; ""
// stands for a name that holds a placeholder.
func (p *Program) Names() []string { return slices.Clone(p.names) }

// SizeHint returns about how many bytes a unit takes: sizes count with their
// average, numbers with their most digits, and data with their mean once they
// are loaded.
func (p *Program) SizeHint() int { return p.typical + p.dataSize() }

// Period returns how many units, from any index on, cover every combination
// of the template's sequences that ever occurs exactly once: the least common
// multiple of their sizes. Without a sequence it returns 0, false; if the
// multiple exceeds 2^63-1 it returns math.MaxUint64, false. Rows that are taken
// in sequence count as one; how many they are is known when they are loaded,
// and 1 before.
func (p *Program) Period() (units uint64, ok bool) {
	sizes := p.sequences
	for _, u := range p.uses {
		if u.row && u.source.Order() == data.Sequence {
			sizes = append(slices.Clip(sizes), max(1, u.source.Rows()))
		}
	}
	if len(sizes) == 0 {
		return 0, false
	}
	units = 1
	for _, n := range sizes {
		high, low := bits.Mul64(units/gcd(units, n), n)
		if high != 0 || low > maxNumber {
			return math.MaxUint64, false
		}
		units = low
	}
	return units, true
}

// gcd returns the greatest common divisor of two numbers above 0.
func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
