package generator

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// In every block each template has exactly its weight, and its own units are
// numbered without gaps.
func TestMixIsExact(t *testing.T) {
	t.Parallel()
	ping := program(t, "PING")
	for _, weights := range [][]int{{1}, {1, 1}, {65, 35}, {95, 5}, {1, 2, 3, 4}, {1, 999}, {0, 0, 0}} {
		var templates []Template
		for _, w := range weights {
			templates = append(templates, Template{ping, w})
		}
		m := newMix(templates, 42)
		const blocks = 50
		seen := make([]map[uint64]bool, len(weights))
		for k := range seen {
			seen[k] = map[uint64]bool{}
		}
		for i := range blocks * m.total {
			class, index := m.choose(i)
			if seen[class][index] {
				t.Fatalf("%v: unit %d of template %d came twice", weights, index, class)
			}
			seen[class][index] = true
		}
		for k, c := range m.classes {
			if got := uint64(len(seen[k])); got != blocks*c.weight || !seen[k][0] || !seen[k][got-1] {
				t.Errorf("%v: template %d has %d units in %d blocks of weight %d", weights, k, got, blocks, c.weight)
			}
		}
	}
}

// Another seed mixes in another order.
func TestMixFollowsTheSeed(t *testing.T) {
	t.Parallel()
	ping := program(t, "PING")
	order := func(seed uint64) (s string) {
		m := newMix([]Template{{ping, 13}, {ping, 7}}, seed)
		for i := range uint64(200) {
			class, _ := m.choose(i)
			s += string(rune('a' + class))
		}
		return s
	}
	if diff := cmp.Diff(order(1), order(1)); diff != "" {
		t.Error(diff)
	}
	if order(1) == order(2) {
		t.Error("two seeds, one order")
	}
	if s := order(1); strings.Contains(s, strings.Repeat("a", 12)) || s[:20] == s[20:40] && s[20:40] == s[40:60] {
		t.Errorf("not mixed: %s", s)
	}
}
