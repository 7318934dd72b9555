package report

import (
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

const (
	minColumn  = 5  // columns of "p99.9"
	codeBytes  = 24 // of an error code in the summary
	errorsRows = 10 // error classes in the summary; JSON has them all
)

// latency adds the table of latencies: one unit, one number of decimals. It
// goes on below when many percentiles were asked for.
func (p *page) latency(l *Latency) {
	if l == nil {
		return
	}
	names := []string{"avg"}
	values := []int64{l.AvgNs}
	for _, percentile := range l.Percentiles {
		names = append(names, percentileName(percentile.Percent))
		values = append(values, percentile.Ns)
	}
	names = append(names, "max")
	values = append(values, l.MaxNs)

	scale := scaleFor(values...)
	const label = "latency ms"
	used := pageColumns // so that the first column opens a table
	var head, body []string
	flush := func() {
		if len(head) > 0 {
			p.gap()
			p.table([][]string{head, body})
		}
		head, body, used = []string{label}, []string{""}, 2+len(label)
	}
	for i, name := range names {
		value := scale.text(values[i])
		width := 2 + max(len(name), len(value), minColumn)
		if used+width > pageColumns {
			flush()
		}
		used += width
		head, body = append(head, name), append(body, value)
	}
	flush()
}

// percentileName is p99.9: the exact number, however many digits it has.
func percentileName(percent float64) string {
	return "p" + strconv.FormatFloat(percent, 'f', -1, 64)
}

// errors adds the block of error classes, each with its first text.
func (p *page) errors(r *Result) {
	if len(r.Errors) == 0 {
		return
	}
	p.gap()
	answered := r.Requests.Succeeded + r.Requests.Failed
	shown := r.Errors[:min(len(r.Errors), errorsRows)]
	rows := [][]string{{"errors", "count", "share", "first s", "last s"}}
	for _, class := range shown {
		rows = append(rows, []string{
			cutMiddle(Printable(class.Code), codeBytes),
			Thousands(class.Count),
			percent(class.Count, answered),
			seconds(class.FirstNs),
			seconds(class.LastNs),
		})
	}
	lines := p.tableLines(rows)
	p.line(lines[0])
	for i, class := range shown {
		p.line(lines[i+1])
		if class.Sample != class.Code {
			p.hang("    ", 4, "", []string{Printable(class.Sample)})
		}
	}
	if rest := r.Errors[len(shown):]; len(rest) > 0 {
		var replies int64
		for _, class := range rest {
			replies += class.Count
		}
		p.line("  and " + counted(replies, "error") + " of " + counted(int64(len(rest)), "other code"))
	}
}

// table adds rows of cells, of which the first row and column are labels.
func (p *page) table(rows [][]string) {
	for _, line := range p.tableLines(rows) {
		p.line(line)
	}
}

// tableLines draws rows of cells in aligned columns: the first to the left,
// figures to the right, two spaces before each.
func (p *page) tableLines(rows [][]string) []string {
	t := table.NewWriter()
	style := table.StyleDefault
	style.Options = table.OptionsNoBordersAndSeparators
	style.Box.PaddingLeft, style.Box.PaddingRight = "  ", ""
	t.SetStyle(style)
	var columns []table.ColumnConfig
	for i := range rows[0] {
		config := table.ColumnConfig{Number: i + 1, Align: text.AlignRight, WidthMin: minColumn}
		if i == 0 {
			config.Align = text.AlignLeft
		}
		columns = append(columns, config)
	}
	t.SetColumnConfigs(columns)
	for i, cells := range rows {
		row := make(table.Row, len(cells))
		for j, cell := range cells {
			if i == 0 {
				cell = p.ink.dim(cell)
			}
			row[j] = cell
		}
		t.AppendRow(row)
	}
	return strings.Split(t.Render(), "\n")
}
