package data

// lines is text of which each line is a row, also an empty one: row i is line
// i.
type lines struct{}

func (lines) next(text []byte, last bool, r *row) (int, error) {
	content, n, err := line(text, last)
	if err != nil {
		return 0, err
	}
	r.raw = content
	r.fields = append(r.fields[:0], value{content, plain})
	return n, nil
}
