package report

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSweepText(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		result  *SweepResult
		options TextOptions
	}{
		{"sweep", sweepRun(), TextOptions{}},
		{"sweep_color", sweepRun(), TextOptions{Color: true}},
		{"sweep_quiet", sweepRun(), TextOptions{Quiet: true}},
		{"sweep_interrupted", sweepInterrupted(), TextOptions{}},
		{"sweep_missed", sweepMissed(), TextOptions{}},
		{"sweep_missed_quiet", sweepMissed(), TextOptions{Quiet: true}},
		{"sweep_connections", sweepConnections(), TextOptions{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var b bytes.Buffer
			if err := SweepText(&b, test.result, test.options); err != nil {
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

func TestSweepJSON(t *testing.T) {
	t.Parallel()
	for _, s := range []*SweepResult{sweepRun(), sweepInterrupted(), sweepMissed(), sweepConnections()} {
		var b bytes.Buffer
		if err := SweepJSON(&b, s); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		back, err := ReadSweepJSON(&b)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(completeSweep(s), back); diff != "" {
			t.Errorf("read again (-written +read):\n%s", diff)
		}
		if _, err := ReadJSON(strings.NewReader(text)); errorText(err) != "read result: it is that of a suite or a sweep, not of one run" {
			t.Errorf("read as a run: %v", err)
		}
	}
	if _, err := ReadSweepJSON(bytes.NewReader(asJSON(t, fullRun()))); errorText(err) != "read result: it is not that of a sweep" {
		t.Errorf("a run read as a sweep: %v", err)
	}
}

func TestReadSweepJSONErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"schema":"respbench/1","kind":"sweep","steps":[{}]}`:                     "step 0 of the sweep has no result",
		`{"schema":"respbench/1","kind":"sweep","knee":{"step":0}}`:                "the sweep has no step 0",
		`{"schema":"respbench/1","kind":"sweep","steps":[],"highest":{"step":-1}}`: "the sweep has no step -1",
		`{"schema":"respbench/1","kind":"sweep","steps":7}`:                        "steps is a JSON number",
		`{"schema":"respbench/1","kind":"other","steps":[],"knee":0}`:              `kind "other" is not known`,
	} {
		if _, err := ReadSweepJSON(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// A file of any damage is an error or a result that can be drawn.
func TestSweepDrawsWhateverIsRead(t *testing.T) {
	t.Parallel()
	for _, steps := range []string{"", `{"at":0,"result":{}}`, `{"at":-1,"result":{"rate_per_sec":-5,"latency":{"percentiles":[{"percent":99,"ns":-7}]}}}`,
		`{"at":1e300,"result":{"rate_per_sec":1e300,"latency":{"percentiles":[{"percent":99,"ns":1}]}}},{"at":0,"result":{"latency":{"percentiles":[{"percent":99,"ns":9}]}}}`} {
		text := `{"schema":"respbench/1","kind":"sweep","steps":[` + steps + `]}`
		s, err := ReadSweepJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := SweepText(&b, s, TextOptions{}); err != nil || b.Len() == 0 {
			t.Errorf("%s: %v, %d bytes", text, err, b.Len())
		}
	}
}

func TestSweepOutput(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"x.json", "x.txt"} {
		o, err := ParseOutput(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := o.CheckSweep(); err != nil {
			t.Error(err)
		}
		if err := o.Write(nil, sweepRun()); err != nil {
			t.Error(err)
		}
	}
	if names := folder(t, dir); len(names) != 2 {
		t.Errorf("written: %q", names)
	}
	if err := (Output{Path: "x.hgrm", Format: "hgrm"}).CheckSweep(); errorText(err) != `output "x.hgrm": a sweep cannot be written as .hgrm, only as .json or .txt` {
		t.Errorf("%v", err)
	}
}

func TestObjectiveWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"p99<1ms": "p99 under 1 ms", "p99.9<=1.5s": "p99.9 at most 1.5 s", "errors<0.1%": "errors under 0.1 %",
		"max<2 ms": "max under 2 ms", "lost<=0": "lost at most 0", "service p99<500us": "service p99 under 500 us", "odd": "odd",
	} {
		if got := objectiveWords(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestObjectiveString(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		o    Objective
		want string
	}{
		{Objective{Text: "p99<2ms", Measured: ptr(2_001_000.0), Unit: "ns"}, "p99<2ms, measured 2.001 ms"},
		{Objective{Text: "max<2s", Measured: ptr(12_345_678_901.0), Unit: "ns"}, "max<2s, measured 12,346 ms"},
		{Objective{Text: "min<2ms", Measured: ptr(41.0), Unit: "ns"}, "min<2ms, measured 0.000041 ms"},
		{Objective{Text: "qps>1", Measured: ptr(0.0), Unit: "per_sec"}, "qps>1, measured 0/s"},
		{Objective{Text: "qps>1", Measured: ptr(95_120.4), Unit: "per_sec"}, "qps>1, measured 95,120/s"},
		{Objective{Text: "errors<1%", Measured: ptr(12.3456), Unit: "percent"}, "errors<1%, measured 12.35 %"},
		{Objective{Text: "lost<1", Measured: ptr(1234.0), Unit: "count"}, "lost<1, measured 1,234"},
		{Objective{Text: "p99<2ms", Unit: "ns"}, "p99<2ms, nothing measured"},
	} {
		if got := test.o.String(); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

// The chart stays in its frame, whatever the points.
func TestChartScales(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		p99   []float64 // ms
		rates []float64
	}{
		{[]float64{1, 1}, []float64{5, 5}},
		{[]float64{0.00001, 3_600_000}, []float64{0.001, 1e9}},
		{[]float64{0.1, 0.2, 0.5}, []float64{1, 2, 3}},
		{[]float64{1.9999, 5.0001}, []float64{1e6, 1e7}},
		{[]float64{99, 101}, []float64{0.5, 0.4}},
	} {
		s := sweepRun()
		s.Knee, s.Highest, s.Steps = nil, nil, nil
		for i, p99 := range test.p99 {
			step := sweepStep(1, true, true)
			step.At, step.Result.RatePerSec = float64(i+1), test.rates[i]
			step.Result.Latency.Percentiles[2].Ns = ms(p99)
			s.Steps = append(s.Steps, step)
		}
		var p page
		p.chart(s)
		lines := strings.Split(p.String(), "\n")
		if len(lines) != chartRows+5 {
			t.Errorf("%v: %d lines", test, len(lines))
		}
		labels := 0
		for _, line := range lines {
			if len(line) > pageColumns {
				t.Errorf("%v: %d columns: %q", test, len(line), line)
			}
			if strings.Contains(line, " +") {
				labels++
			}
		}
		if marks := strings.Count(strings.Join(lines[:chartRows+1], ""), "o"); labels < 3 || marks == 0 || marks > len(test.p99) {
			t.Errorf("%v: %d labels, %d marks:\n%s", test, labels, marks, p.String())
		}
	}
}

func TestNiceNumbers(t *testing.T) {
	t.Parallel()
	var got []string
	for _, f := range []float64{0.7, 1, 1.5, 2, 3, 5, 9.9, 10, 123_456} {
		got = append(got, fmt.Sprint(niceBelow(f), " ", niceAbove(f)))
	}
	want := []string{"0.5 1", "1 1", "1 2", "2 2", "2 5", "5 5", "5 10", "10 10", "100000 200000"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A step in which connections broke says so, also if no request was lost.
func TestSweepMarksBrokenConnections(t *testing.T) {
	t.Parallel()
	r := &Result{Requests: Requests{Sent: 10, Succeeded: 10}, Connect: Connect{Broken: 3}}
	s := &SweepResult{Sweep: SweepWorkload{By: ByRate}, Steps: []SweepStep{{At: 10, Result: r}}}
	if got := (&page{}).mark(s, 0); got != "  broken" {
		t.Errorf("%q", got)
	}
}
