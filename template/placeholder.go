package template

import "strings"

// placeholder reads a closed bracket whose first word is the name of a
// placeholder or, with source, the name that source was bound to.
func (s *splitter) placeholder(b *bracketed, source *placeholder) (*placeholder, *Error) {
	if source != nil {
		if len(b.words) > 0 {
			return nil, b.mistake(b.words[0], b.example(b.name.text)+" stands for the text that was bound to it",
				"unexpected word %s after a bound name", quoted(b.words[0].text))
		}
		s.used[source.name] = true
		return &placeholder{kind: source.kind, first: source}, nil
	}
	name, err := s.cutName(b)
	if err != nil {
		return nil, err
	}
	var p *placeholder
	if isDataWord(b.name.text) {
		p, err = s.fromData(b)
	} else {
		p, err = b.parse()
	}
	if err != nil {
		return nil, err
	}
	if name != "" {
		p.name, p.used = name, s.used[name]
		s.bound[name] = p
	}
	return p, nil
}

// cutName takes "as NAME" off the words of b and checks the name.
func (s *splitter) cutName(b *bracketed) (string, *Error) {
	for i, w := range b.words {
		if w.text != asWord {
			continue
		}
		rest := b.words[i+1:]
		b.words = b.words[:i]
		if len(rest) == 0 {
			return "", b.missing("name after \"as\"", `a name, for example "as k"`)
		}
		if len(rest) > 1 {
			return "", b.mistake(rest[1], `"as" and one name end a placeholder`,
				"unexpected word %s after the name %s", quoted(rest[1].text), quoted(rest[0].text))
		}
		return rest[0].text, s.checkName(b, rest[0])
	}
	return "", nil
}

// checkName refuses a name that cannot be bound here.
func (s *splitter) checkName(b *bracketed, name word) *Error {
	text := name.text
	if nameLength(text) != len(text) {
		return b.mistake(name, "names are a letter, then letters, digits, _ and -", "%s is not a name", quoted(text))
	}
	if isPlaceholder(text) || isLaw(text) || text == asWord {
		return b.mistake(name, "choose another name", "the name %s is a word of the language", quoted(text))
	}
	if s.bound[text] != nil {
		return b.mistake(name, "choose another name; names are bound once in a template", "the name %s is bound already", quoted(text))
	}
	if at, used := s.taken[text]; used {
		return mistakeAt(b.src, at, at+len(text)+2, "bind it first; to send the text as it is, write \\"+plain(b.src[at:at+len(text)+2]),
			"the name %s is used before it is bound", quoted(text))
	}
	return nil
}

// parse reads the words of a placeholder.
func (b *bracketed) parse() (*placeholder, *Error) {
	var p placeholder
	var err *Error
	switch b.name.text {
	case "key":
		p.kind = keyKind
		p.draw, err = b.distribution()
	case "int":
		p.kind = intKind
		p.draw, err = b.distribution()
	case "rand":
		p.kind = intKind
		p.draw, err = b.only("count", "rand 1000", b.count)
	case "value":
		p.kind = valueKind
		p.draw, err = b.only("size", "value 64", b.size)
	case "bytes":
		p.kind = bytesKind
		p.draw, err = b.only("size", "bytes 64", b.size)
	case "range":
		p.kind = rangeKind
		p.draw, p.width, err = b.interval()
	case "index":
		p.kind = intKind
		p.draw.law, err = indexLaw, b.extra(0, "index")
	case "uuid":
		p.kind, err = uuidKind, b.extra(0, "uuid")
	case "time":
		p.kind = intKind
		p.draw, err = b.only("unit", "time ms", b.clock)
	}
	return &p, err
}

// only reads the one word that a placeholder takes.
func (b *bracketed) only(what, example string, read func(word) (draw, *Error)) (draw, *Error) {
	if len(b.words) == 0 {
		return draw{}, b.missing(what, b.example(example))
	}
	if err := b.extra(1, example); err != nil {
		return draw{}, err
	}
	return read(b.words[0])
}

// interval reads the two words of a range. The lower number is drawn from
// those that leave room for the width.
func (b *bracketed) interval() (draw, uint64, *Error) {
	const example = "range 1000 50"
	switch len(b.words) {
	case 0:
		return draw{}, 0, b.missing("count", b.example(example))
	case 1:
		return draw{}, 0, b.missing("width", b.example(example))
	}
	if err := b.extra(2, example); err != nil {
		return draw{}, 0, err
	}
	d, err := b.count(b.words[0])
	if err != nil {
		return d, 0, err
	}
	w := b.words[1]
	width, problem := ParseNumber(w.text)
	if problem != nil {
		return d, 0, b.mistake(w, numberHint, "width %v", problem)
	}
	if width >= d.size {
		return d, 0, b.mistake(w, "both numbers must lie among those drawn from; make the width smaller or the count larger",
			"width %s must be below %d", quoted(w.text), d.size)
	}
	d.size -= width
	return d, width, nil
}

// clock reads the unit of a time.
func (b *bracketed) clock(w word) (draw, *Error) {
	switch w.text {
	case "s", "ms", "us":
		return draw{law: clockLaw, unit: w.text}, nil
	}
	return draw{}, b.mistake(w, "units are s, ms and us", "unknown unit %s", quoted(w.text))
}

// extra refuses words beyond the first n.
func (b *bracketed) extra(n int, example string) *Error {
	if len(b.words) <= n {
		return nil
	}
	hint := "write it like " + b.example(example)
	if n > 0 && strings.HasSuffix(b.words[n-1].text, ",") {
		hint = "leave no blank after the comma"
	}
	return b.mistake(b.words[n], hint, "unexpected word %s", quoted(b.words[n].text))
}

// missing points at the closing bracket, where a word is missing.
func (b *bracketed) missing(what, example string) *Error {
	return b.mistake(word{b.src[b.to : b.to+1], b.to}, "write "+example, "the %s is missing", what)
}

// mistake points at w in the placeholder b; at what follows it, if w is empty.
func (b *bracketed) mistake(w word, hint, format string, args ...any) *Error {
	err := mistakeAt(b.src, w.at, max(w.end(), w.at+1), hint, format, args...)
	err.Problem = "placeholder " + quoted(b.name.text) + ": " + err.Problem
	return err
}

// example puts text in the brackets of b.
func (b *bracketed) example(text string) string {
	open := b.src[b.from]
	return string(open) + text + string(closer(open))
}
