package template

import (
	"slices"

	"github.com/respbench/respbench/data"
)

// use is what a Program takes of one source.
type use struct {
	source *data.Source
	row    bool // a row is drawn for each unit
	words  bool // words are drawn from rows of their own
}

// awaiting is fields that a source has to show that it has.
type awaiting struct {
	source *data.Source
	fields []string
	absent func() *Error
}

// taking is a column of a source that is kept in a register.
type taking struct {
	use, column, reg int
}

// dataArgument is an argument whose size is known when its data are loaded.
type dataArgument struct {
	from, to int // its place in the source
	most     int // bytes, without the data
	columns  []taking
}

// Sources returns the data that the template takes something from, in the
// order in which it does.
func (p *Program) Sources() []*data.Source {
	var list []*data.Source
	for _, u := range p.uses {
		list = append(list, u.source)
	}
	return list
}

// CheckData explains, once the data are loaded, the first field that they turn
// out not to have, the first argument that they may make larger than Redis
// accepts, and the first word that they never have.
// Its error is an *Error.
func (p *Program) CheckData() error {
	for _, u := range p.uses {
		if u.source.Rows() == 0 { // not loaded
			return nil
		}
	}
	for _, a := range p.awaited {
		for _, field := range a.fields {
			if !slices.Contains(a.source.Fields(), field) {
				return a.absent()
			}
		}
	}
	for _, a := range p.arguments {
		most := a.most
		for _, t := range a.columns {
			size := p.uses[t.use].source.MaxSize(t.column)
			if size == 0 && slices.Contains(p.wordColumns, [2]int{t.use, t.column}) {
				return mistakeAt(p.source, a.from, a.to, "take another field", "no row has a word there")
			}
			most += size
		}
		if most > maxSize {
			return mistakeAt(p.source, a.from, a.to, "Redis accepts arguments of up to 512mi",
				"with these data the argument has up to %d bytes, more than %d", most, maxSize)
		}
	}
	return nil
}

// dataSize is the mean number of bytes that data add to a unit.
func (p *Program) dataSize() (bytes int) {
	sum := 0.0
	for _, a := range p.arguments {
		for _, t := range a.columns {
			sum += p.uses[t.use].source.MeanSize(t.column)
		}
	}
	return int(sum)
}

// use returns the number of the use of a source.
func (c *compiler) use(from *data.Source) int {
	for k, u := range c.program.uses {
		if u.source == from {
			return k
		}
	}
	c.program.uses = append(c.program.uses, use{source: from})
	return len(c.program.uses) - 1
}

// drawColumn adds what takes the data of p, and gives p their register. Fields
// of one source are all of the row that its first one draws, and equal columns
// are taken once.
func (c *compiler) drawColumn(p *placeholder) {
	from := c.options.Data[p.source]
	u := c.use(from)
	if p.draw.law == rowsLaw {
		p.reg = c.register()
		c.program.insts = append(c.program.insts, inst{op: opRows, reg: p.reg, source: u})
		return
	}
	column := from.Column(p.column)
	if p.await != nil {
		c.program.awaited = append(c.program.awaited, awaiting{from, p.column.Fields, p.await})
	}
	if p.kind == wordKind {
		p.reg = c.register()
		p.taken = taking{u, column, p.reg}
		c.program.uses[u].words = true
		c.program.wordColumns = append(c.program.wordColumns, [2]int{u, column})
		c.program.insts = append(c.program.insts, inst{op: opWord, reg: p.reg, source: u, column: column})
		return
	}
	if !c.program.uses[u].row {
		c.program.uses[u].row = true
		c.program.insts = append(c.program.insts, inst{op: opRow, reg: -1, source: u})
	}
	k := slices.IndexFunc(c.taken, func(t taking) bool { return t.use == u && t.column == column })
	if k < 0 {
		k = len(c.taken)
		c.taken = append(c.taken, taking{u, column, c.register()})
		c.program.insts = append(c.program.insts, inst{op: opColumn, reg: c.taken[k].reg, source: u, column: column})
	}
	p.taken, p.reg = c.taken[k], c.taken[k].reg
}

func (c *compiler) register() int {
	c.program.registers++
	return c.program.registers - 1
}

// bounded notes an argument with data in it, whose other bytes are at most so
// many.
func (c *compiler) bounded(a *argument, most int) {
	var columns []taking
	for _, piece := range a.pieces {
		p := piece.placeholder
		if p != nil && p.first != nil {
			p = p.first
		}
		if p != nil && (p.kind == columnKind || p.kind == wordKind) {
			columns = append(columns, p.taken)
		}
	}
	if columns != nil {
		c.program.arguments = append(c.program.arguments, dataArgument{a.from, a.to, most, columns})
	}
}
