package generator

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

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
