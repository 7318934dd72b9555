package data

import "encoding/binary"

// walk returns a row of which a coarse index knows only one before, or nil if
// the file cannot be read. The row after the one before is known.
func (r *Reader) walk(row uint64) []byte {
	s := &r.source.store
	place, skip := s.index.near(row)
	if row == r.next && row > 0 {
		place, skip = r.nextPlace, 0
	}
	for ; ; skip-- {
		place = s.begin(place)
		size, ok := r.size(place)
		if !ok {
			r.next = 0
			return nil
		}
		if skip == 0 {
			r.next, r.nextPlace = row+1, place+size
			return r.bytes(place, place+size)
		}
		place += size
	}
}

// size returns how many bytes the row at a place takes, with the sizes of its
// columns that it begins with.
func (r *Reader) size(place uint64) (size uint64, ok bool) {
	columns := len(r.cuts) - 1
	head := r.head(place, uint64(columns)*binary.MaxVarintLen32)
	for range columns {
		if len(head) == 0 {
			return 0, false
		}
		n, taken := uint64(head[0]), 1
		if n >= 0x80 {
			if n, taken = binary.Uvarint(head); taken <= 0 {
				return 0, false
			}
		}
		head = head[taken:]
		size += n + uint64(taken)
	}
	return size, true
}

// head returns the first bytes of the row at a place, up to most, and of what
// follows it.
func (r *Reader) head(place, most uint64) []byte {
	s := &r.source.store
	to := min(place+most, s.ends[place>>chunkBits])
	if s.file == nil {
		return s.memory(place, to)
	}
	if !r.has(place, to) && !r.fetch(place, max(r.amount(place, to-place), walkAhead), to-place) {
		return nil
	}
	return r.buf[place-r.place : to-r.place]
}
