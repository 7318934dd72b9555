package data

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// hugePage is the size of a large page on most processors.
const hugePage = 2 << 20

// newChunk returns an empty chunk that can hold n bytes, in large pages if the
// system has some: a row that is drawn at random is in another page each time,
// and the processor knows the places of few pages at once. What it takes beyond n
// to begin where a page does is never touched.
func newChunk(n int) []byte {
	b := make([]byte, n+hugePage)
	skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) & (hugePage - 1)
	b = b[skip : skip+n : skip+n]
	if whole := n &^ (hugePage - 1); whole > 0 {
		_ = unix.Madvise(b[:whole], unix.MADV_HUGEPAGE) // or ordinary pages
	}
	return b[:0]
}
