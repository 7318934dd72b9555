package resp

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
)

// seen is what a Scanner said about one reply.
type seen struct {
	End   int // in the whole stream
	Kind  byte
	Empty bool
	Err   string
	Fails bool
}

// scanPieces scans pieces one after the other and returns the replies, and
// what stands in the way of more: the last status and, if it is Malformed, the
// offending byte's index in the whole stream.
func scanPieces(t testing.TB, s *Scanner, pieces ...[]byte) (got []seen, st Status, at int) {
	t.Helper()
	for _, p := range pieces {
		start := at
		for done := 0; done < len(p); {
			n, status := s.Scan(p[done:])
			done += n
			at = start + done
			st = status
			switch status {
			case Complete:
				if n == 0 {
					t.Fatal("complete without a byte")
				}
				got = append(got, seen{at, s.Kind(), s.Empty(), string(s.Err()), s.Err() != nil})
			case NeedMore:
				if done != len(p) {
					t.Fatalf("need more after %d of %d bytes", done, len(p))
				}
			case Malformed:
				return got, st, at
			}
		}
	}
	return got, st, at
}

func (r reply) seen(end int) seen {
	return seen{end, r.kind, r.empty, r.err, r.fails}
}

func singleBytes(stream []byte) [][]byte {
	var pieces [][]byte
	for i := range stream {
		pieces = append(pieces, stream[i:i+1])
	}
	return pieces
}

func TestScanEveryReply(t *testing.T) {
	t.Parallel()
	for _, r := range replies() {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			wire := []byte(r.wire)
			want := []seen{r.seen(len(wire))}
			check := func(how string, pieces ...[]byte) {
				t.Helper()
				var s Scanner
				got, st, _ := scanPieces(t, &s, pieces...)
				if diff := cmp.Diff(want, got); diff != "" || st != Complete {
					t.Errorf("%s: status %d, problem %v, replies (-want +got):\n%s", how, st, s.Problem(), diff)
				}
			}
			check("whole", wire)
			check("byte by byte", singleBytes(wire)...)
			for cut := range wire {
				check(fmt.Sprintf("cut at %d", cut), wire[:cut], wire[cut:])
			}
		})
	}
}

func TestScanStreamOfReplies(t *testing.T) {
	t.Parallel()
	var stream []byte
	var want []seen
	// Every reply follows every other one, so that nothing of one is left
	// over in the next.
	for _, a := range replies() {
		for _, b := range replies() {
			if len(a.wire) > 100 || len(b.wire) > 100 {
				continue
			}
			stream = append(stream, a.wire...)
			want = append(want, a.seen(len(stream)))
			stream = append(stream, b.wire...)
			want = append(want, b.seen(len(stream)))
		}
	}
	for _, size := range []int{0, 1, 2, 3, 5, 8, 13, 21} {
		pieces := [][]byte{stream}
		if size > 0 {
			pieces = nil
			for rest := stream; len(rest) > 0; rest = rest[min(size, len(rest)):] {
				pieces = append(pieces, rest[:min(size, len(rest))])
			}
		}
		var s Scanner
		got, st, _ := scanPieces(t, &s, pieces...)
		if diff := cmp.Diff(want, got); diff != "" || st != Complete {
			t.Fatalf("pieces of %d: status %d, replies (-want +got):\n%s", size, st, diff)
		}
	}
}

func TestScanTwoCuts(t *testing.T) {
	t.Parallel()
	r := reply{wire: "*4\r\n$2\r\nab\r\n:-12\r\n-ERR x\r\n_\r\n", kind: '*', err: "ERR x", fails: true}
	wire := []byte(r.wire)
	want := []seen{r.seen(len(wire))}
	for i := range wire {
		for j := i; j < len(wire); j++ {
			var s Scanner
			got, _, _ := scanPieces(t, &s, wire[:i], wire[i:j], wire[j:])
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("cuts at %d and %d (-want +got):\n%s", i, j, diff)
			}
		}
	}
}

func TestScanMalformed(t *testing.T) {
	t.Parallel()
	for _, b := range malformedReplies() {
		t.Run(fmt.Sprintf("%.20q", b.wire), func(t *testing.T) {
			t.Parallel()
			// A good reply comes first, what follows must not be looked at.
			wire := []byte("+OK\r\n" + b.wire + "+OK\r\n")
			want := []seen{{End: 5, Kind: '+'}}
			for _, pieces := range [][][]byte{{wire}, singleBytes(wire)} {
				var s Scanner
				got, st, at := scanPieces(t, &s, pieces...)
				if st != Malformed {
					t.Fatalf("status %d, want Malformed", st)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("replies before (-want +got):\n%s", diff)
				}
				if at != 5+b.at {
					t.Errorf("offending byte at %d, want %d", at-5, b.at)
				}
				problem := "malformed reply: " + b.problem
				if got := s.Problem(); got == nil || got.Error() != problem {
					t.Errorf("problem %q, want %q", got, problem)
				}
				if n, st := s.Scan([]byte("+OK\r\n")); n != 0 || st != Malformed {
					t.Errorf("afterwards: %d, status %d; want 0, Malformed", n, st)
				}
				if got := s.Problem().Error(); got != problem {
					t.Errorf("afterwards problem %q, want %q", got, problem)
				}
			}
		})
	}
}

func TestProblemBefore(t *testing.T) {
	t.Parallel()
	var s Scanner
	s.Scan([]byte("*2\r\n-ERR\r\n"))
	if err := s.Problem(); err != nil {
		t.Errorf("problem %v in a well-formed stream", err)
	}
}

func TestScanNothing(t *testing.T) {
	t.Parallel()
	var s Scanner
	for _, buf := range [][]byte{nil, {}, []byte("$3\r\nab"), nil} {
		if n, st := s.Scan(buf); n != len(buf) || st != NeedMore {
			t.Errorf("Scan(%q) = %d, status %d; want %d, NeedMore", buf, n, st, len(buf))
		}
	}
	if n, st := s.Scan([]byte("c\r\n+")); n != 3 || st != Complete {
		t.Errorf("end of bulk: %d, status %d; want 3, Complete", n, st)
	}
}

func TestScanDeepNesting(t *testing.T) {
	t.Parallel()
	const depth = 50_000
	for _, header := range []string{"*1\r\n", "*2\r\n:1\r\n", "%1\r\n+k\r\n", "~1\r\n", "|1\r\n+k\r\n"} {
		wire := []byte(strings.Repeat(header, depth))
		if header[0] == '|' {
			// Each attribute's value is preceded by the next attribute.
			wire = append(wire, strings.Repeat(":1\r\n", depth)...)
		}
		wire = append(wire, ":7\r\n"...)
		var s Scanner
		got, st, at := scanPieces(t, &s, wire)
		if st != Complete || len(got) != 1 || at != len(wire) {
			t.Errorf("%q: status %d after %d of %d bytes, %d replies", header, st, at, len(wire), len(got))
		}
	}
}

func TestScanHugeBulk(t *testing.T) {
	t.Parallel()
	const size = 512 << 20
	chunk := bytes.Repeat([]byte("\r\n-x"), 1<<18)
	for _, kind := range []byte("$!=") {
		var s Scanner
		s.Scan(fmt.Appendf(nil, "*2\r\n%c%d\r\n", kind, size))
		for range size / len(chunk) {
			if n, st := s.Scan(chunk); n != len(chunk) || st != NeedMore {
				t.Fatalf("%c: %d, status %d within the payload", kind, n, st)
			}
		}
		if n, st := s.Scan([]byte("\r\n:1\r\n:2\r\n")); n != 6 || st != Complete {
			t.Errorf("%c: %d, status %d (%v) at the end; want 6, Complete", kind, n, st, s.Problem())
		}
	}
	// A length near the limit is stepped over as patiently.
	var s Scanner
	s.Scan([]byte("$9223372036854775807\r\n"))
	if n, st := s.Scan(chunk); n != len(chunk) || st != NeedMore {
		t.Errorf("%d, status %d within the longest payload", n, st)
	}
}

func TestScanManyElements(t *testing.T) {
	t.Parallel()
	const n = 1_000_000
	wire := append([]byte("*1000000\r\n"), bytes.Repeat([]byte("$1\r\nx\r\n"), n)...)
	var s Scanner
	got, _, _ := scanPieces(t, &s, wire)
	if diff := cmp.Diff([]seen{{End: len(wire), Kind: '*'}}, got); diff != "" {
		t.Errorf("replies (-want +got):\n%s", diff)
	}
}

func TestScannerSize(t *testing.T) {
	t.Parallel()
	if size := unsafe.Sizeof(Scanner{}); size > 64 {
		t.Errorf("a Scanner takes %d bytes; want one cache line, there are thousands", size)
	}
}

func TestScanAllocatesNothing(t *testing.T) {
	for _, r := range replies() {
		wire := []byte(r.wire)
		var s Scanner
		s.Scan(wire) // the first error's text may be allocated
		allocs := testing.AllocsPerRun(20, func() {
			s.Scan(wire)
			for i := range wire {
				s.Scan(wire[i : i+1])
			}
			s.Kind()
			s.Empty()
			s.Err()
		})
		if allocs != 0 {
			t.Errorf("%s: %v allocations, want 0", r.name, allocs)
		}
	}
}
