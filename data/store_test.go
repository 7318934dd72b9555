package data

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"unsafe"
)

// sizes are those of the rows of a test: small ones, none, some as long as a
// chunk nearly, exactly, and several.
func sizes() []int {
	random := rand.New(rand.NewPCG(1, 2))
	var all []int
	for range 3000 {
		all = append(all, random.IntN(300))
	}
	all = append(all, 0, 0, chunkSize-5, chunkSize-4, chunkSize-3, chunkSize, 3, chunkSize+1, 0, 3*chunkSize+7, 3*chunkSize-3, 3*chunkSize-4, 1, 2)
	for range 800 {
		all = append(all, random.IntN(9000))
	}
	return all
}

// noise is what the rows of a test are pieces of.
var noise = sync.OnceValue(func() []byte {
	all := make([]byte, 4*chunkSize)
	_, _ = rand.NewChaCha8([32]byte{1}).Read(all)
	return all
})

// rowOf is the content of a row of a test.
func rowOf(row uint64, size int) []byte {
	all := noise()
	at := int(row * 7919 % uint64(len(all)-size))
	return all[at : at+size]
}

// filled returns a Source of two columns, the first of which is a third of a
// row. The index is made coarse, and coarser, before rows of these numbers.
func filled(t *testing.T, limit int64, sizes []int, coarser ...int) *Source {
	t.Helper()
	s := &Source{columns: make([]Column, 2)}
	s.store.limit = limit
	for row, size := range sizes {
		if slices.Contains(coarser, row) {
			s.store.index.coarsen()
		}
		body := rowOf(uint64(row), size)
		if err := s.store.add([]int{size / 3, size - size/3}, body); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.store.finish(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.store.close() })
	return s
}

// readBack checks rows in an order.
func readBack(t *testing.T, s *Source, sizes []int, order func(k int) int) {
	t.Helper()
	r := s.NewReader()
	for k := range sizes {
		row := order(k)
		r.Seek(uint64(row))
		want := rowOf(uint64(row), sizes[row])
		cut := sizes[row] / 3
		if !bytes.Equal(r.Bytes(0), want[:cut]) || !bytes.Equal(r.Bytes(1), want[cut:]) {
			t.Fatalf("row %d of %d bytes: %d and %d bytes", row, sizes[row], len(r.Bytes(0)), len(r.Bytes(1)))
		}
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
}

// TestStore: what is stored is read back, from memory or a file, in order or
// not, by several readers at once.
func TestStore(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		limit   int64
		file    bool
		coarser []int
	}{
		{"memory", 1 << 30, false, nil},
		{"file from the start", 0, true, nil},
		{"file later", 3 * chunkSize, true, nil},
		{"file at the end", 0, true, nil},
		{"coarse in memory", 1 << 30, false, []int{64}},
		{"coarse in a file", 0, true, []int{1000}},
		{"coarser in memory", 1 << 30, false, []int{1000, 2000, 2500, 2510, 3014}},
		{"coarser in a file", 3 * chunkSize, true, []int{3, 640, 1000, 3700}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			all := sizes()
			if tt.name == "file at the end" {
				all = all[:500]
			}
			s := filled(t, tt.limit, all, tt.coarser...)
			if (s.store.file != nil) != tt.file {
				t.Errorf("in a file: %v", s.store.file != nil)
			}
			random := rand.New(rand.NewPCG(3, 4))
			orders := []func(k int) int{
				func(k int) int { return k },
				func(k int) int { return len(all) - 1 - k },
				func(int) int { return random.IntN(len(all)) },
				func(k int) int { return (k/7*19 + k%7) % len(all) },
			}
			var wait sync.WaitGroup
			for _, order := range orders {
				wait.Go(func() { readBack(t, s, all, order) })
			}
			wait.Wait()
		})
	}
}

// TestIndex: places near and far apart come back, in little memory.
func TestIndex(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for _, most := range []uint64{0, 1, 4, 300, 70_000, 1 << 30, 1 << 40} {
		for _, rows := range []int{1, 2, 63, 64, 65, 128, 5000} {
			var x index
			places := []uint64{0}
			for range rows {
				x.add(places[len(places)-1])
				places = append(places, places[len(places)-1]+random.Uint64N(most+1))
			}
			x.finish(places[rows])
			for row := range rows {
				from, to := x.place(uint64(row))
				if from != places[row] || to != places[row+1] {
					t.Fatalf("row %d of %d is at %d to %d, want %d to %d", row, rows, from, to, places[row], places[row+1])
				}
			}
		}
	}
}

// TestIndexSize: a million rows take little memory, and less when it has become
// coarse; what it says that it takes is so.
func TestIndexSize(t *testing.T) {
	t.Parallel()
	const rows = 6_000_000
	var x index
	for row := range uint64(rows) {
		x.add(row * 300)
	}
	for k, most := range []int64{2.5 * rows, 0.38 * rows, 0.21 * rows} {
		memory := 0
		for _, list := range x.groups {
			memory += int(unsafe.Sizeof(group{})) * cap(list)
		}
		for _, p := range x.pieces {
			memory += cap(p)
		}
		if x.size() != int64(memory) || int64(memory) > most {
			t.Errorf("made coarser %d times it takes %d bytes, and says %d", k, memory, x.size())
		}
		for row := uint64(0); k > 0 && row < rows; row += 999 {
			if place, skip := x.near(row); place != (row-skip)*300 || skip > groupRows<<(k-1) {
				t.Fatalf("row %d is %d behind one at %d", row, skip, place)
			}
		}
		x.coarsen()
	}
}

// TestIndexBound: rows of a few bytes, of which there are most, do not take more
// memory for the index than there is.
func TestIndexBound(t *testing.T) {
	t.Parallel()
	s := &Source{columns: make([]Column, 1)}
	const rows = 14_000_000
	for row := range uint64(rows) {
		if err := s.store.add([]int{3}, noise()[row%1000:row%1000+3]); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.store.finish(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.store.close() })
	if size := s.store.size(); size > minIndex+8<<20 || !s.store.index.coarse {
		t.Errorf("the index takes %d bytes", size)
	}
	r := s.NewReader()
	for row := uint64(0); row < rows; row += 1 + row%7*10_007 {
		if r.Seek(row); !bytes.Equal(r.Bytes(0), noise()[row%1000:row%1000+3]) {
			t.Fatalf("row %d is %q", row, r.Bytes(0))
		}
	}
}

// TestRoom: files of one run have the memory of one, whatever their number, and
// give back what they had.
func TestRoom(t *testing.T) {
	t.Parallel()
	room := &Room{12 << 20}
	fill := func(size int) *Source {
		s := open(t, "a.csv", newDump(1).csv(size), Options{Room: room})
		loaded(t, s, col(JSON))
		return s
	}
	first, second, third := fill(6<<20), fill(7<<20), fill(3<<20)
	if first.store.file != nil || second.store.file == nil || third.store.file != nil {
		t.Error("the second file is the only one that does not fit")
	}
	if had := 12<<20 - first.store.size() - second.store.size() - third.store.size(); room.left != had || had < 0 {
		t.Errorf("%d bytes are left, want %d", room.left, had)
	}
	for _, s := range []*Source{first, second, third, third} {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if room.left != 12<<20 {
		t.Errorf("%d bytes are left of all", room.left)
	}
}

// TestNoColumns: rows of which nothing is wanted are counted, and take nothing.
func TestNoColumns(t *testing.T) {
	t.Parallel()
	s := open(t, "a.txt", strings.Repeat("\n", 1000), Options{})
	if err := s.Load(t.Context(), nil); err != nil || s.Rows() != 1000 || s.store.index.size() > 0 {
		t.Errorf("%d rows, %d bytes: %v", s.Rows(), s.store.index.size(), err)
	}
	r := s.NewReader()
	r.Expect(999)
	r.Seek(999)
}

// TestUnlinked: the file that takes rows cannot be seen, and is gone with the
// Source.
func TestUnlinked(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	if os.TempDir() != folder {
		t.Skip("this system has the folder from elsewhere")
	}
	s := open(t, "a.csv", newDump(1).csv(1<<20), Options{})
	s.store.limit = 1 << 18
	loaded(t, s, col(JSON))
	if s.store.file == nil {
		t.Fatal("the rows are in memory")
	}
	left, err := filepath.Glob(filepath.Join(folder, "respbench*"))
	if err != nil || len(left) > 0 && s.store.name == "" {
		t.Errorf("%q is left: %v", left, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(folder, "respbench*")); len(left) > 0 {
		t.Errorf("%q is left after Close", left)
	}
	t.Setenv("TMPDIR", filepath.Join(folder, "missing"))
	s = open(t, "a.csv", newDump(1).csv(1<<20), Options{})
	s.store.limit = 0
	s.Column(col(JSON))
	if err := s.Load(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "set TMPDIR") {
		t.Error(err)
	}
	if err := spoolError(&os.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}); !strings.HasPrefix(err.Error(), os.TempDir()+" is full") {
		t.Error(err)
	}
}

// TestSpoolGone: a Reader that cannot read says nothing, and Err why.
func TestSpoolGone(t *testing.T) {
	t.Parallel()
	s := filled(t, 0, sizes()[:1000])
	if err := s.store.file.Truncate(100); err != nil {
		t.Fatal(err)
	}
	r := s.NewReader()
	r.Seek(500)
	if len(r.Bytes(1)) != 0 || len(r.Word(1, 5)) != 0 || !errors.Is(s.Err(), io.EOF) {
		t.Errorf("%d bytes, error %v", len(r.Bytes(1)), s.Err())
	}
}

// TestRealFiles: large files of all kinds, spooled or not, have the same cells.
func TestRealFiles(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"a.xml": newDump(1).abstracts(3 << 20), "a.jsonl": newDump(1).jsonLines(3 << 20), "a.csv": newDump(1).csv(3 << 20),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			memory, file := open(t, name, text, Options{}), open(t, name, text, Options{})
			file.store.limit = 0
			columns := []Column{col(JSON), col(Line), col(Words, memory.Fields()[3])}
			want, got := loaded(t, memory, columns...), loaded(t, file, columns...)
			if len(want) < 1000 || len(want) != len(got) {
				t.Fatalf("%d rows in memory, %d in a file", len(want), len(got))
			}
			for row := range want {
				if strings.Join(want[row], "\x00") != strings.Join(got[row], "\x00") {
					t.Fatalf("row %d: %q, from a file %q", row, want[row], got[row])
				}
			}
		})
	}
}

// TestNoGarbage: what Load allocates does not grow with the rows, but for what
// it keeps. It runs alone.
func TestNoGarbage(t *testing.T) {
	allocations := func(name, text string, columns ...Column) (bytes, objects uint64) {
		s := open(t, name, text, Options{})
		for _, c := range columns {
			s.Column(c)
		}
		s.store.limit = 0
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := s.Load(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc, after.Mallocs - before.Mallocs
	}
	for name, write := range map[string]func(d *dump, size int) string{
		"a.xml": (*dump).abstracts, "a.jsonl": (*dump).jsonLines, "a.csv": (*dump).csv, "a.tsv": (*dump).tsv,
	} {
		field := "text"
		if name == "a.xml" {
			field = "abstract"
		}
		columns := []Column{col(Text, field), col(Length, field), col(JSON), col(Words, field), col(Line)}
		// Both fill a chunk, after which nothing has to grow but the index.
		bytes, objects := allocations(name, write(newDump(1), 3<<20), columns...)
		bytes2, objects2 := allocations(name, write(newDump(1), 6<<20), columns...)
		if bytes2 > bytes+1<<20 || objects2 > objects+100 {
			t.Errorf("%s: %d bytes in %d objects for 3 MiB of text, %d in %d for 6", name, bytes, objects, bytes2, objects2)
		}
	}
}

// TestReaderAllocations: reading allocates nothing, in memory or in a file.
func TestReaderAllocations(t *testing.T) {
	for _, limit := range []int64{memoryLimit, 0} {
		s := open(t, "a.csv", newDump(1).csv(1<<20), Options{})
		s.store.limit = limit
		loaded(t, s, col(Text, "text"), col(Words, "text"))
		r := s.NewReader()
		for row := range s.Rows() {
			r.Seek(row) // the buffer grows to what is read at once
		}
		row := uint64(0)
		if n := testing.AllocsPerRun(2000, func() {
			r.Seek(row % s.Rows())
			_ = r.Bytes(0)
			_ = r.Word(1, row*0x9e3779b97f4a7c15)
			row += 1 + row%5*77
		}); n != 0 {
			t.Errorf("%v allocations for a row, with a limit of %d", n, limit)
		}
	}
}
