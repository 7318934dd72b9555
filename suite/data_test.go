package suite

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/respbench/respbench/data"
	"github.com/respbench/respbench/generator"
	"github.com/respbench/respbench/internal/redistest"
)

// table writes a CSV file with so many rows of id and text, and opens it.
func table(t *testing.T, o data.Options, rows int) generator.Data {
	t.Helper()
	text := "id,text\n"
	for i := range rows {
		text += fmt.Sprintf("%d,text of %d\n", i, i)
	}
	path := filepath.Join(t.TempDir(), "table.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	source, err := data.Open(path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { source.Close() })
	return generator.Data{Source: source, File: "table.csv"}
}

func load(t *testing.T, d generator.Data) {
	t.Helper()
	if err := d.Source.Load(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
}

// TestSuiteData: a preload sends every row once, a test reports what it takes,
// and lanes get the load that is theirs.
func TestSuiteData(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	four, two := 4, 2
	suite := &Suite{
		Name: "own", Load: Load{Connections: &four, Pipeline: 3}, Data: []Data{{Name: "wiki"}},
		Tests: []Test{{
			Name:    "both",
			Preload: []Preload{{Template: "HSET ${prefix}d:<field id> text <field wiki.text>"}},
			Lanes: []Lane{
				{Name: "write", Template: "HSET ${prefix}d:<field id> text <field text>"},
				{Name: "read", Template: "HGETALL ${prefix}d:<field id>", Load: Load{Connections: &two, Pipeline: 1}},
			},
		}, {Name: "ping", Template: "PING"}},
	}
	if !suite.TakesData() {
		t.Error("it takes data")
	}
	cfg := Config{Suite: suite, Targets: []Target{at("", s)}, Flush: FlushYes, Load: Load{Duration: 200 * time.Millisecond}}
	if _, err := Run(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), "its data are not there") {
		t.Errorf("without the files: %v", err)
	}
	cfg.Data = []generator.Data{table(t, data.Options{Name: "wiki"}, 500)}
	if err := cfg.Validate(); err != nil { // asks for the columns
		t.Fatal(err)
	}
	load(t, cfg.Data[0])
	r, err := Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	run := r.Tests[0].Cells[0].Runs[0]
	if run.Problem != "" || len(run.Preload) != 1 || run.Preload[0].Requests.Succeeded != 500 || run.Measured.Requests.Empty != 0 {
		t.Errorf("problem %q, preload %+v", run.Problem, run.Preload)
	}
	if r.Tests[0].Preload[0].Requests != 500 {
		t.Errorf("preload by %d requests", r.Tests[0].Preload[0].Requests)
	}
	lanes := run.Measured.Lanes
	if len(lanes) != 2 || lanes[0].Connections != 4 || lanes[0].Pipeline != 3 || lanes[1].Connections != 2 || lanes[1].Pipeline != 1 {
		t.Errorf("%+v", lanes)
	}
	for _, lane := range lanes {
		if lane.Requests.Succeeded == 0 || lane.Requests.Failed > 0 {
			t.Errorf("%s: %+v", lane.Name, lane.Requests)
		}
	}
	ping := r.Tests[1].Cells[0].Runs[0].Measured
	if len(run.Measured.Workload.Data) != 1 || len(ping.Workload.Data) != 0 {
		t.Errorf("data %+v, and of PING %+v", run.Measured.Workload.Data, ping.Workload.Data)
	}
}

// TestJoinData: suites of the same data can be joined, of others not.
func TestJoinData(t *testing.T) {
	t.Parallel()
	one := &Suite{Name: "one", Data: []Data{{Name: "wiki"}}, Tests: []Test{{Name: "a", Template: "GET <field x>"}}}
	two := &Suite{Name: "two", Data: []Data{{Name: "wiki"}, {Name: "b", File: "b.csv"}}, Tests: []Test{{Name: "b", Template: "GET <field y>"}}}
	all, err := Join(one, two)
	if err != nil || len(all.Data) != 2 {
		t.Fatalf("%+v, %v", all, err)
	}
	two.Data[0].File = "other.csv"
	if _, err := Join(one, two); err == nil || !strings.Contains(err.Error(), `data "wiki" is another file`) {
		t.Errorf("%v", err)
	}
	two.Data = append(two.Data, Data{Name: "b"})
	var mistake *Error
	if err := two.Validate(); !errors.As(err, &mistake) || mistake.Path != "data.b" {
		t.Errorf("%v", err)
	}
}

// TestSuiteOnce: a test that counts once sends every row once, and one whose
// data are of others takes their file in an order of its own.
func TestSuiteOnce(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	const rows = 700
	suite := &Suite{
		Name: "own", Data: []Data{{Name: "any", Of: "wiki", Order: data.Random}, {Name: "wiki"}},
		Tests: []Test{
			{Name: "write", Template: "INCR ${prefix}<field wiki.id> ; INCR ${prefix}<field wiki.id>", Count: "once", Load: Load{Duration: time.Hour}},
			{Name: "read", Template: "GET ${prefix}<field any.id>", Count: "50"},
		},
	}
	three := 3
	cfg := Config{
		Suite: suite, Targets: []Target{at("", s)}, Load: Load{Connections: &three},
		Data: []generator.Data{table(t, data.Options{Name: "any", Order: data.Random}, rows), table(t, data.Options{Name: "wiki"}, rows)},
	}
	if err := cfg.Validate(); err != nil {
		t.Fatal(err)
	}
	load(t, cfg.Data[0])
	load(t, cfg.Data[1])
	r, err := Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	run := r.Tests[0].Cells[0].Runs[0]
	if n := s.Calls(t, "incr"); run.Problem != "" || n != 2*rows || run.Measured.Requests.Succeeded != n {
		t.Errorf("%q, %d INCR of %d rows, %+v", run.Problem, n, rows, run.Measured.Requests)
	}
	for i := range rows {
		if got := s.Do(t, "GET", fmt.Sprintf("%s%d", run.Prefix, i)).Str; got != "2" {
			t.Fatalf("row %d was taken %s times", i, got)
		}
	}
}

// TestSuiteDataOf: data of others are of data that have a file.
func TestSuiteDataOf(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		data []Data
		want string
	}{
		{[]Data{{Name: "a"}, {Name: "b", Of: "a"}}, ""},
		{[]Data{{Name: "b", Of: "c"}, {Name: "c", File: "c.csv"}}, ""},
		{[]Data{{Name: "b", Of: "c"}}, `data "b": of: "c" are no data with a file of their own`},
		{[]Data{{Name: "b", Of: "b"}}, `data "b": of: "b" are no data`},
		{[]Data{{Name: "a"}, {Name: "b", Of: "a"}, {Name: "c", Of: "b"}}, `data "c": of: "b" are no data`},
		{[]Data{{Name: "a"}, {Name: "b", Of: "a", File: "x"}}, `data "b": of: there is a file, too`},
	} {
		err := (&Suite{Name: "s", Data: test.data, Tests: []Test{{Name: "x", Template: "GET <field a.x>"}}}).Validate()
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%+v: %v, want %q", test.data, err, test.want)
		}
	}
}
