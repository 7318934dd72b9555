package data

import "bytes"

// xmlSeek looks for the next <doc> after a fault. What stands in a comment, a
// CDATA section or an instruction is none; otherwise nothing is taken to be
// well-formed.
type xmlSeek struct {
	on     bool
	end    string // what ends the comment or the like that has been entered
	closed bool   // </feed> has been passed, and no tag after it
}

// doc returns where <doc> begins, and is off then. Otherwise it returns how much
// of the text is done with, and errMore, errEnd or a fault.
func (x *xmlSeek) doc(text []byte, last bool) (int, error) {
	for n := 0; ; {
		if x.end != "" {
			at := bytes.Index(text[n:], []byte(x.end))
			if at < 0 && last {
				x.on = false
				return len(text), faultf(len(text), "the file ends before %s of what was left out", quoted([]byte(x.end)))
			}
			if at < 0 {
				return max(n, len(text)-len(x.end)+1), errMore
			}
			n += at + len(x.end)
			x.end = ""
		}
		at := bytes.IndexByte(text[n:], '<')
		if at < 0 {
			return len(text), x.ended(len(text), last)
		}
		n += at
		rest := text[n:]
		switch {
		case isTag(rest, "<doc"):
			x.on = false
			return n, nil
		case bytes.HasPrefix(rest, []byte("<!--")):
			x.end, n = "-->", n+4
		case bytes.HasPrefix(rest, []byte("<![CDATA[")):
			x.end, n = "]]>", n+9
		case bytes.HasPrefix(rest, []byte("<?")):
			x.end, n = "?>", n+2
		case len(rest) < len("<![CDATA[") && !last:
			return n, errMore
		case last && mayBeDoc(rest):
			x.on = false // the end of the file cuts it
			return n, nil
		default:
			x.closed = isTag(rest, "</feed")
			n++
		}
	}
}

// ended is errMore, or what it means that the file ends at text[:at].
func (x *xmlSeek) ended(at int, last bool) error {
	if !last {
		return errMore
	}
	x.on = false
	if x.closed {
		return errEnd
	}
	return faultf(at, "the file ends before </feed>").costsNoRow()
}

// isTag reports whether text begins with a tag of this name.
func isTag(text []byte, name string) bool {
	return len(text) > len(name) && string(text[:len(name)]) == name && bytes.IndexByte([]byte(" \t\r\n/>"), text[len(name)]) >= 0
}

// mayBeDoc reports whether text, which a file ends with, can be the beginning of
// a <doc>.
func mayBeDoc(text []byte) bool {
	const tag = "<doc"
	return len(text) > 1 && string(text[:min(len(text), len(tag))]) == tag[:min(len(text), len(tag))] &&
		(len(text) <= len(tag) || isTag(text, tag))
}
