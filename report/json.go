package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// JSON writes a result as one indented JSON object that ends in a newline.
// Lists without entries are [], never null. A figure that is not a number or
// infinite is an error, and nothing is written then.
func JSON(w io.Writer, r *Result) error { return writeJSON(w, complete(r)) }

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
	if c.Schema == "" {
		c.Schema = Schema
	}
	if c.Errors == nil {
		c.Errors = []ErrorClass{}
	}
	if c.Intervals == nil {
		c.Intervals = []Interval{}
	}
	if c.Warnings == nil {
		c.Warnings = []string{}
	}
	if c.Latency != nil && c.Latency.Percentiles == nil {
		latency := *c.Latency
		latency.Percentiles = []Percentile{}
		c.Latency = &latency
	}
	return &c
}

// ReadJSON reads a result that JSON wrote. Fields that it does not know are
// skipped, since later versions may add some. It is an error when the text is
// not one JSON object, a value has the wrong kind, or the schema is not
// "respbench/1".
func ReadJSON(rd io.Reader) (*Result, error) {
	var r Result
	if err := readJSON(rd, "", &r); err != nil {
		return nil, err
	}
	return complete(&r), nil
}

// readJSON reads a document of a kind into v. Runs are of kind "".
func readJSON(rd io.Reader, kind string, v any) error {
	text, err := io.ReadAll(rd)
	if err != nil {
		return fmt.Errorf("read result: %w", err)
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return errors.New("read result: it is empty")
	}
	// The schema first: of another schema no other complaint would be useful.
	var head struct {
		Schema *string `json:"schema"`
		Kind   string  `json:"kind"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return explain(text, err)
	}
	switch {
	case head.Schema == nil:
		return fmt.Errorf("read result: no \"schema\": not a result of respbench, which would say %q", Schema)
	case *head.Schema != Schema:
		return fmt.Errorf("read result: schema %q is not known, only %q", *head.Schema, Schema)
	case head.Kind != kind:
		return fmt.Errorf("read result: it is that of %s, not of %s", kindText(head.Kind), kindText(kind))
	}
	if err := json.Unmarshal(text, v); err != nil {
		return explain(text, err)
	}
	return nil
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
