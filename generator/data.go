package generator

import (
	"context"
	"fmt"

	"github.com/respbench/respbench/data"
	"github.com/respbench/respbench/report"
)

// Data is a file of rows that templates take.
type Data struct {
	Source *data.Source
	File   string // as the user gave it, for the report

	// Load, if not nil, is called in place of that of Source.
	Load func(ctx context.Context, progress func(read, total int64)) error
}

// dataFacts is what the report says of the files.
func dataFacts(list []Data) []report.Data {
	var facts []report.Data
	for _, d := range list {
		bad, _ := d.Source.Bad()
		facts = append(facts, report.Data{
			Name: d.Source.Name(), File: d.File, Rows: int64(d.Source.Rows()), BadRows: bad,
			Order: orderName(d.Source.Order()),
		})
	}
	return facts
}

func orderName(o data.Order) string {
	switch o {
	case data.Random:
		return "random"
	case data.Zipfian:
		return "zipfian"
	}
	return "sequence"
}

// ParseOrder reads the name of an order: sequence, random or zipfian.
func ParseOrder(name string) (data.Order, error) {
	for _, o := range [...]data.Order{data.Sequence, data.Random, data.Zipfian} {
		if orderName(o) == name {
			return o, nil
		}
	}
	return 0, fmt.Errorf("%q is no order of rows; use sequence, random or zipfian", name)
}

// LeftOut warns of rows that could not be read, and of what else is wrong with
// the files, or may be, in a sentence each.
func LeftOut(list []Data) []string {
	warnings := []string{}
	for _, d := range list {
		bad, first := d.Source.Bad()
		if flaw := d.Source.Flaw(); flaw != nil {
			warnings = append(warnings, fmt.Sprintf("%v; no row was left out for it.", flaw))
		}
		if header := d.Source.Header(); header != "" {
			warnings = append(warnings, fmt.Sprintf("the first line of %s, %q, is a row like the numbers below it; with --data-format csv it names the field.", d.Source.File(), header))
		}
		if bad == 0 {
			continue
		}
		rows, were := "rows", "were"
		if bad == 1 {
			rows, were = "row", "was"
		}
		text := fmt.Sprintf("%s %s of %s %s left out", report.Thousands(bad), rows, d.File, were)
		if first != nil {
			text += fmt.Sprintf("; the first: %v", first)
		}
		warnings = append(warnings, text+".")
	}
	return warnings
}

// readError is why a row could not be read while it was to be sent: what was
// sent in its place makes the figures worthless.
func readError(list []Data) error {
	for _, d := range list {
		if err := d.Source.Err(); err != nil {
			return fmt.Errorf("%s: a row could not be read during the run: %w", d.File, err)
		}
	}
	return nil
}
