package data

import (
	"bytes"
	"io"
)

// magicSize is how many bytes tell how a file is compressed.
const magicSize = 10

// compression is a way to compress that the first bytes of a file tell.
type compression struct {
	name  string
	is    func(magic []byte) bool
	open  func(*packedBytes) (io.Reader, error) // nil: known, but not read
	close func(io.Reader)
}

func starts(prefix string) func([]byte) bool {
	return func(magic []byte) bool { return bytes.HasPrefix(magic, []byte(prefix)) }
}

// compressions are all that are known.
func compressions() []compression {
	return []compression{
		{name: "gzip", is: starts("\x1f\x8b"), open: openGzip},
		{name: "bzip2", is: isBzip2, open: openBzip2},
		{name: "zstd", is: isZstd, open: openZstd, close: closeZstd},
		{name: "xz", is: starts("\xfd7zXZ\x00")},
		{name: "zip", is: starts("PK\x03\x04")},
		{name: "lz4", is: starts("\x04\x22\x4d\x18")},
		{name: "7-zip", is: starts("7z\xbc\xaf\x27\x1c")},
		{name: "parquet", is: starts("PAR1")},
	}
}

// isBzip2 knows the file header and the header of a block, or of the end of an
// empty file, which follows.
func isBzip2(magic []byte) bool {
	return len(magic) >= 10 && string(magic[:3]) == "BZh" && magic[3] >= '1' && magic[3] <= '9' &&
		(string(magic[4:10]) == "1AY&SY" || string(magic[4:10]) == "\x17\x72\x45\x38\x50\x90")
}

// isZstd knows a frame, and a frame to be skipped.
func isZstd(magic []byte) bool {
	return starts("\x28\xb5\x2f\xfd")(magic) ||
		len(magic) >= 4 && magic[0]&0xf0 == 0x50 && string(magic[1:4]) == "\x2a\x4d\x18"
}

// compressionOf returns how a file that begins with magic is compressed.
func compressionOf(magic []byte) (compression, bool) {
	for _, c := range compressions() {
		if c.is(magic) {
			return c, true
		}
	}
	return compression{}, false
}
