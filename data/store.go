package data

import (
	"encoding/binary"
	"os"
	"runtime/debug"
)

const (
	// memoryLimit is how many bytes of rows, and of the index of where they are,
	// are kept in memory; half of it may be the index.
	memoryLimit = 256 << 20
	// minIndex is what an index may take however little memory is left.
	minIndex  = 16 << 20
	chunkBits = 22
	chunkSize = 1 << chunkBits
)

// store holds the columns of all rows. A row is the sizes of its columns, as
// varints, and then the columns. Rows are in chunks; none lies across two, but
// one that is larger than a chunk has a longer one for itself. The place of a
// row counts as if all chunks but those stood side by side with chunkSize bytes
// each; it is also the place in the file that takes the chunks when they are
// too many for memory.
type store struct {
	index  index
	limit  int64
	taken  int64    // of a Room
	chunks [][]byte // nil behind a long one, as many as it covers
	now    []byte   // the chunk that is being filled; its place is after chunks
	place  uint64   // of now
	ends   []uint64 // of each chunk that has been ended; as many as it covers
	file   *os.File // nil as long as all is in memory
	name   string   // of the file, if it could not be unlinked
}

// add stores a row.
func (s *store) add(sizes []int, columns []byte) error {
	if len(sizes) == 0 {
		s.index.coarse = true // it need not know any place, as nothing will be read
		s.index.rows++
		return nil
	}
	var head [4 * binary.MaxVarintLen32]byte
	h := head[:0]
	for _, n := range sizes {
		h = binary.AppendUvarint(h, uint64(n))
	}
	if size := len(h) + len(columns); len(s.now)+size > chunkSize && len(s.now) > 0 {
		if err := s.seal(size); err != nil {
			return err
		}
	}
	s.index.add(s.place + uint64(len(s.now)))
	s.now = append(append(s.now, h...), columns...)
	return nil
}

// seal ends a chunk, and begins one that has room for next bytes. The first
// chunk grows, as most files are small; later ones are made whole.
func (s *store) seal(next int) error {
	for s.index.size() > max(s.limit/2, minIndex) {
		s.index.coarsen()
	}
	if s.file == nil && s.size() > s.limit {
		if err := s.spill(); err != nil {
			return err
		}
	}
	slots := s.end()
	if s.file != nil {
		if err := s.write(s.now, s.place); err != nil {
			return err
		}
		s.place += uint64(slots) << chunkBits
		if s.now = s.now[:0]; cap(s.now) > 2*chunkSize {
			s.now = make([]byte, 0, chunkSize)
		}
		return nil
	}
	s.chunks = append(s.chunks, s.now)
	s.chunks = append(s.chunks, make([][]byte, slots-1)...)
	s.place += uint64(slots) << chunkBits
	s.now = newChunk(max(chunkSize, next))
	return nil
}

// end notes where a chunk ends, and returns how many it covers.
func (s *store) end() (slots int) {
	slots = max(1, (len(s.now)+chunkSize-1)>>chunkBits)
	for range slots {
		s.ends = append(s.ends, s.place+uint64(len(s.now)))
	}
	return slots
}

// size is the bytes of memory that rows and index take.
func (s *store) size() int64 {
	if s.file != nil {
		return s.index.size()
	}
	return int64(s.place) + int64(len(s.now)) + s.index.size()
}

// finish ends the last chunk.
func (s *store) finish() error {
	s.index.finish(s.place + uint64(len(s.now)))
	s.end()
	if s.file == nil && s.size() > s.limit {
		if err := s.spill(); err != nil {
			return err
		}
	}
	if s.file != nil {
		err := s.write(s.now, s.place)
		s.now = nil
		return err
	}
	s.chunks = append(s.chunks, s.now)
	s.now = nil
	return nil
}

// spill moves the chunks from memory to a file, and gives the memory back to
// the system: the rows that are to come would otherwise come on top of it.
func (s *store) spill() error {
	if err := s.openSpool(); err != nil {
		return err
	}
	for k, chunk := range s.chunks {
		if chunk == nil {
			continue
		}
		if err := s.write(chunk, uint64(k)<<chunkBits); err != nil {
			return err
		}
		s.chunks[k] = nil
	}
	s.chunks = nil
	debug.FreeOSMemory()
	return nil
}

// begin returns where the row begins that follows one which ends at a place.
func (s *store) begin(place uint64) uint64 {
	if place&(chunkSize-1) == 0 || s.ends[place>>chunkBits] != place {
		return place
	}
	return (place>>chunkBits + 1) << chunkBits
}

// memory returns what is in memory at a place; to may be beyond it.
func (s *store) memory(from, to uint64) []byte {
	chunk := s.chunks[from>>chunkBits]
	at := from & (chunkSize - 1)
	return chunk[at:min(at+to-from, uint64(len(chunk)))]
}
