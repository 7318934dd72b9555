package resp

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func addSeeds(f *testing.F) {
	for _, r := range replies() {
		f.Add([]byte(r.wire), uint(len(r.wire)/2))
		f.Add([]byte(r.wire+r.wire[:len(r.wire)-1]), uint(len(r.wire)))
	}
	for _, b := range malformedReplies() {
		f.Add([]byte("+OK\r\n"+b.wire), uint(6))
	}
}

// FuzzScanSplit: however a stream is cut, the Scanner says the same of it.
func FuzzScanSplit(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, stream []byte, cut uint) {
		var whole Scanner
		want, wantStatus, wantAt := scanPieces(t, &whole, stream)
		at := min(cut, uint(len(stream)))
		for _, pieces := range [][][]byte{{stream[:at], stream[at:]}, singleBytes(stream)} {
			var s Scanner
			got, st, at := scanPieces(t, &s, pieces...)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("replies (-whole +cut):\n%s", diff)
			}
			if st != wantStatus || at != wantAt {
				t.Fatalf("status %d at %d, whole %d at %d", st, at, wantStatus, wantAt)
			}
			if diff := cmp.Diff(text(whole.Problem()), text(s.Problem())); diff != "" {
				t.Fatalf("problem (-whole +cut):\n%s", diff)
			}
		}
	})
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// FuzzScanAsReadValue: the Scanner and ReadValue, which share only their table
// of type bytes, see the same replies end at the same bytes.
func FuzzScanAsReadValue(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, stream []byte, _ uint) {
		var s Scanner
		scanned, st, _ := scanPieces(t, &s, stream)
		src := bytes.NewReader(stream)
		br := bufio.NewReader(src)
		for _, want := range scanned {
			v, err := ReadValue(br)
			var limit limitError
			if errors.As(err, &limit) {
				return // a Scanner has no such bounds
			}
			if err != nil {
				t.Fatalf("%v in a reply that ends at %d", err, want.End)
			}
			got := seen{End: len(stream) - src.Len() - br.Buffered(), Kind: v.Kind}
			got.Empty = v.Null || len(v.Elems) == 0 && bytes.IndexByte([]byte("*~%>"), v.Kind) >= 0
			got.Err, got.Fails = errorText(v)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("(-Scanner +ReadValue):\n%s", diff)
			}
		}
		_, err := ReadValue(br)
		if err == nil {
			t.Fatalf("ReadValue finds a reply more than the Scanner (status %d, %v)", st, s.Problem())
		}
		var malformed malformedError
		if st != Malformed && errors.As(err, &malformed) {
			t.Fatalf("ReadValue says %v, the Scanner status %d", err, st)
		}
		if st == Complete && err != io.EOF {
			t.Fatalf("after the last reply: %v", err)
		}
	})
}
