package template

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestDeterminism renders units in any order, by several Appenders and into
// buffers of any capacity, and wants the same bytes.
func TestDeterminism(t *testing.T) {
	t.Parallel()
	for _, src := range programs {
		if strings.Contains(src, "<time") {
			continue
		}
		p := mustParse(t, src)
		const units = 200
		a := NewAppender(p, 99)
		want := make([][]byte, units)
		for i := range uint64(units) {
			want[i] = a.Append(nil, i)
		}
		b := NewAppender(mustParse(t, src), 99)
		for _, i := range rand.New(rand.NewPCG(1, 2)).Perm(units) {
			dst := make([]byte, i%7, i%7+i%300)
			got := b.Append(dst, uint64(i))
			if !bytes.Equal(got[:i%7], make([]byte, i%7)) || !bytes.Equal(got[i%7:], want[i]) {
				t.Fatalf("%q, unit %d: two Appenders differ:\n%q\n%q", src, i, want[i], got[i%7:])
			}
		}
		if other := NewAppender(p, 100).Append(nil, 0); len(p.sequences) == 0 && p.registers > 0 && bytes.Equal(other, want[0]) {
			t.Errorf("%q: seeds 99 and 100 agree", src)
		}
	}
}

// TestAppendKeepsToItsBytes holds that Append writes nothing behind what it
// returns: the rest of the buffer may hold something.
func TestAppendKeepsToItsBytes(t *testing.T) {
	t.Parallel()
	for _, src := range programs {
		a := NewAppender(mustParse(t, src), 5)
		for i := range uint64(50) {
			buffer := bytes.Repeat([]byte{0xAA}, 40_000)
			end := len(a.Append(buffer[:3], i))
			if rest := bytes.TrimLeft(buffer[end:], "\xAA"); len(rest) > 0 {
				t.Fatalf("%q, unit %d: bytes behind the end were written", src, i)
			}
		}
	}
}

// TestAppendAllocs holds that Append does not allocate when dst is long
// enough. It is not parallel: it counts the allocations of the process.
func TestAppendAllocs(t *testing.T) {
	for _, src := range programs {
		p := mustParse(t, src)
		a := NewAppender(p, 5)
		dst := make([]byte, 0, p.most)
		i := uint64(0)
		if n := testing.AllocsPerRun(100, func() {
			dst = a.Append(dst[:0], i)
			i++
		}); n != 0 {
			t.Errorf("%q: %v allocations a unit", src, n)
		}
	}
}

// TestSizes holds the bound of a unit and the room that instructions ask for.
func TestSizes(t *testing.T) {
	t.Parallel()
	for _, src := range programs {
		p := mustParse(t, src)
		a := NewAppender(p, 5)
		for i := range uint64(100) {
			if n := len(a.Append(nil, i)); n > p.most {
				t.Errorf("%q, unit %d has %d bytes, above the bound %d", src, i, n, p.most)
			}
		}
		if p.SizeHint() < 1 || p.SizeHint() > p.most {
			t.Errorf("%q: size hint %d, bound %d", src, p.SizeHint(), p.most)
		}
	}
	p := mustParse(t, "SET k <value 10:9,512mi:1>")
	if room := cap(NewAppender(p, 1).Append(nil, 0)); room > 1<<20 {
		t.Errorf("%d bytes of room for a short value, because others are long", room)
	}
}

// TestLargeValues holds sizes about which buffers must grow in the middle of
// a unit, and lengths of every number of digits.
func TestLargeValues(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 1, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 99, 100, 4095, 4096, 4097, 100_000, 20_000_000} {
		for _, kind := range []string{"value", "bytes"} {
			src := fmt.Sprintf("SET <%[1]s %[2]d as v> <v> <%[1]s %[2]d..%[2]d> x<%[1]s 0..%[2]d as w>y <w>", kind, size)
			if size > 1e6 {
				src = fmt.Sprintf("SET k <%s %d>", kind, size)
			}
			args := unit(t, mustParse(t, src), 1, 1)[0]
			if size > 1e6 {
				args = append(args[1:], args[2], args[2], "xy", "")
			}
			if len(args[1]) != size || len(args[3]) != size || args[1] != args[2] || "x"+args[5]+"y" != args[4] {
				t.Errorf("%s of %d: lengths %d, %d, %d, or a copy differs", kind, size, len(args[1]), len(args[2]), len(args[3]))
			}
		}
	}
}

// TestBoundNames holds that a name repeats the text, in every kind.
func TestBoundNames(t *testing.T) {
	t.Parallel()
	for _, form := range []string{
		"key uniform 1000", "key zipfian 20g", "int uniform 1000", "rand 100000", "value 20", "value 0..300", "value 3:1,5000:1",
		"bytes 20", "bytes 0..5000", "index", "uuid", "time us", "range 1000 50",
	} {
		a := NewAppender(mustParse(t, "A <"+form+" as n-1_x> ; B '<n-1_x>' \"-<n-1_x>-{n-1_x}\" ; C {n-1_x}"), 11)
		for i := range uint64(100) {
			commands := commandsOf(t, a.Append(nil, i))
			first := strings.Join(commands[0][1:], " ")
			want := [][]string{commands[0], {"B", first, "-" + first + "-" + first}, append([]string{"C"}, commands[0][1:]...)}
			if diff := cmp.Diff(want, commands); diff != "" {
				t.Fatalf("%s, unit %d (-want +got):\n%s", form, i, diff)
			}
		}
	}
}

// TestSequences holds that sequences follow the index, in step, and that a
// period covers every pair once.
func TestSequences(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		src    string
		period uint64
		pairs  int
	}{
		{"ZADD z {key sequence 300} m{key sequence 300}", 300, 300},
		{"ZADD {key sequence 10} {rand 70000} {key sequence 21}", 210, 210},
		{"ZADD {int sequence 1..6} {rand 70000} {int sequence 4}", 12, 12},
	} {
		p := mustParse(t, test.src)
		period, ok := p.Period()
		if period != test.period || !ok {
			t.Errorf("%q: period %d, %v, want %d", test.src, period, ok, test.period)
		}
		a := NewAppender(p, 1)
		for _, from := range []uint64{0, 1, 1<<40 + 7} {
			seen := map[string]bool{}
			for i := from; i < from+test.period; i++ {
				args := commandsOf(t, a.Append(nil, i))[0]
				seen[args[1]+" "+args[len(args)-1]] = true
			}
			if len(seen) != test.pairs {
				t.Errorf("%q: %d units from %d on cover %d pairs", test.src, test.period, from, len(seen))
			}
		}
	}
	for i, want := range map[uint64]string{0: "1", 1: "2", 299: "300", 300: "1", 1<<63 + 5: strconv.Itoa(1 + (1<<63%300+5)%300)} {
		if got := unit(t, mustParse(t, "GET <int sequence 1..300>"), 1, i)[0][1]; got != want {
			t.Errorf("unit %d of sequence 1..300 is %s, want %s", i, got, want)
		}
	}
}

func TestPeriod(t *testing.T) {
	t.Parallel()
	const tooLarge = 1<<64 - 1
	for _, test := range []struct {
		src  string
		want uint64
		ok   bool
	}{
		{"GET <key uniform 10>", 0, false},
		{"GET <key sequence 1>", 1, true},
		{"GET <key sequence 10 as k> <k> <k>", 10, true},
		{"ZADD {key sequence 1000} {rand 70000} {key sequence 10007}", 10_007_000, true},
		{"PING ; SET <int sequence 5..8> x ; SET <int sequence 6> x", 12, true},
		{"GET <key sequence 9223372036854775807>", 1<<63 - 1, true},
		{"GET <key sequence 0..9223372036854775807>", tooLarge, false},
		{"GET <key sequence 9223372036854775807> <key sequence 2>", tooLarge, false},
		{"GET <key sequence 4294967296> <key sequence 4294967297> <key sequence 4294967299>", tooLarge, false},
	} {
		if got, ok := mustParse(t, test.src).Period(); got != test.want || ok != test.ok {
			t.Errorf("%q: period %d, %v, want %d, %v", test.src, got, ok, test.want, test.ok)
		}
	}
}

// TestForms holds the look of each placeholder's text.
func TestForms(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ form, look string }{
		{"key uniform 10", `key_000000000\d`},
		{"key uniform 9_999_999_990..10_000_000_010", `key_(999999999\d|100000000(0\d|10))`},
		{"key uniform 9223372036854775807", `key_\d{10,19}`},
		{"int uniform 1000", `0|[1-9]\d{0,2}`},
		{"rand 100000", `0|[1-9]\d{0,4}`},
		{"value 33", `[0-9A-Za-z]{33}`},
		{"value 0..3", `[0-9A-Za-z]{0,3}`},
		{"uuid", `[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`},
		{"index", `0|[1-9]\d{0,2}`},
	} {
		look := regexp.MustCompile("^(" + test.look + ")$")
		texts := arguments(t, "ECHO <"+test.form+">", 1, 1000)
		for i, text := range texts {
			if !look.MatchString(text) {
				t.Errorf("unit %d of %s is %q", i, test.form, text)
				break
			}
		}
	}
	for i, text := range arguments(t, "ECHO <index>", 1, 1000) {
		if text != strconv.Itoa(i) {
			t.Fatalf("unit %d has index %s", i, text)
		}
	}
	if text := unit(t, mustParse(t, "ECHO <index>"), 1, 1<<64-1)[0][1]; text != "18446744073709551615" {
		t.Errorf("the last index is %s", text)
	}
}

// TestRange holds the width near both ends.
func TestRange(t *testing.T) {
	t.Parallel()
	lowest, highest := 1000, 0
	a := NewAppender(mustParse(t, "ZRANGE z {range 1000 100}"), 1)
	for i := range uint64(20_000) {
		args := commandsOf(t, a.Append(nil, i))[0]
		low, errLow := strconv.Atoi(args[2])
		high, errHigh := strconv.Atoi(args[3])
		if errLow != nil || errHigh != nil || len(args) != 4 || low < 0 || high > 999 || high-low != 100 {
			t.Fatalf("unit %d: %q", i, args)
		}
		lowest, highest = min(lowest, low), max(highest, high)
	}
	if lowest != 0 || highest != 999 {
		t.Errorf("20000 ranges lie in %d..%d, want 0..999", lowest, highest)
	}
	args := unit(t, mustParse(t, "ZRANGE z {range 9223372036854775807 9223372036854775806}"), 1, 0)[0]
	if diff := cmp.Diff([]string{"ZRANGE", "z", "0", "9223372036854775806"}, args); diff != "" {
		t.Errorf("the widest range (-want +got):\n%s", diff)
	}
}

// TestTime compares <time> with the clock around it.
func TestTime(t *testing.T) {
	t.Parallel()
	for name, scale := range map[string]time.Duration{"s": time.Second, "ms": time.Millisecond, "us": time.Microsecond} {
		p := mustParse(t, "ECHO <time "+name+">")
		before := time.Now().UnixNano() / int64(scale)
		got, err := strconv.ParseInt(unit(t, p, 1, 0)[0][1], 10, 64)
		after := time.Now().UnixNano() / int64(scale)
		if err != nil || got < before || got > after {
			t.Errorf("<time %s> is %d, %v, want %d..%d", name, got, err, before, after)
		}
	}
}

// TestDistinct holds that random texts do not repeat, and that a wide uniform
// key hardly does.
func TestDistinct(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		form         string
		units, least int
	}{
		{"value 16", 100_000, 100_000},
		{"bytes 16", 100_000, 100_000},
		{"uuid", 100_000, 100_000},
		{"key uniform 4294967296", 100, 100},
		{"key uniform 9223372036854775807", 10_000, 10_000},
	} {
		texts := arguments(t, "SADD s <"+test.form+">", 2, test.units)
		slices.Sort(texts)
		if n := len(slices.Compact(texts)); n < test.least {
			t.Errorf("%d of %s: %d different ones", test.units, test.form, n)
		}
	}
}
