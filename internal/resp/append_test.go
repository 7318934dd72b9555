package resp

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/redcon"
)

func TestAppend(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		got  []byte
		want string
	}{
		{AppendArrayHeader(nil, 0), "*0\r\n"},
		{AppendArrayHeader([]byte("x"), 1234567), "x*1234567\r\n"},
		{AppendBulk(nil, ""), "$0\r\n\r\n"},
		{AppendBulk([]byte("x"), "a\r\nb"), "x$4\r\na\r\nb\r\n"},
		{AppendBulk(nil, []byte{0, 255}), "$2\r\n\x00\xff\r\n"},
		{AppendBulk(nil, Error("own type")), "$8\r\nown type\r\n"},
		{AppendCommand(nil, "GET", "k"), "*2\r\n$3\r\nGET\r\n$1\r\nk\r\n"},
		{AppendCommand([]byte("x"), "PING"), "x*1\r\n$4\r\nPING\r\n"},
	} {
		if string(tt.got) != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}

// randomArgs makes a command of up to ten arguments of any bytes.
func randomArgs(rnd *rand.Rand) []string {
	args := make([]string, 1+rnd.IntN(10))
	for i := range args {
		arg := make([]byte, rnd.IntN(1<<rnd.IntN(12)))
		for j := range arg {
			arg[j] = byte(rnd.Uint32())
		}
		args[i] = string(arg)
	}
	return args
}

func TestCommandsAreReadByRedcon(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		args := randomArgs(rnd)
		wire := AppendCommand(nil, args...)
		complete, parsed, kind, rest, err := redcon.ReadNextCommand(wire, nil)
		if !complete || kind != redcon.Redis || err != nil || len(rest) != 0 {
			t.Fatalf("%q: complete %v, kind %v, rest %q, %v", wire, complete, kind, rest, err)
		}
		var got []string
		for _, p := range parsed {
			got = append(got, string(p))
		}
		if diff := cmp.Diff(args, got); diff != "" {
			t.Fatalf("arguments (-want +got):\n%s", diff)
		}
		// A command is itself RESP.
		var s Scanner
		if n, st := s.Scan(wire); n != len(wire) || st != Complete || s.Kind() != '*' {
			t.Fatalf("%q: scanned %d, status %d, kind %c", wire, n, st, s.Kind())
		}
	}
}

// appendRandomReply appends a reply as redcon's servers make it.
func appendRandomReply(dst []byte, rnd *rand.Rand, depth int) []byte {
	text := strings.Repeat("x", rnd.IntN(100))
	switch n := rnd.IntN(9); {
	case n == 0:
		return redcon.AppendOK(dst)
	case n == 1:
		return redcon.AppendString(dst, text)
	case n == 2:
		return redcon.AppendNull(dst)
	case n == 3:
		return redcon.AppendInt(dst, int64(rnd.Uint64()))
	case n == 4:
		return redcon.AppendBulkFloat(dst, math.Float64frombits(rnd.Uint64()))
	case n == 5:
		return redcon.AppendBulk(dst, []byte(text+"\r\n"))
	case n == 6:
		return redcon.AppendAny(dst, []any{text, 1, nil, true, 1.5, map[string]int{"k": 1}})
	case depth < 5:
		size := rnd.IntN(5)
		dst = redcon.AppendArray(dst, size)
		for range size {
			dst = appendRandomReply(dst, rnd, depth+1)
		}
		return dst
	default:
		return redcon.AppendError(dst, "ERR "+text)
	}
}

func TestScanRepliesOfRedcon(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		wire := appendRandomReply(nil, rnd, 0)
		cut := rnd.IntN(len(wire))
		_, want := redcon.ReadNextRESP(wire)
		var s Scanner
		got, st, _ := scanPieces(t, &s, wire[:cut], wire[cut:])
		if st != Complete || len(got) != 1 || got[0].End != len(wire) {
			t.Fatalf("%q: status %d, problem %v, replies %+v", wire, st, s.Problem(), got)
		}
		if got[0].Kind != byte(want.Type) {
			t.Errorf("%q: kind %c, want %c", wire, got[0].Kind, want.Type)
		}
		if fails := bytes.Contains(wire, []byte("-ERR ")); got[0].Fails != fails {
			t.Errorf("%q: fails %v, want %v", wire, got[0].Fails, fails)
		}
	}
}

func TestAppendCommandAllocatesNothing(t *testing.T) {
	buf := make([]byte, 0, 1024)
	value := []byte("value")
	allocs := testing.AllocsPerRun(100, func() {
		buf = AppendArrayHeader(buf[:0], 3)
		buf = AppendBulk(buf, "SET")
		buf = AppendBulk(buf, value)
		buf = AppendCommand(buf, "SET", "key_0000000099", "value")
	})
	if allocs != 0 {
		t.Errorf("%v allocations, want 0", allocs)
	}
}
