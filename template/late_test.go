package template

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/respbench/respbench/data"
)

// sparse opens JSON lines of more than a megabyte, the last of which has a
// field more.
func sparse(tb testing.TB, o data.Options) *data.Source {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "sparse.jsonl")
	text := strings.Repeat("{\"id\":1,\"pad\":\"xxxxxxxxxxxxxxxxxxxxxxx\"}\n", 40_000) + `{"id":2,"titles":{"en":"Tide"}}`
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

// TestLateField: a field that the beginning of a file does not show is there if
// a row has it, and otherwise the mistake that it would be in a small file.
func TestLateField(t *testing.T) {
	t.Parallel()
	p := loaded(t, "SET <field id> <field titles.en> <json id,titles>", sparse(t, data.Options{}))
	if got := unit(t, p, 1, 40_000)[0]; strings.Join(got, " ") != `SET 2 Tide {"id":2,"titles":{"en":"Tide"}}` {
		t.Errorf("%q", got)
	}
	for _, tt := range []struct{ src, problem, hint, place string }{
		{"SET k <field titels.en>", `placeholder "field": no field "titels.en" in the data`, `did you mean "titles.en"? The fields are id, pad, titles, "titles.en"`, "titels.en"},
		{"SET <field id> <len s.title>", `placeholder "len": no field "title" in "s"`, `did you mean "titles"? The fields are id, pad, titles, "titles.en"`, "title"},
		{"SET k <json id,titles,pda as j> <j>", `placeholder "json": no field "pda" in the data`, `did you mean "pad"? The fields are id, pad, titles`, "pda"},
		{"SEARCH <word tiles>", `placeholder "word": no field "tiles" in the data`, `did you mean "titles"? The fields are id, pad, titles, "titles.en"`, "tiles"},
	} {
		source := sparse(t, data.Options{Name: "s"})
		p, err := ParseWith(tt.src, Options{Data: []*data.Source{source}})
		if err != nil {
			t.Errorf("%s: %v", tt.src, err)
			continue
		}
		if err := source.Load(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		var e *Error
		if err := p.CheckData(); !errors.As(err, &e) || e.Problem != tt.problem || e.Hint != tt.hint || e.Source[e.Offset:e.Offset+e.Length] != tt.place {
			t.Errorf("%s: %+v, want %s and %s", tt.src, err, tt.problem, tt.hint)
		}
	}
}

// TestLateOfSeveral: it is the one file that may still have it, and one has to
// be named where several may.
func TestLateOfSeveral(t *testing.T) {
	t.Parallel()
	small, large, other := table(t, data.Options{Name: "c"}, cities), sparse(t, data.Options{Name: "s"}), sparse(t, data.Options{Name: "o"})
	loaded(t, "SET <field motto> <field titles>", small, large)
	if _, err := ParseWith("SET k <field c.titles>", Options{Data: []*data.Source{small, large}}); err == nil {
		t.Error("a CSV file has a field more than its header")
	}
	large = sparse(t, data.Options{Name: "s"})
	_, err := ParseWith("SET k <field titles>", Options{Data: []*data.Source{small, large, other}})
	var e *Error
	if !errors.As(err, &e) || e.Hint != "say which: <field s.titles>" || !strings.Contains(e.Problem, "and 2 may have it further on") {
		t.Errorf("%+v", err)
	}
	loaded(t, "SET <field s.titles> v", sparse(t, data.Options{Name: "s"}), sparse(t, data.Options{Name: "o"}))
}
