package report

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/perf/benchfmt"
)

// documents are those that every format has a golden file of.
func documents() map[string]Document {
	return map[string]Document{
		"full": fullRun(), "errors": errorsRun(), "load": loadRun(), "failed": failedRun(), "tuned": tunedRun(),
		"suite": compared(), "suite_repeat": repeated(), "suite_trouble": troubled(), "suite_three": three(),
		"data": dataRun(), "suite_lanes": besides(), "suite_mix": mixedSuite(),
	}
}

// drawn is a document in a format.
func drawn(t *testing.T, d Document, f format) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := d.render(f, &b); err != nil {
		t.Fatalf("%s: %v", f.name, err)
	}
	return b.Bytes()
}

// alike tells of large files that would show nothing which another does not.
func alike(document, format string) bool {
	return format == "json" && (document == "suite_repeat" || document == "suite_three" || document == "suite_mix") ||
		format == "hgrm" && document != "full" && document != "failed"
}

func TestFormats(t *testing.T) {
	t.Parallel()
	for name, d := range documents() {
		for _, f := range formats() {
			if _, isSuite := d.(*SuiteResult); isSuite && f.suite == nil {
				continue
			}
			t.Run(name+"."+f.name, func(t *testing.T) {
				t.Parallel()
				text := drawn(t, d, f)
				if !alike(name, f.name) {
					golden(t, name+"."+f.name, text)
				}
				for _, bad := range []string{"NaN", "Inf", "<nil>", "\x1b"} {
					if bytes.Contains(text, []byte(bad)) {
						t.Errorf("%q in it", bad)
					}
				}
			})
		}
	}
}

// What was read back from JSON is drawn byte for byte as what was measured.
func TestReadDrawsTheSame(t *testing.T) {
	t.Parallel()
	for name, d := range documents() {
		json, _ := find("json")
		back, err := Read(bytes.NewReader(drawn(t, d, json)))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(d, back); diff != "" {
			t.Errorf("%s read back (-want +got):\n%s", name, diff)
		}
		for _, f := range formats() {
			if _, isSuite := d.(*SuiteResult); isSuite && f.suite == nil {
				continue
			}
			if diff := cmp.Diff(string(drawn(t, d, f)), string(drawn(t, back, f))); diff != "" {
				t.Errorf("%s.%s:\n%s", name, f.name, diff)
			}
		}
		for _, o := range []TextOptions{{Color: true}, {Quiet: true}} {
			var first, second bytes.Buffer
			if err := Summary(&first, d, o); err != nil {
				t.Fatal(err)
			}
			if err := Summary(&second, back, o); err != nil || first.String() != second.String() {
				t.Errorf("%s %+v: %v\n%s", name, o, err, second.String())
			}
		}
	}
}

func TestSuiteTextFits(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]*SuiteResult{"suite": compared(), "repeat": repeated(), "trouble": troubled(), "three": three(), "lanes": besides(), "mix": mixedSuite()} {
		var b bytes.Buffer
		if err := SuiteText(&b, s, TextOptions{}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if line = strings.TrimSuffix(line, "\n"); cells(line) > pageColumns || strings.ContainsFunc(line, unprintable) {
				t.Errorf("%s: %d columns or control characters: %q", name, cells(line), line)
			}
		}
	}
	var colored, quiet bytes.Buffer
	if err := SuiteText(&colored, compared(), TextOptions{Color: true}); err != nil {
		t.Fatal(err)
	}
	golden(t, "suite_color.txt", colored.Bytes())
	if err := SuiteText(&quiet, compared(), TextOptions{Quiet: true}); err != nil {
		t.Fatal(err)
	}
	golden(t, "suite_quiet.txt", quiet.Bytes())
}

func TestMedian(t *testing.T) {
	t.Parallel()
	cell := func(rates ...float64) *SuiteCell {
		c := &SuiteCell{}
		for _, perSecond := range rates {
			c.Runs = append(c.Runs, SuiteRun{Measured: sampleRun("PING", perSecond, 1, 1)})
		}
		return c
	}
	for _, test := range []struct {
		cell         *SuiteCell
		rate, spread float64
	}{
		{cell(100), 100, 0},
		{cell(100, 300, 200), 200, 0.5},
		{cell(400, 100, 300, 200), 200, 1}, // the slower of the two in the middle
	} {
		if got := test.cell.Median().RatePerSec; got != test.rate {
			t.Errorf("median %v, want %v", got, test.rate)
		}
		if got := test.cell.Spread(); got != test.spread {
			t.Errorf("spread of %v: %v, want %v", test.rate, got, test.spread)
		}
	}
	none := &SuiteCell{Runs: []SuiteRun{{Problem: "x"}, {Measured: failedRun()}}}
	if none.Median() != nil || none.Spread() != 0 {
		t.Errorf("a median of nothing: %v %v", none.Median(), none.Spread())
	}
	// What was interrupted counts where there is nothing else.
	mixed := cell(100, 200)
	mixed.Runs[1].Measured.Interrupted = "SIGINT"
	if got := mixed.Median().RatePerSec; got != 100 {
		t.Errorf("median of a whole run and a cut one: %v", got)
	}
	if mixed.Runs = mixed.Runs[1:]; mixed.Median().RatePerSec != 200 {
		t.Error("the only run, cut, does not count")
	}
}

func TestSuiteFailed(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		spoil func(*SuiteResult)
		want  bool
	}{
		{func(*SuiteResult) {}, false},
		{func(s *SuiteResult) { s.Tests[1].Cells[0].Runs[0].Problem = "x" }, true},
		{func(s *SuiteResult) { s.Tests[1].Cells[0].Runs[0].Measured.Requests.Failed = 1 }, true},
		{func(s *SuiteResult) { s.Tests[1].Cells[1].Runs[0].Preload[0].Requests.Lost = 1 }, true},
		{func(s *SuiteResult) { s.Tests[1].Cells[1].Runs[0].Measured.Requests.Unanswered = 1 }, true},
		{func(s *SuiteResult) { s.Tests[1].Cells[1].Runs[0].Measured.Connect.Broken = 1 }, true},
		{func(s *SuiteResult) { s.Tests[1].Cells[1].Runs[0].Measured.Requests.Succeeded = 0 }, true},
		{func(s *SuiteResult) { s.Tests[1].Cells[1].Runs = nil }, true},
		{func(s *SuiteResult) { s.Tests[1].Cells[1].Runs = nil; s.Interrupted = "SIGINT" }, false},
		{func(s *SuiteResult) { s.Targets[1].Left = &SuiteLeft{Problem: "x"} }, true},
		{func(s *SuiteResult) { s.Suite.Flush, s.Targets[1].Left = "no", &SuiteLeft{Problem: "x"} }, false},
	} {
		s := compared()
		test.spoil(s)
		if got := s.Failed(); got != test.want {
			t.Errorf("%v, want %v: %q", got, test.want, s.faults())
		}
		// What the exit status says stands below the table, whatever the form.
		for _, o := range []TextOptions{{}, {Quiet: true}} {
			var b bytes.Buffer
			if err := SuiteText(&b, s, o); err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(b.String(), "  error "); got != (len(s.faults()) > 0) {
				t.Errorf("%+v: %q in\n%s", o, s.faults(), b.String())
			}
		}
	}
}

// The summary says of how many runs its figures are, and which of an even
// number is shown.
func TestSuiteSaysHowManyRuns(t *testing.T) {
	t.Parallel()
	keep := func(counts ...int) *SuiteResult {
		s := repeated()
		for i, n := range counts {
			s.Tests[i].Cells[0].Runs = s.Tests[i].Cells[0].Runs[:n]
		}
		return s
	}
	const slower = "of which the slower is shown"
	for _, test := range []struct {
		suite   *SuiteResult
		repeats string
		even    bool
	}{
		{keep(3, 3), "median of 3 runs", false},
		{keep(3, 1), "median of 1 to 3 runs, 3 asked for", false},
		{keep(3, 2), "median of 2 to 3 runs, 3 asked for", true},
		{keep(1, 0), "1 of 3 runs", false},
		{keep(0, 0), "0 of 3 runs", false},
	} {
		if got := test.suite.repeats(); got != test.repeats {
			t.Errorf("%q, want %q", got, test.repeats)
		}
		if got := strings.Contains(strings.Join(test.suite.spread(), "; "), slower); got != test.even {
			t.Errorf("%s: %q", test.repeats, test.suite.spread())
		}
	}
	if one := keep(1, 1); one.spread() != nil {
		t.Errorf("a spread of one run: %q", one.spread())
	}
}

// The table's p99 is there whatever percentiles were asked for.
func TestSuiteTableHasP99(t *testing.T) {
	t.Parallel()
	s := compared()
	l := s.Tests[0].Cells[0].Runs[0].Measured.Latency
	l.Percentiles = []Percentile{{Percent: 50, Ns: l.Percentiles[0].Ns}}
	if got := s.figures(0, 0, scaleFor(l.AvgNs)); got[2] != "0.72" {
		t.Errorf("%q", got)
	}
}

func TestSuiteLeftIsTrue(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		flush string
		left  *SuiteLeft
		want  string
	}{
		{"yes", &SuiteLeft{Emptied: true}, "nothing: the database was emptied before each test and at the end"},
		{"force", nil, ""},
		{"yes", &SuiteLeft{Problem: "the database was not emptied at the end: EOF"}, "the database was not emptied at the end: EOF"},
		{"no", &SuiteLeft{Problem: "the keys could not be counted: EOF"}, "the keys could not be counted: EOF"},
		{"no", &SuiteLeft{Keys: 1, Pattern: "respbench:7:*"}, "1 key, named respbench:7:* (respbench suite --clean deletes them)"},
		{"no", &SuiteLeft{Keys: 2, Grown: true}, "2 keys more than before, as far as the size of the database tells"},
	} {
		s := repeated()
		s.Suite.Flush, s.Targets[0].Left = test.flush, test.left
		got := ""
		for _, r := range s.remarks() {
			if r.label == "left" {
				got = strings.Join(r.pieces, "; ")
			}
		}
		if got != test.want {
			t.Errorf("%+v: %q, want %q", test.left, got, test.want)
		}
	}
}

// TestCSVSaysHowRunsEnded: by a signal, a condition, or in their time.
func TestCSVSaysHowRunsEnded(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		change               func(*Result)
		interrupted, problem string
	}{
		{func(*Result) {}, "", ""},
		{func(r *Result) { r.Interrupted = "SIGINT" }, "SIGINT", ""},
		{func(r *Result) { r.Aborted = &Abort{Text: "errors>5%", Measured: 12.3, Unit: "percent", AtNs: 12e8} },
			"", "ended early by errors>5%, measured 12.3 % after 1.2 s"},
		{func(r *Result) {
			r.Aborted = &Abort{Text: "--on-error stop", Measured: 1, Unit: "count", AtNs: 12e8, Failure: true}
		}, "", "ended early by --on-error stop: 1 error after 1.2 s"},
	} {
		r := fullRun()
		test.change(r)
		var b bytes.Buffer
		if err := CSV(&b, r); err != nil {
			t.Fatal(err)
		}
		records, err := csv.NewReader(&b).ReadAll()
		if err != nil || len(records) != 2 {
			t.Fatal(records, err)
		}
		last := records[1][len(records[1])-2:]
		if last[0] != test.interrupted || last[1] != test.problem {
			t.Errorf("%q, want %q and %q", last, test.interrupted, test.problem)
		}
	}
}

// The CSV reads back as what was written, with commas, quotes and line breaks
// in it, in every spreadsheet: no number has a fraction but the scale.
func TestCSVReadsBack(t *testing.T) {
	t.Parallel()
	for _, d := range []Document{errorsRun(), troubled(), repeated()} {
		f, _ := find("csv")
		text := drawn(t, d, f)
		if n := bytes.Count(text, []byte("\r\n")); n == 0 || !bytes.HasSuffix(text, []byte("\r\n")) {
			t.Errorf("%d line ends: %q", n, text)
		}
		records, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		column := map[string]int{}
		for i, name := range records[0] {
			column[name] = i
		}
		for _, r := range records[1:] {
			for name, i := range column {
				isNumber := strings.HasSuffix(name, "_ns") || name == "rate_per_sec" || name == "succeeded"
				if _, err := strconv.ParseInt(r[i], 10, 64); isNumber && err != nil && r[column["problem"]] == "" {
					t.Errorf("%s is %q", name, r[i])
				}
			}
		}
		if s, ok := d.(*SuiteResult); ok && s.Interrupted != "" {
			odd := records[4]
			if odd[column["template"]] != s.Tests[2].Template || odd[column["problem"]] != Printable(s.Tests[2].Cells[0].Runs[0].Problem) {
				t.Errorf("read back %q", odd)
			}
		}
	}
}

// benchstat's own reader understands the benchmark format.
func TestBenchmarkFormatIsRead(t *testing.T) {
	t.Parallel()
	f, _ := find("bench")
	reader := benchfmt.NewReader(bytes.NewReader(drawn(t, compared(), f)), "x.bench")
	var got []string
	for reader.Scan() {
		switch r := reader.Result().(type) {
		case *benchfmt.SyntaxError:
			t.Error(r)
		case *benchfmt.Result:
			perSecond, _ := r.Value("requests/s")
			p99, _ := r.Value("p99-sec")
			got = append(got, fmt.Sprintf("%s %s %.0f %.6f", r.Name, r.GetConfig("target"), perSecond, p99))
		}
	}
	want := []string{"SET redis 142376 0.000720", "GET redis 204690 0.000470", "SET valkey 8 282656 0.000860", "GET valkey 8 519761 0.000360"}
	if diff := cmp.Diff(want, got); diff != "" || reader.Err() != nil {
		t.Errorf("%v\n%s", reader.Err(), diff)
	}
}

// The percentile distribution has rows of four numbers that rise, and as many
// samples as the run.
func TestHistogramIsADistribution(t *testing.T) {
	t.Parallel()
	f, _ := find("hgrm")
	last, rows := -1.0, 0
	for line := range strings.Lines(string(drawn(t, fullRun(), f))) {
		words := strings.Fields(line)
		if len(words) != 4 || line[0] == '#' || words[0] == "Value" {
			continue
		}
		rows++
		value, err := strconv.ParseFloat(words[0], 64)
		if err != nil || value < last {
			t.Errorf("after %v: %q", last, line)
		}
		last = value
	}
	if rows < 10 || last < 8 || last > 8.2 {
		t.Errorf("%d rows, the last is %v ms", rows, last)
	}
	broken := fullRun()
	broken.Latency.Histogram = "HISTFAAA"
	if err := Histogram(&bytes.Buffer{}, broken); err == nil {
		t.Error("a broken histogram was drawn")
	}
}

// A suite has a distribution for each test and target, of all its repeats.
func TestOutputOfParts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, test := range []struct {
		suite *SuiteResult
		path  string
		want  []string
	}{
		{compared(), "a/x.hgrm", []string{"x.get.redis.hgrm", "x.get.valkey-8.hgrm", "x.set.redis.hgrm", "x.set.valkey-8.hgrm"}},
		{repeated(), "b/y.hgrm", []string{"y.get.hgrm", "y.set.hgrm"}},
	} {
		path := filepath.Join(dir, test.path)
		if err := os.Mkdir(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		o, err := ParseOutput(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := o.CheckSuite(); err != nil {
			t.Fatal(err)
		}
		if err := o.Write(nil, test.suite); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, folder(t, filepath.Dir(path))); diff != "" {
			t.Error(diff)
		}
	}
	merged, err := repeated().Tests[0].Cells[0].merged()
	if err != nil {
		t.Fatal(err)
	}
	h, err := hdrhistogram.Decode([]byte(merged.Latency.Histogram))
	if err != nil || h.TotalCount() != 3*fullRun().Latency.Count {
		t.Errorf("%d samples of three runs, %v", h.TotalCount(), err)
	}
	o := Output{Stdout: true, Format: "hgrm"}
	if err := o.CheckSuite(); err == nil || !strings.Contains(err.Error(), "give the name of a file") {
		t.Errorf("several distributions on standard output: %v", err)
	}
	if err := o.Check(); err != nil {
		t.Errorf("one distribution on standard output: %v", err)
	}
}

func TestSuiteJSONFillsEveryField(t *testing.T) {
	t.Parallel()
	s := compared()
	fillZeros(reflect.ValueOf(s).Elem())
	var b bytes.Buffer
	if err := SuiteJSON(&b, s); err != nil {
		t.Fatal(err)
	}
	back, err := Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Document(s), back); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestReadKinds(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := SuiteJSON(&b, compared()); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadJSON(bytes.NewReader(b.Bytes())); errorText(err) != "read result: it is that of a suite or a sweep, not of one run" {
		t.Errorf("a suite as a run: %v", err)
	}
	if _, err := Read(strings.NewReader(`{"schema": "respbench/1", "kind": "other"}`)); err == nil || !strings.Contains(err.Error(), `kind "other" is not known`) {
		t.Errorf("an unknown kind: %v", err)
	}
	// Files of the time before there were kinds are runs.
	if d, err := Read(strings.NewReader(`{"schema": "respbench/1", "workload": {}, "target": {}, "requests": {}}`)); err != nil || d.(*Result).Kind != KindRun {
		t.Errorf("no kind: %v", err)
	}
}

// FuzzReadSuite: whatever can be read can be drawn in every format.
func FuzzReadSuite(f *testing.F) {
	for _, s := range []*SuiteResult{compared(), troubled()} {
		var b bytes.Buffer
		if err := SuiteJSON(&b, s); err != nil {
			f.Fatal(err)
		}
		f.Add(b.String())
	}
	f.Add(`{"schema":"respbench/1","kind":"suite","suite":{},"targets":[{},{"name":"é"}],"tests":[{"cells":[{"runs":[{"measured":{"latency":{},"requests":{"succeeded":1}}}]}]},{}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		d, err := Read(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, f := range formats() {
			if _, isSuite := d.(*SuiteResult); isSuite && f.suite == nil {
				_, _ = d.parts()
				continue
			}
			if err := d.render(f, &bytes.Buffer{}); err != nil && f.name != "hgrm" {
				t.Errorf("%s: %v", f.name, err)
			}
		}
	})
}
