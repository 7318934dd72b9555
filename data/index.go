package data

// index knows where rows are. Sixty-four rows share a place, to which each adds
// a distance in as few bytes as the largest of theirs takes: mostly two bytes a
// row, one for short ones, so that fifty million rows take about 100 MiB.
type index struct {
	rows    uint64
	groups  []group
	pieces  [][]byte          // distances; a group's are in one piece
	pending [groupRows]uint64 // places of the rows that are in no group yet
}

const (
	groupRows = 64
	pieceSize = 1 << 20
)

// group is where sixty-four rows are.
type group struct {
	base  uint64
	piece uint32
	at    uint32 // in the piece
	width uint8  // bytes of a distance
}

// add notes the place of the next row, which is not before the one before.
func (x *index) add(place uint64) {
	k := x.rows % groupRows
	x.pending[k] = place
	x.rows++
	if k == groupRows-1 {
		x.flush(groupRows)
	}
}

// flush makes a group of the pending rows.
func (x *index) flush(n int) {
	width := widthOf(x.pending[n-1] - x.pending[0])
	if k := len(x.pieces); k == 0 || len(x.pieces[k-1])+n*width > pieceSize {
		// The first piece grows, as most files are small.
		size := pieceSize
		if k == 0 {
			size = n * width
		}
		x.pieces = append(x.pieces, make([]byte, 0, size))
	}
	last := len(x.pieces) - 1
	piece := x.pieces[last]
	x.groups = append(x.groups, group{x.pending[0], uint32(last), uint32(len(piece)), uint8(width)})
	for _, place := range x.pending[:n] {
		piece = appendWide(piece, place-x.pending[0], width)
	}
	x.pieces[last] = piece
}

// finish notes where the last row ends. Nothing may be added after it.
func (x *index) finish(end uint64) {
	if n := int(x.rows % groupRows); n > 0 {
		x.flush(n)
	}
	x.groups = append(x.groups, group{base: end})
}

// place returns where a row is, and where the next one or, after the last, the
// end is. What is between may be more than the row.
func (x *index) place(row uint64) (from, to uint64) {
	g := &x.groups[row/groupRows]
	k := int(row % groupRows)
	width := int(g.width)
	distances := x.pieces[g.piece][int(g.at)+k*width:]
	from = g.base + readWide(distances, width)
	if k == groupRows-1 || row == x.rows-1 {
		return from, x.groups[row/groupRows+1].base
	}
	return from, g.base + readWide(distances[width:], width)
}
