package report

import "io"

// KindSweep is the kind of document that a sweep's result file holds.
const KindSweep = "sweep"

// Document is what can be written to a result file: a *Result or a
// *SweepResult.
type Document interface {
	// text writes the summary for people.
	text(io.Writer, TextOptions) error
	// render writes the document in a format that holds all of it.
	render(format, io.Writer) error
}

func (r *Result) text(w io.Writer, o TextOptions) error { return Text(w, r, o) }
func (r *Result) render(f format, w io.Writer) error    { return f.run(w, r) }

// kindText names a kind of document within a sentence.
func kindText(kind string) string {
	if kind == "" {
		return "one run"
	}
	return "a " + Printable(kind)
}

// Summary writes the summary of a document for people, as Text and SweepText.
func Summary(w io.Writer, d Document, o TextOptions) error { return d.text(w, o) }
