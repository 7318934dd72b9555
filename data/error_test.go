package data

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// failure opens and loads a file, asking for all that Base64 needs of field b
// where there is one, and returns the error with the folder left out.
func failure(t *testing.T, path string, o Options) (*Source, error) {
	t.Helper()
	s, err := Open(path, o)
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { _ = s.Close() })
	for _, name := range s.Fields() {
		if name == "b64" {
			s.Column(col(Base64, name))
		}
	}
	s.Column(col(JSON))
	return s, s.Load(t.Context(), nil)
}

func TestErrors(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 60)
	for _, tt := range []struct{ file, text, want string }{
		{"a.csv", "a,b\n1,2\n1,2,3,4\n", `a.csv:3:5: 4 fields, and the header names 2`},
		{"a.csv", "a,b\n1,2\n\n1\n", `a.csv:4:2: 1 field, and the header names 2`},
		{"a.csv", "\ufeffa,b,a\n1,2,3\n", `a.csv:1:5: the header names "a" twice`},
		{"a.csv", "a,b\n1,\"x\ny\n", `a.csv:2:3: a quote that nothing closes`},
		{"a.csv", "a,b\n1,\"x\ny\" z\n", `a.csv:3:2: a quote within a quoted field, and " " after it`},
		{"a.csv", "a,b\n1,x\"y\n", `a.csv:2:4: a quote within a field that does not begin with one`},
		{"a.csv", "", `a.csv: is empty`},
		{"a.csv", "\n\n", `a.csv: is empty but for line ends`},
		{"a.csv", "a,b\n", `a.csv: has a header and no rows`},
		{"a.csv", "a,b\r1,2\r", `a.csv: has a header and no rows, as its lines end in CR alone`},
		{"a.tsv", "a\tb\r1\t2\r", `a.tsv: has a header and no rows, as its lines end in CR alone`},
		{"a.csv", "a,b64\n1,aGk=\n2,a!\n", `a.csv:3:3: "a!" is not base64`},
		{"a.csv", "b64\n" + long + "x\n", `a.csv:2:1: "` + long[:40] + `..." is not base64`},
		{"a.tsv", "a\tb\n1\n", `a.tsv:2:2: 1 field, and the header names 2`},
		{"a.jsonl", `{"a":1}` + "\n" + `{"a":1,}`, `a.jsonl:2:8: found "}" where the name of a field has to stand in quotes`},
		{"a.jsonl", "[1,2]\n{}\n", `a.jsonl:1:2: found "1" where a JSON object has to begin`},
		{"a.jsonl", "{\"a\":1}\n5\n", `a.jsonl:2:1: found "5" where a JSON object has to begin`},
		{"a.jsonl", "{\"a\":1}\n{\n\"a\":1}\n", `a.jsonl:2:2: the object does not end on the line where it begins`},
		{"a.jsonl", "{\"a\":1} {}\n", `a.jsonl:1:9: found "{" after the object`},
		{"a.jsonl", "{\"a\":1,\"a\":2}\n", `a.jsonl:1:8: field "a" stands twice`},
		{"a.jsonl", "{\"a\":\"\\x\"}\n", `a.jsonl:1:7: "\\x" is no escape of JSON`},
		{"a.jsonl", "{\"a\":\"\\u12\"}\n", `a.jsonl:1:11: \u takes four hexadecimal digits, found "\""`},
		{"a.jsonl", "{\"a\":\"\t\"}\n", `a.jsonl:1:7: control character '\t' in a JSON string; it is written \u0009 there`},
		{"a.jsonl", "{\"a\":01}\n", `a.jsonl:1:7: found "1" where a comma or } has to stand`},
		{"a.jsonl", "{\"a\":1.}\n", `a.jsonl:1:8: a number misses a digit, found "}"`},
		{"a.jsonl", "{\"a\":nope}\n", `a.jsonl:1:6: found "nope" where a JSON value has to begin`},
		{"a.jsonl", "\n\n", `a.jsonl: has no rows`},
		{"a.json", "[]", `a.json: has no rows`},
		{"a.json", "[{\"a\":1},\n{\"a\":2}", `a.json:2:8: the file ends before the array does`},
		{"a.json", "[{\"a\":1},\n {\"a\":", `a.json:2:2: the file ends within this element of the array`},
		{"a.json", "[{\"a\":1}\n {\"a\":1}]", `a.json:2:2: found "{" where a comma or ] has to stand`},
		{"a.json", "[{\"a\":1}]\n[", `a.json:2:1: found "[" after the array`},
		{"a.xml", "<mediawiki><page/></mediawiki>", `a.xml:1:1: found <mediawiki> where <feed> has to begin`},
		{"a.xml", "<feed>\n</feed>", `a.xml: has no rows`},
		{"a.xml", "<feed>\n<doc><title>a</titel></doc></feed>", `a.xml:2:14: found </titel> where </title> has to stand`},
		{"a.xml", "<feed>\n<doc><title>a &nbsp; b</title></doc></feed>", `a.xml:2:15: found "&nbsp; b", which is no entity of XML`},
		{"a.xml", "<feed>\n<doc><title>a", `a.xml:2:1: the file ends within this <doc>`},
		{"a.xml", "<feed>\n<doc></doc>\n", `a.xml:3:1: the file ends before </feed>`},
		{"a.dat", "\x00\x01\x02", `a.dat: is not text`},
		{"a.dat", "\x8f\xe3\x99\xfa\xfb\xfc", `a.dat: is not text`},
		{"a.csv", "\xff\xfea\x00,\x00", `a.csv: is UTF-16`},
		{"a.csv", "PK\x03\x04\x14\x00\x00\x00\x08\x00", `a.csv: is a zip file, which is not read`},
		{"a.csv.gz", "\x1f\x8b\x08", `a.csv.gz: the gzip data ends in its middle`},
		{"a.csv.gz", gzipped(t, gzipped(t, "a,b\n1,2\n")), `a.csv.gz: has a gzip file within its gzip data`},
		{"a.csv.zst", zstandard(t, "PK\x03\x04\x14\x00\x00\x00\x08\x00"), `a.csv.zst: has a zip file within its zstd data`},
	} {
		_, err := failure(t, write(t, tt.file, tt.text), Options{})
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%s of %q: %v, want %s", tt.file, tt.text, err, tt.want)
			continue
		}
		e.File = filepath.Base(e.File)
		if e.Error() != tt.want {
			t.Errorf("%s of %q: %v, want %s", tt.file, tt.text, err, tt.want)
		}
		if strings.ContainsAny(e.Error()+e.Hint, "\n\r") {
			t.Errorf("%q has two lines", e.Error()+e.Hint)
		}
	}
}

// TestUnopened: what is no file of rows.
func TestUnopened(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if _, err := Open(folder, Options{}); err == nil || err.Error() != folder+": is a directory" {
		t.Error(err)
	}
	missing := filepath.Join(folder, "a.csv")
	_, err := Open(missing, Options{})
	var e *Error
	if !errors.Is(err, fs.ErrNotExist) || !errors.As(err, &e) || err.Error() != missing+": no such file or directory" {
		t.Error(err)
	}
	if _, err := Open(write(t, "a.csv", "a\n1\n"), Options{Format: "cvs"}); err == nil || !strings.HasSuffix(err.Error(), `unknown format "cvs"`) {
		t.Error(err)
	}
}

// TestSkipBad: bad rows are left out and counted, and what cannot be gone on
// from is an error all the same.
func TestSkipBad(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		file, text  string
		rows        int
		bad         int64
		first, fail string
		flaw        string
	}{
		{file: "a.csv", text: "a,b64\n1\n2,aGk=\n3,!\n4,\n", rows: 2, bad: 2, first: "a.csv:2:2: 1 field, and the header names 2"},
		{file: "a.csv", text: "a,b\n1\n2\n", bad: 2, fail: "a.csv: none of its 2 rows can be read; the first: a.csv:2:2: 1 field, and the header names 2"},
		{file: "a.jsonl", text: "{\n{\"a\":1}\nx\n", rows: 1, bad: 2, first: "a.jsonl:1:2: the object does not end on the line where it begins"},
		{file: "a.jsonl", text: "{\nx\n", fail: "a.jsonl:1:2: the object does not end on the line where it begins"},
		{file: "a.json", text: "[{\"a\":1},3,{\"a\":2}", rows: 2, bad: 1, first: `a.json:1:10: found "3" where a JSON object has to begin`, flaw: `a.json:1:19: the file ends before the array does`},
		{file: "a.json", text: "[{\"a\":1},{\"a\":x},{\"a\":2}]", rows: 2, bad: 1, first: `a.json:1:15: found "x" where a JSON value has to begin`},
		{file: "a.xml", text: "<feed><doc><title>a</b></doc>\n<doc><title>x</title></doc>", rows: 1, bad: 1, first: "a.xml:1:20: found </b> where </title> has to stand", flaw: "a.xml:2:28: the file ends before </feed>"},
		{file: "a.csv", text: "a,b\n1,2\n"},
	} {
		path := write(t, tt.file, tt.text)
		s, err := failure(t, path, Options{SkipBad: true})
		short := func(err error) string {
			if err == nil {
				return ""
			}
			return strings.ReplaceAll(err.Error(), filepath.Dir(path)+string(filepath.Separator), "")
		}
		if tt.fail != "" {
			if short(err) != tt.fail {
				t.Errorf("%q: %s, want %s", tt.text, short(err), tt.fail)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", tt.text, err)
			continue
		}
		bad, first := s.Bad()
		if tt.rows == 0 {
			tt.rows = 1
		}
		if int(s.Rows()) != tt.rows || bad != tt.bad || short(first) != tt.first || short(s.Flaw()) != tt.flaw {
			t.Errorf("%q: %d rows, %d bad, first %s, flaw %s; want %d, %d, %s, %s", tt.text, s.Rows(), bad, short(first), short(s.Flaw()), tt.rows, tt.bad, tt.first, tt.flaw)
		}
	}
}

// TestLongRows: a row that is too long is an error, or skipped where its end
// can be known.
func TestLongRows(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 3<<20)
	for _, tt := range []struct {
		file, text string
		skip       bool
		rows       int // 0: the error is want
	}{
		{"a.jsonl", "{\"a\":1}\n{\"a\":\"" + long + "\"}\n{\"a\":2}\n", true, 2},
		{"a.jsonl", "{\"a\":1}\n{\"a\":\"" + long + "\"}\n{\"a\":2}\n", false, 0},
		{"a.txt", "a\n" + long + "\nb\nc", true, 3},
		{"a.txt", "a\n" + long, true, 1},
		{"a.csv", "a\n" + long + "\n2\n", true, 0},
		{"a.json", "[{\"a\":1},{\"a\":\"" + long + "\"}]", true, 0},
		{"a.xml", "<feed>\n<doc><title>" + long + "</title></doc></feed>", true, 0},
	} {
		s := open(t, tt.file, tt.text, Options{SkipBad: tt.skip})
		s.window.max = 2 << 20
		s.Column(col(Line))
		err := s.Load(t.Context(), nil)
		if tt.rows > 0 {
			if bad, first := s.Bad(); err != nil || int(s.Rows()) != tt.rows || bad != 1 || !strings.Contains(first.Error(), ":2:1: a row of more than 2 MiB") {
				t.Errorf("%s: %d rows, %d bad: %v, %v", tt.file, s.Rows(), bad, first, err)
			}
		} else if err == nil || !strings.Contains(err.Error(), "a row of more than 2 MiB") {
			t.Errorf("%s: %v", tt.file, err)
		}
	}
}

// TestLongQuote: a quote that is not closed is left out with its line, also where
// the file is so large that its end is not looked for. What is named is the quote.
func TestLongQuote(t *testing.T) {
	t.Parallel()
	row := "1," + strings.Repeat("x", 60) + "\n"
	rows := strings.Repeat(row, 40_000)
	limited := func(text string, skip bool) (*Source, error) {
		s := open(t, "a.csv", text, Options{SkipBad: skip})
		s.window.max = 2 << 20
		s.Column(col(Text, "a"))
		return s, s.Load(t.Context(), nil)
	}
	for _, tt := range []struct {
		text, want string
		bad        int64
	}{
		{"a,b\n1,x\n1,\"y\n" + rows, "a.csv:3:3: a quote that nothing closes within 2 MiB", 1},
		{"a,b\n1,\"x\n\"\n1,\"y\n" + rows, "a.csv:4:3: a quote that nothing closes within 2 MiB", 1},
		{"a,b\n1,\"y\n1,z\"\n" + rows + "1,\"y\n1,\"y\n" + rows, "", 2},
		{"a,b\n" + rows + "1,\"y\n", "a quote that nothing closes", 1},
		{"a,b\n1,\"" + strings.Repeat("x", 3<<20) + "\"\n", "a.csv:2:3: a quote that nothing closes within 2 MiB", 1},
	} {
		s, err := limited(tt.text+"2,z\n", true)
		bad, first := s.Bad()
		if err != nil || bad != tt.bad || uint64(strings.Count(tt.text, row)) > s.Rows() {
			t.Errorf("%.20q: %d rows, %d bad: %v", tt.text, s.Rows(), bad, err)
		}
		if _, err = limited(tt.text+"2,z\n", false); err == nil || first == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(first.Error(), tt.want) {
			t.Errorf("%.20q: %v, and skipped %v; want %s", tt.text, err, first, tt.want)
		}
	}
	s := &Source{name: "a.csv", window: newWindow(strings.NewReader("a,\"b\n" + rows))}
	s.window.max = 2 << 20
	if err := s.header(&csv{}); err == nil || err.Error() != "a.csv:1:3: a quote that nothing closes within 2 MiB" {
		t.Error(err)
	}
}

// TestCancel: the end of the context ends Load, also where the file says
// nothing.
func TestCancel(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	s := open(t, "a.csv", newDump(1).csv(4<<20), Options{})
	s.Column(col(JSON))
	if err := s.Load(ctx, func(_, _ int64) { cancel() }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	ctx, cancel = context.WithCancel(t.Context())
	p := newPrefetch(ctx, r)
	cancel()
	if _, err := p.Read(make([]byte, 10)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	_ = r.Close()
	<-p.ended
}

// TestLoadOnce: a second time is an error, as is a field that is not there.
func TestLoadOnce(t *testing.T) {
	t.Parallel()
	s := open(t, "a.csv", "a\n1\n", Options{})
	loaded(t, s, col(Text, "a"))
	if err := s.Load(t.Context(), nil); err == nil {
		t.Error("loaded twice")
	}
	for _, name := range []string{"b", "a.b"} {
		s = open(t, "a.jsonl", "{\"a\":1}\n", Options{})
		s.Column(col(Text, name))
		if err := s.Load(t.Context(), nil); name == "b" && (err == nil || !strings.Contains(err.Error(), `no field "b"`)) {
			t.Error(err)
		}
	}
}
