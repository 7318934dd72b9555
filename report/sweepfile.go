package report

import (
	"fmt"
	"io"
)

func (s *SweepResult) text(w io.Writer, o TextOptions) error { return SweepText(w, s, o) }

func (s *SweepResult) render(f format, w io.Writer) error {
	switch f.name {
	case "json":
		return SweepJSON(w, s)
	case "txt":
		return SweepText(w, s, TextOptions{})
	}
	return errSweepFormat(f.name)
}

// CheckSweep is Check for what will be a SweepResult, which not every format
// can hold.
func (o Output) CheckSweep() error {
	if o.Format != "json" && o.Format != "txt" {
		return o.failure(errSweepFormat(o.Format))
	}
	return o.Check()
}

func errSweepFormat(name string) error {
	return fmt.Errorf("a sweep cannot be written as .%s, only as .json or .txt", name)
}

// SweepJSON writes the result of a sweep as JSON does that of a run.
func SweepJSON(w io.Writer, s *SweepResult) error { return writeJSON(w, completeSweep(s)) }

// completeSweep returns a copy of s with its schema and without nil lists.
func completeSweep(s *SweepResult) *SweepResult {
	c := *s
	if c.Schema == "" {
		c.Schema = Schema
	}
	if c.Kind == "" {
		c.Kind = KindSweep
	}
	c.Warnings = append([]string{}, c.Warnings...)
	c.Steps = append([]SweepStep{}, c.Steps...)
	for i := range c.Steps {
		c.Steps[i].Result = complete(c.Steps[i].Result)
	}
	return &c
}
