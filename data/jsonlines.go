package data

// jsonLines is a JSON object in each line. Empty lines are left out.
type jsonLines struct{ objects *objects }

func (j *jsonLines) next(text []byte, last bool, r *row) (int, error) {
	for n := 0; ; {
		content, size, err := line(text[n:], last)
		if err != nil {
			return n, err
		}
		from, end := n, n+len(content)
		n += size
		i := space(text[:end], from)
		if i == end {
			continue
		}
		if text[i] != '{' {
			return n, notObject(text[:end], i)
		}
		i, err = j.objects.read(text[:end], i, r)
		if err == errMore {
			return n, faultf(end, "the object does not end on the line where it begins").
				withHint("an object that takes several lines can stand in a JSON array: [ … ]")
		}
		if err != nil {
			return n, err
		}
		if i = space(text[:end], i); i < end {
			return n, faultf(i, "found %s after the object", found(text, i))
		}
		r.raw = text[from:end]
		return n, nil
	}
}

// notObject is the fault of a row that is something else.
func notObject(text []byte, i int) *fault {
	return faultf(i, "found %s where a JSON object has to begin", found(text, i))
}
