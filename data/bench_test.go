package data

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// benchmarkLoad opens and loads a file of 32 MiB again and again.
func benchmarkLoad(b *testing.B, name, text string, columns ...Column) {
	path := filepath.Join(b.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		s, err := Open(path, Options{})
		if err != nil {
			b.Fatal(err)
		}
		for _, c := range columns {
			s.Column(c)
		}
		if err := s.Load(b.Context(), nil); err != nil {
			b.Fatal(err)
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

const benchSize = 32 << 20

func BenchmarkLoad(b *testing.B) {
	abstracts, jsonl, csv := newDump(1).abstracts(benchSize), newDump(1).jsonLines(benchSize), newDump(1).csv(benchSize)
	array := "[" + strings.ReplaceAll(strings.TrimSpace(jsonl), "\n", ",\n") + "]"
	tsv := newDump(1).tsv(benchSize)
	for _, bb := range []struct {
		name, file, text string
		columns          []Column
	}{
		{"csv/fields", "a.csv", csv, []Column{col(Text, "id"), col(Text, "title"), col(Text, "text")}},
		{"csv/json", "a.csv", csv, []Column{col(Text, "id"), col(JSON)}},
		{"csv/words", "a.csv", csv, []Column{col(Words, "text")}},
		{"jsonl/fields", "a.jsonl", jsonl, []Column{col(Text, "id"), col(Text, "title"), col(Text, "text")}},
		{"jsonl/json", "a.jsonl", jsonl, []Column{col(Text, "id"), col(JSON)}},
		{"jsonl/some", "a.jsonl", jsonl, []Column{col(JSON, "id", "title", "text")}},
		{"array/json", "a.json", array, []Column{col(Text, "id"), col(JSON)}},
		{"xml/fields", "a.xml", abstracts, []Column{col(Text, "id"), col(Text, "title"), col(Text, "url"), col(Text, "abstract")}},
		{"xml/json", "a.xml", abstracts, []Column{col(Text, "id"), col(JSON)}},
		{"xml/words", "a.xml", abstracts, []Column{col(Text, "id"), col(Words, "abstract")}},
		{"lines", "a.txt", csv, []Column{col(Text, "line")}},
		{"tsv/fields", "a.tsv", tsv, []Column{col(Text, "id"), col(Text, "text")}},
	} {
		b.Run(bb.name, func(b *testing.B) { benchmarkLoad(b, bb.file, bb.text, bb.columns...) })
	}
}

// benchmarkSeek reads rows of a loaded source.
func benchmarkSeek(b *testing.B, size int, limit int64, coarse bool, read func(r *Reader, rows uint64, i uint64)) {
	s := open(b, "a.csv", newDump(1).csv(size), Options{})
	s.store.limit = limit
	if coarse {
		s.store.index.coarsen()
	}
	s.Column(col(Text, "id"))
	s.Column(col(Text, "text"))
	s.Column(col(Words, "text"))
	if err := s.Load(b.Context(), nil); err != nil {
		b.Fatal(err)
	}
	r := s.NewReader()
	b.ReportAllocs()
	i := uint64(0)
	for b.Loop() {
		read(r, s.Rows(), i)
		i++
	}
}

func BenchmarkReader(b *testing.B) {
	sequence := func(r *Reader, rows, i uint64) { r.Seek(i % rows); _ = r.Bytes(1) }
	random := func(r *Reader, rows, _ uint64) { r.Seek(rand.Uint64N(rows)); _ = r.Bytes(1) }
	words := func(r *Reader, rows, _ uint64) { r.Seek(rand.Uint64N(rows)); _ = r.Word(2, rand.Uint64()) }
	word := func(r *Reader, _, i uint64) {
		if i == 0 {
			r.Seek(17)
		}
		_ = r.Word(2, i*0x9e3779b97f4a7c15)
	}
	for _, bb := range []struct {
		name  string
		size  int
		limit int64
		read  func(r *Reader, rows, i uint64)
	}{
		{"cached/sequence", 1 << 20, memoryLimit, sequence},
		{"cached/random", 1 << 20, memoryLimit, random},
		{"cached/random_word", 1 << 20, memoryLimit, words},
		{"memory/sequence", benchSize, memoryLimit, sequence},
		{"memory/random", benchSize, memoryLimit, random},
		{"memory/random_word", benchSize, memoryLimit, words},
		{"memory/word", benchSize, memoryLimit, word},
		{"file/sequence", benchSize, 0, sequence},
		{"file/random", benchSize, 0, random},
		{"coarse/sequence", benchSize, 0, sequence},
		{"coarse/random", benchSize, 0, random},
	} {
		b.Run(bb.name, func(b *testing.B) { benchmarkSeek(b, bb.size, bb.limit, strings.HasPrefix(bb.name, "coarse"), bb.read) })
	}
}
