package generator

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/internal/redistest"
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
		m := newMix(templates, Spread, 42)
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
		m := newMix([]Template{{ping, 13}, {ping, 7}}, Spread, seed)
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

// A mix sends its templates in their proportion, exactly, and reports each.
func TestRunMix(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	mixed := []Template{{program(t, "SET k{rand 10} {value 8}"), 35}, {program(t, "INCR n"), 65}}
	r, err := Run(t.Context(), Config{
		Templates: mixed, Dialer: conn.Dialer{Address: s.Addr}, Requests: 20_000, Connections: 7, Pipeline: 5, Threads: 2,
	})
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range []int64{7000, 13_000} {
		p := r.Parts[k]
		if p.Sent != want || p.Succeeded != want || p.Latency.Count != want {
			t.Errorf("part %d: %+v", k, p)
		}
	}
	if set, incr := s.Calls(t, "set"), s.Calls(t, "incr"); set != 7000 || incr != 13_000 {
		t.Errorf("the server saw %d SET and %d INCR", set, incr)
	}
	// Units of different sizes stay together, and cannot be counted out.
	mixed = []Template{{program(t, "GET k1"), 1}, {program(t, "MULTI ; INCR m ; EXEC"), 1}}
	cfg := Config{Templates: mixed, Dialer: conn.Dialer{Address: s.Addr}, Duration: 200 * time.Millisecond, Rate: 5000, Connections: 3}
	if r, err = Run(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	if r.Requests.Failed > 0 || r.Parts[1].Sent%3 != 0 {
		t.Errorf("%+v %+v", r.Requests, r.Parts[1])
	}
	if all := r.Requests.Sent + r.OpenLoop.Missed; all < 990 || all > 1010 {
		t.Errorf("%d requests due in 0.2 s at 5000/s", all)
	}
	cfg.Requests = 12
	if err := cfg.Validate(); err == nil || !strings.Contains(err.Error(), "different numbers of commands") {
		t.Errorf("a count over units of different sizes: %v", err)
	}
}
