package generator

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/respbench/respbench/data"
	"github.com/respbench/respbench/internal/resp"
	"github.com/respbench/respbench/template"
)

// weighted is templates of some weights.
func weighted(t *testing.T, weights ...int) (list []Template) {
	t.Helper()
	ping := program(t, "PING")
	for _, w := range weights {
		list = append(list, Template{ping, w})
	}
	return list
}

// many is n weights from 1 to 4.
func many(n int) (weights []int) {
	for k := range n {
		weights = append(weights, 1+k%4)
	}
	return weights
}

// In every order each template has exactly its weight in every block, and its
// own units are numbered without gaps; also where classes are found by table.
func TestOrdersAreExact(t *testing.T) {
	t.Parallel()
	for _, order := range []Order{Spread, InTurn, Shuffled} {
		for _, weights := range [][]int{{1, 1}, {2, 2}, {65, 35}, {3, 1, 1}, many(9), many(1000)} {
			m := newMix(weighted(t, weights...), order, 42)
			const blocks = 5
			for block := range uint64(blocks) {
				seen := make([]map[uint64]bool, len(weights))
				for k := range seen {
					seen[k] = map[uint64]bool{}
				}
				for i := range m.total {
					class, index := m.choose(block*m.total + i)
					seen[class][index] = true
				}
				for k, c := range m.classes {
					if uint64(len(seen[k])) != c.weight || !seen[k][block*c.weight] || !seen[k][(block+1)*c.weight-1] {
						t.Fatalf("order %d, %d templates, block %d: template %d of weight %d has the units %v", order, len(weights), block, k, c.weight, seen[k])
					}
				}
			}
		}
	}
}

// Unit i of templates in turn is of line i, where a line of weight w counts w
// times.
func TestInTurn(t *testing.T) {
	t.Parallel()
	m := newMix(weighted(t, 2, 1, 4), InTurn, 42)
	var got []string
	for i := range uint64(14) {
		class, index := m.choose(i)
		got = append(got, fmt.Sprint(class, ".", index))
	}
	const want = "0.0 0.1 1.0 2.0 2.1 2.2 2.3 0.2 0.3 1.1 2.4 2.5 2.6 2.7"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("%s, want %s", s, want)
	}
}

// Shuffled orders are permutations, all different, that look drawn: where a
// slot comes has no bias, by a chi-squared test at about the level 1e-6, and
// neighbours are rarely neighbours again.
func TestShuffled(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 3, 5, 16, 17, 100, 1000} {
		m := newMix(weighted(t, slices.Repeat([]int{1}, n)...), Shuffled, 7)
		m.total = uint64(n) // also of one
		const blocks = 2000
		counts := make([]int, n) // where slot 0 came
		neighbours := 0
		for block := range uint64(blocks) {
			seen := make([]bool, n)
			last := uint64(math.MaxUint32)
			for i := range uint64(n) {
				slot := m.shuffled(block, i)
				if seen[slot] {
					t.Fatalf("%d slots, block %d: slot %d came twice", n, block, slot)
				}
				seen[slot] = true
				if i == 0 {
					counts[slot]++
				}
				if slot == last+1 {
					neighbours++
				}
				last = slot
			}
		}
		expected := float64(blocks) / float64(n)
		chi := 0.0
		for _, c := range counts {
			chi += (float64(c) - expected) * (float64(c) - expected) / expected
		}
		freedom := float64(n - 1)
		if limit := freedom + 5*math.Sqrt(2*freedom) + 15; chi > limit {
			t.Errorf("%d slots: chi squared %.1f, at most %.1f", n, chi, limit)
		}
		// Of a random permutation one pair in n is of neighbours.
		if n >= 16 && neighbours > 2*blocks {
			t.Errorf("%d slots: %d neighbours in %d blocks", n, neighbours, blocks)
		}
	}
}

// rowsProgram is a template of n whole rows, row i being ECHO i.
func rowsProgram(t *testing.T, n int) *template.Program {
	t.Helper()
	m := data.Make("rows")
	for i := range n {
		if err := m.Add(resp.AppendCommand(nil, "ECHO", fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
	}
	source, err := m.Source()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { source.Close() })
	return template.Whole("rows", source, 1)
}

// The rows of one template come in their order or shuffled, all of them each
// time round; another seed shuffles them otherwise.
func TestUnitsOfRows(t *testing.T) {
	t.Parallel()
	const n = 100
	templates := Only(rowsProgram(t, n))
	text := func(order Order, seed, from uint64) (lines []string) {
		units := NewUnits(templates, order, seed, nil)
		for i := range uint64(n) {
			line, commands := units.AppendText(nil, from+i)
			if commands != 1 {
				t.Fatalf("%d commands", commands)
			}
			lines = append(lines, string(line))
		}
		return lines
	}
	ordered := text(InTurn, 1, 0)
	if !slices.Equal(ordered, text(InTurn, 2, n)) || ordered[7] != "ECHO 7\n" {
		t.Errorf("in turn: %q", ordered)
	}
	first, second, other := text(Shuffled, 1, 0), text(Shuffled, 1, n), text(Shuffled, 2, 0)
	if slices.Equal(first, second) || slices.Equal(first, other) || slices.Equal(first, ordered) || !slices.Equal(first, text(Shuffled, 1, 0)) {
		t.Error("not shuffled anew each time, by the seed")
	}
	for _, lines := range [][]string{first, second, other} {
		slices.Sort(lines)
		if len(slices.Compact(lines)) != n {
			t.Errorf("%d of %d rows in one round", len(lines), n)
		}
	}
}

// Weights in turn are not divided by what they have in common, so their sum is
// bounded as it is.
func TestOrderBounds(t *testing.T) {
	t.Parallel()
	cfg := Config{Templates: weighted(t, MaxWeights, MaxWeights)}
	if err := checkTemplates(cfg.Templates, Spread); err != nil {
		t.Error(err)
	}
	if err := checkTemplates(cfg.Templates, InTurn); err == nil || !strings.Contains(err.Error(), "add up to 2097152") {
		t.Error(err)
	}
}
