package report

import (
	"bytes"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWrap(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		pieces []string
		want   []string
	}{
		{nil, nil},
		{[]string{""}, []string{""}},
		{[]string{"one", "two"}, []string{"one; two"}},
		{[]string{"twelve wide.", "seven.."}, []string{"twelve wide.;", "seven.."}},
		{[]string{"exactly ten", "exactly8"}, []string{"exactly ten;", "exactly8"}},
		{[]string{"a piece that is longer than a line", "b"}, []string{"a piece that is", "longer than a line;", "b"}},
		{[]string{"1234567890123456789012345"}, []string{"12345678901234567890", "12345"}},
		{[]string{"漢字漢字漢字漢字漢字漢字"}, []string{"漢字漢字漢字漢字漢字", "漢字"}},
		{[]string{"two  spaces stay"}, []string{"two  spaces stay"}},
	} {
		if diff := cmp.Diff(test.want, wrap(test.pieces, "; ", 20)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.pieces, diff)
		}
	}
	if got := wrap([]string{"a figure wide beyond measure leaves"}, "; ", -300); len(got) != 2 {
		t.Errorf("no room: %q", got)
	}
}

func TestCutMiddle(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{"short", "short"},
		{"exactly twenty bytes", "exactly twenty bytes"},
		{"abcdefghijklmnopqrstuvwxyz", "abcdefghijklm ... yz"},
		{strings.Repeat("é", 20), "éééééé ... é"},
	} {
		if got := cutMiddle(test.text, 20); got != test.want {
			t.Errorf("%q: %q, want %q", test.text, got, test.want)
		}
	}
}

func TestPrintable(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{"plain é 漢字 \\n", "plain é 漢字 \\n"},
		{"\x1b[31m\a\x7f\x00", `\x1b[31m\x07\x7f\x00`},
		{"a\r\n\tb", `a\r\n\tb`},
		{"\u009b2J", `\u009b2J`}, // the one-character form of ESC [
		{"\u202eabc", `\u202eabc`},
		{"\xff\xc3", `\xff\xc3`},
	} {
		if got := Printable(test.text); got != test.want {
			t.Errorf("%q: %q, want %q", test.text, got, test.want)
		}
	}
}

// TestTextIsSafe puts hostile text in every place that comes from outside.
func TestTextIsSafe(t *testing.T) {
	t.Parallel()
	const hostile = "\x1b[2J\r\n\u009b\u202e\xff"
	r := errorsRun()
	r.Interrupted, r.Workload.Template = hostile, hostile
	r.Target.Address, r.Target.User = hostile, hostile
	r.Server.Name, r.Server.Version, r.Server.Mode, r.Server.Persistence = hostile, hostile, hostile, hostile
	r.Server.Notes, r.Warnings = []string{hostile}, []string{hostile}
	r.Errors[0].Code, r.Errors[0].Sample = hostile, hostile
	r.Limit = Limit{Who: hostile, Why: hostile}
	failed := *r
	failed.Requests.Succeeded = 0
	for _, result := range []*Result{r, &failed} {
		for _, options := range []TextOptions{{}, {Quiet: true}} {
			var b bytes.Buffer
			if err := Text(&b, result, options); err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(b.String()) {
				if strings.ContainsFunc(strings.TrimSuffix(line, "\n"), unprintable) {
					t.Errorf("control characters: %q", line)
				}
			}
		}
	}
}

// TestCSVIsSafe: a spreadsheet's file may be shown on a terminal, too. Line ends
// of a template stay, as a field can hold them.
func TestCSVIsSafe(t *testing.T) {
	t.Parallel()
	const hostile = "\x1b[2J\n\a\u009b\u202e\xff"
	s := &SuiteResult{Targets: []SuiteTarget{{Name: hostile}}}
	s.Suite.Name = hostile
	run := errorsRun()
	run.Interrupted, run.Workload.Template, run.Server.Name, run.Target.Address = hostile, hostile, hostile, hostile
	s.Tests = []SuiteTest{{Name: hostile, Cells: []SuiteCell{{Runs: []SuiteRun{{Measured: run}, {Problem: hostile}}}}}}
	for name, write := range map[string]func(io.Writer) error{
		"run":   func(w io.Writer) error { return CSV(w, run) },
		"suite": func(w io.Writer) error { return SuiteCSV(w, s) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		if text := strings.NewReplacer("\r\n", "", "\n", "").Replace(b.String()); strings.ContainsFunc(text, unprintable) || !strings.Contains(text, `\x1b[2J`) {
			t.Errorf("%s: control characters: %q", name, text)
		}
	}
}

// TestTextHoldsNumbersOnly: figures that are none, which a Result should not
// hold, are not drawn as such.
func TestTextHoldsNumbersOnly(t *testing.T) {
	t.Parallel()
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		r := tunedRun()
		r.RatePerSec, r.Tuning[0].RatePerSec, r.WindowNs = bad, bad, 0
		var b bytes.Buffer
		if err := Text(&b, r, TextOptions{}); err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{"NaN", "Inf", "-1"} {
			if strings.Contains(b.String(), word) {
				t.Errorf("%s in\n%s", word, b.String())
			}
		}
	}
}

// TestFailureShowsNoFigures: nothing that could be taken for a measurement.
func TestFailureShowsNoFigures(t *testing.T) {
	t.Parallel()
	r := failedRun()
	r.Latency = fullRun().Latency // even if there were one
	for _, options := range []TextOptions{{}, {Quiet: true}} {
		var b bytes.Buffer
		if err := Text(&b, r, options); err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{"requests/s", "latency", "p50", "client", "hits"} {
			if strings.Contains(b.String(), word) {
				t.Errorf("%q in\n%s", word, b.String())
			}
		}
	}
}
