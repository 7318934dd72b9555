package template

import (
	"slices"
	"strconv"
	"strings"
)

// growFrom is the size in bytes from which a text makes room for itself
// when it is written, so that no program asks for much memory ahead.
const growFrom = 4 << 10

// compiler turns commands into a Program. Literal bytes, the framing
// included, are collected and become one instruction when something else
// must be written after them.
type compiler struct {
	program *Program
	options Options
	literal []byte
	writes  []inst // of the argument that is being compiled
	spare   int    // bytes by which texts fall short of their most on average
	taken   []taking
}

// compile reads src twice, and keeps no arguments: the first time counts the
// arguments of each command, which the header before them tells, and finds
// the names that are used.
func compile(src string, o Options) (*Program, *Error) {
	var counts []int
	scout := newSplitter(src, o)
	err := scout.split(func(command int, a *argument) *Error {
		if command == len(counts) {
			counts = append(counts, 0)
		}
		counts[command]++
		if a.twofold() {
			counts[command]++
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	c := compiler{program: &Program{source: src}, options: o}
	reader := newSplitter(src, o)
	reader.used = scout.used
	err = reader.split(func(command int, a *argument) *Error {
		if command == len(c.program.names) {
			name, _ := a.literal()
			c.program.names = append(c.program.names, strings.ToUpper(string(name)))
			c.header('*', counts[command])
		}
		return c.argument(src, a)
	})
	if err != nil {
		return nil, err
	}
	c.flush()
	c.program.insts = frame(c.program.insts)
	c.measure()
	return c.program, nil
}

// header adds a RESP header to the literal bytes.
func (c *compiler) header(kind byte, n int) {
	c.literal = append(c.literal, kind)
	c.literal = strconv.AppendInt(c.literal, int64(n), 10)
	c.literal = append(c.literal, "\r\n"...)
}

// emit adds an instruction that writes, after the literal bytes before it.
func (c *compiler) emit(in inst) {
	c.flush()
	c.program.insts = append(c.program.insts, in)
}

func (c *compiler) flush() {
	if len(c.literal) > 0 {
		c.program.insts = append(c.program.insts, literal(string(c.literal)))
		c.literal = c.literal[:0]
	}
}

// argument compiles one argument, or the two of a range alone. Numbers and
// sizes are drawn before the header is written, so that the length is known.
func (c *compiler) argument(src string, a *argument) *Error {
	if text, ok := a.literal(); ok {
		c.header('$', len(text))
		c.literal = append(append(c.literal, text...), "\r\n"...)
		return checkSize(src, a, len(text))
	}
	c.writes = c.writes[:0]
	for _, piece := range a.pieces {
		p := piece.placeholder
		if p == nil {
			c.write(literal(string(piece.text)))
			continue
		}
		if p.first == nil {
			c.draw(p)
		}
		if a.twofold() {
			low, high := c.ends(p)
			c.bulk([]inst{low})
			c.bulk([]inst{high})
			return nil
		}
		c.place(p)
	}
	most := c.bulk(c.writes)
	c.bounded(a, most)
	return checkSize(src, a, most)
}

// checkSize refuses an argument that may have more bytes than Redis takes.
func checkSize(src string, a *argument, most int) *Error {
	if most <= maxSize {
		return nil
	}
	return mistakeAt(src, a.from, a.to, "Redis accepts arguments of up to 512mi",
		"an argument of up to %d bytes is larger than %d", most, maxSize)
}

func (c *compiler) write(in inst) { c.writes = append(c.writes, in) }

// literal returns what writes text.
func literal(text string) inst {
	return inst{op: opLiteral, reg: -1, n: len(text), text: text, most: len(text)}
}

// place adds what writes a placeholder's text.
func (c *compiler) place(p *placeholder) {
	source := p
	if p.first != nil {
		source = p.first
	}
	switch source.kind {
	case keyKind:
		c.write(literal(keyPrefix))
		c.write(c.number(source, 0, keyDigits))
	case intKind:
		c.write(c.number(source, 0, 1))
	case rangeKind:
		low, high := c.ends(p)
		c.write(low)
		c.write(literal(" "))
		c.write(high)
	case columnKind, wordKind:
		c.write(inst{op: opData, reg: source.reg, n: -1, grows: true})
	default:
		c.write(c.text(p, source))
	}
}

const (
	keyPrefix = "key_"
	keyDigits = 10
	uuidBytes = 36
)

// ends returns what writes the two numbers of a range.
func (c *compiler) ends(p *placeholder) (low, high inst) {
	if p.first != nil {
		p = p.first
	}
	return c.number(p, 0, 1), c.number(p, p.width, 1)
}

// number returns what writes the number of p plus add in at least digits.
func (c *compiler) number(p *placeholder, add uint64, digits int) inst {
	least, most := p.draw.bounds()
	shortest := max(digits, decimalLen(least+add))
	longest := max(digits, decimalLen(most+add))
	in := inst{op: opDigits, reg: p.reg, add: add, n: digits, most: longest}
	if shortest == longest {
		in.op, in.n = opPad, longest
	}
	return in
}

// text returns what writes the text of source or, where p is a later use of
// it, copies that.
func (c *compiler) text(p, source *placeholder) inst {
	in := inst{op: opLetters, reg: source.reg}
	switch source.kind {
	case bytesKind:
		in.op = opBytes
	case uuidKind:
		in.op = opUUID
	}
	if p != source {
		in.op = opCopy
	}
	least, most := source.draw.bounds()
	in.n, in.most = int(most), int(most)
	if source.kind == uuidKind {
		in.n, in.most = uuidBytes, uuidBytes
	} else if least != most {
		in.n = -1
	}
	if in.n < 0 {
		c.spare += in.most - int(source.draw.average())
	}
	in.grows = in.n < 0 || in.n >= growFrom
	return in
}

// bulk emits one argument made of writes and returns its most bytes.
func (c *compiler) bulk(writes []inst) (most int) {
	fixed := 0
	var parts []part
	for _, in := range writes {
		most += in.most
		switch {
		case in.op == opDigits:
			parts = append(parts, part{reg: in.reg, min: in.n, add: in.add})
		case in.n < 0:
			parts = append(parts, part{text: true, reg: in.reg})
		default:
			fixed += in.n
		}
	}
	if len(parts) == 0 {
		c.header('$', fixed)
	} else {
		c.emit(inst{op: opHead, reg: -1, n: fixed, parts: parts, most: len("$\r\n") + decimalLen(maxSize)})
	}
	for _, in := range writes {
		if in.op == opLiteral {
			c.literal = append(c.literal, in.text...)
		} else {
			c.emit(in)
		}
	}
	c.literal = append(c.literal, "\r\n"...)
	return most
}

// draw adds what draws p's number, if it has one, and gives p a register if
// it needs one. Drawing writes nothing, so the literal bytes may wait.
func (c *compiler) draw(p *placeholder) {
	d := &p.draw
	if p.blind {
		c.program.blind = true
		c.program.sequences = append(c.program.sequences, 1)
	}
	if p.kind == columnKind || p.kind == wordKind || d.law == rowsLaw {
		c.drawColumn(p)
		return
	}
	in := inst{base: d.base, size: d.size}
	switch d.law {
	case uniformLaw:
		in.op = opUniform
	case sequenceLaw:
		in.op = opSequence
		c.program.sequences = append(c.program.sequences, d.size)
	case zipfianLaw:
		in.op, in.zipfian = opZipfian, newZipfian(d.exponent, d.size)
	case gaussianLaw:
		in.op, in.gaussian = opGaussian, newGaussian(d.mean, d.sd, d.size)
	case latestLaw:
		in.op, in.zipfian = opLatest, newZipfian(d.exponent, d.size)
	case weightedLaw:
		in.op, in.weighted = opWeighted, newWeighted(d.weights)
	case indexLaw:
		in.op = opIndex
	case clockLaw:
		in.op, in.unit = opClock, d.unit
	}
	p.reg = -1
	least, most := d.bounds()
	fixedText := p.kind == uuidKind || p.kind >= valueKind && least == most
	if !fixedText || p.used {
		p.reg = c.register()
	}
	if !fixedText {
		in.reg = p.reg
		c.program.insts = append(c.program.insts, in)
	}
	if p.kind == valueKind && c.program.letters == nil {
		c.program.letters = sharedPairs()
	}
}

// measure finds the sizes of the program and how much room each growing text
// must make for what follows it.
func (c *compiler) measure() {
	p := c.program
	p.insts = slices.Clip(p.insts)
	for k := len(p.insts) - 1; k >= 0; k-- {
		in := &p.insts[k]
		p.most += in.most
		if in.grows {
			in.rest, p.room = p.room, 0
		} else {
			p.room += in.most
		}
	}
	p.typical = p.most - c.spare
}
