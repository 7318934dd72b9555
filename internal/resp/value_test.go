package resp

import (
	"bufio"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

func readString(wire string) (Value, error) {
	return ReadValue(bufio.NewReader(strings.NewReader(wire)))
}

func TestReadValue(t *testing.T) {
	t.Parallel()
	one := Value{Kind: ':', Int: 1}
	for _, tt := range []struct {
		wire string
		want Value
	}{
		{"+OK\r\n", Value{Kind: '+', Str: "OK"}},
		{"-ERR no\r\n", Value{Kind: '-', Str: "ERR no"}},
		{":-42\r\n", Value{Kind: ':', Int: -42}},
		{":+42\r\n", Value{Kind: ':', Int: 42}},
		{":-9223372036854775808\r\n", Value{Kind: ':', Int: -1 << 63}},
		{"$5\r\na\r\nb\x00\r\n", Value{Kind: '$', Str: "a\r\nb\x00"}},
		{"$0\r\n\r\n", Value{Kind: '$'}},
		{"$-1\r\n", Value{Kind: '$', Null: true}},
		{"*-1\r\n", Value{Kind: '*', Null: true}},
		{"_\r\n", Value{Kind: '_', Null: true}},
		{"#t\r\n", Value{Kind: '#', Int: 1}},
		{"#f\r\n", Value{Kind: '#'}},
		{",-1.5e3\r\n", Value{Kind: ',', Str: "-1.5e3"}},
		{"(-12345678901234567890\r\n", Value{Kind: '(', Str: "-12345678901234567890"}},
		{"!7\r\nERR bad\r\n", Value{Kind: '!', Str: "ERR bad"}},
		{"=8\r\ntxt:text\r\n", Value{Kind: '=', Str: "text"}},
		{"*0\r\n", Value{Kind: '*'}},
		{"*2\r\n:1\r\n*1\r\n:1\r\n", Value{Kind: '*', Elems: []Value{one, {Kind: '*', Elems: []Value{one}}}}},
		{"%1\r\n+k\r\n:1\r\n", Value{Kind: '%', Elems: []Value{{Kind: '+', Str: "k"}, one}}},
		{"~1\r\n:1\r\n", Value{Kind: '~', Elems: []Value{one}}},
		{">1\r\n:1\r\n", Value{Kind: '>', Elems: []Value{one}}},
		{"|1\r\n+a\r\n-ERR\r\n:1\r\n", one},
		{"*2\r\n:1\r\n|1\r\n+a\r\n:2\r\n:1\r\n", Value{Kind: '*', Elems: []Value{one, one}}},
	} {
		got, err := readString(tt.wire)
		if err != nil {
			t.Errorf("%q: %v", tt.wire, err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.wire, diff)
		}
	}
}

func TestReadValueInTurn(t *testing.T) {
	t.Parallel()
	var stream strings.Builder
	for _, r := range replies() {
		stream.WriteString(r.wire)
	}
	br := bufio.NewReaderSize(iotest.OneByteReader(strings.NewReader(stream.String())), 16)
	for _, r := range replies() {
		v, err := ReadValue(br)
		if err != nil {
			t.Fatalf("%s: %v", r.name, err)
		}
		if v.Kind != r.kind {
			t.Errorf("%s: kind %c, want %c", r.name, v.Kind, r.kind)
		}
		if empty := v.Null || strings.IndexByte("*~%>", v.Kind) >= 0 && len(v.Elems) == 0; empty != r.empty {
			t.Errorf("%s: empty %v, want %v", r.name, empty, r.empty)
		}
		if got, fails := errorText(v); fails != r.fails || got != r.err {
			t.Errorf("%s: error %q (%v), want %q (%v)", r.name, got, fails, r.err, r.fails)
		}
	}
	if _, err := ReadValue(br); err != io.EOF {
		t.Errorf("at the end: %v, want EOF", err)
	}
}

// errorText is the text of a value's first error as a Scanner would keep it.
func errorText(v Value) (text string, fails bool) {
	var e Error
	if !errors.As(v.Err(), &e) {
		return "", false
	}
	return string(e[:min(len(e), maxErrText)]), true
}

func TestReadValueCutShort(t *testing.T) {
	t.Parallel()
	for _, r := range replies() {
		for cut := range r.wire {
			want := io.ErrUnexpectedEOF
			if cut == 0 {
				want = io.EOF
			}
			if _, err := readString(r.wire[:cut]); err != want {
				t.Errorf("%s: cut at %d: %v, want %v", r.name, cut, err, want)
			}
		}
	}
}

func TestReadValueMalformed(t *testing.T) {
	t.Parallel()
	for _, b := range malformedReplies() {
		// A line end lets the reader see the whole line; it looks at a line's
		// bytes only then.
		_, err := readString(b.wire + "\r\n")
		var malformed malformedError
		var limit limitError
		if !errors.As(err, &malformed) && !errors.As(err, &limit) {
			t.Errorf("%q: %v, want a malformed reply", b.wire, err)
		}
	}
}

func TestReadValueBounds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, wire, want string }{
		{"long bulk", "$67108865\r\nx", "reply too large: more than 64 MiB"},
		{"longest bulk", "$9223372036854775807\r\nx", "reply too large: more than 64 MiB"},
		{"many elements", "*1048577\r\n:1\r\n", "reply too large: 1048577 elements"},
		{"most elements", "*9223372036854775807\r\n", "reply too large: 9223372036854775807 elements"},
		{"many in sum", strings.Repeat("*1000\r\n", 90) + strings.Repeat("*1000\r\n"+strings.Repeat("_\r\n", 1000), 1100), "reply too large: more than 64 MiB"},
		{"deep", strings.Repeat("*1\r\n", 101) + ":1\r\n", "reply too large: nested deeper than 100"},
		{"promised bulk", "$60000000\r\nx", "unexpected EOF"},
		{"promised elements", "*1000000\r\n:1\r\n", "unexpected EOF"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if _, err := readString(tt.wire); err == nil || err.Error() != tt.want {
				t.Errorf("%v, want %s", err, tt.want)
			}
		})
	}
	if _, err := readString(strings.Repeat("*1\r\n", 100) + ":1\r\n"); err != nil {
		t.Errorf("nested 100 deep: %v", err)
	}
}

func TestReadValueAllocatesWhatArrives(t *testing.T) {
	for _, promise := range []string{"$60000000\r\nx", "*1000000\r\n:1\r\n"} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := readString(promise); err != io.ErrUnexpectedEOF {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > 100_000 {
			t.Errorf("%q: %d bytes allocated for a few that arrived", promise, got)
		}
	}
}

func TestReadValueReportsTheReader(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	br := bufio.NewReader(io.MultiReader(strings.NewReader("$5\r\nab"), iotest.ErrReader(broken)))
	if _, err := ReadValue(br); !errors.Is(err, broken) {
		t.Errorf("%v, want %v", err, broken)
	}
}

func TestErrorCode(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"NOAUTH Authentication required.": "NOAUTH",
		"LOADING":                         "LOADING",
		"ERR\r\nsecond line":              "ERR",
		" \tOOM\tcommand":                 "OOM",
		" \t\r\n":                         "",
		"":                                "",
	} {
		if got := Error(text).Code(); got != want {
			t.Errorf("Error(%q).Code() = %q, want %q", text, got, want)
		}
		if got := ErrorCode([]byte(text)); string(got) != want {
			t.Errorf("ErrorCode(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestErrorCodeDoesNotAllocate(t *testing.T) {
	text, length := []byte("MOVED 7 a:1"), 0
	if n := testing.AllocsPerRun(100, func() { length += len(ErrorCode(text)) }); n != 0 || length == 0 {
		t.Errorf("%v allocations, %d bytes", n, length)
	}
}
