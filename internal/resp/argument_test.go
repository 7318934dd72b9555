package resp

import (
	"bufio"
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestArgument(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(3, 4))
	var unit []byte
	var all [][]string
	for range 300 {
		args := randomArgs(rnd)
		all = append(all, args)
		unit = AppendCommand(unit, args...)
	}
	for _, args := range all {
		if n := ArgumentCount(unit); n != len(args) {
			t.Fatalf("%d arguments, want %d", n, len(args))
		}
		for k, want := range args {
			got := Argument(unit, k)
			if got == nil || string(got) != want || cap(got) != len(got) {
				t.Fatalf("argument %d is %q (capacity %d), want %q", k, got, cap(got), want)
			}
		}
		for _, k := range []int{-1, len(args), len(args) + 1, math.MaxInt} {
			if got := Argument(unit, k); got != nil {
				t.Fatalf("argument %d of %d is %q", k, len(args), got)
			}
		}
		if list, rest := Arguments(unit); !slices.Equal(list, args) || len(rest) != len(unit)-CommandLen(unit) {
			t.Fatalf("arguments %q and %d bytes behind them, want %q", list, len(rest), args)
		}
		n := CommandLen(unit)
		if want := len(AppendCommand(nil, args...)); n != want {
			t.Fatalf("length %d, want %d", n, want)
		}
		unit = unit[n:]
	}
	if len(unit) != 0 {
		t.Errorf("%d bytes behind the last command", len(unit))
	}
}

func TestArgumentOfNoCommand(t *testing.T) {
	t.Parallel()
	for _, b := range []string{
		"", "*", "*\r\n", "*x\r\n", "*-1\r\n", "*1", "*1\r", "*1\n", "PING\r\n", "$4\r\nPING\r\n", "*9999999999\r\n",
	} {
		if n := ArgumentCount([]byte(b)); n != 0 {
			t.Errorf("%q has %d arguments", b, n)
		}
		if n := CommandLen([]byte(b)); n != 0 {
			t.Errorf("%q has length %d", b, n)
		}
		if args, rest := Arguments([]byte(b)); args != nil || rest != nil {
			t.Errorf("%q has the arguments %q, and then %q", b, args, rest)
		}
	}
	whole := AppendCommand(nil, "SET", "key", "")
	for cut := range whole {
		if n := CommandLen(whole[:cut]); n != 0 {
			t.Errorf("%q has length %d", whole[:cut], n)
		}
		if got := Argument(whole[:cut], 2); got != nil {
			t.Errorf("argument 2 of %q is %q", whole[:cut], got)
		}
	}
	// What lies behind the argument does not matter.
	if got := Argument(whole[:len(whole)-1], 1); string(got) != "key" {
		t.Errorf("argument 1 of %q is %q", whole[:len(whole)-1], got)
	}
	for _, arg := range []string{"+x\r\n", ":1\r\n", "$-1\r\n", "$\r\n\r\n", "$1\r\nxy\r\n", "$2\r\nx\r\n", "*1\r\n$1\r\nx\r\n"} {
		if got := Argument([]byte("*1\r\n"+arg), 0); got != nil {
			t.Errorf("argument 0 of %q is %q", arg, got)
		}
	}
}

// FuzzArgument: whatever the bytes are, CommandLen and Argument see a command
// exactly where the Scanner and ReadValue see an array of bulk strings.
func FuzzArgument(f *testing.F) {
	addSeeds(f)
	f.Add(AppendCommand(AppendCommand(nil, "SET", "k", ""), "PING"), uint(0))
	f.Add([]byte("*2\r\n$1\r\na\r\n$-1\r\n"), uint(0))
	f.Fuzz(func(t *testing.T, b []byte, k uint) {
		Argument(b, int(k)) // must not panic
		want, n := readCommand(b)
		if got := CommandLen(b); got != n {
			t.Fatalf("length %d, want %d", got, n)
		}
		if n == 0 {
			return
		}
		var got []string
		for k := range ArgumentCount(b) {
			got = append(got, string(Argument(b, k)))
		}
		if !slices.Equal(got, want) {
			t.Fatalf("arguments %q, want %q", got, want)
		}
	})
}

// readCommand is Argument and CommandLen by way of ReadValue and Scanner. It
// knows no command with an attribute in it, nor with numbers beyond nine digits.
func readCommand(b []byte) (args []string, n int) {
	var s Scanner
	n, st := s.Scan(b)
	if st != Complete || b[0] != '*' {
		return nil, 0
	}
	v, err := ReadValue(bufio.NewReader(bytes.NewReader(b[:n])))
	if err != nil || v.Null {
		return nil, 0
	}
	for _, e := range v.Elems {
		if e.Kind != '$' || e.Null {
			return nil, 0
		}
		args = append(args, e.Str)
	}
	// An attribute, or zeros before a number, make it longer than it has to be.
	if n != len(AppendCommand(nil, args...)) && (bytes.Contains(b[:n], []byte("|")) || hasLongNumber(b[:n])) {
		return nil, 0
	}
	return args, n
}

// hasLongNumber reports whether ten digits follow each other in b.
func hasLongNumber(b []byte) bool {
	run := 0
	for _, c := range b {
		if c < '0' || c > '9' {
			run = 0
		} else if run++; run == maxWholeDigits+1 {
			return true
		}
	}
	return false
}

func TestArgumentAllocs(t *testing.T) {
	unit := AppendCommand(nil, "SET", "key", "value")
	if n := testing.AllocsPerRun(100, func() { Argument(unit, 1); CommandLen(unit) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkArgument(b *testing.B) {
	unit := AppendCommand(nil, "SET", "key:000000012345", strings.Repeat("x", 64))
	b.Run("Argument1", func(b *testing.B) {
		for b.Loop() {
			if Argument(unit, 1) == nil {
				b.Fatal("nil")
			}
		}
	})
	b.Run("CommandLen", func(b *testing.B) {
		for b.Loop() {
			if CommandLen(unit) == 0 {
				b.Fatal(0)
			}
		}
	})
}
