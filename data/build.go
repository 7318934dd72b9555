package data

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"
)

// column is a Column, ready to be made of rows.
type column struct {
	form   Form
	fields []located
	keys   [][]byte // of JSON: "name": of each field

	bytes, count uint64 // of all rows; count is rows, of Words words
	max          int
}

// located is where a field is in a row: which one, and the names that lead on
// into an object.
type located struct {
	number int
	path   []string
	late   *late // in place of both, where that is not known
}

// find returns the value of a field.
func (l located) find(r *row) value {
	if l.late != nil {
		return l.late.find(r)
	}
	v := r.fields[l.number]
	if l.path != nil {
		v = step(v, l.path)
	}
	return v
}

// builder makes the columns of rows.
type builder struct {
	columns []column
	sizes   []int
	body    []byte
	scratch []byte
	words   wordList
}

// maxBody bounds the columns of a row together.
const maxBody = 1<<31 - 1

// build makes the columns of a row. They stand in body, one behind the other,
// until the next call.
func (b *builder) build(r *row) error {
	b.body = b.body[:0]
	b.sizes = b.sizes[:0]
	for k := range b.columns {
		c := &b.columns[k]
		from := len(b.body)
		if err := b.appendColumn(c, r); err != nil {
			return err
		}
		b.sizes = append(b.sizes, len(b.body)-from)
	}
	if len(b.body) > maxBody {
		return &unfit{r.raw, "the columns of this row take more than 2 GiB"}
	}
	return nil
}

// count adds the row that was built, and is now stored, to the sums.
func (b *builder) count() {
	for k, size := range b.sizes {
		c := &b.columns[k]
		if c.form == Words {
			continue // appendColumn has counted them
		}
		c.bytes += uint64(size)
		c.count++
		c.max = max(c.max, size)
	}
}

// appendColumn adds one column of a row.
func (b *builder) appendColumn(c *column, r *row) error {
	switch c.form {
	case Text:
		b.body = r.appendText(b.body, c.fields[0].find(r))
	case Line:
		b.body = append(b.body, r.raw...)
	case Command:
		b.body = append(b.body, r.command...)
	case Length:
		text := b.text(r, c.fields[0].find(r))
		b.body = strconv.AppendInt(b.body, int64(utf8.RuneCount(text)), 10)
	case Base64:
		v := c.fields[0].find(r)
		return b.appendDecoded(v, b.text(r, v))
	case JSON:
		b.appendObject(c, r)
	case Words:
		b.words.reset()
		b.words.split(b.text(r, c.fields[0].find(r)))
		b.body = b.words.appendTo(b.body)
		c.bytes += uint64(len(b.words.text))
		c.count += uint64(len(b.words.ends))
		c.max = max(c.max, b.words.longest)
	}
	return nil
}

// text returns the text of a value, where it stands if it is the text already.
func (b *builder) text(r *row, v value) []byte {
	switch v.kind {
	case plain, jsonString, jsonBare, jsonNested, xmlPlain:
		return v.raw
	}
	b.scratch = r.appendText(b.scratch[:0], v)
	return b.scratch
}

// appendDecoded adds the bytes that text is the base64 of, in either of the two
// alphabets, with or without padding.
func (b *builder) appendDecoded(v value, text []byte) error {
	encoding := base64.StdEncoding
	switch padded := bytes.HasSuffix(text, []byte("=")); {
	case bytes.IndexByte(text, '-') >= 0 || bytes.IndexByte(text, '_') >= 0:
		if encoding = base64.URLEncoding; !padded {
			encoding = base64.RawURLEncoding
		}
	case !padded:
		encoding = base64.RawStdEncoding
	}
	from := len(b.body)
	b.body = slices.Grow(b.body, encoding.DecodedLen(len(text)))
	n, err := encoding.Decode(b.body[from:cap(b.body)], text)
	if err != nil {
		return &unfit{v.raw, quoted(text) + " is not base64"}
	}
	b.body = b.body[:from+n]
	return nil
}

// appendObject adds a row as a JSON object.
func (b *builder) appendObject(c *column, r *row) {
	if len(c.fields) == 0 {
		b.body = appendValid(b.body, r.object)
		return
	}
	b.body = append(b.body, '{')
	first := true
	for k, field := range c.fields {
		v := field.find(r)
		if v.kind == absent {
			continue
		}
		if !first {
			b.body = append(b.body, ',')
		}
		first = false
		b.body = append(b.body, c.keys[k]...)
		b.body = r.appendJSON(b.body, v)
	}
	b.body = append(b.body, '}')
}

// prepare makes columns of those that were asked for.
func (s *Source) prepare() (*builder, error) {
	b := &builder{}
	for _, asked := range s.columns {
		c := column{form: asked.Form}
		names := asked.Fields
		if asked.Form == JSON && len(names) == 0 && s.objects == nil {
			names = s.fields
		}
		for _, name := range names {
			l, err := s.locate(name)
			if err != nil {
				return nil, err
			}
			c.fields = append(c.fields, l)
			c.keys = append(c.keys, append(appendString(nil, []byte(name)), ':'))
		}
		if wantsOne := asked.Form != JSON && asked.Form != Line && asked.Form != Command; wantsOne && len(c.fields) != 1 {
			return nil, fmt.Errorf("%s: a column is made of one field, not of %d", s.name, len(c.fields))
		}
		b.columns = append(b.columns, c)
	}
	return b, nil
}

// locate finds a field by its name.
func (s *Source) locate(name string) (located, error) {
	known := slices.Index(s.fields, name)
	switch {
	case s.partial && known < 0:
		return located{late: s.await(name)}, nil
	case s.objects != nil:
		number, path, err := s.objects.path(name)
		if err != nil {
			return located{}, fmt.Errorf("%s has %w", s.name, err)
		}
		return located{number: number, path: path}, nil
	case known >= 0:
		return located{number: known}, nil
	}
	return located{}, fmt.Errorf("%s has no field %q", s.name, name)
}
