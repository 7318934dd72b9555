package template

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/respbench/respbench/data"
)

// FuzzData holds that a template with data is a mistake with a place, or a
// Program whose units are RESP and of the promised number of commands.
func FuzzData(f *testing.F) {
	for _, src := range append(dataPrograms, "ECHO <json cities.*> <line cities> <rows cities>", "GET <field id", "SET <field 'id> v", "A {rows") {
		f.Add(src, uint64(3))
	}
	path := filepath.Join(f.TempDir(), "cities.csv")
	if err := os.WriteFile(path, []byte(cities), 0o600); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, src string, i uint64) {
		source, err := data.Open(path, data.Options{Name: "cities"})
		if err != nil {
			t.Fatal(err)
		}
		defer source.Close()
		p, err := ParseWith(src, Options{Data: []*data.Source{source}})
		var mistake *Error
		switch {
		case err == nil:
		case !errors.As(err, &mistake):
			t.Fatalf("error %v is not an *Error", err)
		case mistake.Offset < 0 || mistake.Length < 0 || mistake.Offset+mistake.Length > len(src),
			mistake.Problem == "" || mistake.Hint == "" || strings.ContainsAny(mistake.Problem+mistake.Hint, "\r\n"):
			t.Fatalf("%+v", mistake)
		}
		if err != nil || p.most > 1<<20 {
			return
		}
		if !strings.Contains(p.String(), "of data") { // it takes none
			return
		}
		if err := source.Load(t.Context(), nil); err != nil { // a field that is not base64
			return
		}
		wire := NewAppender(p, 1).Append([]byte("before"), i)
		if n := len(commandsOf(t, wire[len("before"):])); n != p.Commands() {
			t.Errorf("%d commands, want %d", n, p.Commands())
		}
		if again := NewAppender(p, 1).Append([]byte("before"), i); string(again) != string(wire) && !strings.Contains(src, "time") {
			t.Errorf("the same unit differs:\n%q\n%q", wire, again)
		}
	})
}
