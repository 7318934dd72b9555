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

// times is one row of the table of latencies.
type times struct {
	label string
	*Latency
}

// latency adds the table of latencies.
func (p *page) latency(r *Result) {
	if o := r.OpenLoop; o != nil && o.Service != nil && o.SendLag != nil {
		p.times("ms", times{"latency", r.Latency}, times{"service", o.Service}, times{"send lag", o.SendLag})
		return
	}
	p.times("latency ms", times{"", r.Latency})
}

// times adds a table of latencies that have the same percentiles: one unit,
// one number of decimals. It goes on below when many percentiles were asked
// for.
func (p *page) times(title string, rows ...times) {
	names := []string{"avg"}
	for _, percentile := range rows[0].Percentiles {
		names = append(names, percentileName(percentile.Percent))
	}
	names = append(names, "max")
	values := make([][]int64, len(names))
	var all []int64
	for _, row := range rows {
		values[0] = append(values[0], row.AvgNs)
		for i, percentile := range row.Percentiles {
			values[i+1] = append(values[i+1], percentile.Ns)
		}
		values[len(names)-1] = append(values[len(names)-1], row.MaxNs)
	}
	for _, column := range values {
		all = append(all, column...)
	}

	scale := scaleFor(all...)
	first := []string{title}
	for _, row := range rows {
		first = append(first, row.label)
	}
	labels := widest(first)
	used := pageColumns // so that the first column opens a table
	var block [][]string
	flush := func() {
		if len(block) > 0 {
			p.gap()
			p.table(block)
		}
		block, used = nil, 2+labels
		for _, label := range first {
			block = append(block, []string{label})
		}
	}
	for i, name := range names {
		column := []string{name}
		for _, ns := range values[i] {
			column = append(column, scale.text(ns))
		}
		width := 2 + max(widest(column), minColumn)
		if used+width > pageColumns {
			flush()
		}
		used += width
		for row := range block {
			block[row] = append(block[row], column[row])
		}
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
