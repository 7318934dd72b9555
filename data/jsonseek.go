package data

import "bytes"

// jsonSeek looks for the end of an element of an array in which there is a fault,
// by its brackets: those outside strings. A string may have line ends and the
// like, as that may be the fault; one that is not closed makes text of brackets
// and brackets of text, so that mostly no end is found.
type jsonSeek struct {
	on     bool
	failed bool   // there is no end
	nested bool   // the element begins with a bracket
	open   []byte // brackets that are open within the element
	string bool   // a string is
	escape bool   // it has had a backslash
}

// end looks on at text[i], and returns where the element ends and off, or the
// end of the text.
func (j *jsonSeek) end(text []byte, i int) int {
	for ; i < len(text); i++ {
		c := text[i]
		switch {
		case j.escape:
			j.escape = false
		case j.string:
			j.escape = c == '\\'
			j.string = c != '"'
		case c == '"':
			j.string = true
		case c == '{' || c == '[':
			j.open = append(j.open, c)
		case len(j.open) == 0 && (c == ',' || c == ']'):
			j.on = false
			return i
		case c == '}' || c == ']':
			// What else is open within it lacks its end. A bracket that nothing
			// opened is passed over, but for one that can only end the array:
			// then there is no telling how many elements were passed.
			at := bytes.LastIndexByte(j.open, c-2)
			j.failed = at < 0 && c == ']' || len(j.open) > maxNesting
			j.open = j.open[:max(at, 0)]
			if j.failed || j.nested && len(j.open) == 0 {
				j.on = false
				return i + 1
			}
		}
	}
	return i
}
