package report

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// The kinds of document that a result file holds.
const (
	KindRun   = "run"
	KindSuite = "suite"
	KindSweep = "sweep"
)

// Document is what can be written to a result file: a *Result, a *SuiteResult
// or a *SweepResult.
type Document interface {
	// text writes the summary for people.
	text(io.Writer, TextOptions) error
	// render writes the document in a format that holds all of it.
	render(format, io.Writer) error
	// parts are what a format that holds one run a file is given.
	parts() ([]part, error)
}

// part is a run within a document.
type part struct {
	suffix string // of the file's name, before its extension; "" if it is the whole document
	result *Result
}

func (r *Result) text(w io.Writer, o TextOptions) error { return Text(w, r, o) }
func (r *Result) render(f format, w io.Writer) error    { return f.run(w, r) }
func (r *Result) parts() ([]part, error)                { return []part{{"", r}}, nil }

func (s *SuiteResult) text(w io.Writer, o TextOptions) error { return SuiteText(w, s, o) }
func (s *SuiteResult) render(f format, w io.Writer) error    { return f.suite(w, s) }

// parts are one for each test and target that brought a figure; repeats are
// added up.
func (s *SuiteResult) parts() ([]part, error) {
	var list []part
	for t, test := range s.Tests {
		for i := range s.Targets {
			merged, err := s.cell(t, i).merged()
			if err != nil {
				return nil, fmt.Errorf("test %s: %w", test.Name, err)
			}
			if merged == nil {
				continue
			}
			suffix := "." + fileName(test.Name)
			if len(s.Targets) > 1 {
				suffix += "." + fileName(s.Targets[i].Name)
			}
			list = append(list, part{suffix, merged})
		}
	}
	return list, nil
}

// merged is the median run with the samples of all repeats in its histogram.
func (c *SuiteCell) merged() (*Result, error) {
	median := c.Median()
	if median == nil {
		return nil, nil
	}
	var sum *hdrhistogram.Histogram
	for _, r := range c.measured() {
		h, err := r.Latency.decode()
		switch {
		case err != nil:
			return nil, err
		case sum == nil:
			sum = h
		default:
			sum.Merge(h)
		}
	}
	encoded, err := sum.Encode(hdrhistogram.V2CompressedEncodingCookieBase)
	if err != nil {
		return nil, err
	}
	result, latency := *median, *median.Latency
	latency.Histogram = string(encoded)
	result.Latency = &latency
	return &result, nil
}

// decode gives the histogram back.
func (l *Latency) decode() (h *hdrhistogram.Histogram, err error) {
	h, err = hdrhistogram.Decode([]byte(l.Histogram))
	if err != nil {
		return nil, fmt.Errorf("histogram: %w", err)
	}
	return h, nil
}

// fileName makes a name safe to be part of a file's.
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._-", r) {
			return unicode.ToLower(r)
		}
		return '-'
	}, name)
}

// Summary writes the summary of a document for people, as Text, SuiteText
// and SweepText.
func Summary(w io.Writer, d Document, o TextOptions) error { return d.text(w, o) }
