package generator

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
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
	return Data{Source: source, File: "table.csv"}
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

// TestDataMemory compares the growth of the memory with what the server says
// before and after the run.
func TestDataMemory(t *testing.T) {
	t.Parallel()
	const rows = 40_000
	d := table(t, data.Options{}, rows)
	program, err := template.ParseWith("HSET doc:<field id> text <field text> more <value 300>", template.Options{Data: []*data.Source{d.Source}})
	if err != nil {
		t.Fatal(err)
	}
	load(t, d)
	s := redistest.Start(t)
	memory := func(field string) int64 {
		return field64(t, s.Do(t, "INFO", "memory").Str, field)
	}
	used, dataset := memory("used_memory"), memory("used_memory_dataset")
	r, err := Run(t.Context(), Config{
		Templates: Only(program), Data: []Data{d}, Load: true, Connections: 4, Dialer: conn.Dialer{Address: s.Addr},
	})
	if err != nil {
		t.Fatal(err)
	}
	used, dataset = memory("used_memory")-used, memory("used_memory_dataset")-dataset
	for name, c := range map[string]struct {
		told  *report.Delta
		grown int64
	}{"used": {r.Server.UsedMemory, used}, "dataset": {r.Server.Dataset, dataset}} {
		if c.told == nil {
			t.Fatalf("%s memory is not told", name)
		}
		const buffers = 4 * 40 << 10 // of the connections, which the report counts before the run
		if told := c.told.After - c.told.Before; math.Abs(float64(told-c.grown)) > 0.02*float64(c.grown)+buffers {
			t.Errorf("%s memory grew by %d, and the report says %d", name, c.grown, told)
		}
	}
	var summary strings.Builder
	if err := report.Text(&summary, r, report.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	said := regexp.MustCompile(`\(([\d,]+) bytes a key; data [\d.]+ MB\)`).FindStringSubmatch(strings.Join(strings.Fields(summary.String()), " "))
	if said == nil {
		t.Fatalf("no bytes a key in:\n%s", &summary)
	}
	perKey, err := strconv.ParseInt(strings.ReplaceAll(said[1], ",", ""), 10, 64)
	if want := used / rows; err != nil || perKey < want*98/100 || perKey > want*102/100 {
		t.Errorf("%d bytes a key, want %d", perKey, want)
	}
}

// field64 is a number that INFO tells.
func field64(t *testing.T, info, field string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(parseInfo(info)[field], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
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

// TestSuiteOnce: a test that counts once sends every row once, and one whose
// data are of others takes their file in an order of its own.
func TestSuiteOnce(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	const rows = 700
	suite := &Suite{
		Name: "own", Data: []SuiteData{{Name: "any", Of: "wiki", Order: data.Random}, {Name: "wiki"}},
		Tests: []SuiteTest{
			{Name: "write", Template: "INCR ${prefix}<field wiki.id> ; INCR ${prefix}<field wiki.id>", Count: "once", Load: SuiteLoad{Duration: time.Hour}},
			{Name: "read", Template: "GET ${prefix}<field any.id>", Count: "50"},
		},
	}
	three := 3
	cfg := SuiteConfig{
		Suite: suite, Targets: []SuiteTarget{at("", s)}, Load: SuiteLoad{Connections: &three},
		Data: []Data{table(t, data.Options{Name: "any", Order: data.Random}, rows), table(t, data.Options{Name: "wiki"}, rows)},
	}
	if err := cfg.Validate(); err != nil {
		t.Fatal(err)
	}
	load(t, cfg.Data[0])
	load(t, cfg.Data[1])
	r, err := RunSuite(t.Context(), cfg)
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
		data []SuiteData
		want string
	}{
		{[]SuiteData{{Name: "a"}, {Name: "b", Of: "a"}}, ""},
		{[]SuiteData{{Name: "b", Of: "c"}, {Name: "c", File: "c.csv"}}, ""},
		{[]SuiteData{{Name: "b", Of: "c"}}, `data "b": of: "c" are no data with a file of their own`},
		{[]SuiteData{{Name: "b", Of: "b"}}, `data "b": of: "b" are no data`},
		{[]SuiteData{{Name: "a"}, {Name: "b", Of: "a"}, {Name: "c", Of: "b"}}, `data "c": of: "b" are no data`},
		{[]SuiteData{{Name: "a"}, {Name: "b", Of: "a", File: "x"}}, `data "b": of: there is a file, too`},
	} {
		err := (&Suite{Name: "s", Data: test.data, Tests: []SuiteTest{{Name: "x", Template: "GET <field a.x>"}}}).Validate()
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%+v: %v, want %q", test.data, err, test.want)
		}
	}
}

// TestSuiteClockOfACount: a test that ends after a number of requests is not
// thought to take all its time.
func TestSuiteClockOfACount(t *testing.T) {
	t.Parallel()
	tests := []plannedTest{{count: 1_000_000, load: SuiteLoad{Duration: time.Hour}}, {load: SuiteLoad{Duration: 20 * time.Second}}}
	c := newSuiteClock(tests, 1)
	if left := c.left(report.Snapshot{}); left != 25*time.Second {
		t.Errorf("%v before it begins", left)
	}
	c.begin(&tests[0])
	if left := c.left(report.Snapshot{Phase: "measuring", Elapsed: 10 * time.Second, Done: 250_000}); left != 50*time.Second {
		t.Errorf("%v after a quarter in 10 s", left)
	}
}
