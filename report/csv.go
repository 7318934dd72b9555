package report

import (
	"bytes"
	"encoding/csv"
	"io"
	"math"
	"strconv"
)

// CSV writes a run as two records, heads and figures, by RFC 4180: commas,
// quotes where they are needed, CR LF. Units stand in the heads. Times and
// rates are whole numbers, so that no spreadsheet's locale can misread them;
// where there is nothing to tell a field is empty.
func CSV(w io.Writer, r *Result) error {
	return writeCSV(w, percentilesOf(r), []csvRow{{result: r, repeat: 1}})
}

// SuiteCSV writes a suite as CSV does a run: a record for each run of each
// test on each target. A run without a measurement has its problem instead.
func SuiteCSV(w io.Writer, s *SuiteResult) error {
	var rows []csvRow
	var percentiles []float64
	for t, test := range s.Tests {
		for i := range s.Targets {
			for k, run := range s.cell(t, i).Runs {
				if percentiles == nil {
					percentiles = percentilesOf(run.Measured)
				}
				rows = append(rows, csvRow{
					suite: s.Suite.Name, scale: strconv.FormatFloat(s.Suite.Scale, 'f', -1, 64),
					test: test.Name, target: s.title(i), repeat: k + 1,
					result: run.Measured, problem: run.Problem,
				})
			}
		}
	}
	return writeCSV(w, percentiles, rows)
}

// csvRow is a record: the same columns for a run and for a suite.
type csvRow struct {
	suite, scale, test, target string
	repeat                     int
	result                     *Result // nil if there was no measurement
	problem                    string
}

func percentilesOf(r *Result) []float64 {
	if r == nil || r.Latency == nil {
		return nil
	}
	var list []float64
	for _, p := range r.Latency.Percentiles {
		list = append(list, p.Percent)
	}
	return list
}

func writeCSV(w io.Writer, percentiles []float64, rows []csvRow) error {
	head := []string{
		"suite", "scale", "test", "target", "repeat", "template", "server", "version", "address",
		"connections", "pipeline", "window_ns", "rate_per_sec",
		"sent", "succeeded", "failed", "unanswered", "lost", "empty", "avg_ns", "min_ns",
	}
	for _, p := range percentiles {
		head = append(head, percentileName(p)+"_ns")
	}
	head = append(head, "max_ns", "interrupted", "problem")
	var b bytes.Buffer
	for _, record := range append([][]string{head}, recordsOf(rows, percentiles)...) {
		for i, field := range record {
			record[i] = printableLines(field)
		}
		// The writer's own UseCRLF would also change the line ends in fields.
		line := csv.NewWriter(&b)
		if err := line.Write(record); err != nil {
			return err
		}
		line.Flush()
		b.Truncate(b.Len() - 1)
		b.WriteString("\r\n")
	}
	_, err := w.Write(b.Bytes())
	return err
}

func recordsOf(rows []csvRow, percentiles []float64) [][]string {
	var records [][]string
	for _, row := range rows {
		lead := []string{row.suite, row.scale, row.test, row.target, strconv.Itoa(row.repeat)}
		records = append(records, append(append(lead, row.figures(percentiles)...), row.wrong()))
	}
	return records
}

// wrong is the problem, or which condition ended the run early.
func (c *csvRow) wrong() string {
	if c.problem == "" && c.result != nil && c.result.Aborted != nil {
		return ending(c.result)
	}
	return Printable(c.problem)
}

// figures are the fields that a Result has.
func (c *csvRow) figures(percentiles []float64) []string {
	r := c.result
	if r == nil {
		return make([]string, 18+len(percentiles))
	}
	whole := func(n int64) string { return strconv.FormatInt(n, 10) }
	q := &r.Requests
	fields := []string{
		r.Workload.Template, Printable(r.Server.Name), Printable(r.Server.Version), Printable(r.Target.Address),
		strconv.Itoa(r.Workload.Connections), strconv.Itoa(r.Workload.Pipeline),
		whole(r.WindowNs), strconv.FormatFloat(math.Round(finite(r.RatePerSec)), 'f', 0, 64),
		whole(q.Sent), whole(q.Succeeded), whole(q.Failed), whole(q.Unanswered), whole(q.Lost), whole(q.Empty),
	}
	if l := r.Latency; l != nil {
		fields = append(fields, whole(l.AvgNs), whole(l.MinNs))
		for _, p := range percentiles {
			text := ""
			if ns, ok := l.percentileNs(p); ok {
				text = whole(ns)
			}
			fields = append(fields, text)
		}
		fields = append(fields, whole(l.MaxNs))
	} else {
		fields = append(fields, make([]string, 3+len(percentiles))...)
	}
	return append(fields, r.Interrupted)
}
