package report

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/google/go-cmp/cmp"
)

// block returns the first fenced block of a language in the manual's page on
// results.
func block(t *testing.T, page, language string) string {
	t.Helper()
	found := regexp.MustCompile("(?s)```" + language + "\n(.*?)```").FindStringSubmatch(page)
	if found == nil {
		t.Fatalf("no %s block in docs/results.md", language)
	}
	return found[1]
}

func resultsPage(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../docs/results.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

func TestManualShowsWhatIsPrinted(t *testing.T) {
	t.Parallel()
	page := resultsPage(t)
	var b strings.Builder
	if err := Text(&b, fullRun(), TextOptions{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(block(t, page, "text"), b.String()); diff != "" {
		t.Errorf("summary (-manual +printed):\n%s", diff)
	}
	if diff := cmp.Diff(block(t, page, "json"), string(asJSON(t, fullRun()))); diff != "" {
		t.Errorf("JSON (-manual +printed):\n%s", diff)
	}
	b.Reset()
	if err := Text(&b, loadRun(), TextOptions{}); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if strings.Contains(line, " in 31.0 s") && !strings.Contains(page, line) {
			t.Errorf("the manual lacks the line of --load: %s", line)
		}
	}
}

// TestManualExampleAgreesWithItself: the example's histogram holds what its
// percentiles say.
func TestManualExampleAgreesWithItself(t *testing.T) {
	t.Parallel()
	l := fullRun().Latency
	h, err := hdrhistogram.Decode([]byte(l.Histogram))
	if err != nil {
		t.Fatal(err)
	}
	if h.TotalCount() != l.Count {
		t.Errorf("histogram of %d, count %d", h.TotalCount(), l.Count)
	}
	for _, p := range l.Percentiles {
		if got := h.ValueAtPercentile(p.Percent); got != p.Ns {
			t.Errorf("p%v is %d in the histogram, %d in the table", p.Percent, got, p.Ns)
		}
	}
}

// TestManualKnowsEveryField compares the manual's tables with the fields of
// Result, SweepResult and SuiteResult, in both directions.
func TestManualKnowsEveryField(t *testing.T) {
	t.Parallel()
	run, rest, found := strings.Cut(resultsPage(t), "\n### A sweep\n")
	sweep, suite, found2 := strings.Cut(rest, "\n### A suite\n")
	if !found || !found2 {
		t.Fatal("docs/results.md has no section on sweeps, or none on suites behind it")
	}
	compareFields(t, run, fieldsOf(reflect.TypeFor[Result](), ""))
	compareFields(t, sweep, fieldsOf(reflect.TypeFor[SweepResult](), ""))
	compareFields(t, suite, fieldsOf(reflect.TypeFor[SuiteResult](), ""))
}

func compareFields(t *testing.T, section string, fields []string) {
	t.Helper()
	var documented []string
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z0-9_.\\[\\]]+)` \\|").FindAllStringSubmatch(section, -1) {
		if !strings.HasPrefix(row[1], ".") { // an extension
			documented = append(documented, row[1])
		}
	}
	fields = slices.DeleteFunc(fields, func(field string) bool { // the fields of latency over again
		return strings.HasPrefix(field, "open_loop.service.") || strings.HasPrefix(field, "open_loop.send_lag.") ||
			repeatsInLanes(field) || strings.HasPrefix(field, "stages[].latency.") || strings.HasPrefix(field, "stages[].service.") ||
			strings.HasPrefix(field, "parts[].latency.") || strings.HasPrefix(field, "parts[].errors[]") ||
			strings.HasPrefix(field, "nodes[].latency.") || strings.HasPrefix(field, "nodes[].errors[]") ||
			strings.HasPrefix(field, "connect.again.")
	})
	for _, field := range fields {
		// What holds documented fields need not be documented itself.
		isDocumented := slices.ContainsFunc(documented, func(name string) bool {
			return name == field || strings.HasPrefix(name, field+".")
		})
		if !isDocumented {
			t.Errorf("docs/results.md does not tell of %s", field)
		}
	}
	for _, name := range documented {
		if !slices.Contains(fields, name) {
			t.Errorf("docs/results.md tells of %s, which is no field", name)
		}
	}
}

// fieldsOf lists the JSON paths of a type.
func fieldsOf(t reflect.Type, path string) []string {
	var fields []string
	switch {
	case t == reflect.TypeFor[time.Time]():
	case path != "" && (t == reflect.TypeFor[Result]() || t == reflect.TypeFor[Target]() && path != "target"):
		// A whole run or target within a suite.
	case t.Kind() == reflect.Pointer:
		return fieldsOf(t.Elem(), path)
	case t.Kind() == reflect.Slice:
		return fieldsOf(t.Elem(), path+"[]")
	case t.Kind() == reflect.Struct:
		for field := range t.Fields() {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if path != "" {
				name = path + "." + name
			}
			fields = append(append(fields, name), fieldsOf(field.Type, name)...)
		}
	}
	return fields
}

// repeatsInLanes tells whether a field of a lane is one of the run over again.
func repeatsInLanes(field string) bool {
	for _, name := range []string{"requests.", "latency.", "open_loop.", "parts[]", "errors[]", "intervals[]"} {
		if strings.HasPrefix(field, "lanes[]."+name) {
			return true
		}
	}
	return false
}
