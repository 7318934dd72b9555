package template

// objectStarts reports whether an unquoted JSON object begins at src[at]: a
// brace, a double quote.
func objectStarts(src string, at int) bool {
	return at+1 < len(src) && src[at] == '{' && src[at+1] == '"'
}

// object reads an unquoted JSON object up to its closing brace. Inside it
// quotes, backslashes and blanks are text, so that it is sent as it stands;
// placeholders and escaped brackets work as elsewhere.
func (s *splitter) object() *Error {
	open, depth, inString := s.pos, 0, false
	for s.pos < len(s.src) {
		c := s.src[s.pos]
		switch {
		case inString && c == '\\' && s.pos+1 < len(s.src) && !opener(s.src[s.pos+1]):
			s.text = append(s.text, c, s.src[s.pos+1])
			s.pos += 2
			continue
		case c == '"':
			inString = !inString
		case c == '}' && !inString:
			depth--
		}
		texts, pieces := len(s.text), len(s.parts)
		if err := s.bare('"'); err != nil {
			return err
		}
		literal := len(s.parts) == pieces && len(s.text) > texts
		if c == '{' && literal && !inString {
			depth++
		}
		if depth == 0 {
			return nil
		}
	}
	return mistakeAt(s.src, open, open+1, `end it with }; to send the brace alone, write \{`, "the JSON object is never closed")
}
