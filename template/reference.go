package template

import (
	"fmt"
	"strings"
)

// fieldNames splits a list of fields, whose first may have the name of a
// source before it, into names without their quotes; prefix is that source,
// or -1.
func (s *splitter) fieldNames(w word) (names []word, prefix int) {
	prefix = -1
	rest := w
	if name, _, ok := strings.Cut(w.text, "."); ok && !strings.ContainsAny(name, `"'`) {
		if prefix = s.sourceNamed(name); prefix >= 0 {
			rest = word{w.text[len(name)+1:], w.at + len(name) + 1}
		}
	}
	from, quote := 0, byte(0)
	for i := 0; i <= len(rest.text); i++ {
		switch {
		case i == len(rest.text) || quote == 0 && rest.text[i] == ',':
			names = append(names, word{rest.text[from:i], rest.at + from})
			from = i + 1
		case quote != 0 && rest.text[i] == quote:
			quote = 0
		case quote == 0 && (rest.text[i] == '"' || rest.text[i] == '\''):
			quote = rest.text[i]
		}
	}
	return names, prefix
}

// unquoted is a name without the quotes around it.
func unquoted(text string) string {
	if n := len(text); n >= 2 && (text[0] == '"' || text[0] == '\'') && text[n-1] == text[0] {
		return text[1 : n-1]
	}
	return text
}

// resolve finds the source that has all the fields: the one with the number
// prefix or, if that is -1, the only one.
func (s *splitter) resolve(b *bracketed, p *placeholder, prefix int, names []word) *Error {
	for _, w := range names {
		p.column.Fields = append(p.column.Fields, unquoted(w.text))
		if unquoted(w.text) == "" {
			return b.mistake(w, "write it like "+b.example(b.name.text+" title"), "the name of a field is empty")
		}
	}
	if s.options.AnyData {
		return nil
	}
	var having []int
	for k := range s.sources {
		if (prefix < 0 || prefix == k) && s.sources[k].hasAll(p.column.Fields) {
			having = append(having, k)
		}
	}
	switch len(having) {
	case 0:
		return s.await(b, p, prefix, names)
	case 1:
		p.source = having[0]
		return nil
	}
	return b.mistake(names[0], "say which: "+s.naming(b.example(b.name.text+" NAME."+names[0].text)),
		"%d files of data have the field %s", len(having), quoted(p.column.Fields[0]))
}

func (f *source) hasAll(fields []string) bool {
	for _, field := range fields {
		if !f.fields[field] {
			return false
		}
	}
	return true
}

// await leaves it to the loading of the one source that may have further fields
// whether it has those.
func (s *splitter) await(b *bracketed, p *placeholder, prefix int, names []word) *Error {
	var partial []int
	for k, from := range s.sources {
		if (prefix < 0 || prefix == k) && from.Partial() {
			partial = append(partial, k)
		}
	}
	switch len(partial) {
	case 0:
		return s.noSuchField(b, prefix, names)
	case 1:
		p.source = partial[0]
		p.await = func() *Error { return s.noSuchField(b, prefix, names) }
		return nil
	}
	example := b.example(b.name.text + " NAME." + names[0].text)
	if name := s.sources[partial[0]].Name(); name != "" {
		example = strings.Replace(example, "NAME", name, 1)
	} else {
		example += ", with --data NAME=FILE"
	}
	return b.mistake(names[0], "say which: "+example,
		"no file has the field %s at its beginning, and %d may have it further on", quoted(unquoted(names[0].text)), len(partial))
}

// noSuchField points at the first field that no source has.
func (s *splitter) noSuchField(b *bracketed, prefix int, names []word) *Error {
	var known []string
	var of []source
	for k, from := range s.sources {
		if prefix < 0 || prefix == k {
			known = append(known, from.Fields()...)
			of = append(of, from)
		}
	}
	for _, w := range names {
		name := unquoted(w.text)
		found := false
		for _, field := range known {
			found = found || field == name
		}
		if found {
			continue
		}
		hint := listed(of)
		if near := Nearest(name, known...); near != "" {
			hint = "did you mean " + quoted(near) + "? " + strings.ToUpper(hint[:1]) + hint[1:]
		}
		where := "the data"
		if prefix >= 0 {
			where = quoted(s.sources[prefix].Name())
		}
		return b.mistake(w, hint, "no field %s in %s", quoted(name), where)
	}
	return b.mistake(names[0], "the fields of one object come from one file", "no file has all %d fields", len(names))
}

// listedFields bounds how many fields of a file a hint lists.
const listedFields = 20

// listed lists the fields of some sources, of each where there are several, and
// says where it may only have been taken for one of lines.
func listed(of []source) string {
	text := "the fields are " + fieldsOf(of[0])
	if len(of) > 1 {
		text = "the fields"
		for k, from := range of {
			if k > 0 {
				text += ";"
			}
			text += " of " + called(from) + " are " + fieldsOf(from)
		}
	}
	for _, from := range of {
		if from.GuessedLines() {
			text += fmt.Sprintf("; each line of %s is a row, as nothing tells what the file is: with --data-format csv the first line names the fields", called(from))
		}
	}
	return text
}

// called is how a hint names a source.
func called(from source) string {
	if from.Name() != "" {
		return quoted(from.Name())
	}
	return plain(from.File())
}

func fieldsOf(from source) string {
	fields := from.Fields()
	var names []string
	for _, field := range fields[:min(len(fields), listedFields)] {
		if strings.ContainsAny(field, " \t.,<>{}'\"") {
			names = append(names, quoted(field))
		} else {
			names = append(names, plain(field))
		}
	}
	text := strings.Join(names, ", ")
	if more := len(fields) - len(names); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
