package data

import (
	"bytes"
	"unicode/utf8"
)

// What a tag is.
const (
	tagStart = iota
	tagEnd
	tagCDATA
	tagOther // a comment, a declaration, an instruction
)

// tag is what stands between < and > in XML, or a comment or the like.
type tag struct {
	kind  int
	name  []byte // of tagStart and tagEnd
	empty bool   // <name/>
	inner []byte // of tagCDATA
	end   int    // where the text goes on
}

// readTag reads what begins with the < that is text[i].
func readTag(text []byte, i int) (tag, error) {
	if i+1 == len(text) {
		return tag{}, errMore
	}
	switch text[i+1] {
	case '/':
		return readEndTag(text, i)
	case '?':
		return readUntil(text, i, 2, "?>", tagOther)
	case '!':
		for _, m := range []struct {
			begin, end string
			kind       int
		}{{"<!--", "-->", tagOther}, {"<![CDATA[", "]]>", tagCDATA}, {"<!DOCTYPE", ">", tagOther}} {
			rest := text[i:min(len(text), i+len(m.begin))]
			if string(rest) == m.begin {
				return readUntil(text, i, len(m.begin), m.end, m.kind)
			}
			if len(rest) < len(m.begin) && string(rest) == m.begin[:len(rest)] {
				return tag{}, errMore
			}
		}
		return tag{}, faultf(i, "found %s, which is no markup of XML", quoted(text[i:min(len(text), i+9)]))
	}
	return readStartTag(text, i)
}

// readUntil reads what ends with end.
func readUntil(text []byte, i, skip int, end string, kind int) (tag, error) {
	from := i + skip
	at := bytes.Index(text[from:], []byte(end))
	if at < 0 {
		return tag{}, errMore
	}
	return tag{kind: kind, inner: text[from : from+at], end: from + at + len(end)}, nil
}

// readEndTag reads </name>.
func readEndTag(text []byte, i int) (tag, error) {
	end := bytes.IndexByte(text[i:], '>')
	if end < 0 {
		return tag{}, errMore
	}
	end += i
	name := bytes.TrimRight(text[i+2:end], " \t\r\n")
	if n := nameEnd(text, i+2); n == i+2 || n != i+2+len(name) {
		return tag{}, faultf(i, "found %s, which is no end tag", quoted(text[i:end+1]))
	}
	return tag{kind: tagEnd, name: name, end: end + 1}, nil
}

// readStartTag reads <name attribute="value">.
func readStartTag(text []byte, i int) (tag, error) {
	from := i + 1
	n := nameEnd(text, from)
	if n == len(text) {
		return tag{}, errMore
	}
	if n == from {
		return tag{}, faultf(i, `found "<" and %s after it, which begins no tag`, found(text, n)).
			withHint("within text, < is written &lt;")
	}
	t := tag{kind: tagStart, name: text[from:n]}
	for {
		n = space(text, n)
		if n+1 < len(text) && text[n] == '/' && text[n+1] == '>' {
			t.empty, t.end = true, n+2
			return t, nil
		}
		if n < len(text) && text[n] == '>' {
			t.end = n + 1
			return t, nil
		}
		from = n
		n = space(text, nameEnd(text, n))
		if n >= len(text) || n+1 == len(text) && text[n] == '/' {
			return tag{}, errMore
		}
		if n == from || text[n] != '=' {
			return tag{}, faultf(n, "found %s within the tag <%s>", found(text, n), clip(t.name))
		}
		n = space(text, n+1)
		if n == len(text) {
			return tag{}, errMore
		}
		if text[n] != '"' && text[n] != '\'' {
			return tag{}, faultf(n, "found %s where the value of an attribute has to stand in quotes", found(text, n))
		}
		quote := bytes.IndexByte(text[n+1:], text[n])
		if quote < 0 {
			return tag{}, errMore
		}
		n += quote + 2
	}
}

// nameEnd returns where the name at text[i] ends.
func nameEnd(text []byte, i int) int {
	for i < len(text) {
		switch c := text[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_', c == ':', c == '-', c == '.', c >= utf8.RuneSelf:
			i++
		default:
			return i
		}
	}
	return i
}
