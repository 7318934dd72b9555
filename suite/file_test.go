package suite

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/respbench/respbench/data"
	"github.com/respbench/respbench/generator"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestReadMistakes: each text of testdata/mistakes.txt, parted by
// lines "=====", brings the error that the golden file has, with its line and
// column.
func TestReadMistakes(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/mistakes.txt")
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for mistake := range strings.SplitSeq(string(text), "=====\n") {
		_, err := Read("my.yaml", []byte(mistake))
		if err == nil {
			t.Errorf("no error in:\n%s", mistake)
			continue
		}
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("several lines: %q", err)
		}
		got.WriteString(mistake + "=> " + err.Error() + "\n\n")
	}
	path := filepath.Join("testdata", "mistakes.golden")
	if *update {
		if err := os.WriteFile(path, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestReadTakesAll(t *testing.T) {
	t.Parallel()
	got, err := Read("my.yaml", []byte(`# a remark
name: mine
note: "what it is for"
connections: 8
pipeline: 16
seconds: 0.5
scaled:
  n: {full: 10m}
  m: {full: 10_007, coprime: 1000}
data:
  wiki: {file: docs/wiki.xml.gz, order: zipfian}
  users: {}
tests:
  - name: one
    note: the first
    prepare: ["SCRIPT LOAD 'return 1'", 'SET a b']
    cleanup: [DEL a]
    preload:
      - template: SET ${prefix}<key sequence ${n}> x
      - {template: LPUSH l x, count: '2 * ${m}'}
    template: GET ${prefix}<key uniform ${n}>
    count: 1k
    connections: 0
    pipeline: 2
    seconds: 1.5
  - name: both
    lanes:
      - {name: write, template: 'SET <field wiki.id> <json wiki.*>', rate: 1.5k, pipeline: 4}
      - {name: read, template: 'GET <field users.id>', connections: 3}
`))
	if err != nil {
		t.Fatal(err)
	}
	eight, tuned, three := 8, 0, 3
	want := &Suite{
		Name: "mine", Note: "what it is for",
		Load:   Load{Connections: &eight, Pipeline: 16, Duration: 500e6},
		Scaled: map[string]ScaledNumber{"n": {Full: 10_000_000}, "m": {Full: 10_007, Coprime: 1000}},
		Tests: []Test{{
			Name: "one", Note: "the first",
			Prepare:  []string{"SCRIPT LOAD 'return 1'", "SET a b"},
			Cleanup:  []string{"DEL a"},
			Preload:  []Preload{{"SET ${prefix}<key sequence ${n}> x", ""}, {"LPUSH l x", "2 * ${m}"}},
			Template: "GET ${prefix}<key uniform ${n}>", Count: "1k",
			Load: Load{Connections: &tuned, Pipeline: 2, Duration: 1500e6},
		}, {
			Name: "both",
			Lanes: []Lane{
				{Name: "write", Template: "SET <field wiki.id> <json wiki.*>", Rate: 1500, Load: Load{Pipeline: 4}},
				{Name: "read", Template: "GET <field users.id>", Load: Load{Connections: &three}},
			},
		}},
		Data: []Data{{Name: "users"}, {Name: "wiki", File: "docs/wiki.xml.gz", Order: data.Zipfian}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A value is the text that stands in the file, whatever YAML thinks it is.
func TestReadKeepsTexts(t *testing.T) {
	t.Parallel()
	got, err := Read("my.yaml", []byte("\ufeff"+`name: 7.20
note: 1.0
connections: 010
seconds: 01.50
scaled:
  n: {full: 0_10}
  m: {full: &ten 1_0, coprime: 007}
  k: {full: *ten}
tests:
  - name: 1e3
    note: true
    prepare: [0x10, 1.50, .inf]
    preload: [{template: GET <key sequence 5>, count: 0100}]
    template: 1.10
    count: 1_000
`))
	if err != nil {
		t.Fatal(err)
	}
	ten := 10
	want := &Suite{
		Name: "7.20", Note: "1.0", Load: Load{Connections: &ten, Duration: 1500e6},
		Scaled: map[string]ScaledNumber{"n": {Full: 10}, "m": {Full: 10, Coprime: 7}, "k": {Full: 10}},
		Tests: []Test{{
			Name: "1e3", Note: "true", Prepare: []string{"0x10", "1.50", ".inf"},
			Preload: []Preload{{"GET <key sequence 5>", "0100"}}, Template: "1.10", Count: "1_000",
		}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestReadWantsText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"name: s\nnote: \xff\n":        `my.yaml:2:7: the byte \xff is not UTF-8`,
		"name: s\nnote: é\x00x":        "my.yaml:2:8: a NUL byte is no text",
		"n\x00a\x00":                   "my.yaml:1:2: a NUL byte is no text",
		"\xff\xfen\x00a\x00m\x00e\x00": `my.yaml:1:1: the byte \xff is not UTF-8`,
		"\ufeff":                       "my.yaml: 0 YAML documents with something in them; a suite is one",
	} {
		if _, err := Read("my.yaml", []byte(text)); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// A listed suite may come from anywhere: it has no hold on the terminal.
func TestListIsPrintable(t *testing.T) {
	t.Parallel()
	s := suiteOf(Test{
		Name: "x", Prepare: []string{"ECHO \x1b[2J"}, Template: "GET \x1b]0;a\x07\u202e",
		Preload: []Preload{{"SET <key sequence 2> \x9b2J", ""}},
	})
	var b strings.Builder
	if err := List(&b, Config{Suite: s, Targets: []Target{{}}}); err != nil {
		t.Fatal(err)
	}
	want := "x  GET \\x1b]0;a\\x07\\u202e\n     after ECHO \\x1b[2J\n     after SET <key sequence 2> \\x9b2J  (2 times)\n"
	if b.String() != want {
		t.Errorf("%q", b.String())
	}
}

// FuzzRead: any text is a suite or an error of one line.
func FuzzRead(f *testing.F) {
	for _, name := range Builtins() {
		text, err := BuiltinText(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Read("f.yaml", []byte(text))
		if (s == nil) != (err != nil) {
			t.Errorf("%v, %v", s, err)
		}
	})
}

// Suite files take the rates that flags take, and say the same of others.
func TestReadRates(t *testing.T) {
	t.Parallel()
	read := func(rate string) error {
		_, err := Read("s.yaml", []byte("name: s\ntests:\n  - name: A\n    lanes:\n      - {name: l, template: PING, rate: '"+rate+"'}\n"))
		return err
	}
	if err := read("50k"); err != nil {
		t.Error(err)
	}
	for _, text := range []string{"0", "-1", "nan", "inf", "2e9", "1e999", "2g", "fast"} {
		_, want := generator.ParseRate(text)
		if err := read(text); want == nil || err == nil || !strings.HasPrefix(err.Error(), "s.yaml:5:") || !strings.HasSuffix(err.Error(), want.Error()) {
			t.Errorf("%q: %v, want %v", text, err, want)
		}
	}
}
