package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Benchmark writes a run in the format of Go's benchmarks, which benchstat
// reads. Only what two versions of a server have in common is said outside of
// the figures, since benchstat keeps apart what differs there.
func Benchmark(w io.Writer, r *Result) error {
	b := newBenchText()
	b.config("template", Printable(r.Workload.Template))
	name := strings.Map(wordOnly, strings.ToUpper(firstWord(r.Workload.Template)))
	b.load(&r.Workload)
	b.line(name, r)
	return b.writeTo(w)
}

// SuiteBenchmark writes a line for each run, repeats included, so that
// benchstat can judge how much they differ by chance.
func SuiteBenchmark(w io.Writer, s *SuiteResult) error {
	b := newBenchText()
	b.config("suite", Printable(s.Suite.Name))
	b.config("scale", strconv.FormatFloat(s.Suite.Scale, 'g', -1, 64))
	for i := range s.Targets {
		if len(s.Targets) > 1 {
			b.config("target", s.title(i))
		}
		for t, test := range s.Tests {
			for _, r := range s.cell(t, i).measured() {
				b.load(&r.Workload)
				b.line(test.Name, r)
			}
		}
	}
	return b.writeTo(w)
}

// benchText is the text that is being written, and the configuration that is
// in force.
type benchText struct {
	bytes.Buffer
	keys map[string]string
}

func newBenchText() *benchText {
	b := &benchText{keys: map[string]string{}}
	b.WriteString("Unit requests/s better=higher\n")
	return b
}

func (b *benchText) writeTo(w io.Writer) error {
	_, err := w.Write(b.Bytes())
	return err
}

// config sets a key for the lines that follow; an empty value takes it back.
func (b *benchText) config(key, value string) {
	if b.keys[key] != value {
		b.keys[key] = value
		b.WriteString(strings.TrimRight(key+": "+value, " ") + "\n")
	}
}

// load sets what was asked for. A tuned number of connections is an outcome.
func (b *benchText) load(w *Workload) {
	connections := strconv.Itoa(w.Connections)
	if w.Tuned {
		connections = ""
	}
	b.config("connections", connections)
	b.config("pipeline", strconv.Itoa(w.Pipeline))
}

// line adds a run that had a success; there is no line for another.
func (b *benchText) line(name string, r *Result) {
	if r.Latency == nil || r.Requests.Succeeded == 0 {
		return
	}
	letters := []rune(name)
	if len(letters) == 0 {
		letters = []rune("Run")
	}
	letters[0] = unicode.ToUpper(letters[0]) // a name in lower case is none
	fmt.Fprintf(b, "Benchmark%s %d %s requests/s %d avg-ns", string(letters), r.Requests.Succeeded,
		strconv.FormatFloat(finite(r.RatePerSec), 'f', -1, 64), r.Latency.AvgNs)
	for _, p := range r.Latency.Percentiles {
		fmt.Fprintf(b, " %d %s-ns", p.Ns, percentileName(p.Percent))
	}
	b.WriteByte('\n')
}

func firstWord(s string) string {
	if words := strings.Fields(s); len(words) > 0 {
		return words[0]
	}
	return ""
}

// wordOnly drops what a benchmark's name cannot hold.
func wordOnly(r rune) rune {
	if unicode.IsLetter(r) || unicode.IsDigit(r) || slices.Contains([]rune("._"), r) {
		return r
	}
	return -1
}
