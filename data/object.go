package data

import (
	"fmt"
	"slices"
	"strings"
)

// objects reads JSON objects into rows. It learns the names of fields as long
// as it is told to, and knows them afterwards.
type objects struct {
	names   []string
	numbers map[string]int
	nested  []string // a.b of objects within objects, as they were learned
	learn   bool     // names
	within  bool     // and those of objects within objects of every row, not only where the name is new
	key     []byte   // scratch
}

func newObjects() *objects { return &objects{numbers: make(map[string]int), learn: true, within: true} }

// read reads the object whose brace is text[i], and returns where it ends.
func (o *objects) read(text []byte, i int, r *row) (int, error) {
	from := i
	r.fields = slices.Grow(r.fields[:0], len(o.names))[:len(o.names)]
	clear(r.fields)
	i = space(text, i+1)
	if i < len(text) && text[i] == '}' {
		r.object = text[from : i+1]
		return i + 1, nil
	}
	for next := 0; ; next++ {
		at := i
		key, escaped, end, err := readKey(text, i)
		if err != nil {
			return end, err
		}
		v, end, err := readValue(text, end)
		if err == nil && end == len(text) {
			err = errMore // a number may go on, and be none
		}
		if err != nil {
			return end, err
		}
		known := len(o.names)
		if next = o.number(key, escaped, next, r); next >= 0 {
			if r.fields[next].kind != absent {
				return at, faultf(at, "field %s stands twice", quoted(key))
			}
			r.fields[next] = v
			if (o.within || len(o.names) > known) && v.kind == jsonNested && v.raw[0] == '{' {
				o.learnNested(o.names[next], v.raw)
			}
		}
		i = space(text, end)
		if i == len(text) {
			return i, errMore
		}
		switch text[i] {
		case ',':
			i = space(text, i+1)
		case '}':
			r.object = text[from : i+1]
			return i + 1, nil
		default:
			return i, faultf(i, "found %s where %s has to stand", found(text, i), separators(true))
		}
	}
}

// number returns the number of a field, -1 for an unknown one. Fields mostly
// stand in the same order: likely is the number to try first.
func (o *objects) number(key []byte, escaped bool, likely int, r *row) int {
	if escaped {
		o.key = appendUnescaped(o.key[:0], key)
		key = o.key
	}
	if likely < len(o.names) && string(key) == o.names[likely] {
		return likely
	}
	if n, known := o.numbers[string(key)]; known {
		return n
	}
	if !o.learn || len(o.names) >= maxNames && !o.within {
		return -1
	}
	r.fields = append(r.fields, value{})
	return o.name(string(key))
}

// maxNames bounds the names that are learned while a file is loaded: keys may
// be data, too.
const maxNames = 1000

// name gives a name the next number.
func (o *objects) name(name string) int {
	n := len(o.names)
	o.names = append(o.names, name)
	o.numbers[name] = n
	return n
}

// nestedDepth bounds the dots in the name of a field.
const nestedDepth = 8

// learnNested notes the names of what is in an object within an object.
func (o *objects) learnNested(prefix string, object []byte) {
	if strings.Count(prefix, ".") == nestedDepth {
		return
	}
	for key, v := range members(object) {
		name := prefix + "." + string(key)
		if !slices.Contains(o.nested, name) && len(o.nested) < 1000 {
			o.nested = append(o.nested, name)
		}
		if v.kind == jsonNested && v.raw[0] == '{' {
			o.learnNested(name, v.raw)
		}
	}
}

// fields are the names that can be asked for.
func (o *objects) fields() []string {
	all := slices.Clone(o.names)
	for _, name := range o.nested {
		if _, known := o.numbers[name]; !known {
			all = append(all, name)
		}
	}
	return all
}

// members yields the members of an object that has been read before. Keys are
// valid until the next one.
func members(object []byte) func(yield func(key []byte, v value) bool) {
	return func(yield func([]byte, value) bool) {
		var scratch []byte
		for i := space(object, 1); object[i] != '}'; {
			key, escaped, end, err := readKey(object, i)
			if err != nil {
				return
			}
			if escaped {
				scratch = appendUnescaped(scratch[:0], key)
				key = scratch
			}
			v, end, err := readValue(object, end)
			if err != nil || !yield(key, v) {
				return
			}
			if i = space(object, end); object[i] == ',' {
				i = space(object, i+1)
			}
		}
	}
}

// step finds a field by the names that lead to it.
func step(v value, path []string) value {
	for _, name := range path {
		if v.kind != jsonNested || v.raw[0] != '{' {
			return value{}
		}
		inner := value{}
		for key, m := range members(v.raw) {
			if string(key) == name {
				inner = m
				break
			}
		}
		v = inner
	}
	return v
}

// path returns the number of the field that a name begins with, and the names
// that lead on from there.
func (o *objects) path(name string) (number int, rest []string, err error) {
	if n, known := o.numbers[name]; known {
		return n, nil, nil
	}
	for dot := 0; ; dot++ {
		next := strings.IndexByte(name[dot:], '.')
		if next < 0 {
			return 0, nil, fmt.Errorf("no field %q", name)
		}
		dot += next
		if n, known := o.numbers[name[:dot]]; known {
			return n, strings.Split(name[dot+1:], "."), nil
		}
	}
}
