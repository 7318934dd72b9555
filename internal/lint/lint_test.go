package lint

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestRepository(t *testing.T) {
	t.Parallel()
	faults, err := Check(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range faults {
		t.Error(f)
	}
}

// check applies the rules to a module called m that holds one file.
func check(t *testing.T, name, src string) []string {
	t.Helper()
	faults, err := Check(fstest.MapFS{
		"go.mod": {Data: []byte("module m // for tests\n\ngo 1.26\n")},
		name:     {Data: []byte(src)},
	})
	if err != nil {
		t.Fatal(err)
	}
	return faults
}

func TestImports(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		file, imports string
		want          string // the start of the only fault; "" for none
	}{
		{"main.go", "m/generator", ""},
		{"cli.go", "m/internal/resp", "cli.go: imports internal/resp; a file in . may import only suite, generator, template, data, conn, report"},
		{"main.go", "m/suite", ""},
		{"suite/run.go", "m/generator", ""},
		{"suite/run.go", "m", "suite/run.go: imports .;"},
		{"generator/run.go", "m/suite", "generator/run.go: imports suite;"},
		{"generator/run.go", "m/conn", ""},
		{"generator/run.go", "m/internal/clock", ""},
		{"generator/run.go", "m", "generator/run.go: imports .;"},
		{"generator/run.go", "m/internal/redistest", "generator/run.go: imports internal/redistest;"},
		{"generator/run_test.go", "m/internal/redistest", ""},
		{"generator/run_test.go", "m/generator", ""},
		{"conn/loop.go", "m/generator", "conn/loop.go: imports generator; a file in conn may import only internal/resp, internal/clock"},
		{"conn/loop.go", "m/template", "conn/loop.go: imports template;"},
		{"conn/loop_windows.go", "m/report", "conn/loop_windows.go: imports report;"},
		{"conn/loop_test.go", "m/generator", "conn/loop_test.go: imports generator;"},
		{"template/parse.go", "m/internal/resp", ""},
		{"template/parse.go", "m/conn", "template/parse.go: imports conn;"},
		{"report/json.go", "encoding/json", ""},
		{"report/json.go", "moon/conn", ""},
		{"report/json.go", "m/internal/clock", "report/json.go: imports internal/clock; a file in report may import only nothing of this module"},
		{"report/json_test.go", "m/internal/resp", ""},
		{"report/json_test.go", "m/conn", "report/json_test.go: imports conn;"},
		{"internal/resp/value.go", "m/internal/clock", "internal/resp/value.go: imports internal/clock;"},
		{"cellar/rat.go", "fmt", "cellar: this folder is not in the table mayImport of internal/lint/imports.go; add it"},
		{"conn/tls/key.go", "fmt", "conn/tls: this folder is not in the table"},
		{"testdata/x.go", "m/conn", ""},
		{"conn/testdata/x.go", "m/generator", ""},
		{".hidden/x.go", "m/conn", ""},
	} {
		got := check(t, tt.file, "package p\n\nimport _ \""+tt.imports+"\"\n")
		if tt.want == "" && len(got) != 0 || tt.want != "" && (len(got) != 1 || !strings.HasPrefix(got[0], tt.want)) {
			t.Errorf("%s imports %s: %q, want %q", tt.file, tt.imports, got, tt.want)
		}
	}
}

func TestNestedModule(t *testing.T) {
	t.Parallel()
	faults, err := Check(fstest.MapFS{
		"go.mod":        {Data: []byte("module m\n")},
		"other/go.mod":  {Data: []byte("module other\n")},
		"other/main.go": {Data: []byte("package main\n\nimport _ \"m/conn\"\n")},
	})
	if err != nil || len(faults) != 0 {
		t.Errorf("faults %q, error %v in a module of its own", faults, err)
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		file, pkg string
		want      []string
	}{
		{"conn/loop.go", "conn", nil},
		{"conn/loop.go", "util", []string{`conn/loop.go: a package called "util" could hold anything; name it after what it holds`}},
		{"conn/helpers.go", "conn", []string{`conn/helpers.go: a file called "helpers.go" could hold anything; name it after what it holds`}},
		{"conn/common_test.go", "conn", []string{`conn/common_test.go: a file called "common_test.go" could hold anything; name it after what it holds`}},
	} {
		if diff := cmp.Diff(tt.want, check(t, tt.file, "package "+tt.pkg+"\n")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.file, diff)
		}
	}
}

func TestLength(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		file  string
		lines int
		want  []string
	}{
		{"conn/loop.go", 400, nil},
		{"conn/loop.go", 401, []string{"conn/loop.go: 401 lines, 400 at most; make a second file of one of its parts"}},
		{"conn/loop_test.go", 700, nil},
		{"conn/loop_test.go", 701, []string{"conn/loop_test.go: 701 lines, 700 at most; make a second file of one of its parts"}},
	} {
		got := check(t, tt.file, "package conn\n"+strings.Repeat("\n", tt.lines-1))
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s of %d lines (-want +got):\n%s", tt.file, tt.lines, diff)
		}
	}
}

func TestExits(t *testing.T) {
	t.Parallel()
	const src = `package p

import (
	"log"
	sys "os"
)

func f(t testing.TB, log2 logger) {
	sys.Exit(1)
	log.Fatalf("x")
	log.Panicln("x")
	panic("x")
	log.Print("x")
	log2.Fatal("x")
	t.Fatal("x")
}
`
	const hint = " outside main.go; return an error, or give the reason in mayExit of internal/lint/exits.go"
	want := []string{
		"conn/loop.go:9: os.Exit" + hint,
		"conn/loop.go:10: log.Fatalf" + hint,
		"conn/loop.go:11: log.Panicln" + hint,
		"conn/loop.go:12: panic" + hint,
	}
	if diff := cmp.Diff(want, check(t, "conn/loop.go", src)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	program := strings.Replace(src, "package p", "package main", 1)
	for file, excused := range map[string]bool{
		"main.go":                           true,
		"internal/nullserver/main_linux.go": true,
		"conn/loop_test.go":                 true,
		"cli.go":                            false,
		"mainly.go":                         false,
	} {
		if got := check(t, file, program); excused != (len(got) == 0) {
			t.Errorf("%s: %q", file, got)
		}
	}
	if got := check(t, "conn/main.go", src); len(got) == 0 {
		t.Error("a file called main.go is excused in a package that is no program")
	}
}

func TestUnreadable(t *testing.T) {
	t.Parallel()
	for name, module := range map[string]fstest.MapFS{
		"no go.mod":      {"main.go": {Data: []byte("package main\n")}},
		"no module line": {"go.mod": {Data: []byte("go 1.26\n")}},
		"not Go":         {"go.mod": {Data: []byte("module m\n")}, "main.go": {Data: []byte("hello")}},
	} {
		if _, err := Check(module); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
