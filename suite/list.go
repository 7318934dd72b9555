package suite

import (
	"fmt"
	"io"
	"strings"

	"github.com/respbench/respbench/report"
	"github.com/respbench/respbench/template"
)

// List writes the tests of a suite with the commands that they send, at
// the scale of cfg. Control characters are shown as escapes.
func List(w io.Writer, cfg Config) error {
	cfg, err := cfg.resolve()
	if err != nil {
		return err
	}
	tests, err := cfg.Suite.plan(planOptions{scale: cfg.Scale, load: cfg.Load, template: cfg.template()})
	if err != nil {
		return err
	}
	width := 0
	for _, t := range tests {
		width = max(width, len(t.test.Name))
	}
	var b strings.Builder
	for _, t := range tests {
		for k, m := range t.measured {
			name, part := t.test.Name, ""
			if k > 0 {
				name = ""
			}
			switch {
			case t.lanes != nil:
				part = t.lanes[k].Name + ": "
			case len(t.measured) > 1:
				part = fmt.Sprintf("%d of ", m.Weight)
			}
			fmt.Fprintf(&b, "%-*s  %s%s%s\n", width, name, part, report.Printable(m.Program.Source()), limitedOf(m.Program, t.count))
		}
		for _, p := range t.prepare {
			fmt.Fprintf(&b, "%-*s    after %s\n", width, "", report.Printable(p.Source()))
		}
		for _, l := range t.preload {
			fmt.Fprintf(&b, "%-*s    after %s%s\n", width, "", report.Printable(l.program.Source()), limitedOf(l.program, l.requests))
		}
		for _, p := range t.cleanup {
			fmt.Fprintf(&b, "%-*s    then %s\n", width, "", report.Printable(p.Source()))
		}
	}
	_, err = io.WriteString(w, b.String())
	return err
}

// limitedOf says how many requests of a program are sent.
func limitedOf(p *template.Program, count int64) string {
	if count > 0 && p.TakesData() && len(p.Sources()) == 0 { // the files are not there
		return "  (every row)"
	}
	return limited(count)
}

func limited(count int64) string {
	switch count {
	case 0:
		return ""
	case 1:
		return "  (once)"
	}
	return fmt.Sprintf("  (%d times)", count)
}
