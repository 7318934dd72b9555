package template

import (
	"maps"
	"slices"
	"strings"
)

// opener reports whether c may open a placeholder.
func opener(c byte) bool { return c == '<' || c == '{' }

// word is a word in brackets; at is where it stands in the source.
type word struct {
	text string
	at   int
}

func (w word) end() int { return w.at + len(w.text) }

// bracketed is a bracketed text whose first word is a name.
type bracketed struct {
	src    string
	from   int  // the opening bracket
	spaced bool // blanks stand before the name
	name   word
	words  []word // the others; of an unclosed bracket, those up to the next bracket or quote
	to     int    // the closing bracket, or -1
}

// bracket decides what the opening bracket at s.pos means. A placeholder is
// read to its end; for literal text it returns nil and stays where it is.
// quote is the quote around the bracket, or 0.
func (s *splitter) bracket(quote byte) (*placeholder, *Error) {
	b, ok := scanBracket(s.src, s.pos, quote)
	if !ok {
		return nil, s.checkLast()
	}
	source := s.bound[b.name.text]
	known := source != nil || isPlaceholder(b.name.text)
	switch {
	case known && b.to >= 0:
		s.pos = b.to + 1
		return s.placeholder(&b, source)
	case b.spaced:
		return nil, nil
	case known:
		return nil, mistakeAt(s.src, b.from, b.name.end(), b.asText("end it with "+string(closer(s.src[b.from]))),
			"placeholder %s is never closed", quoted(b.name.text))
	case b.meant():
		return nil, s.unknown(&b)
	}
	if _, seen := s.taken[b.name.text]; !seen && b.to >= 0 {
		s.taken[b.name.text] = b.from
	}
	return nil, nil
}

// checkLast refuses an opening bracket that is the last thing of a template.
func (s *splitter) checkLast() *Error {
	for i := s.pos + 1; i < len(s.src); i++ {
		if !blank(s.src[i]) {
			return nil
		}
	}
	bracket := s.src[s.pos : s.pos+1]
	return mistakeAt(s.src, s.pos, s.pos+1, `to send the bracket as it is, write \`+bracket,
		"the bracket %s is never closed", bracket)
}

// scanBracket reads the bracketed text at src[from]. It returns false if the
// first word is not a name. It looks no further than the next opening bracket
// or quote, so that reading a template takes linear time.
func scanBracket(src string, from int, quote byte) (b bracketed, ok bool) {
	at := from + 1
	for at < len(src) && blank(src[at]) {
		at++
	}
	end := at + nameLength(src[at:])
	if end == at || !endsName(src, end, quote) {
		return b, false
	}
	b = bracketed{src: src, from: from, spaced: at > from+1, name: word{src[at:end], at}, to: -1}
	if isDataWord(b.name.text) {
		b.scanQuoted(end, quote)
		return b, true
	}
	stop := len(src)
	if n := strings.IndexAny(src[end:], `<{"'`+string(closer(src[from]))); n >= 0 {
		stop = end + n
	}
	if stop < len(src) && src[stop] == closer(src[from]) {
		b.to = stop
	}
	for i := end; i < stop; {
		if blank(src[i]) {
			i++
			continue
		}
		start := i
		for i < stop && !blank(src[i]) {
			i++
		}
		b.words = append(b.words, word{src[start:i], start})
	}
	return b, true
}

// scanQuoted reads the words of a placeholder from data, in which names may
// stand in quotes, but not in those that the placeholder itself stands in. An
// unclosed one is a mistake, which ends the reading, so it takes linear time.
func (b *bracketed) scanQuoted(at int, outer byte) {
	src, start := b.src, -1 // where the word starts
	for ; at < len(src); at++ {
		c := src[at]
		ends := c == closer(b.src[b.from]) || opener(c) || c == outer && outer != 0
		if start >= 0 && (ends || blank(c)) {
			b.words = append(b.words, word{src[start:at], start})
			start = -1
		}
		if ends {
			if c == closer(b.src[b.from]) {
				b.to = at
			}
			return
		}
		if start < 0 && !blank(c) {
			start = at
		}
		if c == '"' || c == '\'' {
			n := strings.IndexByte(src[at+1:], c)
			if n < 0 {
				return
			}
			at += n + 1
		}
	}
	if start >= 0 {
		b.words = append(b.words, word{src[start:], start})
	}
}

// endsName reports whether a name in brackets may end before src[at].
func endsName(src string, at int, quote byte) bool {
	return blankOrEnd(src, at) || src[at] == '>' || src[at] == '}' || quote != 0 && src[at] == quote
}

// closer returns the bracket that ends what the given one opened.
func closer(opener byte) byte {
	if opener == '<' {
		return '>'
	}
	return '}'
}

// meant reports whether b, whose first word names nothing, was meant as a
// placeholder: more words follow or, if it is not even closed, a distribution
// follows, or a number while the first word is close to a name.
func (b *bracketed) meant() bool {
	if len(b.words) == 0 || b.to >= 0 {
		return len(b.words) > 0
	}
	next := b.words[0].text
	number := next[0] >= '0' && next[0] <= '9'
	return isLaw(next) || number && Nearest(b.name.text, placeholderNames()...) != ""
}

// unknown is the mistake of a first word that names nothing.
func (s *splitter) unknown(b *bracketed) *Error {
	names := append(placeholderNames(), slices.Sorted(maps.Keys(s.bound))...)
	hint := "placeholders are " + strings.Join(names[:len(placeholderNames())], ", ")
	if near := Nearest(b.name.text, names...); near != "" {
		hint = "did you mean " + quoted(near) + "?"
	}
	return mistakeAt(b.src, b.name.at, b.name.end(), b.asText(hint), "unknown placeholder %s", quoted(b.name.text))
}

// asText extends a hint by how to send the bracketed text as it is.
func (b *bracketed) asText(hint string) string {
	joint := "; to"
	if strings.HasSuffix(hint, "?") {
		joint = " To"
	}
	return hint + joint + ` send the text as it is, write \` + plain(b.src[b.from:b.name.end()])
}
