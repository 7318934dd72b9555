package template

import (
	"slices"
	"time"
)

// Appender renders one Program for one goroutine.
type Appender struct {
	program *Program
	keys    seedKeys
	numbers []uint64 // by register: a number or the length of a text
	places  []int    // by register: where a text starts in the buffer

	rows  []rowReader // by use of data
	texts [][]byte    // by register: a column or a word
}

// NewAppender returns an Appender of p. Appenders of one Program and one seed
// agree on every unit. The data that p takes must have been loaded.
func NewAppender(p *Program, seed uint64) *Appender {
	a := &Appender{
		program: p,
		keys:    newSeedKeys(seed),
		numbers: make([]uint64, p.registers),
		places:  make([]int, p.registers),
	}
	if len(p.uses) > 0 {
		a.texts = make([][]byte, p.registers)
		for k, u := range p.uses {
			a.rows = append(a.rows, newRowReader(u, seed, k))
		}
		for k := range p.insts {
			if in := &p.insts[k]; in.op == opWord {
				a.texts[in.reg] = make([]byte, 0, p.uses[in.source].source.MaxSize(in.column))
			}
		}
	}
	return a
}

// Append appends unit i, all its commands as RESP arrays, to dst and returns
// the extended buffer. The bytes follow from the Program, the seed and i
// alone; only <time> reads the wall clock. It allocates only when dst is too
// short.
func (a *Appender) Append(dst []byte, i uint64) []byte {
	p := a.program
	n := len(dst)
	dst = grown(dst, p.room)
	rng := a.keys.unit(i)
	for k := range p.insts {
		in := &p.insts[k]
		switch in.op {
		case opUniform:
			a.numbers[in.reg] = in.base + rng.below(in.size)
		case opSequence:
			a.numbers[in.reg] = in.base + i%in.size
		case opZipfian:
			a.numbers[in.reg] = in.base + in.zipfian.rank(&rng)
		case opGaussian:
			a.numbers[in.reg] = in.base + in.gaussian.number(&rng)
		case opLatest:
			a.numbers[in.reg] = in.base + latest(i, in.size, in.zipfian.rank(&rng))
		case opWeighted:
			a.numbers[in.reg] = in.weighted.choose(rng.next())
		case opIndex:
			a.numbers[in.reg] = i
		case opClock:
			a.numbers[in.reg] = wallClock(in.unit)
		case opRows, opRow, opColumn, opWord:
			a.take(in, i, &rng)
		case opData:
			dst, n = a.data(dst, n, in)
		case opLiteral:
			n += copy(dst[n:], in.text)
		case opHead:
			n = a.head(dst, n, in)
		case opPad:
			padDigits(dst[n:n+in.n], a.numbers[in.reg]+in.add)
			n += in.n
		case opDigits:
			number := a.numbers[in.reg] + in.add
			end := n + max(in.n, decimalLen(number))
			padDigits(dst[n:end], number)
			n = end
		case opFramedPad:
			padDigits(dst[n-in.at:n-in.at+in.n], a.numbers[in.reg]+in.add)
		case opFramedLetters:
			p.letters.fill(dst[n-in.at:n-in.at+in.n], &rng)
		default:
			dst, n = a.text(dst, n, in, &rng)
		}
	}
	return dst[:n]
}

// head writes the header of an argument whose length varies at dst[n].
func (a *Appender) head(dst []byte, n int, in *inst) int {
	length := uint64(in.n)
	for k := range in.parts {
		part := &in.parts[k]
		if part.text {
			length += a.numbers[part.reg]
		} else {
			length += uint64(max(part.min, decimalLen(a.numbers[part.reg]+part.add)))
		}
	}
	dst[n] = '$'
	end := n + 1 + decimalLen(length)
	padDigits(dst[n+1:end], length)
	dst[end], dst[end+1] = '\r', '\n'
	return end + 2
}

// grown returns dst with room for n bytes more, all of its capacity in use.
func grown(dst []byte, n int) []byte {
	dst = slices.Grow(dst, n)
	return dst[:cap(dst)]
}

// text writes a text at dst[n] and returns the buffer, which it may replace,
// and the end.
func (a *Appender) text(dst []byte, n int, in *inst, rng *stream) ([]byte, int) {
	size := in.n
	if size < 0 {
		size = int(a.numbers[in.reg])
	}
	end := n + size
	if in.grows {
		dst = grown(dst[:n], size+in.rest)
	}
	if in.op == opCopy {
		from := a.places[in.reg]
		copy(dst[n:end], dst[from:from+size])
		return dst, end
	}
	if in.reg >= 0 {
		a.places[in.reg] = n
	}
	switch in.op {
	case opLetters:
		a.program.letters.fill(dst[n:end], rng)
	case opBytes:
		fillBytes(dst[n:end], rng)
	case opUUID:
		fillUUID(dst[n:end], rng)
	}
	return dst, end
}

// latest returns the number in 0..size-1 that lies distance back from i.
func latest(i, size, distance uint64) uint64 {
	newest := i % size
	if distance > newest {
		return newest + (size - distance)
	}
	return newest - distance
}

// wallClock returns the time since 1970 in the given unit.
func wallClock(unit string) uint64 {
	now := time.Now()
	switch unit {
	case "s":
		return uint64(now.Unix())
	case "ms":
		return uint64(now.UnixMilli())
	}
	return uint64(now.UnixMicro())
}
