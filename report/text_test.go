package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares got with a file in testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		result  *Result
		options TextOptions
	}{
		{"full", fullRun(), TextOptions{}},
		{"open", openRun(), TextOptions{}},
		{"mix", mixRun(), TextOptions{}},
		{"full_color", fullRun(), TextOptions{Color: true}},
		{"full_quiet", fullRun(), TextOptions{Quiet: true}},
		{"errors", errorsRun(), TextOptions{}},
		{"errors_color", errorsRun(), TextOptions{Color: true}},
		{"errors_quiet", errorsRun(), TextOptions{Quiet: true}},
		{"load", loadRun(), TextOptions{}},
		{"data", dataRun(), TextOptions{}},
		{"load_quiet", loadRun(), TextOptions{Quiet: true}},
		{"load_errors", loadErrorsRun(), TextOptions{}},
		{"embedded", embeddedRun(), TextOptions{}},
		{"interrupted", interruptedRun(), TextOptions{}},
		{"interrupted_quiet", interruptedRun(), TextOptions{Quiet: true}},
		{"tuned", tunedRun(), TextOptions{}},
		{"failed", failedRun(), TextOptions{}},
		{"failed_quiet", failedRun(), TextOptions{Quiet: true}},
		{"objectives", objectivesRun(), TextOptions{}},
		{"objectives_quiet", objectivesRun(), TextOptions{Quiet: true}},
		{"aborted", abortedRun(), TextOptions{}},
		{"long_template", longTemplateRun(), TextOptions{}},
		{"tiny", tinyRun(), TextOptions{}},
		{"huge", hugeRun(), TextOptions{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var b bytes.Buffer
			if err := Text(&b, test.result, test.options); err != nil {
				t.Fatal(err)
			}
			golden(t, test.name+".txt", b.Bytes())
			for line := range strings.Lines(b.String()) {
				line = strings.TrimSuffix(line, "\n")
				if width := cells(line); width > pageColumns && !test.options.Quiet {
					t.Errorf("%d columns: %q", width, line)
				}
				if !test.options.Color && strings.ContainsFunc(line, unprintable) {
					t.Errorf("control characters: %q", line)
				}
			}
		})
	}
}
