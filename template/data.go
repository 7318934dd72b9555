package template

import (
	"strings"

	"github.com/respbench/respbench/data"
)

// Options is what a template may refer to besides itself.
type Options struct {
	// Data are the files whose rows the placeholders field, len, json, line,
	// rows and word take. They have been opened, and are loaded when all
	// templates are compiled: compiling asks them for the columns.
	Data []*data.Source
	// AnyData takes every reference to data on trust, for a look at a template
	// without its files: what stands for data is then empty, the Period 1.
	AnyData bool
}

// source is one of the files as a reference finds it.
type source struct {
	*data.Source
	fields map[string]bool
}

// IsDataName tells whether a template can refer to data by that name: a letter,
// then letters, digits, underscores and hyphens.
func IsDataName(name string) bool { return name != "" && nameLength(name) == len(name) }

// isDataWord tells whether a placeholder of that name needs data.
func isDataWord(w string) bool {
	switch w {
	case "field", "len", "json", "line", "rows", "word":
		return true
	}
	return false
}

// fromData reads a placeholder whose text comes from a file.
func (s *splitter) fromData(b *bracketed) (*placeholder, *Error) {
	if len(s.sources) == 0 && !s.options.AnyData {
		return nil, mistakeAt(b.src, b.from, b.name.end(), b.asText("name a file with --data FILE, or under data: in a suite"),
			"placeholder %s: there are no data to take it from", quoted(b.name.text))
	}
	p := &placeholder{kind: columnKind}
	var err *Error
	switch b.name.text {
	case "field":
		p.column.Form = data.Text
		err = s.fieldForm(b, p)
	case "len":
		p.column.Form = data.Length
		err = s.oneField(b, p, "len title")
	case "word":
		p.kind, p.column.Form = wordKind, data.Words
		err = s.oneField(b, p, "word title")
	case "json":
		p.column.Form = data.JSON
		err = s.jsonForm(b, p)
	case "line":
		p.column.Form = data.Line
		err = s.wholeSource(b, p)
	case "rows":
		p.kind, p.draw.law = intKind, rowsLaw
		err = s.wholeSource(b, p)
	}
	if err == nil && s.options.AnyData {
		return &placeholder{kind: valueKind, draw: draw{size: 1}, blind: true}, nil
	}
	return p, err
}

// fieldForm reads the words of <field NAME> and <field NAME base64>.
func (s *splitter) fieldForm(b *bracketed, p *placeholder) *Error {
	if len(b.words) == 2 && b.words[1].text == "base64" {
		p.column.Form = data.Base64
		b.words = b.words[:1]
	}
	if len(b.words) == 2 {
		if near := Nearest(b.words[1].text, "base64"); near != "" {
			return b.mistake(b.words[1], `did you mean "base64"?`, "unexpected word %s", quoted(b.words[1].text))
		}
	}
	if len(b.words) > 1 {
		return b.mistake(b.words[1], `a name with blanks stands in quotes: `+b.example(`field "page id"`),
			"unexpected word %s", quoted(b.words[1].text))
	}
	return s.oneField(b, p, "field title")
}

// oneField reads the one name that a placeholder takes.
func (s *splitter) oneField(b *bracketed, p *placeholder, example string) *Error {
	if len(b.words) == 0 {
		return b.missing("name of a field", b.example(example))
	}
	if err := b.extra(1, example); err != nil {
		return err
	}
	names, prefix := s.fieldNames(b.words[0])
	if len(names) > 1 {
		return b.mistake(b.words[0], "a name with a comma stands in quotes", "it takes one field, and not %d", len(names))
	}
	return s.resolve(b, p, prefix, names)
}

// jsonForm reads the words of <json>, <json a,b> and <json source.*>.
func (s *splitter) jsonForm(b *bracketed, p *placeholder) *Error {
	if err := b.extra(1, "json id,title"); err != nil {
		return err
	}
	if len(b.words) == 0 {
		return s.onlySource(b, p, word{}, "json NAME.*")
	}
	names, prefix := s.fieldNames(b.words[0])
	if prefix >= 0 && len(names) == 1 && names[0].text == "*" {
		p.source = prefix
		return nil
	}
	for k, name := range names {
		for _, other := range names[:k] {
			if unquoted(other.text) == unquoted(name.text) {
				return b.mistake(name, "name each field once", "the field %s stands twice in an object", quoted(unquoted(name.text)))
			}
		}
	}
	return s.resolve(b, p, prefix, names)
}

// wholeSource reads the word of <line> and <rows>: the name of a source, if
// there are several.
func (s *splitter) wholeSource(b *bracketed, p *placeholder) *Error {
	if err := b.extra(1, b.name.text); err != nil {
		return err
	}
	if len(b.words) == 0 {
		return s.onlySource(b, p, word{}, b.name.text+" NAME")
	}
	w := b.words[0]
	if s.options.AnyData {
		return nil
	}
	if p.source = s.sourceNamed(unquoted(w.text)); p.source >= 0 {
		return nil
	}
	hint := "no file has a name; write --data NAME=FILE"
	if names := s.sourceNames(); len(names) > 0 {
		hint = "the names are " + strings.Join(names, ", ")
		if near := Nearest(w.text, names...); near != "" {
			hint = "did you mean " + quoted(near) + "?"
		}
	}
	return b.mistake(w, hint, "no data are called %s", quoted(unquoted(w.text)))
}

// onlySource is for a placeholder that names no source.
func (s *splitter) onlySource(b *bracketed, p *placeholder, at word, example string) *Error {
	if len(s.sources) < 2 {
		return nil
	}
	if at.text == "" {
		at = b.name
	}
	return b.mistake(at, "say which: "+s.naming(b.example(example)), "there are %d files of data", len(s.sources))
}

// naming is an example with the name of a source in place of NAME.
func (s *splitter) naming(example string) string {
	if names := s.sourceNames(); len(names) > 0 {
		return strings.Replace(example, "NAME", names[0], 1)
	}
	return example + ", with --data NAME=FILE"
}

func (s *splitter) sourceNames() []string {
	var names []string
	for _, from := range s.sources {
		if from.Name() != "" {
			names = append(names, from.Name())
		}
	}
	return names
}

// sourceNamed is the number of the source of that name, or -1.
func (s *splitter) sourceNamed(name string) int {
	for k, from := range s.sources {
		if name != "" && from.Name() == name {
			return k
		}
	}
	return -1
}
