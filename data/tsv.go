package data

import "bytes"

// tsv is fields between tabs, as IANA registered it: a field has neither tabs
// nor line ends, and quotes mean nothing. Empty lines are left out.
type tsv struct{ width int }

func (t *tsv) next(text []byte, last bool, r *row) (int, error) {
	for n := 0; ; {
		content, size, err := line(text[n:], last)
		if err != nil {
			return n, err
		}
		at := n
		n += size
		if len(content) == 0 {
			continue
		}
		r.raw = content
		r.fields = r.fields[:0]
		for surplus := -1; ; {
			if len(r.fields) == t.width {
				surplus = at
			}
			tab := bytes.IndexByte(content, '\t')
			if tab < 0 {
				r.fields = append(r.fields, value{content, plain})
				return n, checkWidth(len(r.fields), t.width, surplus, at+len(content))
			}
			r.fields = append(r.fields, value{content[:tab], plain})
			content = content[tab+1:]
			at += tab + 1
		}
	}
}

// checkWidth compares the number of fields of a row with that of the header's
// names, 0 if this is the header. The fault stands at the first field too many
// or at the end of a row with too few.
func checkWidth(fields, width, surplus, end int) error {
	if width == 0 || fields == width {
		return nil
	}
	if fields < width {
		surplus = end
	}
	return faultf(surplus, "%s, and the header names %d", plural(fields, "field"), width)
}
