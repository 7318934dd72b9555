package generator

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/data"
	"github.com/respbench/respbench/internal/redistest"
	"github.com/respbench/respbench/report"
	"github.com/respbench/respbench/template"
)

// table writes a CSV file with so many rows of id and text, and opens it.
func table(t *testing.T, o data.Options, rows int) Data {
	t.Helper()
	var text strings.Builder
	text.WriteString("id,text\n")
	for i := range rows {
		fmt.Fprintf(&text, "%d,text of %d\n", i, i)
	}
	path := filepath.Join(t.TempDir(), "table.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	source, err := data.Open(path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { source.Close() })
	return Data{source, "table.csv"}
}

func load(t *testing.T, d Data) {
	t.Helper()
	if err := d.Source.Load(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
}

// TestDataMultiset: one thread and four, one connection and seven, send the
// same rows.
func TestDataMultiset(t *testing.T) {
	t.Parallel()
	const rows = 997
	d := table(t, data.Options{}, rows)
	program, err := template.ParseWith("RPUSH ${}<field id> <field text>", template.Options{Data: []*data.Source{d.Source}})
	if err != nil {
		t.Fatal(err)
	}
	load(t, d)
	for _, c := range []Config{{Connections: 1, Threads: 1}, {Connections: 7, Threads: 4, Pipeline: 5}} {
		s := redistest.Start(t)
		c.Templates, c.Data, c.Load = Only(program), []Data{d}, true
		c.Dialer = conn.Dialer{Address: s.Addr}
		r, err := Run(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		if r.Requests.Sent != rows || s.Calls(t, "rpush") != rows {
			t.Errorf("%d sent, %d calls, for %d rows", r.Requests.Sent, s.Calls(t, "rpush"), rows)
		}
		for i := range rows {
			got := s.Do(t, "LRANGE", fmt.Sprintf("${}%d", i), "0", "-1").Elems
			if len(got) != 1 || got[0].Str != fmt.Sprintf("text of %d", i) {
				t.Fatalf("row %d: %+v", i, got)
			}
		}
		want := []report.Data{{File: "table.csv", Rows: rows, Order: "sequence"}}
		if diff := cmp.Diff(want, r.Workload.Data); diff != "" {
			t.Error(diff)
		}
	}
}

// TestSuiteData: a preload sends every row once, a test reports what it takes,
// and lanes get the load that is theirs.
func TestSuiteData(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	four, two := 4, 2
	suite := &Suite{
		Name: "own", Load: SuiteLoad{Connections: &four, Pipeline: 3}, Data: []SuiteData{{Name: "wiki"}},
		Tests: []SuiteTest{{
			Name:    "both",
			Preload: []SuitePreload{{Template: "HSET ${prefix}d:<field id> text <field wiki.text>"}},
			Lanes: []SuiteLane{
				{Name: "write", Template: "HSET ${prefix}d:<field id> text <field text>"},
				{Name: "read", Template: "HGETALL ${prefix}d:<field id>", Load: SuiteLoad{Connections: &two, Pipeline: 1}},
			},
		}, {Name: "ping", Template: "PING"}},
	}
	if !suite.TakesData() {
		t.Error("it takes data")
	}
	cfg := SuiteConfig{Suite: suite, Targets: []SuiteTarget{at("", s)}, Flush: FlushYes, Load: SuiteLoad{Duration: 200 * time.Millisecond}}
	if _, err := RunSuite(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), "its data are not there") {
		t.Errorf("without the files: %v", err)
	}
	cfg.Data = []Data{table(t, data.Options{Name: "wiki"}, 500)}
	if err := cfg.Validate(); err != nil { // asks for the columns
		t.Fatal(err)
	}
	load(t, cfg.Data[0])
	r, err := RunSuite(t.Context(), cfg)
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
	one := &Suite{Name: "one", Data: []SuiteData{{Name: "wiki"}}, Tests: []SuiteTest{{Name: "a", Template: "GET <field x>"}}}
	two := &Suite{Name: "two", Data: []SuiteData{{Name: "wiki"}, {Name: "b", File: "b.csv"}}, Tests: []SuiteTest{{Name: "b", Template: "GET <field y>"}}}
	all, err := Join(one, two)
	if err != nil || len(all.Data) != 2 {
		t.Fatalf("%+v, %v", all, err)
	}
	two.Data[0].File = "other.csv"
	if _, err := Join(one, two); err == nil || !strings.Contains(err.Error(), `data "wiki" is another file`) {
		t.Errorf("%v", err)
	}
	two.Data = append(two.Data, SuiteData{Name: "b"})
	var mistake *SuiteError
	if err := two.Validate(); !errors.As(err, &mistake) || mistake.Path != "data.b" {
		t.Errorf("%v", err)
	}
}
