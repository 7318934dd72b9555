package template

import "strings"

// frameLimit is the size in bytes up to which a text is copied only to be
// overwritten: it is cheaper than one more call of copy.
const frameLimit = 256

// frame joins literals that have nothing but texts of a fixed length between
// them: they become one literal with room for those texts, copied at once and
// then written into. A SET of a key and a value of 64 bytes is one copy
// instead of three.
func frame(insts []inst) []inst {
	framed := make([]inst, 0, len(insts))
	for len(insts) > 0 {
		run, texts := 0, 0
		for run < len(insts) && insts[run].fitsFrame() {
			if insts[run].op == opLiteral {
				texts++
			}
			run++
		}
		if texts > 1 {
			framed = appendFrame(framed, insts[:run])
		} else {
			run = max(run, 1)
			framed = append(framed, insts[:run]...)
		}
		insts = insts[run:]
	}
	return framed
}

// fitsFrame tells whether in draws, is literal, or writes a fixed number of
// bytes that nothing refers to later.
func (in *inst) fitsFrame() bool {
	switch in.op {
	case opLetters:
		return in.n >= 0 && in.n <= frameLimit && in.reg < 0
	case opPad, opLiteral:
		return true
	}
	return in.draws()
}

// draws tells whether in only sets a register.
func (in *inst) draws() bool { return in.op < opLiteral }

// appendFrame appends run as one literal and what is written into it.
func appendFrame(framed, run []inst) []inst {
	var text strings.Builder
	var into []inst
	for _, in := range run {
		switch {
		case in.draws():
			into = append(into, in)
		case in.op == opLiteral:
			text.WriteString(in.text)
		default:
			in.at = text.Len() // from the start, for now
			text.WriteString(strings.Repeat(".", in.n))
			in.op = map[op]op{opPad: opFramedPad, opLetters: opFramedLetters}[in.op]
			in.most = 0 // the literal has it already
			into = append(into, in)
		}
	}
	framed = append(framed, literal(text.String()))
	for _, in := range into {
		if !in.draws() {
			in.at = text.Len() - in.at
		}
		framed = append(framed, in)
	}
	return framed
}
