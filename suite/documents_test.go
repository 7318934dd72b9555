package suite

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/respbench/respbench/internal/redistest"
	"github.com/respbench/respbench/report"
)

// documentRows makes a CSV file of documents with what is hard to quote.
func documentRows(t *testing.T, n int) (file string, rows [][]string) {
	t.Helper()
	for i := range n {
		rows = append(rows, []string{
			strconv.Itoa(i + 1), fmt.Sprintf(`"Title" \%d\ 标题, 'x'`, i), fmt.Sprintf("https://example.org/%d?a=<b>&c={d}", i),
			strings.Repeat(fmt.Sprintf("line %d of 摘要 \"q\"\n", i), 1+i%9),
		})
	}
	file = filepath.Join(t.TempDir(), "documents.csv")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	w := csv.NewWriter(f)
	w.Write([]string{"id", "title", "url", "abstract"})
	w.WriteAll(rows)
	if err := w.Error(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return file, rows
}

// The documents suite writes every document of a file, byte for byte, and its
// report says by how much the memory grew.
func TestDocumentsSuite(t *testing.T) {
	t.Parallel()
	file, rows := documentRows(t, 20_000)
	s := redistest.Start(t)
	suite, err := builtin(t, "documents").Select([]string{"doc_write"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{Suite: suite, Targets: []Target{at("", s)}}
	openSuiteData(t, &cfg, file)
	told := func(field string) int64 {
		n, err := strconv.ParseInt(s.Info(t, field), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	usedBefore, dataBefore := told("used_memory"), told("used_memory_dataset")
	r, err := Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	used, dataset := told("used_memory")-usedBefore, told("used_memory_dataset")-dataBefore
	run := r.Tests[0].Cells[0].Runs[0]
	if n := int64(len(rows)); run.Problem != "" || run.Measured.Requests.Succeeded != n || s.Calls(t, "hset") != n || s.Do(t, "DBSIZE").Int != n {
		t.Fatalf("%q: %+v, %d HSET, %d keys for %d rows", run.Problem, run.Measured.Requests, s.Calls(t, "hset"), s.Do(t, "DBSIZE").Int, n)
	}
	if c := run.Measured.Workload.Connections; c != 20 {
		t.Errorf("%d connections", c)
	}
	// The report counts from when the connections had been made, whose buffers
	// the server counts in both.
	const buffers = 20 * 40 << 10
	for _, c := range []struct {
		what   string
		grown  int64
		report *report.Delta
	}{{"memory", used, run.Measured.Server.UsedMemory}, {"data set", dataset, run.Measured.Server.Dataset}} {
		if c.report == nil || math.Abs(float64(c.report.After-c.report.Before-c.grown)) > 0.02*float64(c.grown)+buffers {
			t.Errorf("the %s grew by %d, and the report says %+v", c.what, c.grown, c.report)
		}
	}
	for _, row := range rows {
		want := map[string]string{"title": row[1], "url": row[2], "abstract": row[3]}
		for _, name := range []string{"title", "url", "abstract"} {
			want[name+"_len"] = strconv.Itoa(utf8.RuneCountInString(want[name]))
		}
		got := map[string]string{}
		pairs := s.Do(t, "HGETALL", run.Prefix+"doc:"+row[0]).Elems
		for i := 0; i+1 < len(pairs); i += 2 {
			got[pairs[i].Str] = pairs[i+1].Str
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("document %s (-file +server):\n%s", row[0], diff)
		}
	}
}

// Reads are of documents that are there, in no order, and overwriting makes no
// more of them.
func TestDocumentsSuiteReadsWhatIsThere(t *testing.T) {
	t.Parallel()
	file, rows := documentRows(t, 3000)
	s := redistest.Start(t)
	cfg := Config{Suite: builtin(t, "documents"), Targets: []Target{at("", s)}, Load: Load{Duration: time.Hour}}
	suite, err := cfg.Suite.Select(nil, []string{"doc_both"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range suite.Tests {
		if suite.Tests[i].Count == "" {
			suite.Tests[i].Count = "6000"
		}
	}
	cfg.Suite = suite
	openSuiteData(t, &cfg, file)
	r := mustSuite(t, cfg)
	n := int64(len(rows))
	if keys := s.Do(t, "DBSIZE").Int; keys != 4*n {
		t.Errorf("%d keys, of 4 tests with %d documents", keys, n)
	}
	for _, want := range []struct {
		command string
		calls   int64
	}{{"hset", 5 * n}, {"hgetall", 6000}, {"hmget", 6000}} {
		if calls := s.Calls(t, want.command); calls != want.calls {
			t.Errorf("%d %s, want %d", calls, want.command, want.calls)
		}
	}
	for _, test := range r.Tests {
		if run := test.Cells[0].Runs[0].Measured; run.Requests.Empty > 0 {
			t.Errorf("%s: %+v", test.Name, run.Requests)
		}
	}
	if order := r.Tests[2].Cells[0].Runs[0].Measured.Workload.Data[0].Order; order != "random" {
		t.Errorf("documents are read in order %q", order)
	}
}
