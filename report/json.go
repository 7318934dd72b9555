package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// JSON writes a result as one indented JSON object that ends in a newline.
// Lists without entries are [], never null. A figure that is not a number or
// infinite is an error, and nothing is written then.
func JSON(w io.Writer, r *Result) error { return writeJSON(w, complete(r)) }

// SuiteJSON writes the result of a suite as JSON does that of a run.
func SuiteJSON(w io.Writer, s *SuiteResult) error { return writeJSON(w, completeSuite(s)) }

func writeJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false) // templates are full of < and >
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(v); err != nil {
		return fmt.Errorf("result as JSON: %w", err)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// complete returns a copy of r with its schema and without nil lists.
func complete(r *Result) *Result {
	c := *r
	c.Schema, c.Kind = cmp.Or(c.Schema, Schema), cmp.Or(c.Kind, KindRun)
	if c.Errors == nil {
		c.Errors = []ErrorClass{}
	}
	if c.Intervals == nil {
		c.Intervals = []Interval{}
	}
	if c.Warnings == nil {
		c.Warnings = []string{}
	}
	if c.Workload.Percentiles == nil {
		c.Workload.Percentiles = []float64{}
	}
	if c.Latency != nil && c.Latency.Percentiles == nil {
		latency := *c.Latency
		latency.Percentiles = []Percentile{}
		c.Latency = &latency
	}
	return &c
}

// completeSuite returns a copy of s with its schema and without nil lists.
func completeSuite(s *SuiteResult) *SuiteResult {
	c := *s
	c.Schema, c.Kind = cmp.Or(c.Schema, Schema), cmp.Or(c.Kind, KindSuite)
	c.Targets = append([]SuiteTarget{}, c.Targets...)
	c.Warnings = append([]string{}, c.Warnings...)
	c.Tests = append([]SuiteTest{}, c.Tests...)
	for t := range c.Tests {
		test := &c.Tests[t]
		test.Cells = append([]SuiteCell{}, test.Cells...)
		for i := range test.Cells {
			cell := &test.Cells[i]
			cell.Runs = append([]SuiteRun{}, cell.Runs...)
			for k := range cell.Runs {
				cell.Runs[k] = completeRun(cell.Runs[k])
			}
		}
	}
	return &c
}

func completeRun(r SuiteRun) SuiteRun {
	var preload []Result // stays nil where there is none, as it is left out then
	for i := range r.Preload {
		preload = append(preload, *complete(&r.Preload[i]))
	}
	r.Preload = preload
	if r.Measured != nil {
		r.Measured = complete(r.Measured)
	}
	return r
}

// ReadJSON reads a result that JSON wrote. Fields that it does not know are
// skipped, since later versions may add some. It is an error when the text is
// not one JSON object, a value has the wrong kind, the schema is not
// "respbench/1", or a part is missing that every result has. A byte order mark
// is skipped.
func ReadJSON(rd io.Reader) (*Result, error) {
	d, err := Read(rd)
	if err != nil {
		return nil, err
	}
	r, ok := d.(*Result)
	if !ok {
		return nil, errors.New("read result: it is that of a suite or a sweep, not of one run")
	}
	return r, nil
}

// Read reads what JSON, SuiteJSON or SweepJSON wrote, under the conditions of
// ReadJSON.
func Read(rd io.Reader) (Document, error) {
	text, err := io.ReadAll(rd)
	if err != nil {
		return nil, fmt.Errorf("read result: %w", err)
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	kind, err := kindOf(text)
	if err != nil {
		return nil, err
	}
	switch kind {
	case KindSuite:
		var s SuiteResult
		if err := json.Unmarshal(text, &s); err != nil {
			return nil, explain(text, err)
		}
		if err := sections(text, "suite", "targets", "tests"); err != nil {
			return nil, err
		}
		return completeSuite(&s), nil
	case KindSweep:
		var s SweepResult
		if err := json.Unmarshal(text, &s); err != nil {
			return nil, explain(text, err)
		}
		return &s, s.check()
	}
	var r Result
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, explain(text, err)
	}
	if err := sections(text, "workload", "target", "requests"); err != nil {
		return nil, err
	}
	return complete(&r), nil
}

// sections refuses a text without the parts that every result has: without
// them nothing could be drawn but zeros.
func sections(text []byte, names ...string) error {
	var parts map[string]json.RawMessage
	if err := json.Unmarshal(text, &parts); err != nil {
		return explain(text, err)
	}
	for _, name := range names {
		if part := string(parts[name]); part == "" || part == "null" {
			return fmt.Errorf("read result: no %q: not a result file of respbench, or not the whole of it", name)
		}
	}
	return nil
}

// kindOf looks at the schema first: of another schema no other complaint
// would be useful.
func kindOf(text []byte) (string, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return "", errors.New("read result: it is empty")
	}
	var head struct {
		Schema *string `json:"schema"`
		Kind   string  `json:"kind"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return "", explain(text, err)
	}
	switch {
	case head.Schema == nil:
		return "", fmt.Errorf("read result: no \"schema\": not a result of respbench, which would say %q", Schema)
	case *head.Schema != Schema:
		return "", fmt.Errorf("read result: schema %q is not known, only %q", *head.Schema, Schema)
	case head.Kind == "": // version 0.1.0 did not say it yet
		return KindRun, nil
	case head.Kind != KindRun && head.Kind != KindSuite && head.Kind != KindSweep:
		return "", fmt.Errorf("read result: kind %q is not known, only %q, %q and %q", head.Kind, KindRun, KindSuite, KindSweep)
	}
	return head.Kind, nil
}

// explain adds the line to what the decoder says.
func explain(text []byte, err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("read result: line %d: not JSON: %s", lineAt(text, syntax.Offset), syntax.Error())
	}
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		field := kind.Field
		if field == "" {
			field = "result"
		}
		return fmt.Errorf("read result: line %d: %s is a JSON %s, which does not fit", lineAt(text, kind.Offset), field, kind.Value)
	}
	return fmt.Errorf("read result: %w", err)
}

// lineAt is the line, from 1, of a byte offset.
func lineAt(text []byte, offset int64) int {
	offset = min(max(offset, 0), int64(len(text)))
	return 1 + bytes.Count(text[:offset], []byte("\n"))
}
