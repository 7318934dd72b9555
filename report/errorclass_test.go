package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// fail counts an error reply whose code is what stands before the first blank.
func fail(r *Recorder, text []byte, atNs int64) {
	code, _, _ := bytes.Cut(text, []byte(" "))
	r.Fail(code, text, atNs)
}

func TestErrorClasses(t *testing.T) {
	t.Parallel()
	r := NewRecorder()
	long := "ERR " + strings.Repeat("é", 200) // the limit falls into a character
	fail(r, []byte(long), 2000)
	fail(r, []byte("ERR later"), 5000)
	fail(r, []byte("MOVED 1 a:1"), 1500)
	fail(r, []byte("OOM"), 100) // before the window
	fail(r, nil, 4000)
	r.Fail(nil, []byte(" \t"), 4001)
	fail(r, []byte("\xff\xfe bad"), 4002)
	r.Fail([]byte("ERR"), []byte("ERR\r\nsecond line"), 6000)
	want := []ErrorClass{
		{Code: "ERR", Count: 3, Sample: long[:256], FirstNs: 1000, LastNs: 5000},
		{Code: "(empty)", Count: 2, FirstNs: 3000, LastNs: 3001},
		{Code: "MOVED", Count: 1, Sample: "MOVED 1 a:1", FirstNs: 500, LastNs: 500},
		{Code: "OOM", Count: 1, Sample: "OOM"},
		{Code: "\uFFFD", Count: 1, Sample: "\uFFFD bad", FirstNs: 3002, LastNs: 3002},
	}
	if diff := cmp.Diff(want, r.ErrorClasses(1000)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := NewRecorder().ErrorClasses(0); got == nil || len(got) != 0 {
		t.Errorf("no errors: %#v, want an empty list that is not nil", got)
	}
}

func TestErrorClassesAreBounded(t *testing.T) {
	t.Parallel()
	sum := NewRecorder()
	for writer := range 3 {
		r := NewRecorder()
		for round := range 4 {
			for i := range 200 {
				fail(r, fmt.Appendf(nil, "W%d-R%d-%d", writer, round, i), int64(i))
			}
			if known := len(r.classes.byCode); known > maxClasses+1 {
				t.Fatalf("a writer holds %d classes", known)
			}
			sum.Merge(r)
			r.Reset()
		}
	}
	classes := sum.ErrorClasses(0)
	var total int64
	for _, class := range classes {
		total += class.Count
	}
	if len(classes) != maxClasses+1 || classes[0].Code != otherCode || total != 2400 || sum.Failed() != total {
		t.Errorf("%d classes, %q first, %d errors of %d", len(classes), classes[0].Code, total, sum.Failed())
	}
}

func TestFailDoesNotAllocate(t *testing.T) {
	r := NewRecorder()
	for i := range 2 * maxClasses {
		fail(r, fmt.Appendf(nil, "E%d", i), 1)
	}
	texts := [][]byte{[]byte("E1 known"), []byte("NEW goes to the others"), nil}
	fail(r, nil, 1)
	for _, text := range texts {
		if n := testing.AllocsPerRun(100, func() { fail(r, text, 2) }); n != 0 {
			t.Errorf("Fail(%q) allocates %v times", text, n)
		}
	}
	r.Reset()
	if n := testing.AllocsPerRun(100, func() { fail(r, texts[0], 2) }); n != 0 {
		t.Errorf("Fail after Reset allocates %v times", n)
	}
}

func FuzzFail(f *testing.F) {
	f.Add([]byte("ERR wrong"), []byte("OOM"), int64(5), int64(3))
	f.Add([]byte(""), []byte(" \r\n\x00"), int64(0), int64(-1))
	f.Add([]byte(strings.Repeat("\xf0\x9f\x98\x80", 90)), []byte("\xff"), int64(1), int64(1))
	f.Fuzz(func(t *testing.T, a, b []byte, at, later int64) {
		one, two := NewRecorder(), NewRecorder()
		fail(one, a, at)
		fail(two, b, later)
		ab, ba := NewRecorder(), NewRecorder()
		ab.Merge(one)
		ab.Merge(two)
		ba.Merge(two)
		ba.Merge(one)
		if diff := cmp.Diff(ab.ErrorClasses(0), ba.ErrorClasses(0)); diff != "" {
			t.Errorf("order of merges shows:\n%s", diff)
		}
		for _, class := range ab.ErrorClasses(0) {
			if class.Code == "" || !utf8.ValidString(class.Code+class.Sample) || class.FirstNs < 0 || class.LastNs < class.FirstNs {
				t.Errorf("class %+v", class)
			}
			// U+FFFD takes three bytes where one was.
			if len(class.Sample) > 3*maxSampleBytes {
				t.Errorf("sample of %d bytes", len(class.Sample))
			}
		}
	})
}

func BenchmarkFail(b *testing.B) {
	r := NewRecorder()
	text := []byte("OOM command not allowed when used memory > 'maxmemory'.")
	b.ReportAllocs()
	for b.Loop() {
		fail(r, text, 1)
	}
}
