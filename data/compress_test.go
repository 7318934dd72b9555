package data

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
)

// gzipped compresses parts, each as a member of its own.
func gzipped(t testing.TB, parts ...string) string {
	t.Helper()
	var all bytes.Buffer
	for _, part := range parts {
		z := gzip.NewWriter(&all)
		if _, err := z.Write([]byte(part)); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return all.String()
}

// zstandard compresses parts, each as a frame of its own.
func zstandard(t testing.TB, parts ...string) string {
	t.Helper()
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	var all []byte
	for _, part := range parts {
		all = z.EncodeAll([]byte(part), all)
	}
	return string(all)
}

// bzipped compresses with the system's bzip2, as Go can only unpack.
func bzipped(t testing.TB, text string) string {
	t.Helper()
	c := exec.Command("bzip2")
	c.Stdin = strings.NewReader(text)
	out, err := c.Output()
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip("there is no bzip2 to compress with")
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestCompressed: a compressed file has the rows of the plain one, whatever it
// is called.
func TestCompressed(t *testing.T) {
	t.Parallel()
	text := newDump(3).csv(3 << 19)
	half := strings.LastIndexByte(text[:len(text)/2], '\n') + 7 // within a row
	columns := []Column{col(JSON), col(Line)}
	want := loaded(t, open(t, "a.csv", text, Options{}), columns...)
	for _, tt := range []struct {
		file string
		pack func() string
	}{
		{"a.csv.gz", func() string { return gzipped(t, text) }},
		{"a.csv.gz", func() string { return gzipped(t, text[:half], "", text[half:]) }},
		{"a.csv", func() string { return gzipped(t, text) }},
		{"a.CSV.ZST", func() string { return zstandard(t, text[:half], text[half:]) }},
		{"a", func() string { return "\x50\x2a\x4d\x18\x03\x00\x00\x00abc" + zstandard(t, text) }},
		{"a.csv.bz2", func() string { return bzipped(t, text) }},
		{"a.csv.gz", func() string { return text }},
	} {
		t.Run(tt.file, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(want, loaded(t, open(t, tt.file, tt.pack(), Options{}), columns...)); diff != "" {
				t.Error(diff[:min(len(diff), 1000)])
			}
		})
	}
}

// TestCutOff: a compressed file that is not complete, at any length, or whose
// bytes are wrong, is an error and not fewer rows.
func TestCutOff(t *testing.T) {
	t.Parallel()
	text := newDump(3).csv(20 << 10)
	for _, tt := range []struct {
		name, packed string
		from         int // that many bytes are a whole file
	}{
		{"a.csv.gz", gzipped(t, text), 16},
		{"a.csv.zst", zstandard(t, text), 16},
		{"b.csv.gz", gzipped(t, text[:99], text[99:]), len(gzipped(t, text[:99]))},
		{"b.csv.zst", zstandard(t, text[:99], text[99:]), len(zstandard(t, text[:99]))},
	} {
		name, packed := tt.name, tt.packed
		for size := tt.from + 4; size < len(packed); size += 1 + size/8 {
			_, err := failure(t, write(t, name, packed[:size]), Options{SkipBad: true})
			var e *Error
			if !errors.As(err, &e) || !strings.Contains(e.Problem, "data ends in its middle") {
				t.Fatalf("%d of %d bytes of %s: %v", size, len(packed), name, err)
			}
		}
		wrong := []byte(packed)
		wrong[len(wrong)/2] ^= 0x40
		_, err := failure(t, write(t, name, string(wrong)), Options{SkipBad: true})
		var e *Error
		if !errors.As(err, &e) {
			t.Fatalf("damaged %s: %v", name, err)
		}
	}
}

// TestBehindCompressed: zeros behind compressed data, as tapes and images of
// disks have them, are nothing. What else comes there is said to be what it is,
// and where, whatever it begins with; it is neither read nor left out.
func TestBehindCompressed(t *testing.T) {
	t.Parallel()
	for _, size := range []int{40, 20 << 10, 1 << 20} { // all read by Open, or by Load
		text := newDump(3).csv(size)
		want := loaded(t, open(t, "a.csv", text, Options{}), col(Line))
		half := len(text) / 2
		for name, pack := range map[string]func() string{
			"a.csv.gz":  func() string { return gzipped(t, text[:half], text[half:]) },
			"a.csv.zst": func() string { return zstandard(t, text[:half], text[half:]) + "\x50\x2a\x4d\x18\x03\x00\x00\x00abc" },
			"a.csv.bz2": func() string { return bzipped(t, text[:half]) + bzipped(t, text[half:]) },
		} {
			t.Run(fmt.Sprint(name, size), func(t *testing.T) {
				t.Parallel()
				packed := pack()
				for _, zeros := range []int{1, 2, 3, 4, 511, 1 << 20} {
					got := loaded(t, open(t, name, packed+strings.Repeat("\x00", zeros), Options{}), col(Line))
					if diff := cmp.Diff(want, got); diff != "" {
						t.Fatalf("%d zeros: %s", zeros, diff[:min(len(diff), 1000)])
					}
				}
				for _, other := range []string{"\n", "x", "ab", "abc", "id,title\n1,Tide\n", "\x00\x00\x00x", "\x00" + packed} {
					_, err := failure(t, write(t, name, packed+other), Options{SkipBad: true})
					var e *Error
					want := fmt.Sprintf("data, which is at byte %d", len(packed))
					if !errors.As(err, &e) || !strings.HasPrefix(e.Problem, "other bytes follow the end of the ") || !strings.HasSuffix(e.Problem, want) || e.Line > 0 {
						t.Errorf("behind it %q: %v; want %q", other[:min(len(other), 20)], err, want)
					}
				}
			})
		}
	}
}

// TestZstdFrames: the sizes in frames of all kinds are understood, so that what
// follows them is.
func TestZstdFrames(t *testing.T) {
	t.Parallel()
	text := newDump(3).csv(300<<10) + strings.Repeat("9,the same again\n", 40<<10)
	for k, o := range [][]zstd.EOption{
		{zstd.WithEncoderCRC(false)},
		{zstd.WithEncoderLevel(zstd.SpeedBestCompression)},
		{zstd.WithSingleSegment(true)},
		{zstd.WithWindowSize(1 << 10)},
	} {
		for _, text := range []string{"id\n1\n", "id\n" + strings.Repeat("x\n", 200), text[:70<<10], text, "a\n" + strings.Repeat("a", 1<<18)} {
			z, err := zstd.NewWriter(nil, o...)
			if err != nil {
				t.Fatal(err)
			}
			var streamed bytes.Buffer // no size of the content in the header
			w, err := zstd.NewWriter(&streamed, o...)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write([]byte(text)); err != nil || w.Close() != nil {
				t.Fatal(err)
			}
			for _, packed := range []string{string(z.EncodeAll([]byte(text), nil)), streamed.String()} {
				in := bytes.NewReader([]byte(packed + "behind"))
				read := new(atomic.Int64)
				r, err := openZstd(&packedBytes{bufio.NewReader(counted{in, read}), read})
				if err != nil {
					t.Fatal(err)
				}
				got, err := io.ReadAll(r)
				closeZstd(r)
				var trailing *trailingError
				if string(got) != text || !errors.As(err, &trailing) || trailing.end != int64(len(packed)) {
					t.Errorf("options %d: %d of %d bytes, %v; want the end at %d", k, len(got), len(text), err, len(packed))
				}
			}
		}
	}
}

// TestEmptyCompressed: they are empty files.
func TestEmptyCompressed(t *testing.T) {
	t.Parallel()
	for name, packed := range map[string]string{"a.csv.gz": gzipped(t, ""), "a.csv.zst": zstandard(t, "") + "\x50\x2a\x4d\x18\x00\x00\x00\x00"} {
		if _, err := Open(write(t, name, packed), Options{}); err == nil || !strings.HasSuffix(err.Error(), ": is empty") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestProgress: it is told of the bytes of the file, not of the text.
func TestProgress(t *testing.T) {
	t.Parallel()
	packed := gzipped(t, newDump(3).csv(3<<20))
	s := open(t, "a.csv.gz", packed, Options{})
	s.Column(col(Line))
	last, calls := int64(0), 0
	err := s.Load(t.Context(), func(read, total int64) {
		if total != int64(len(packed)) || read < last || read > total {
			t.Errorf("%d of %d bytes, after %d", read, total, last)
		}
		last = read
		calls++
	})
	if err != nil || last != int64(len(packed)) || calls < 3 {
		t.Errorf("%d of %d bytes in %d calls: %v", last, len(packed), calls, err)
	}
}

// TestStandardInput: a pipe is read as a file is. It takes the place of
// standard input, so that it runs alone.
func TestStandardInput(t *testing.T) {
	text := newDump(3).jsonLines(2 << 20)
	path := write(t, "a.jsonl", text)
	want := loaded(t, open(t, "a.jsonl", text, Options{}), col(JSON))
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	old := os.Stdin
	os.Stdin = r
	defer func() { os.Stdin = old }()
	go func() {
		defer w.Close()
		all, _ := os.ReadFile(filepath.Clean(path))
		_, _ = w.Write(all)
	}()
	s, err := Open("-", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, loaded(t, s, col(JSON))); diff != "" {
		t.Error(diff[:min(len(diff), 1000)])
	}
	if s.File() != "standard input" {
		t.Error(s.File())
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
