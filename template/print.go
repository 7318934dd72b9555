package template

import (
	"fmt"
	"strconv"
	"strings"
)

// String returns the program, one instruction a line. Instructions that draw
// a number look like assignments to a register; the others write.
func (p *Program) String() string {
	var b strings.Builder
	for k := range p.insts {
		b.WriteString(p.insts[k].String())
		b.WriteByte('\n')
	}
	return b.String()
}

func (in *inst) String() string {
	switch in.op {
	case opLiteral:
		return "lit " + strconv.Quote(in.text)
	case opHead:
		return in.headString()
	case opPad:
		return fmt.Sprintf("pad %s %d", register(in.reg, in.add), in.n)
	case opDigits:
		if in.n > 1 {
			return fmt.Sprintf("digits %s %d", register(in.reg, in.add), in.n)
		}
		return "digits " + register(in.reg, in.add)
	case opFramedPad:
		return fmt.Sprintf("pad %s %d at -%d", register(in.reg, in.add), in.n, in.at)
	case opFramedLetters:
		return fmt.Sprintf("letters %d at -%d", in.n, in.at)
	case opLetters:
		return in.textString("letters")
	case opBytes:
		return in.textString("bytes")
	case opUUID:
		return in.textString("uuid")
	case opCopy:
		return in.textString("copy")
	case opData:
		return in.textString("data")
	case opRow:
		return fmt.Sprintf("row of data %d", in.source)
	}
	return fmt.Sprintf("r%d = %s", in.reg, in.drawString())
}

// register prints the register that is written, with what is added to it.
func register(reg int, add uint64) string {
	if add > 0 {
		return fmt.Sprintf("r%d+%d", reg, add)
	}
	return fmt.Sprintf("r%d", reg)
}

func (in *inst) headString() string {
	var b strings.Builder
	fmt.Fprintf(&b, "head %d", in.n)
	for _, part := range in.parts {
		switch {
		case part.text:
			fmt.Fprintf(&b, " + r%d", part.reg)
		case part.min > 1:
			fmt.Fprintf(&b, " + digits(%s, %d)", register(part.reg, part.add), part.min)
		default:
			fmt.Fprintf(&b, " + digits(%s)", register(part.reg, part.add))
		}
	}
	return b.String()
}

// textString prints the size of a text, and the register if it has one.
func (in *inst) textString(name string) string {
	switch {
	case in.n < 0:
		return fmt.Sprintf("%s r%d", name, in.reg)
	case in.reg < 0:
		return fmt.Sprintf("%s %d", name, in.n)
	}
	return fmt.Sprintf("%s %d r%d", name, in.n, in.reg)
}

func (in *inst) drawString() string {
	bounds := fmt.Sprintf("%d..%d", in.base, in.base+in.size-1)
	switch in.op {
	case opSequence:
		return "sequence " + bounds
	case opZipfian:
		return fmt.Sprintf("zipfian %v %s", in.zipfian.exponent, bounds)
	case opGaussian:
		return fmt.Sprintf("gaussian %v %v %s", in.gaussian.mean+float64(in.base), in.gaussian.sd, bounds)
	case opLatest:
		return fmt.Sprintf("latest %v %s", in.zipfian.exponent, bounds)
	case opWeighted:
		return "weighted" + in.weighted.String()
	case opIndex:
		return "index"
	case opClock:
		return "time " + in.unit
	case opRows:
		return fmt.Sprintf("rows of data %d", in.source)
	case opColumn:
		return fmt.Sprintf("column %d of data %d", in.column, in.source)
	case opWord:
		return fmt.Sprintf("word of column %d of data %d", in.column, in.source)
	}
	return "uniform " + bounds
}

// String prints every size and its probability.
func (t *weighted) String() string {
	var b strings.Builder
	for k, size := range t.sizes {
		fmt.Fprintf(&b, " %d:%.4g", size, t.share(k))
	}
	return b.String()
}
