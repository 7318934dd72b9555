package data

import (
	"bytes"
	"unicode/utf8"
)

// xmlValue returns the value of the element whose content is text[from:to].
func xmlValue(text []byte, from, to int) (value, error) {
	content := text[from:to]
	v := value{content, xmlPlain}
	if bytes.IndexByte(content, '&') >= 0 {
		v.kind = xmlMixed
		if err := checkReferences(text[:to], from); err != nil {
			return v, err
		}
	}
	if bytes.IndexByte(content, '<') >= 0 || bytes.IndexByte(content, '\r') >= 0 {
		v.kind = xmlMixed
	}
	return v, nil
}

// checkReferences finds an entity that is unknown, in the text from text[i].
func checkReferences(text []byte, i int) error {
	for i < len(text) {
		at := bytes.IndexAny(text[i:], "&<")
		if at < 0 {
			return nil
		}
		i += at
		if text[i] == '<' {
			t, err := readTag(text, i)
			if err != nil {
				return err
			}
			i = t.end
			continue
		}
		_, size := reference(text[i:])
		if size == 0 {
			return faultf(i, "found %s, which is no entity of XML", quoted(text[i:min(len(text), i+12)])).
				withHint("within text, & is written &amp;")
		}
		i += size
	}
	return nil
}

// longestReference is &#x10FFFF; with some zeros in front.
const longestReference = 32

// reference returns the character that text, which begins with &, refers to,
// and the size of the reference; 0 if it is none.
func reference(text []byte) (r rune, size int) {
	end := bytes.IndexByte(text[:min(len(text), longestReference)], ';')
	if end < 2 {
		return 0, 0
	}
	name := text[1:end]
	switch string(name) {
	case "amp":
		return '&', end + 1
	case "lt":
		return '<', end + 1
	case "gt":
		return '>', end + 1
	case "quot":
		return '"', end + 1
	case "apos":
		return '\'', end + 1
	}
	if name[0] != '#' {
		return 0, 0
	}
	base, digits := rune(10), name[1:]
	if len(digits) > 0 && digits[0] == 'x' {
		base, digits = 16, digits[1:]
	}
	if len(digits) == 0 {
		return 0, 0
	}
	for _, c := range digits {
		d := unhex(c)
		if d < 0 || d >= base {
			return 0, 0
		}
		if r = r*base + d; r > utf8.MaxRune {
			return 0, 0
		}
	}
	if !isXMLChar(r) {
		return 0, 0
	}
	return r, end + 1
}

// isXMLChar reports whether XML 1.0 allows a character. Half a surrogate pair
// passes, as it does in encoding/xml, and becomes U+FFFD.
func isXMLChar(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' || r >= ' ' && r <= 0xFFFD || r >= 0x10000
}

// appendXMLText adds the text of an element's content, which has been checked:
// references are resolved, CDATA is text, comments and elements are left out,
// and line ends are \n.
func appendXMLText(dst, content []byte) []byte {
	depth := 0
	for i := 0; i < len(content); {
		at := bytes.IndexAny(content[i:], "&<\r")
		if at < 0 {
			at = len(content) - i
		}
		if depth == 0 {
			dst = append(dst, content[i:i+at]...)
		}
		if i += at; i == len(content) {
			break
		}
		switch content[i] {
		case '&':
			r, size := reference(content[i:])
			if depth == 0 {
				dst = utf8.AppendRune(dst, r)
			}
			i += max(size, 1)
		case '\r':
			dst, i = appendLineEnd(dst, content, i, depth)
		default:
			t, err := readTag(content, i)
			if err != nil {
				return dst
			}
			switch {
			case t.kind == tagCDATA && depth == 0:
				dst = appendFeeds(dst, t.inner)
			case t.kind == tagStart && !t.empty:
				depth++
			case t.kind == tagEnd:
				depth--
			}
			i = t.end
		}
	}
	return dst
}

// appendLineEnd adds the line feed that the carriage return content[i], and a
// line feed after it, stand for.
func appendLineEnd(dst, content []byte, i, depth int) ([]byte, int) {
	if depth == 0 {
		dst = append(dst, '\n')
	}
	if i++; i < len(content) && content[i] == '\n' {
		i++
	}
	return dst, i
}

// appendFeeds adds text with its line ends made \n.
func appendFeeds(dst, text []byte) []byte {
	for i := 0; i < len(text); {
		at := bytes.IndexByte(text[i:], '\r')
		if at < 0 {
			return append(dst, text[i:]...)
		}
		dst = append(dst, text[i:i+at]...)
		dst, i = appendLineEnd(dst, text, i+at, 0)
	}
	return dst
}
