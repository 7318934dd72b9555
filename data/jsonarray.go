package data

// jsonArray is one array of JSON objects.
type jsonArray struct {
	objects  *objects
	begun    bool // the bracket has been read
	first    bool // no element has been
	finished bool
}

func (j *jsonArray) next(text []byte, last bool, r *row) (int, error) {
	n := space(text, 0)
	switch {
	case n == len(text) && last && (j.finished || !j.begun):
		return n, errEnd
	case n == len(text) && last:
		j.finished = true
		return n, faultf(n, "the file ends before the array does")
	case n == len(text):
		return n, errMore
	case j.finished:
		return n, lost(n, "found %s after the array", found(text, n))
	case !j.begun:
		if text[n] != '[' {
			return n, lost(n, "found %s where an array has to begin", found(text, n))
		}
		j.begun, j.first = true, true
		return j.step(text, n+1, last, r)
	case text[n] == ']':
		j.finished = true
		return j.step(text, n+1, last, r)
	case j.first:
		return j.element(text, n, n, last, r)
	case text[n] != ',':
		return n, lost(n, "found %s where %s has to stand", found(text, n), separators(false))
	}
	return j.element(text, n, space(text, n+1), last, r)
}

// step goes on after n bytes of text.
func (j *jsonArray) step(text []byte, n int, last bool, r *row) (int, error) {
	more, err := j.next(text[n:], last, r)
	if f, ok := err.(*fault); ok {
		f.at += n
	}
	return n + more, err
}

// element reads the element at text[i]; from is where to begin again if it is
// not all there.
func (j *jsonArray) element(text []byte, from, i int, last bool, r *row) (int, error) {
	var end int
	var err error
	object := i < len(text) && text[i] == '{'
	if object {
		end, err = j.objects.read(text, i, r)
	} else {
		_, end, err = readValue(text, i)
	}
	// A number may go on in what is not here yet.
	if err == nil && end == len(text) && !last && !object {
		err = errMore
	}
	switch f, bad := err.(*fault); {
	case err == errMore && !last:
		return from, errMore
	case err == errMore:
		j.begun, j.finished = true, true
		return len(text), faultf(i, "the file ends within this element of the array")
	case bad:
		// A field that stands twice leaves the JSON whole.
		if _, after, wrong := readValue(text, i); wrong == nil {
			j.first = false
			return after, f
		} else if wrong == errMore && !last {
			return from, errMore
		}
		f.lost = true
		return end, f
	}
	j.first = false
	if !object {
		return end, notObject(text, i)
	}
	r.raw = r.object
	return end, nil
}

// lost is a fault after which no row can be found.
func lost(at int, format string, args ...any) *fault {
	f := faultf(at, format, args...)
	f.lost = true
	return f
}
