package template

import (
	"math"
	"strconv"
	"strings"
)

// defaultExponent is the exponent of zipfian and latest, unless given.
const defaultExponent = 1.03

// defaultSpread is how many standard deviations of gaussian fit into the
// numbers drawn from, unless given.
const defaultSpread = 6

// distribution reads DIST and what follows it.
func (b *bracketed) distribution() (d draw, err *Error) {
	if len(b.words) == 0 {
		return d, b.missing("distribution", b.example(b.name.text+" uniform 1000"))
	}
	law, words := b.words[0], b.words[1:]
	example := b.name.text + " " + law.text + " 1000"
	if !isLaw(law.text) {
		return d, b.unknownLaw(law)
	}
	if len(words) == 0 {
		return d, b.missing("count", b.example(example))
	}
	switch law.text {
	case "zipfian":
		return b.zipfian(words)
	case "gaussian":
		return b.gaussian(words)
	}
	if err := b.extra(2, example); err != nil {
		return d, err
	}
	d, err = b.count(words[0])
	switch law.text {
	case "sequence":
		d.law = sequenceLaw
	case "latest":
		d.law, d.exponent = latestLaw, defaultExponent
	}
	return d, err
}

func (b *bracketed) unknownLaw(w word) *Error {
	hint := "distributions are " + strings.Join(lawNames(), ", ")
	if near := Nearest(w.text, lawNames()...); near != "" {
		hint = "did you mean " + quoted(near) + "?"
	} else if c := w.text[0]; c >= '0' && c <= '9' {
		hint = "name a distribution before the count, for example " + b.example(b.name.text+" uniform "+plain(w.text))
	}
	return b.mistake(w, hint, "unknown distribution %s", quoted(w.text))
}

// zipfian reads [S] N.
func (b *bracketed) zipfian(words []word) (draw, *Error) {
	if err := b.extra(3, b.name.text+" zipfian 1.2 1000"); err != nil {
		return draw{}, err
	}
	exponent := defaultExponent
	if len(words) == 2 {
		var ok bool
		exponent, ok = parseReal(words[0].text)
		if !ok {
			return draw{}, b.mistake(words[0], "exponents look like 0.99 or 1.2", "exponent %s is not a number", quoted(words[0].text))
		}
		if exponent <= 0 {
			return draw{}, b.mistake(words[0], "exponents look like 0.99 or 1.2", "exponent %s must be above 0", quoted(words[0].text))
		}
	}
	d, err := b.count(words[len(words)-1])
	if err != nil {
		if _, swapped := b.count(words[0]); len(words) == 2 && swapped == nil {
			if _, ok := parseReal(words[1].text); ok {
				err.Hint = "the exponent comes first: " + b.example(b.name.text+" zipfian "+plain(words[1].text)+" "+plain(words[0].text))
			}
		}
		return d, err
	}
	d.law, d.exponent = zipfianLaw, exponent
	return d, nil
}

// gaussian reads [MEAN SD] N.
func (b *bracketed) gaussian(words []word) (draw, *Error) {
	example := b.name.text + " gaussian 500 100 1000"
	if len(words) == 2 {
		return draw{}, b.missing("count, or the standard deviation,", b.example(example))
	}
	if err := b.extra(4, example); err != nil {
		return draw{}, err
	}
	d, err := b.count(words[len(words)-1])
	if err != nil {
		return d, err
	}
	d.law = gaussianLaw
	d.mean, d.sd = float64(d.size-1)/2, float64(d.size)/defaultSpread
	if len(words) == 1 {
		return d, nil
	}
	mean, ok := parseReal(words[0].text)
	if !ok {
		return d, b.mistake(words[0], numberHint, "mean %s is not a number", quoted(words[0].text))
	}
	least, most := d.bounds()
	if mean < float64(least) || mean > float64(most) {
		return d, b.mistake(words[0], "the order is MEAN SD N, for example "+b.example(example),
			"mean %s must lie in %d..%d", quoted(words[0].text), least, most)
	}
	sd, ok := parseReal(words[1].text)
	if !ok {
		return d, b.mistake(words[1], numberHint, "standard deviation %s is not a number", quoted(words[1].text))
	}
	if sd <= 0 {
		return d, b.mistake(words[1], "the order is MEAN SD N, for example "+b.example(example),
			"standard deviation %s must be above 0", quoted(words[1].text))
	}
	d.mean, d.sd = mean-float64(d.base), sd
	return d, nil
}

// count reads what numbers are drawn from: N for 0..N-1, or A..B with both
// ends.
func (b *bracketed) count(w word) (draw, *Error) {
	from, to, isRange := strings.Cut(w.text, "..")
	if isRange {
		return b.fromTo(w, from, to)
	}
	n, err := ParseNumber(w.text)
	if err != nil {
		return draw{}, b.mistake(w, numberHint, "count %v", err)
	}
	if n == 0 {
		return draw{}, b.mistake(w, "a count of 1 draws 0 alone, a count of N draws from 0..N-1",
			"count %s must be at least 1", quoted(w.text))
	}
	return draw{size: n}, nil
}

// fromTo reads the two ends of the range w.
func (b *bracketed) fromTo(w word, from, to string) (draw, *Error) {
	first, err := ParseNumber(from)
	if err != nil {
		return draw{}, b.mistake(word{from, w.at}, numberHint, "range %s: %v", quoted(w.text), err)
	}
	last, err := ParseNumber(to)
	if err != nil {
		return draw{}, b.mistake(word{to, w.end() - len(to)}, numberHint, "range %s: %v", quoted(w.text), err)
	}
	if last < first {
		return draw{}, b.mistake(w, "write the smaller end first", "range %s ends before it begins", quoted(w.text))
	}
	return draw{base: first, size: last - first + 1}, nil
}

// maxSize is the largest bulk string that Redis accepts by default
// (proto-max-bulk-len), in bytes.
const maxSize = 512 << 20

// size reads a size in bytes: N, A..B or weighted sizes N:W,N:W.
func (b *bracketed) size(w word) (draw, *Error) {
	if strings.ContainsAny(w.text, ":,") {
		return b.weighted(w)
	}
	if from, to, isRange := strings.Cut(w.text, ".."); isRange {
		d, err := b.fromTo(w, from, to)
		if err == nil && d.base+d.size-1 > maxSize {
			err = b.tooLarge(word{to, w.end() - len(to)})
		}
		return d, err
	}
	n, err := b.oneSize(w)
	return draw{base: n, size: 1}, err
}

func (b *bracketed) oneSize(w word) (uint64, *Error) {
	n, err := ParseNumber(w.text)
	if err != nil {
		return 0, b.mistake(w, numberHint, "size %v", err)
	}
	if n > maxSize {
		return 0, b.tooLarge(w)
	}
	return n, nil
}

func (b *bracketed) tooLarge(w word) *Error {
	return b.mistake(w, "Redis accepts arguments of up to 512mi", "size %s is larger than %d bytes", quoted(w.text), maxSize)
}

// weighted reads weighted sizes. One size alone needs no drawing.
func (b *bracketed) weighted(w word) (draw, *Error) {
	const hint = "weighted sizes look like 64:9,4ki:1"
	var weights []weight
	sum, at := 0.0, w.at
	for part := range strings.SplitSeq(w.text, ",") {
		size, share, ok := strings.Cut(part, ":")
		item := word{part, at}
		at += len(part) + 1
		if !ok {
			return draw{}, b.mistake(item, hint, "the weight of size %s is missing", quoted(part))
		}
		n, err := b.oneSize(word{size, item.at})
		if err != nil {
			return draw{}, err
		}
		f, ok := parseReal(share)
		if !ok || f <= 0 {
			return draw{}, b.mistake(item, hint, "weight %s must be a number above 0", quoted(share))
		}
		sum += f
		weights = append(weights, weight{n, f})
	}
	if math.IsInf(sum, 0) {
		return draw{}, b.mistake(w, hint, "the sum of the weights is above %s", strconv.FormatFloat(math.MaxFloat64, 'g', 3, 64))
	}
	if len(weights) == 1 {
		return draw{base: weights[0].size, size: 1}, nil
	}
	return draw{law: weightedLaw, weights: weights}, nil
}
