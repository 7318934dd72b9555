package report

import (
	"cmp"
	"errors"
	"fmt"
	"io"
)

// parts are none: a format that holds one run a file would need one for each
// step.
func (s *SweepResult) parts() ([]part, error) { return nil, errSweepFormat("hgrm") }

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

// ReadSweepJSON reads what SweepJSON wrote, under the conditions of ReadJSON.
func ReadSweepJSON(rd io.Reader) (*SweepResult, error) {
	d, err := Read(rd)
	if err != nil {
		return nil, err
	}
	s, ok := d.(*SweepResult)
	if !ok {
		return nil, errors.New("read result: it is not that of a sweep")
	}
	return s, nil
}

// check completes what was read, and refuses steps that lead nowhere.
func (s *SweepResult) check() error {
	for i := range s.Steps {
		if s.Steps[i].Result == nil {
			return fmt.Errorf("read result: step %d of the sweep has no result", i)
		}
	}
	for _, at := range s.marked() {
		if at < 0 || at >= len(s.Steps) {
			return fmt.Errorf("read result: the sweep has no step %d", at)
		}
	}
	*s = *completeSweep(s)
	return nil
}

// marked is the indexes of steps that the result refers to.
func (s *SweepResult) marked() []int {
	var list []int
	if s.Highest != nil {
		list = append(list, s.Highest.Step)
	}
	if s.Knee != nil {
		list = append(list, s.Knee.Step)
	}
	return list
}

// completeSweep returns a copy of s with its schema and without nil lists.
func completeSweep(s *SweepResult) *SweepResult {
	c := *s
	c.Schema, c.Kind = cmp.Or(c.Schema, Schema), cmp.Or(c.Kind, KindSweep)
	c.Warnings = append([]string{}, c.Warnings...)
	c.Steps = append([]SweepStep{}, c.Steps...)
	for i := range c.Steps {
		c.Steps[i].Result = complete(c.Steps[i].Result)
	}
	return &c
}
