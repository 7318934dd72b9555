package data

// jsonArray is one array of JSON objects.
type jsonArray struct {
	objects  *objects
	begun    bool // the bracket has been read
	first    bool // an element may stand here without a comma before it
	finished bool
	seek     jsonSeek // after a fault: the end of the element
	problem  string   // the fault
}

func (j *jsonArray) next(text []byte, last bool, r *row) (int, error) {
	n := 0
	if j.seek.on {
		n = j.seek.end(text, 0)
	}
	if j.seek.on && !last {
		return n, errMore
	}
	if j.seek.on || j.seek.failed {
		j.finished, j.seek = true, jsonSeek{}
		wrong := lost(n, "%s, and where this element of the array ends cannot be known", j.problem)
		wrong.passed = true
		return n, wrong
	}
	n = space(text, n)
	switch {
	case n == len(text) && last && (j.finished || !j.begun):
		return n, errEnd
	case n == len(text) && last:
		j.finished = true
		return n, faultf(n, "the file ends before the array does").costsNoRow()
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
		return j.noComma(text, n)
	}
	return j.element(text, n, space(text, n+1), last, r)
}

// noComma is the fault of something else than a comma after an element. Where it
// may begin one, that is the next.
func (j *jsonArray) noComma(text []byte, n int) (int, error) {
	wrong := faultf(n, "found %s where %s has to stand", found(text, n), separators(false))
	if text[n] == '{' || text[n] == '"' || text[n] == '[' {
		j.first = true
		return n, wrong.costsNoRow()
	}
	end := j.pass(text, n, wrong)
	wrong.rowless = text[n] == '}' && end == n+1
	return end, wrong
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
		wrong := faultf(i, "the file ends within this element of the array")
		wrong.rowless = i == len(text)
		return len(text), wrong
	case bad:
		// A field that stands twice leaves the JSON whole.
		if _, after, wrong := readValue(text, i); wrong == nil {
			j.first = false
			return after, f
		} else if wrong == errMore && !last {
			return from, errMore
		}
		f.rowless = text[i] == ',' || text[i] == ']' // there is no element
		return j.pass(text, i, f), f
	}
	j.first = false
	if !object {
		return end, notObject(text, i)
	}
	r.raw = r.object
	return end, nil
}

// pass steps over the element at text[i], which has a fault.
func (j *jsonArray) pass(text []byte, i int, f *fault) int {
	j.first = false
	j.problem = f.problem
	j.seek = jsonSeek{on: true, open: j.seek.open[:0], nested: text[i] == '{' || text[i] == '['}
	end := j.seek.end(text, i)
	f.open = j.seek.failed || j.seek.on
	return end
}

// lost is a fault after which no row can be found.
func lost(at int, format string, args ...any) *fault {
	f := faultf(at, format, args...)
	f.lost = true
	return f
}
