package main

import (
	"context"
	"encoding/csv"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/respbench/respbench/internal/redistest"
	"github.com/respbench/respbench/report"
	"github.com/respbench/respbench/suite"
)

const abstracts = "docs/examples/abstracts.csv"

// records reads a file as encoding/csv does, not as respbench: the head and
// the rows.
func records(t *testing.T, path string) (head []string, rows [][]string) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	all, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return all[0], all[1:]
}

// mustRun runs respbench on a server and returns the result.
func mustRun(t *testing.T, s *redistest.Server, args ...string) *report.Result {
	t.Helper()
	path := filepath.Join(t.TempDir(), "result.json")
	args = append([]string{"-p", strconv.Itoa(s.Port), "-q", "-o", path}, args...)
	var said strings.Builder
	if status := run(t.Context(), args, &said, &said); status != 0 {
		t.Fatalf("status %d of %q: %s", status, args, said.String())
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	result, err := report.ReadJSON(file)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// hash reads a hash as fields and values.
func hash(t *testing.T, s *redistest.Server, key string) map[string]string {
	t.Helper()
	fields := map[string]string{}
	pairs := s.Do(t, "HGETALL", key).Elems
	for i := 0; i+1 < len(pairs); i += 2 {
		fields[pairs[i].Str] = pairs[i+1].Str
	}
	return fields
}

// TestDocuments writes the abstracts as hashes, overwrites them in a second
// run, and wants every field as it stands in the file.
func TestDocuments(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	head, rows := records(t, abstracts)
	for i, note := range []string{"first", "second, <over>written"} {
		r := mustRun(t, s, "--load", "-c", "7", "--data", abstracts,
			"HSET doc:<field id> title <field title> url <field url> abstract <field abstract> note '"+strings.ReplaceAll(note, "<", `\<`)+" <field id>'")
		if r.Requests.Succeeded != int64(len(rows)) || r.Requests.Sent != int64(len(rows)) || s.Calls(t, "hset") != int64(len(rows)*(i+1)) {
			t.Errorf("%+v and %d calls for %d rows", r.Requests, s.Calls(t, "hset"), len(rows))
		}
		want := []report.Data{{File: abstracts, Rows: int64(len(rows)), Order: "sequence"}}
		if diff := cmp.Diff(want, r.Workload.Data); diff != "" {
			t.Error(diff)
		}
		if n := s.Do(t, "DBSIZE").Int; n != int64(len(rows)) {
			t.Errorf("%d keys for %d rows", n, len(rows))
		}
		for _, row := range rows {
			want := map[string]string{"note": note + " " + row[0]}
			for k, name := range head[1:] {
				want[name] = row[k+1]
			}
			if diff := cmp.Diff(want, hash(t, s, "doc:"+row[0])); diff != "" {
				t.Errorf("doc:%s (-file +server):\n%s", row[0], diff)
			}
		}
	}
}

// TestDocumentsSideBySide writes and reads at once.
func TestDocumentsSideBySide(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	r := mustRun(t, s, "-s", "0.3", "--data", abstracts,
		"--lane", "write,c=2=HSET doc:<field id> title <field title>", "--lane", "read,c=3=HGETALL doc:<field id>")
	if len(r.Lanes) != 2 {
		t.Fatalf("%d lanes", len(r.Lanes))
	}
	for i, command := range []string{"hset", "hgetall"} {
		lane := &r.Lanes[i]
		// The last requests may have been executed and not answered in time.
		if n := s.Calls(t, command); n == 0 || n != lane.Requests.Sent || lane.Latency == nil || lane.Requests.Failed > 0 {
			t.Errorf("lane %s: %+v, %d calls", lane.Name, lane.Requests, n)
		}
	}
}

// TestDocumentsPage runs the commands of docs/documents.md.
func TestDocumentsPage(t *testing.T) {
	t.Parallel()
	runPage(t, "docs/documents.md", 7)
}

// runPage runs the commands of a page for a moment, of which there are so many
// at least; what it shows of their output must be in it.
func runPage(t *testing.T, page string, least int) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	s := redistest.Start(t)
	ran := 0
	for block := range strings.SplitSeq(string(text), "\n\n") {
		for _, example := range strings.Split(block, "    $ respbench ")[1:] {
			command, shown, _ := strings.Cut(strings.ReplaceAll(example, "\\\n", ""), "\n")
			args := shellWords(t, command)
			if !slices.Contains(args, "preview") {
				args = append(args, "-p", strconv.Itoa(s.Port))
			}
			if k := slices.Index(args, "-s"); k >= 0 {
				args[k+1] = "0.1"
			}
			var out strings.Builder
			status := run(t.Context(), args, &out, &out)
			if strings.Contains(command, "FT.") || strings.Contains(command, "JSON.") {
				ran++ // this server does not have them; that they are read is enough
				if status == 2 {
					t.Errorf("%s: status %d\n%s", command, status, &out)
				}
				continue
			}
			mistake := strings.Contains(shown, "respbench: ")
			if mistake && status != 2 || !mistake && status != 0 {
				t.Errorf("%s: status %d\n%s", command, status, &out)
			}
			for line := range strings.Lines(shown) {
				line = strings.TrimSpace(line)
				if !strings.Contains(out.String(), line) {
					t.Errorf("%s: the page shows %q, and it says\n%s", command, line, &out)
				}
			}
			ran++
		}
	}
	if ran < least {
		t.Errorf("%d commands found", ran)
	}
}

// shellWords splits a command at blanks, with the quotes of a shell.
func shellWords(t *testing.T, command string) []string {
	t.Helper()
	var words []string
	for _, m := range regexp.MustCompile(`(?:[^\s"']+|"[^"]*"|'[^']*')+`).FindAllString(command, -1) {
		words = append(words, regexp.MustCompile(`"([^"]*)"|'([^']*)'`).ReplaceAllString(m, "$1$2"))
	}
	return words
}

// TestManualsDataSuite runs the suite with data that docs/suites.md shows.
func TestManualsDataSuite(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("docs/suites.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	if len(blocks) != 2 {
		t.Fatalf("%d suites in docs/suites.md", len(blocks))
	}
	if _, err := suite.Read("abstracts.yaml", []byte(blocks[1][1])); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "abstracts.yaml")
	if err := os.WriteFile(path, []byte(blocks[1][1]), 0o600); err != nil {
		t.Fatal(err)
	}
	s := redistest.Start(t)
	var out strings.Builder
	if status := run(t.Context(), []string{"suite", "-p", strconv.Itoa(s.Port), "--flush=force", "-s", "0.1", "--data", abstracts, path}, &out, &out); status != 0 {
		t.Errorf("status %d: %s", status, &out)
	}
	for _, want := range []string{"\n  write ", "\n  both ", "\n    write ", "\n    read ", "40 rows, in sequence"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in:\n%s", want, &out)
		}
	}
	if v := s.Do(t, "DBSIZE"); v.Kind != ':' || v.Int != 0 {
		t.Errorf("%+v keys left", v)
	}
}

// TestDocumentsInterrupted: a signal while the data are read ends respbench
// before it dials.
func TestDocumentsInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(interrupted{os.Interrupt})
	for _, args := range [][]string{
		{"-p", "1", "--data", abstracts, "GET doc:<field id>"},
		{"preview", "--data", abstracts, "GET doc:<field id>"},
		{"sweep", "-p", "1", "--data", abstracts, "GET doc:<field id>"},
	} {
		var out, said strings.Builder
		if status := run(ctx, args, &out, &said); status != 130 || out.Len() > 0 || !strings.Contains(said.String(), "interrupted by SIGINT") {
			t.Errorf("%q: status %d, %q, %q", args, status, &out, &said)
		}
	}
}

// signalling is where the first text that is written brings a signal.
type signalling struct {
	strings.Builder
	cancel context.CancelCauseFunc
}

func (s *signalling) Write(p []byte) (int, error) {
	s.cancel(interrupted{os.Interrupt})
	return s.Builder.Write(p)
}

// TestPreviewInterrupted: what a signal cuts short does not end as if it were
// whole, and its last line is.
func TestPreviewInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	out := &signalling{cancel: cancel}
	var said strings.Builder
	status := run(ctx, []string{"preview", "-n", "1000000", "GET x"}, out, &said)
	if status != 130 || !strings.Contains(said.String(), "interrupted by SIGINT") {
		t.Errorf("status %d, %q", status, &said)
	}
	if !strings.HasSuffix(out.String(), "GET x\n") {
		t.Errorf("the output ends with %q", out.String()[max(0, out.Len()-10):])
	}
}
