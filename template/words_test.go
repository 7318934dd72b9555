package template

import (
	"fmt"
	"strings"
	"testing"

	"github.com/respbench/respbench/data"
)

// wordsOf compiles a template that takes words of a file.
func wordsOf(t *testing.T, src string, o data.Options, text string) *Program {
	t.Helper()
	source := table(t, o, text)
	p, err := ParseWith(src, Options{Data: []*data.Source{source}})
	if err != nil {
		t.Fatal(err)
	}
	if err := source.Load(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if err := p.CheckData(); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestWords: in whatever order the rows are, a word is of any row, whatever
// the row of the unit, and several words of one argument are drawn apart.
func TestWords(t *testing.T) {
	t.Parallel()
	const rows, units = 20, 40_000
	var text strings.Builder
	text.WriteString("id,title\n")
	for i := range rows {
		fmt.Fprintf(&text, "%d,w%c w%c\n", i, 'a'+i, 'a'+i)
	}
	for _, order := range []data.Order{data.Sequence, data.Random, data.Zipfian} {
		p := wordsOf(t, "FT.SEARCH <field id as i> '@title:(<word title>|<word title>)' <i>", data.Options{Order: order}, text.String())
		a := NewAppender(p, 3)
		counts, same := make([]int, rows), 0
		for i := range uint64(units) {
			args := commandsOf(t, a.Append(nil, i))[0]
			first, second, ok := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(args[2], "@title:("), ")"), "|")
			if !ok || len(first) != 2 || len(second) != 2 || args[1] != args[3] {
				t.Fatalf("unit %d: %q", i, args)
			}
			counts[first[1]-'a']++
			if first == second {
				same++
			}
			if order == data.Sequence && args[1] != fmt.Sprint(i%rows) {
				t.Fatalf("unit %d has row %s", i, args[1])
			}
		}
		if err := fits(counts, uniformChance(rows)); err != nil {
			t.Errorf("order %v: %v", order, err)
		}
		if most := 2 * units / rows; same == 0 || same > most {
			t.Errorf("order %v: both words are the same in %d of %d units", order, same, units)
		}
	}
}

// TestWordsAreFound: where few rows have words, one of those is found.
func TestWordsAreFound(t *testing.T) {
	t.Parallel()
	text := "id,title\n" + strings.Repeat("1,\n", 3000) + "2,here\n" + strings.Repeat("3,\n", 3000)
	a := NewAppender(wordsOf(t, "GET <word title>", data.Options{}, text), 1)
	for i := range uint64(100) {
		if got := commandsOf(t, a.Append(nil, i))[0][1]; got != "here" {
			t.Fatalf("unit %d: %q", i, got)
		}
	}
}

// TestWordsAllocs is not parallel: it counts the allocations of the process.
func TestWordsAllocs(t *testing.T) {
	p := wordsOf(t, "FT.SEARCH idx '<word title> <word title> <len title>' <json>", data.Options{}, "id,title\n1,some words\n2,other longer words\n")
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
