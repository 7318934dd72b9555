package data

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// sparse is JSON lines of more than a megabyte, and then some others.
func sparse(tail ...string) string {
	var b strings.Builder
	for id := 0; b.Len() < windowSize+100; id++ {
		fmt.Fprintf(&b, "{\"id\":%d,\"in\":{\"side\":1}}\n", id)
	}
	return b.String() + strings.Join(tail, "\n")
}

// TestLate: a field that first appears late in a file is there, whatever way it
// is written, also in an array; one that no row has is not.
func TestLate(t *testing.T) {
	t.Parallel()
	rows := []string{
		`{"id":"a","late":"x","in":{"late":"y"},"new":{"in":{"deep":"z"}},"so.on":"w"}`,
		`{"id":"b","late":null,"new":{"in":{}},"other":1}`,
	}
	names := []string{"late", "in.late", "new.in.deep", "so.on", "new", "titel", "new.out"}
	for name, text := range map[string]string{
		"a.jsonl": sparse(rows...),
		"a.json":  "[" + strings.ReplaceAll(strings.TrimSpace(sparse()), "\n", ",\n") + "," + strings.Join(rows, ",") + "]",
	} {
		s := open(t, name, text, Options{})
		if !s.Partial() || slices.Contains(s.Fields(), "late") {
			t.Fatalf("%s: partial %v, fields %q", name, s.Partial(), s.Fields())
		}
		columns := []Column{col(JSON, "id", "late", "in.late")}
		for _, field := range names {
			columns = append(columns, col(Text, field))
		}
		all := loaded(t, s, columns...)
		want := [][]string{
			{`{"id":"a","late":"x","in.late":"y"}`, "x", "y", "z", "w", `{"in":{"deep":"z"}}`, "", ""},
			{`{"id":"b","late":null}`, "", "", "", "", `{"in":{}}`, "", ""},
		}
		for k, row := range all[len(all)-2:] {
			if !slices.Equal(row, want[k]) {
				t.Errorf("%s: %q, want %q", name, row, want[k])
			}
		}
		if first := all[0]; first[0] != `{"id":0}` || first[1] != "" {
			t.Errorf("%s begins with %q", name, first)
		}
		fields := []string{"id", "in", "in.side", "late", "so.on", "new", "other", "in.late", "new.in.deep"}
		got := slices.Clone(s.Fields())
		slices.Sort(fields)
		slices.Sort(got)
		if !slices.Equal(got, fields) {
			t.Errorf("%s: the fields are %q, want %q", name, got, fields)
		}
	}
}

// TestWhole: of a small file all fields are known before it is loaded.
func TestWhole(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"a.jsonl": "{\"a\":1}\n{\"b\":1}", "a.json": "[{\"a\":1},{\"b\":2}]", "a.csv": "a,b\n1,2\n"} {
		s := open(t, name, text, Options{})
		if s.Partial() || !slices.Equal(s.Fields(), []string{"a", "b"}) {
			t.Errorf("%s: partial %v, fields %q", name, s.Partial(), s.Fields())
		}
	}
}

// TestManyNames: keys that are data do not take memory without end.
func TestManyNames(t *testing.T) {
	t.Parallel()
	var tail []string
	for k := range 3 * maxNames {
		tail = append(tail, fmt.Sprintf(`{"user %d":1}`, k))
	}
	s := open(t, "a.jsonl", sparse(append(tail, `{"late":"x"}`)...), Options{})
	all := loaded(t, s, col(Text, "late"))
	if last := all[len(all)-1][0]; last != "x" || len(s.Fields()) > maxNames+10 {
		t.Errorf("%q, and %d fields", last, len(s.Fields()))
	}
}

// TestGuessedLines: a table of one column cannot be told from lines, but for a
// word above numbers.
func TestGuessedLines(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		file, text, header string
		guessed            bool
	}{
		{"ids", "id\n1\n2\n", "id", true},
		{"ids", "user_id\r\n007\r\n\r\n0\r\n-1.5", "user_id", true},
		{"ids", "id\n1\nx\n", "", true},
		{"ids", "id\n", "", true},
		{"ids", "id\n\n", "", true},
		{"ids", "1\n2\n3\n", "", true},
		{"ids", "two words\n2\n3\n", "", true},
		{"ids", "-\n2\n3\n", "", true},
		{"ids.txt", "id\n1\n2\n", "", false},
		{"ids.csv", "id\n1\n2\n", "", false},
		{"ids", "id,x\n1,2\n", "", false},
	} {
		s := open(t, tt.file, tt.text, Options{})
		if s.GuessedLines() != tt.guessed || s.Header() != tt.header {
			t.Errorf("%s of %q: guessed %v, header %q", tt.file, tt.text, s.GuessedLines(), s.Header())
		}
	}
	if s := open(t, "ids", "id\n1\n", Options{Format: "lines"}); s.GuessedLines() || s.Header() != "" {
		t.Error("a format that was given is guessed")
	}
}
