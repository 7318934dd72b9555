package data

const (
	// expected is how many calls of Expect lie between asking for the index
	// entry of a row and for the row itself, which the entry has to be read for.
	expected = 4
	lineSize = 64
	// maxLines is how much of a row is asked for: where a longer one is read,
	// the processor soon sees by itself what comes next.
	maxLines = 16
)

// Expect says that a row, below Rows, is going to be the current one, best 2 *
// expected calls of Seek later. Rows in memory that are read in no order are in
// no cache, and reading one takes several times as long as rendering it; the
// caches get one that is expected meanwhile.
func (r *Reader) Expect(row uint64) {
	s := &r.source.store
	if s.file != nil || s.index.coarse {
		return
	}
	s.index.warm(row)
	next := &r.expected[r.expects%expected]
	r.expects++
	from, to := s.index.place(*next)
	*next = row
	if m := s.memory(from, to); len(m) > 0 {
		warm(&m[0], min((len(m)+lineSize-1)/lineSize, maxLines))
	}
}

// warm asks for the entry of a row.
func (x *index) warm(row uint64) {
	distances, _ := x.distances(x.group(row/groupRows), int(row%groupRows))
	warm(&distances[0], 1)
}
