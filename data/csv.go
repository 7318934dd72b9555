package data

import "bytes"

// csv is fields between commas, as RFC 4180 has it and encoding/csv reads it:
// a field in quotes may have commas, line ends and quotes written twice. Other
// than there, a line end within quotes stays as it is. Empty lines are left
// out.
type csv struct {
	width int
	quote int // of a row that is not all there: 1 and where the quote is that nothing has closed yet, or 0
}

func (c *csv) next(text []byte, last bool, r *row) (int, error) {
	start := emptyLines(text, last)
	if start == len(text) {
		if last {
			return start, errEnd
		}
		return start, errMore
	}
	r.fields = r.fields[:0]
	surplus := -1
	for i := start; ; i++ {
		if len(r.fields) == c.width {
			surplus = i
		}
		v, end, err := csvField(text, i, last)
		if err == errMore {
			if c.quote = 0; i < len(text) && text[i] == '"' {
				c.quote = 1 + i - start
			}
			return start, err
		}
		if err != nil {
			// A quote that is wrong may hide line ends: the next line is as
			// good a place as any to go on from.
			next := afterLine(text, start)
			if next == len(text) && text[next-1] != '\n' && !last {
				return start, errMore
			}
			return next, err
		}
		r.fields = append(r.fields, v)
		i = end
		if i < len(text) && text[i] == ',' {
			continue
		}
		r.raw = text[start:i]
		next := i
		if next < len(text) && text[next] == '\r' {
			next++
		}
		if next < len(text) {
			next++
		}
		return next, checkWidth(len(r.fields), c.width, surplus, i)
	}
}

// emptyLines returns where the empty lines that text begins with end.
func emptyLines(text []byte, last bool) int {
	i := 0
	for i < len(text) {
		switch {
		case text[i] == '\n':
			i++
		case text[i] == '\r' && i+1 < len(text) && text[i+1] == '\n':
			i += 2
		case text[i] == '\r' && i+1 == len(text) && last:
			i++
		default:
			return i
		}
	}
	return i
}

// csvField reads the field at text[i], and returns where it ends: at a comma,
// a line end or the end of the text.
func csvField(text []byte, i int, last bool) (value, int, error) {
	if i < len(text) && text[i] == '"' {
		return csvQuoted(text, i, last)
	}
	end := i + indexStop(text[i:])
	switch {
	case end == len(text) && !last:
		return value{}, end, errMore
	case end < len(text) && text[end] == '"':
		return value{}, end, faultf(end, "a quote within a field that does not begin with one").
			withHint(`a field with a quote stands in quotes, and the quote twice: "say ""hello"""`)
	case end < len(text) && text[end] == ',':
		return value{text[i:end], plain}, end, nil
	}
	if end > i && text[end-1] == '\r' {
		end--
	}
	return value{text[i:end], plain}, end, nil
}

// csvQuoted reads the field whose quote is text[i].
func csvQuoted(text []byte, i int, last bool) (value, int, error) {
	kind := plain
	for end := i + 1; ; end++ {
		quote := bytes.IndexByte(text[end:], '"')
		if quote < 0 {
			if last {
				return value{}, end, faultf(i, "a quote that nothing closes")
			}
			return value{}, end, errMore
		}
		end += quote + 1
		v := value{text[i+1 : end-1], kind}
		switch {
		case end == len(text):
			if last {
				return v, end, nil
			}
			return v, end, errMore
		case text[end] == '"':
			kind = doubled
			continue
		case text[end] == ',' || text[end] == '\n':
			return v, end, nil
		case text[end] == '\r' && end+1 < len(text) && text[end+1] == '\n':
			return v, end, nil
		case text[end] == '\r' && end+1 == len(text):
			if last {
				return v, end, nil
			}
			return v, end, errMore
		}
		return value{}, end, faultf(end-1, "a quote within a quoted field, and %s after it", found(text, end)).
			withHint(`within quotes a quote is written twice: "say ""hello"""`)
	}
}
