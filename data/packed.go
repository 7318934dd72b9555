package data

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"sync/atomic"
)

// packedBytes is the bytes of a compressed file.
type packedBytes struct {
	*bufio.Reader
	read *atomic.Int64 // how many the Reader has been given
}

// at is how many bytes of the file have been taken.
func (p *packedBytes) at() int64 { return p.read.Load() - int64(p.Buffered()) }

// trailingError says that something else follows compressed data, which ends
// at a byte of the file.
type trailingError struct{ end int64 }

// Error returns the problem without the file.
func (e *trailingError) Error() string {
	return fmt.Sprintf("other bytes follow the end of the compressed data, which is at byte %d", e.end)
}

// follows looks at what comes where compressed data ends. It is nil where more
// of it begins, which is tells by size bytes; io.EOF where the file ends, too, or
// is only padded; and otherwise says that something else follows.
func (p *packedBytes) follows(size int, is func(magic []byte) bool) error {
	magic, err := p.Peek(size)
	switch {
	case is(magic):
		return nil
	case err != nil && err != io.EOF:
		return err
	}
	return p.padding(p.at())
}

// padding is io.EOF if there is nothing but zeros, as those that copy whole
// blocks leave behind a file that ended at end.
func (p *packedBytes) padding(end int64) error {
	for {
		switch b, err := p.ReadByte(); {
		case err != nil:
			return err
		case b != 0:
			return &trailingError{end}
		}
	}
}

// gzipMembers unpacks gzip data. Of package gzip it takes one member after the
// other, to know what follows the last.
type gzipMembers struct {
	*gzip.Reader
	packed *packedBytes
}

func openGzip(p *packedBytes) (io.Reader, error) {
	z, err := gzip.NewReader(p.Reader)
	if err != nil {
		return nil, err
	}
	z.Multistream(false)
	return &gzipMembers{z, p}, nil
}

// Read implements io.Reader.
func (g *gzipMembers) Read(dst []byte) (int, error) {
	for {
		n, err := g.Reader.Read(dst)
		if err != io.EOF {
			return n, err
		}
		if n > 0 {
			return n, nil // the end comes again
		}
		if err := g.packed.follows(2, starts("\x1f\x8b")); err != nil {
			return 0, err
		}
		if err := g.Reset(g.packed.Reader); err != nil {
			return 0, err
		}
		g.Multistream(false)
	}
}

// bzip2Streams unpacks bzip2 data. Package bzip2 does not tell what follows the
// last stream from what is wrong within one, but has taken at most two bytes of
// it then.
type bzip2Streams struct {
	unpacked io.Reader
	taken    *takenBytes
}

// takenBytes remembers the last bytes that were taken one by one.
type takenBytes struct {
	*packedBytes
	last [16]byte
	n    int
}

// ReadByte implements io.ByteReader.
func (t *takenBytes) ReadByte() (byte, error) {
	b, err := t.packedBytes.ReadByte()
	if err == nil {
		t.last[t.n%len(t.last)] = b
		t.n++
	}
	return b, err
}

// before returns the n bytes that came before the last skip ones.
func (t *takenBytes) before(skip, n int) []byte {
	var list []byte
	for i := max(0, t.n-skip-n); i < t.n-skip; i++ {
		list = append(list, t.last[i%len(t.last)])
	}
	return list
}

func openBzip2(p *packedBytes) (io.Reader, error) {
	taken := &takenBytes{packedBytes: p}
	return &bzip2Streams{bzip2.NewReader(taken), taken}, nil
}

// Read implements io.Reader.
func (b *bzip2Streams) Read(dst []byte) (int, error) {
	n, err := b.unpacked.Read(dst)
	if err == nil || err == io.EOF {
		return n, err
	}
	for beyond := 1; beyond <= 2; beyond++ {
		if !isBzip2End(b.taken.before(beyond, bzip2EndSize)) {
			continue
		}
		end := b.taken.at() - int64(beyond)
		switch found := b.taken.before(0, beyond); {
		case bytes.HasPrefix([]byte("BZ"), found): // another stream, cut off
			return n, err
		case len(bytes.Trim(found, "\x00")) > 0:
			return n, &trailingError{end}
		}
		return n, b.taken.padding(end)
	}
	return n, err
}

// bzip2EndSize is how many bytes the end of a stream touches: 48 bits that mark
// it, 32 of a checksum, and fewer than eight up to the next byte.
const bzip2EndSize = 11

// isBzip2End tells whether a stream ends with these bytes.
func isBzip2End(text []byte) bool {
	if len(text) != bzip2EndSize {
		return false
	}
	const mark = 0x177245385090
	bits := binary.BigEndian.Uint64(append([]byte{0}, text[:7]...))
	for shift := range 8 {
		if bits>>shift&(1<<48-1) == mark {
			return true
		}
	}
	return false
}
