package data

import "math/bits"

// index knows where rows are. Sixty-four rows share a place, to which each adds
// a distance in as few bytes as the largest of theirs takes: mostly two bytes a
// row, one for short ones, so that fifty million rows take about 100 MiB. Rows
// may be far more, and then short: a coarse index knows only the place of the
// first of a group, which grows as there are more, and the others are found from
// the sizes that each begins with.
type index struct {
	rows    uint64
	groups  [][]group // groupPiece each but the last
	pieces  [][]byte  // distances; a group's are in one piece
	pending [groupRows]uint64
	coarse  bool
	doubled uint // of a coarse one: how often groups have become twice as large
}

const (
	groupBits  = 6
	groupRows  = 1 << groupBits
	pieceBits  = 20
	pieceSize  = 1 << pieceBits
	groupPiece = 1 << groupPieceBits

	groupPieceBits = 16
	groupSize      = 16 // bytes of a group
)

// group is where sixty-four rows are, or more in a coarse index.
type group struct {
	base uint64
	// where the distances are, as if all pieces stood side by side, times four,
	// plus the logarithm of the bytes that each takes.
	where uint32
}

// group returns the group with a number.
func (x *index) group(n uint64) *group {
	return &x.groups[n>>groupPieceBits][n&(groupPiece-1)]
}

// distances returns those of a group from its row k on, and the bytes of each.
func (x *index) distances(g *group, k int) ([]byte, int) {
	width := 1 << (g.where & 3)
	at := g.where >> 2
	return x.pieces[at>>pieceBits][int(at&(pieceSize-1))+k*width:], width
}

// add notes the place of the next row, which is not before the one before.
func (x *index) add(place uint64) {
	if x.coarse {
		if x.rows&(groupRows<<x.doubled-1) == 0 {
			x.append(group{base: place})
		}
		x.rows++
		return
	}
	k := x.rows % groupRows
	x.pending[k] = place
	x.rows++
	if k == groupRows-1 {
		x.flush(groupRows)
	}
}

// append adds a group. The first piece of them grows, as most files are small.
func (x *index) append(g group) {
	last := len(x.groups) - 1
	if last < 0 || len(x.groups[last]) == groupPiece {
		size := groupPiece
		if last++; last == 0 {
			size = 1
		}
		x.groups = append(x.groups, make([]group, 0, size))
	}
	x.groups[last] = append(x.groups[last], g)
}

// flush makes a group of the pending rows.
func (x *index) flush(n int) {
	width := widthOf(x.pending[n-1] - x.pending[0])
	if k := len(x.pieces); k == 0 || len(x.pieces[k-1])+n*width > pieceSize {
		// The first piece grows, too.
		size := pieceSize
		if k == 0 {
			size = n * width
		}
		x.pieces = append(x.pieces, make([]byte, 0, size))
	}
	last := len(x.pieces) - 1
	piece := x.pieces[last]
	at := last<<pieceBits + len(piece)
	x.append(group{x.pending[0], uint32(at<<2 + bits.TrailingZeros(uint(width)))})
	for _, place := range x.pending[:n] {
		piece = appendWide(piece, place-x.pending[0], width)
	}
	x.pieces[last] = piece
}

// size is the bytes of memory that it takes.
func (x *index) size() (bytes int64) {
	for _, piece := range x.pieces {
		bytes += int64(cap(piece))
	}
	for _, list := range x.groups {
		bytes += groupSize * int64(cap(list))
	}
	return bytes
}

// coarsen makes it smaller: a coarse one, or one of groups twice as large.
func (x *index) coarsen() {
	if !x.coarse {
		if x.rows%groupRows > 0 {
			x.append(group{base: x.pending[0]})
		}
		x.coarse, x.pieces = true, nil
		return
	}
	x.doubled++
	kept := uint64(0)
	for piece, list := range x.groups {
		for k := 0; k < len(list); k += 2 { // a piece that is followed by another is even
			*x.group(kept) = group{base: x.groups[piece][k].base}
			kept++
		}
	}
	pieces := int((kept + groupPiece - 1) >> groupPieceBits)
	clear(x.groups[pieces:])
	x.groups = x.groups[:pieces]
	x.groups[pieces-1] = x.groups[pieces-1][:kept-uint64(pieces-1)<<groupPieceBits]
}

// finish notes where the last row ends. Nothing may be added after it.
func (x *index) finish(end uint64) {
	if x.coarse {
		return
	}
	if n := int(x.rows % groupRows); n > 0 {
		x.flush(n)
	}
	x.append(group{base: end})
}

// place returns where a row is, and where the next one or, after the last, the
// end is. What is between may be more than the row. The index is not coarse.
func (x *index) place(row uint64) (from, to uint64) {
	g := x.group(row / groupRows)
	k := int(row % groupRows)
	distances, width := x.distances(g, k)
	from = g.base + readWide(distances, width)
	if k == groupRows-1 || row == x.rows-1 {
		return from, x.group(row/groupRows + 1).base
	}
	return from, g.base + readWide(distances[width:], width)
}

// near returns the place of a row that is skip rows before another. The index is
// coarse.
func (x *index) near(row uint64) (place, skip uint64) {
	size := uint64(groupRows) << x.doubled
	return x.group(row / size).base, row % size
}
