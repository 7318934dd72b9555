package data

import "bytes"

// The fields of abstracts.
const (
	xmlID = iota
	xmlTitle
	xmlURL
	xmlAbstract
	xmlTitleLen
	xmlURLLen
	xmlAbstractLen
	xmlFields
)

func xmlNames() []string {
	return []string{"id", "title", "url", "abstract", "title_len", "url_len", "abstract_len"}
}

// titlePrefix is what the titles of the English dumps begin with. It says
// nothing, and the published measurements leave it out.
const titlePrefix = "Wikipedia: "

// abstracts is Wikipedia's <feed> of <doc>s.
type abstracts struct {
	open     [][]byte // names of elements that are open
	begun    bool     // <feed> has been read
	finished bool
	seek     xmlSeek
}

func (a *abstracts) next(text []byte, last bool, r *row) (int, error) {
	n := 0
	if a.seek.on && !a.finished {
		at, err := a.seek.doc(text, last)
		if err != nil {
			a.finished = err != errMore
			return at, err
		}
		n = at
	}
	for {
		at := bytes.IndexByte(text[n:], '<')
		if at < 0 {
			return a.noMore(text, n, last)
		}
		if stray := firstOther(text[n : n+at]); stray >= 0 && !a.begun {
			return n, lost(n+stray, "found %s where <feed> has to begin", found(text, n+stray))
		} else if stray >= 0 {
			return n + at, faultf(n+stray, "found %s between elements", found(text, n+stray)).costsNoRow()
		}
		n += at
		t, err := readTag(text, n)
		if err == errMore && last {
			a.finished = true
			wrong := faultf(n, "the file ends within this tag")
			wrong.rowless = !mayBeDoc(text[n:])
			return len(text), wrong
		}
		if err == errMore {
			return n, errMore
		}
		if err != nil {
			return a.lookFrom(n + 1), err
		}
		switch {
		case t.kind == tagOther:
			n = t.end
		case !a.begun && t.kind == tagStart && string(t.name) == "feed":
			a.begun, n = true, t.end
			a.finished = t.empty
		case !a.begun:
			return n, lost(n, "found <%s> where <feed> has to begin", clip(t.name)).
				withHint("only Wikipedia's abstract dumps are read as XML, like enwiki-latest-abstract.xml.gz")
		case a.finished:
			return t.end, lost(n, "found <%s> after </feed>", clip(t.name))
		case t.kind == tagEnd && string(t.name) == "feed":
			a.finished, n = true, t.end
		case t.kind == tagStart && string(t.name) == "doc":
			return a.doc(text, n, t, last, r)
		case t.kind == tagCDATA:
			return t.end, faultf(n, "found a CDATA section between elements").costsNoRow()
		case t.kind == tagEnd:
			return t.end, faultf(n, "found </%s> where <doc> or </feed> has to stand", clip(t.name)).costsNoRow()
		default:
			return a.lookFrom(t.end), faultf(n, "found <%s> where <doc> or </feed> has to stand", clip(t.name))
		}
	}
}

// noMore says what it means that no tag follows in text[n:].
func (a *abstracts) noMore(text []byte, n int, last bool) (int, error) {
	stray := firstOther(text[n:])
	switch {
	case stray >= 0 && !a.begun:
		return n, lost(n+stray, "found %s where <feed> has to begin", found(text, n+stray))
	case stray >= 0 && !last:
		return n, errMore // it ends at a tag
	case stray >= 0:
		return len(text), faultf(n+stray, "found %s between elements", found(text, n+stray)).costsNoRow()
	case !last:
		return len(text), errMore
	case a.finished:
		return len(text), errEnd
	}
	a.finished = true
	return len(text), faultf(len(text), "the file ends before </feed>").costsNoRow()
}

// doc reads what follows the tag <doc>, which is text[from:start.end].
func (a *abstracts) doc(text []byte, from int, start tag, last bool, r *row) (int, error) {
	r.fields = append(r.fields[:0], make([]value, xmlFields)...)
	if start.empty {
		return start.end, finishDoc(r, text[from:start.end])
	}
	a.open = a.open[:0]
	field, content := -1, 0 // the field that is open, and where its text begins
	for n := start.end; ; {
		at := bytes.IndexByte(text[n:], '<')
		var t tag
		err := errMore
		if at >= 0 {
			n += at
			t, err = readTag(text, n)
		}
		if err == errMore && !last {
			return from, errMore
		}
		if err == errMore {
			a.finished = true
			return len(text), faultf(from, "the file ends within this <doc>")
		}
		if err != nil {
			return a.lookFrom(start.end), err
		}
		switch depth := len(a.open); {
		case t.kind == tagStart && depth == 0 && fieldOf(t.name) >= 0:
			field, content = fieldOf(t.name), t.end
			if r.fields[field].kind != absent {
				return a.lookFrom(start.end), faultf(n, "<%s> stands twice in this <doc>", t.name)
			}
			if t.empty {
				r.fields[field] = value{text[t.end:t.end], xmlPlain}
			} else {
				a.open = append(a.open, t.name)
			}
		case t.kind == tagStart && !t.empty:
			if string(t.name) == "doc" {
				return n, faultf(n, "found <doc> within the one before, which is not closed")
			}
			a.open = append(a.open, t.name)
		case t.kind == tagEnd && depth == 0 && string(t.name) == "doc":
			return t.end, finishDoc(r, text[from:t.end])
		case t.kind == tagEnd && (depth == 0 || !bytes.Equal(t.name, a.open[depth-1])):
			return a.lookFrom(start.end), faultf(n, "found </%s> where </%s> has to stand", clip(t.name), clip(a.innermost()))
		case t.kind == tagEnd:
			a.open = a.open[:depth-1]
			if depth == 1 && fieldOf(t.name) >= 0 {
				v, err := xmlValue(text, content, n)
				if err != nil {
					return a.lookFrom(start.end), err
				}
				r.fields[field] = v
			}
		}
		n = t.end
	}
}

// innermost is the name of the element that has to be closed next.
func (a *abstracts) innermost() []byte {
	if len(a.open) == 0 {
		return []byte("doc")
	}
	return a.open[len(a.open)-1]
}

// finishDoc adds what follows from title, url and abstract.
func finishDoc(r *row, raw []byte) error {
	r.raw = raw
	title := &r.fields[xmlTitle]
	title.raw = bytes.TrimPrefix(title.raw, []byte(titlePrefix))
	for k := range 3 {
		v := &r.fields[xmlTitle+k]
		if v.kind == absent {
			*v = value{raw[:0], xmlPlain}
		}
		count := xmlCount
		if v.kind == xmlMixed {
			count = xmlMixedCount
		}
		r.fields[xmlTitleLen+k] = value{v.raw, count}
	}
	r.fields[xmlID] = value{raw[:0], rowNumber}
	return nil
}

// fieldOf returns the number of the field that an element is, or -1.
func fieldOf(name []byte) int {
	switch string(name) {
	case "title":
		return xmlTitle
	case "url":
		return xmlURL
	case "abstract":
		return xmlAbstract
	}
	return -1
}

// lookFrom leaves out what comes before the next <doc> after text[:i].
func (a *abstracts) lookFrom(i int) int {
	a.seek = xmlSeek{on: true}
	return i
}

// firstOther returns where the first byte that is not white space is, or -1.
func firstOther(text []byte) int {
	if i := space(text, 0); i < len(text) {
		return i
	}
	return -1
}

// clip shortens a name for a message.
func clip(name []byte) []byte { return name[:min(len(name), quotedBytes)] }
