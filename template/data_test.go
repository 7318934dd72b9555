package template

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/respbench/respbench/data"
)

// table writes a CSV file and opens it.
func table(tb testing.TB, o data.Options, text string) *data.Source {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "table.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		tb.Fatal(err)
	}
	source, err := data.Open(path, o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { source.Close() })
	return source
}

// loaded compiles a template and then loads its data.
func loaded(tb testing.TB, src string, sources ...*data.Source) *Program {
	tb.Helper()
	p, err := ParseWith(src, Options{Data: sources})
	if err != nil {
		tb.Fatal(err)
	}
	for _, s := range sources {
		if err := s.Load(tb.Context(), nil); err != nil {
			tb.Fatal(err)
		}
	}
	if err := p.CheckData(); err != nil {
		tb.Fatal(err)
	}
	return p
}

const cities = `id,name,"page id",motto
1,Köln,11,"say ""hi"", or not"
2,上海,22,
3,Nuuk,33,"two
lines"
`

// TestData: fields go into the commands byte for byte, wherever they stand,
// all of one row.
func TestData(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		src  string
		want []string // of units 0, 1, 2 and 3
	}{
		{"HSET c:<field id> name <field name> motto <field motto>", []string{
			`HSET|c:1|name|Köln|motto|say "hi", or not`, "HSET|c:2|name|上海|motto|", "HSET|c:3|name|Nuuk|motto|two\nlines",
			`HSET|c:1|name|Köln|motto|say "hi", or not`,
		}},
		{`ECHO "[{field 'page id'}]<field id>" '<field "page id">'`, []string{"ECHO|[11]1|11", "ECHO|[22]2|22", "ECHO|[33]3|33"}},
		{"SET <field id as d> <value 0> ; GET x<d><d>", []string{"SET|1|;GET|x11", "SET|2|;GET|x22"}},
		{`ECHO {"n": <field id>, "p": <field 'page id'>}`, []string{`ECHO|{"n": 1, "p": 11}`}},
		{"ECHO <index>/<rows> <int sequence 2>", []string{"ECHO|0/3|0", "ECHO|1/3|1", "ECHO|2/3|0"}},
		{"<field name> <field cities.id> <field cities.\"page id\">", []string{"Köln|1|11"}},
		{`ECHO \{field id} \<rows> {"line":1} {"rows":{"a":1}}`, []string{`ECHO|{field|id}|<rows>|{"line":1}|{"rows":{"a":1}}`}},
	} {
		a := NewAppender(loaded(t, test.src, table(t, data.Options{Name: "cities"}, cities)), 1)
		for i, want := range test.want {
			var got []string
			for _, c := range commandsOf(t, a.Append(nil, uint64(i))) {
				got = append(got, strings.Join(c, "|"))
			}
			if diff := cmp.Diff(want, strings.Join(got, ";")); diff != "" {
				t.Errorf("%q, unit %d (-want +got):\n%s", test.src, i, diff)
			}
		}
	}
}

// TestDataOrders: in sequence every row comes once; at random each unit has a
// row of its own, but all fields of a unit have the same one.
func TestDataOrders(t *testing.T) {
	t.Parallel()
	const rows, units = 10, 50_000
	var text strings.Builder
	text.WriteString("a,b\n")
	for i := range rows {
		fmt.Fprintf(&text, "%d,%d\n", i, i)
	}
	for order, chance := range map[data.Order][]float64{
		data.Sequence: nil, data.Random: uniformChance(rows), data.Zipfian: zipfChance(rows, defaultExponent),
	} {
		a := NewAppender(loaded(t, "ECHO <field a> <value 3> x<field b>", table(t, data.Options{Order: order}, text.String())), 7)
		counts := make([]int, rows)
		var first []string
		for i := range uint64(units) {
			args := commandsOf(t, a.Append(nil, i))[0]
			if args[3] != "x"+args[1] {
				t.Fatalf("order %v, unit %d: fields of two rows: %q", order, i, args)
			}
			counts[args[1][0]-'0']++
			first = append(first, args[1])
		}
		for k := range uint64(300) { // whatever came before
			i := k * k % units
			if got := commandsOf(t, a.Append(nil, i))[0][1]; got != first[i] {
				t.Fatalf("order %v, unit %d: row %s, and %s before", order, i, got, first[i])
			}
		}
		if chance == nil {
			for row, n := range counts {
				if n != units/rows {
					t.Errorf("row %d came %d times", row, n)
				}
			}
		} else if err := fits(counts, chance); err != nil {
			t.Errorf("order %v: %v", order, err)
		}
	}
}

// TestDataOrdersApart: of two files, each has rows of its own at random, even
// where it is the same file.
func TestDataOrdersApart(t *testing.T) {
	t.Parallel()
	const rows, units = 100, 10_000
	text := "n\n"
	for i := range rows {
		text += strconv.Itoa(i) + "\n"
	}
	options := func(name string) data.Options { return data.Options{Name: name, Order: data.Random} }
	a := NewAppender(loaded(t, "ECHO <field a.n> <field b.n>", table(t, options("a"), text), table(t, options("b"), text)), 7)
	equal := 0
	for i := range uint64(units) {
		if args := commandsOf(t, a.Append(nil, i))[0]; args[1] == args[2] {
			equal++
		}
	}
	if equal < units/rows/2 || equal > units/rows*2 {
		t.Errorf("%d of %d units have equal rows, want about %d", equal, units, units/rows)
	}
}

// TestDataPeriod: rows count as a sequence, once they are loaded.
func TestDataPeriod(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		src   string
		order data.Order
		want  uint64
		ok    bool
	}{
		{"SET <field id> v", data.Sequence, 3, true},
		{"SET <field id> <key sequence 4>", data.Sequence, 12, true},
		{"SET <field id> <key sequence 6> <field name>", data.Sequence, 6, true},
		{"SET <field id> <key sequence 4>", data.Random, 4, true},
		{"SET <field id> v", data.Random, 0, false},
		{"SET k <rows>", data.Sequence, 0, false},
	} {
		units, ok := loaded(t, test.src, table(t, data.Options{Order: test.order}, cities)).Period()
		if units != test.want || ok != test.ok {
			t.Errorf("%q in order %v: %d, %v; want %d, %v", test.src, test.order, units, ok, test.want, test.ok)
		}
	}
	blind, err := ParseWith("SET <field whatever> <json>", Options{AnyData: true})
	if err != nil {
		t.Fatal(err)
	}
	if units, ok := blind.Period(); units != 1 || !ok {
		t.Errorf("without the files: %d, %v", units, ok)
	}
}

// dataPrograms are templates whose printouts are golden.
var dataPrograms = []string{
	"SET doc:<field id> <field cities.name>",
	"HSET c:<field id> id <field id> <key uniform 100> x<field name>y<value 3><rand 9>",
	"ECHO <field id as d>-<d> <index> of <rows>",
	"FT.SEARCH idx '@motto:<word motto> <word name as w>' <w> ; ECHO <field name>",
	"JSON.SET doc:<field id> $ <json> ; ECHO <json id,'page id'> <line> <len name> <field motto base64>",
}

func TestDataPrograms(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, src := range dataPrograms {
		p, err := ParseWith(src, Options{Data: []*data.Source{table(t, data.Options{Name: "cities"}, cities)}})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s\n\n%s\n", src, p)
	}
	golden(t, "data.golden", b.String())
}

// TestDataMistakes: what is wrong with a reference, where, and what to do.
func TestDataMistakes(t *testing.T) {
	t.Parallel()
	one := []*data.Source{table(t, data.Options{Name: "cities"}, cities)}
	two := append(one, table(t, data.Options{Name: "people"}, "id,age\n1,2\n"))
	nameless := []*data.Source{table(t, data.Options{}, cities), table(t, data.Options{}, cities)}
	var wide []string
	for i := range 30 {
		wide = append(wide, fmt.Sprintf("column%d", i))
	}
	many := []*data.Source{table(t, data.Options{}, strings.Join(wide, ",")+"\n")}
	var b strings.Builder
	for _, test := range []struct {
		sources []*data.Source
		list    []string
	}{
		{nil, []string{"SET <field id> v", "SET {line}:1 v", "ECHO <rows>", "ECHO <json a,b>", "GET <rand 5 as field>"}},
		{one, []string{
			"SET <field> v", "SET <field nme> v", "SET <field title> v", "SET <field NAME> v", "SET <field page id> v", "SET <field id base32> v",
			"SET <field id,name> v", "SET <field 'id> v", `SET "<field "page id">" v`, "SET <field ''> v", "SET <field people.age> v", "SET <field cities.age> v", "SET <field id as> v",
			"SET <len> v", "SET <len id name> v", "SET <word> v", "SET <word id base64> v", "SET <word nmae> v",
			"SET <json id, name> v", "SET <json id,age> v", "SET <json id,,name> v", "SET <json *> v", "SET <json citis.*> v",
			"SET <line 5> v", "SET <rows citties> v", "SET <rows cities 2> v", "SET <line", "SET {rows id",
		}},
		{two, []string{"SET <field id> v", "SET <len id> v", "ECHO <json>", "ECHO <line>", "ECHO <rows>", "ECHO <rows peple>", "ECHO <json name,age>", "ECHO <field nmae>"}},
		{nameless, []string{"SET <field id> v", "ECHO <rows>", "ECHO <rows cities>"}},
		{many, []string{"SET <field x> v", "SET <field column55> v"}},
	} {
		for _, src := range test.list {
			_, err := ParseWith(src, Options{Data: test.sources})
			var mistake *Error
			if !errors.As(err, &mistake) || mistake.Hint == "" || mistake.Caret() == "" {
				t.Errorf("%q: error %v, want an *Error with a place and a hint", src, err)
				continue
			}
			fmt.Fprintf(&b, "%d sources: %v\n%s\nhint: %s\n\n", len(test.sources), err, mistake.Caret(), mistake.Hint)
		}
	}
	golden(t, "datamistakes.golden", b.String())
}

// TestDataSeveral: a name with the source before it, or without where only one
// has it.
func TestDataSeveral(t *testing.T) {
	t.Parallel()
	a, b := table(t, data.Options{Name: "a"}, "id,x\n1,ax\n2,ay\n"), table(t, data.Options{Name: "b"}, "id,y,a.id\n7,bx,dot\n8,by,dot\n9,bz,dot\n")
	p := loaded(t, `ECHO <field a.id> <field b.id> <field x> <field y> <rows a> <rows b> <field b.a.id> <field "a.id">`, a, b)
	for i, want := range []string{"ECHO 1 7 ax bx 2 3 dot dot", "ECHO 2 8 ay by 2 3 dot dot", "ECHO 1 9 ax bz 2 3 dot dot"} {
		if got := strings.Join(unit(t, p, 1, uint64(i))[0], " "); got != want {
			t.Errorf("unit %d: %q, want %q", i, got, want)
		}
	}
	if units, ok := p.Period(); units != 6 || !ok {
		t.Errorf("period %d, %v; want 6", units, ok)
	}
	if got := p.Sources(); len(got) != 2 || got[0] != a || got[1] != b {
		t.Errorf("sources %v", got)
	}
}

// TestDataBlind: without the files a template compiles, and writes nothing in
// their place.
func TestDataBlind(t *testing.T) {
	t.Parallel()
	p, err := ParseWith("SET <field anything> <json a,b> ; ECHO x<word y><line z><rows>y", Options{AnyData: true})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]string{{"SET", "", ""}, {"ECHO", "xy"}}, unit(t, p, 1, 0)); diff != "" {
		t.Error(diff)
	}
	if _, err := ParseWith("SET <field a b> v", Options{AnyData: true}); err == nil {
		t.Error("a mistake of form is none without the files")
	}
}

// TestDataTooLarge: what no server takes is known when the data are loaded.
func TestDataTooLarge(t *testing.T) {
	t.Parallel()
	text := "id,text\n1," + strings.Repeat("x", 1<<20) + "\n"
	source := table(t, data.Options{}, text)
	loaded(t, "ECHO <field text>", source)
	most := source.MaxSize(0)
	for more, tooLarge := range []bool{false, true} {
		again := table(t, data.Options{}, text)
		src := "SET k x" + strings.Repeat("<field text>", (maxSize-1)/most+more)
		p, err := ParseWith(src, Options{Data: []*data.Source{again}})
		if err != nil {
			t.Fatal(err)
		}
		if err := again.Load(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		var mistake *Error
		if err := p.CheckData(); errors.As(err, &mistake) != tooLarge || tooLarge && mistake.Offset != len("SET k ") {
			t.Errorf("%d times %d bytes: %v", (maxSize-1)/most+more, most, err)
		}
	}
}

// TestDataAllocs holds that Append takes rows without allocating. It is not
// parallel: it counts the allocations of the process.
func TestDataAllocs(t *testing.T) {
	p := loaded(t, "HSET c:<field id> name <field name as n> motto <field motto> <n> <key uniform 100>", table(t, data.Options{Order: data.Random}, cities))
	a := NewAppender(p, 5)
	dst := make([]byte, 0, 4096)
	i := uint64(0)
	if n := testing.AllocsPerRun(1000, func() {
		dst = a.Append(dst[:0], i)
		i++
	}); n != 0 {
		t.Errorf("%v allocations a unit", n)
	}
}

// TestDataBuffers: the same bytes into buffers of any capacity, and none
// behind what is returned.
func TestDataBuffers(t *testing.T) {
	t.Parallel()
	p := loaded(t, "HSET c:<field id> <value 5000> <field motto><bytes 4ki>-<field name> <rand 1000>", table(t, data.Options{}, cities))
	a, b := NewAppender(p, 3), NewAppender(p, 3)
	for i := range uint64(300) {
		want := string(a.Append(nil, i))
		if got := b.Append(make([]byte, i%5, 1+i*40), i)[i%5:]; string(got) != want {
			t.Fatalf("unit %d differs in a buffer of %d", i, 1+i*40)
		}
	}
}

// BenchmarkData compares a value of the file with one of the same size that is
// made up.
func BenchmarkData(b *testing.B) {
	for _, size := range []int{64, 400, 4000} {
		var text strings.Builder
		text.WriteString("id,text\n")
		rng := rand.New(rand.NewPCG(1, 1))
		for i := range 20_000_000 / size {
			fmt.Fprintf(&text, "%d,", i)
			for range size {
				text.WriteByte('a' + byte(rng.Uint32()%26))
			}
			text.WriteByte('\n')
		}
		for _, t := range []struct {
			name, src string
			order     data.Order
		}{
			{"value", fmt.Sprintf("SET <key uniform 10000000> <value %d>", size), data.Sequence},
			{"sequence", "SET <key uniform 10000000> <field text>", data.Sequence},
			{"random", "SET <key uniform 10000000> <field text>", data.Random},
		} {
			b.Run(fmt.Sprintf("%s_%d", t.name, size), func(b *testing.B) {
				a := NewAppender(loaded(b, t.src, table(b, data.Options{Order: t.order}, text.String())), 1)
				var dst []byte
				b.ReportAllocs()
				for i := uint64(0); b.Loop(); i++ {
					dst = a.Append(dst[:0], i)
				}
			})
		}
	}
}
