package report

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	maxClasses     = 64
	maxCodeBytes   = 64  // of the code
	maxSampleBytes = 256 // of the first text
	otherCode      = "(other)"
	emptyCode      = "(empty)" // an error reply without any word
)

// classTable counts error replies by their code, which is their first word. One writer holds at
// most maxClasses of them and one "(other)"; a sum of several writers may
// hold more, and list cuts it. Cutting a sum early would make it depend on
// the order of the merges.
type classTable struct {
	byCode map[string]*errorClass
}

// errorClass is all error replies with one code.
type errorClass struct {
	code            string
	count           int64 // 0 = met before a reset, not since
	firstNs, lastNs int64
	sampleLen       int
	sample          [maxSampleBytes]byte // the earliest text
}

func newClassTable() classTable {
	return classTable{byCode: make(map[string]*errorClass)}
}

// add counts one error reply.
func (t *classTable) add(code, text []byte, atNs int64) {
	t.find(code[:min(len(code), maxCodeBytes)]).add(text, atNs)
}

// find returns the class of a code, or "(other)" when the table is full. Only
// a class met for the first time allocates.
func (t *classTable) find(code []byte) *errorClass {
	if len(code) == 0 {
		return t.open(emptyCode)
	}
	if class := t.byCode[string(code)]; class != nil { // this conversion does not allocate
		return class
	}
	if t.full() {
		return t.open(otherCode)
	}
	return t.open(string(code))
}

// open returns the class of a code and makes it if need be.
func (t *classTable) open(code string) *errorClass {
	class := t.byCode[code]
	if class == nil {
		class = &errorClass{code: code}
		t.byCode[code] = class
	}
	return class
}

// full reports whether only "(other)" may still be made.
func (t *classTable) full() bool {
	named := len(t.byCode)
	if t.byCode[otherCode] != nil {
		named--
	}
	return named >= maxClasses
}

func (c *errorClass) add(text []byte, atNs int64) {
	if c.count == 0 || atNs < c.firstNs {
		c.firstNs = atNs
		c.sampleLen = copy(c.sample[:], text)
	}
	if c.count == 0 || atNs > c.lastNs {
		c.lastNs = atNs
	}
	c.count++
}

// merge adds o to c. Of two texts that came at the same time the smaller one
// stays, so that the order of merges does not show.
func (c *errorClass) merge(o *errorClass) {
	if o.count == 0 {
		return
	}
	if c.count == 0 {
		code := c.code
		*c = *o
		c.code = code
		return
	}
	earlier := cmp.Or(cmp.Compare(o.firstNs, c.firstNs), bytes.Compare(o.text(), c.text())) < 0
	if earlier {
		c.firstNs, c.sample, c.sampleLen = o.firstNs, o.sample, o.sampleLen
	}
	c.lastNs = max(c.lastNs, o.lastNs)
	c.count += o.count
}

func (c *errorClass) text() []byte { return c.sample[:c.sampleLen] }

// merge adds all classes of o.
func (t *classTable) merge(o *classTable) {
	for code, from := range o.byCode {
		if from.count == 0 {
			continue // known before a reset: says nothing about this run
		}
		t.open(code).merge(from)
	}
}

// reset forgets the counts and keeps the codes.
func (t *classTable) reset() {
	for _, class := range t.byCode {
		class.count = 0
	}
}

// list gives the classes by falling count, then by code.
func (t *classTable) list(windowStartNs int64) []ErrorClass {
	found := make([]*errorClass, 0, len(t.byCode))
	other := &errorClass{code: otherCode}
	for code, class := range t.byCode {
		switch {
		case class.count == 0:
		case code == otherCode:
			other.merge(class)
		default:
			found = append(found, class)
		}
	}
	slices.SortFunc(found, compareClasses)
	if len(found) > maxClasses {
		for _, class := range found[maxClasses:] {
			other.merge(class)
		}
		found = found[:maxClasses]
	}
	if other.count > 0 {
		found = append(found, other)
		slices.SortFunc(found, compareClasses)
	}
	classes := make([]ErrorClass, 0, len(found))
	for _, class := range found {
		classes = append(classes, class.export(windowStartNs))
	}
	return classes
}

func compareClasses(a, b *errorClass) int {
	return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.code, b.code))
}

// export turns a class into result data, whose texts are valid UTF-8.
func (c *errorClass) export(windowStartNs int64) ErrorClass {
	return ErrorClass{
		Code:    validUTF8([]byte(c.code), maxCodeBytes),
		Count:   c.count,
		Sample:  validUTF8(c.text(), maxSampleBytes),
		FirstNs: max(c.firstNs-windowStartNs, 0),
		LastNs:  max(c.lastNs-windowStartNs, 0),
	}
}

// validUTF8 returns text without a character that the limit of its length cut
// in two, and with U+FFFD in place of bytes that are not UTF-8.
func validUTF8(text []byte, limit int) string {
	for back := 1; back < utf8.UTFMax && back < len(text) && len(text) == limit; back++ {
		tail := text[len(text)-back:]
		if utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				text = text[:len(text)-back]
			}
			break
		}
	}
	return strings.ToValidUTF8(string(text), "\uFFFD")
}
