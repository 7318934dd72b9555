package data

import (
	"bytes"
	stdcsv "encoding/csv"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// csvSamples are texts whose parts are hard.
func csvSamples() []string {
	return []string{
		"", "\n", "\r\n", "\r", "a", "a\n", "a\r\n", "a\r", "a\rb\n", "\n\n\r\na\n",
		"a,b\nc,d", ",\n,\n", "a,b\r\nc,d\r\n", "\"\"\n\"a\"\n", "\"a\",\"b\"\r\n", "\"a\"\"b\",\"\"\"\"\n",
		"\"a\nb\",c\n", "\"a\r\nb\",c\n", "\"a,b\"\r", "\"a\"\r\n", "\"a\"\rb\n",
		"a\"b\nc\n", "\"a\"b\nc\n", "\"a\nc\n", "a,\"b\nc,d\n", "\"", "a,\"", "\"a\"\"", "\"\"\"",
		"é,漢字\n\xff,\x00\n", strings.Repeat("x", 100) + "," + strings.Repeat("y", 100) + "\n",
		"a,b,\n", "a,b\n\nc,d\n\n\n", "a,b\n\r", "a, \"b\"\n", " \n",
	}
}

// agreeCSV checks a text against encoding/csv, up to the first row that it
// refuses.
func agreeCSV(t *testing.T, text []byte) {
	t.Helper()
	their := stdcsv.NewReader(bytes.NewReader(text))
	their.FieldsPerRecord = -1
	var want [][]string
	var refused error
	for {
		fields, err := their.Read()
		if err != nil {
			if err != io.EOF {
				refused = err
			}
			break
		}
		want = append(want, fields)
	}
	got := scanAll(t, &csv{}, text)
	if (len(got.faults) > 0) != (refused != nil) {
		t.Fatalf("%q: faults %q, encoding/csv has %v", text, got.faults, refused)
	}
	rows := got.rows
	if refused != nil {
		// Which row it was is not told where some follow it.
		rows = rows[:min(len(rows), len(want))]
	}
	for _, fields := range rows {
		for k := range fields {
			// A line end within quotes stays as it is here.
			fields[k] = strings.ReplaceAll(fields[k], "\r\n", "\n")
		}
	}
	if len(rows)+len(want) > 0 && !cmp.Equal(rows, want) {
		t.Fatalf("%q: %s", text, cmp.Diff(want, rows))
	}
}

func TestCSVAgrees(t *testing.T) {
	t.Parallel()
	for _, text := range csvSamples() {
		agreeCSV(t, []byte(text))
		everySplit(t, func() format { return &csv{} }, []byte(text))
		everySplit(t, func() format { return &csv{width: 2} }, []byte(text))
	}
}

func FuzzCSV(f *testing.F) {
	for _, text := range csvSamples() {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 1000 {
			return
		}
		agreeCSV(t, text)
		everySplit(t, func() format { return &csv{} }, text)
	})
}

// FuzzTSV: lines, cut at tabs.
func FuzzTSV(f *testing.F) {
	for _, text := range csvSamples() {
		f.Add([]byte(strings.ReplaceAll(text, ",", "\t")))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var want [][]string
		for line := range bytes.Lines(text) {
			content := bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
			if len(content) > 0 {
				want = append(want, strings.Split(string(content), "\t"))
			}
		}
		if got := scanAll(t, &tsv{}, text).rows; !cmp.Equal(got, want) {
			t.Fatalf("%q: %s", text, cmp.Diff(want, got))
		}
		if len(text) < 300 {
			everySplit(t, func() format { return &tsv{} }, text)
			everySplit(t, func() format { return lines{} }, text)
		}
	})
}

// TestSkippedRows: after a row that is wrong, the next one is found.
func TestSkippedRows(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		format func() format
		text   string
		good   []string // the lines of the rows that are left
		faults []string
	}{
		{
			func() format { return &csv{width: 2} },
			"1,2\n3\n4,5,6\n\"7\nx\n8,9\n10,a\"b\n\"1\"1,2\n11,12",
			[]string{"1,2", "8,9", "11,12"},
			[]string{
				"5: 1 field, and the header names 2", "10: 3 fields, and the header names 2",
				`25: a quote within a quoted field, and "b" after it`, "16: 1 field, and the header names 2",
				"25: a quote within a field that does not begin with one", `30: a quote within a quoted field, and "1" after it`,
			},
		},
		{
			func() format { return &tsv{width: 2} },
			"1\t2\n3\n4\t5\t6\n\n7\t\n",
			[]string{"1\t2", "7\t"},
			[]string{"5: 1 field, and the header names 2", "10: 3 fields, and the header names 2"},
		},
		{
			func() format { return &jsonLines{newObjects()} },
			"{\"a\":1}\n{\"a\":}\n[1]\n{\"a\":1\n} {}\n{\"a\":2} x\n{\"a\":1,\"a\":2}\n{\"a\":1,}\n{'a':1}\n{\"a\" 1}\n{\"a\":1 \"b\":2}\n{\"a\":\"\x01\"}\n{\"a\":3}",
			[]string{`{"a":1}`, `{"a":3}`},
			nil,
		},
		{
			func() format { return &jsonArray{objects: newObjects()} },
			`[{"a":1}, 5, {"a":1,"a":2}, [{"a":7}], {"a":3}]`,
			[]string{`{"a":1}`, `{"a":3}`},
			[]string{`10: found "5" where a JSON object has to begin`, `20: field "a" stands twice`, `28: found "[" where a JSON object has to begin`},
		},
		{
			func() format { return &abstracts{} },
			"<feed><doc><title>a</title></doc><doc><title>b</titel></doc><doc><title>c</title><title>d</title></doc>x<page/><doc><url>&nbsp;</url></doc><doc><url/></doc></feed>",
			[]string{"<doc><title>a</title></doc>", "<doc><url/></doc>"},
			nil,
		},
	} {
		got := scanAll(t, tt.format(), []byte(tt.text))
		if !cmp.Equal(got.lines, tt.good) {
			t.Errorf("%q:\nrows %q\nfaults %q", tt.text, got.lines, got.faults)
		}
		if tt.faults != nil && !cmp.Equal(got.faults, tt.faults) {
			t.Errorf("%q: %s", tt.text, cmp.Diff(tt.faults, got.faults))
		}
		everySplit(t, tt.format, []byte(tt.text))
	}
}
