package data

import (
	"encoding/binary"
	"io"
	"math"

	"github.com/klauspost/compress/zstd"
)

// zstdFrames passes zstd data on as it is, up to where its last frame ends. The
// decoder of package zstd does not tell what follows that from what is wrong
// within a frame. It reads the sizes of frames and blocks (RFC 8878) and no more:
// what is wrong with them is for the decoder to say.
type zstdFrames struct {
	packed   *packedBytes
	left     int64 // bytes of the piece that is being passed on
	within   bool  // behind it a block follows, otherwise a frame
	checksum int64 // bytes that follow the last block of this frame
}

// openZstd bounds the memory to what zstd takes with --long.
func openZstd(p *packedBytes) (io.Reader, error) {
	return zstd.NewReader(&zstdFrames{packed: p}, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(128<<20))
}

func closeZstd(r io.Reader) {
	if z, ok := r.(*zstd.Decoder); ok {
		z.Close()
	}
}

// Read implements io.Reader.
func (z *zstdFrames) Read(dst []byte) (int, error) {
	for z.left == 0 {
		if !z.within {
			if err := z.packed.follows(4, isZstd); err != nil {
				return 0, err
			}
			z.frame()
			continue
		}
		z.block()
	}
	n, err := z.packed.Read(dst[:min(int64(len(dst)), z.left)])
	z.left -= int64(n)
	return n, err
}

// header returns the next size bytes, without taking them. Where there are
// fewer, all that is left is passed on, for the decoder to miss the rest.
func (z *zstdFrames) header(size int) ([]byte, bool) {
	text, err := z.packed.Peek(size)
	if err != nil {
		z.left = math.MaxInt64
	}
	return text, err == nil
}

// frame makes the header of a frame, or a frame to be skipped, the next piece.
func (z *zstdFrames) frame() {
	text, ok := z.header(5)
	if !ok {
		return
	}
	if text[0]&0xf0 == 0x50 {
		if text, ok = z.header(8); ok {
			z.left = 8 + int64(binary.LittleEndian.Uint32(text[4:]))
		}
		return
	}
	descriptor := text[4]
	single := descriptor >> 5 & 1 // the window is as large as the content
	z.left = 5 + int64(1-single) +
		int64([...]byte{0, 1, 2, 4}[descriptor&3]) + // of the dictionary's number
		int64([...]byte{single, 2, 4, 8}[descriptor>>6]) // of the content's size
	z.within, z.checksum = true, int64(descriptor>>2&1)*4
}

// block makes a block the next piece, and what follows the last one.
func (z *zstdFrames) block() {
	text, ok := z.header(3)
	if !ok {
		return
	}
	header := uint32(text[0]) | uint32(text[1])<<8 | uint32(text[2])<<16
	size := int64(header >> 3)
	if header>>1&3 == 1 { // one byte, repeated
		size = 1
	}
	z.left = 3 + size
	if header&1 == 1 {
		z.left += z.checksum
		z.within = false
	}
}
