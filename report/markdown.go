package report

import (
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// Markdown writes the summary of a run as a section of a Markdown page.
func Markdown(w io.Writer, r *Result) error {
	m := &markdown{}
	m.line("### " + code(r.Workload.Template))
	m.gap()
	m.table(runTable(r))
	if len(r.Lanes) > 0 {
		m.table(lanesTable(r))
	}
	if len(r.Stages) > 0 {
		m.table(stagesTable(r))
	}
	if len(r.Parts) > 0 {
		m.table(partsTable(r))
	}
	if len(r.Nodes) > 0 {
		m.table(nodesTable(r))
	}
	m.list(strings.Join(serverFacts(r), ", "))
	m.list(strings.Join(loadFacts(r), ", "))
	for i := range r.Workload.Data {
		m.list("data " + prose(strings.Join(r.Workload.Data[i].facts(), ", ")))
	}
	if r.endedEarly() {
		m.list(ending(r))
	}
	for _, o := range r.Objectives {
		m.list("objective: " + Printable(o.String()))
	}
	for _, side := range []struct {
		label  string
		pieces []string
	}{
		{"hits", hitRate(r)}, {"server", serverSide(r)}, {"client", clientSide(r)}, {"limit", limit(&r.Limit)},
	} {
		if len(side.pieces) > 0 && r.Requests.Succeeded > 0 {
			m.list(side.label + ": " + strings.Join(side.pieces, "; "))
		}
	}
	if r.Workload.Load && r.Server.Keys != nil && r.Server.UsedMemory != nil {
		m.list("after it: " + counted(r.Server.Keys.After, "key") + ", memory " + r.Server.growth())
	}
	for _, e := range r.Errors {
		m.list(counted(e.Count, "error") + ": " + code(e.Sample))
	}
	if r.Faults != nil {
		for _, o := range r.Faults.Outages {
			m.list("outage: " + outageText(o))
		}
		m.list("faults: " + strings.Join(faultPieces(r.Faults), ", "))
	}
	for _, note := range r.Server.Notes {
		m.list("note: " + prose(note))
	}
	m.warnings(r.Warnings)
	_, err := io.WriteString(w, m.String())
	return err
}

// runTable is heads and figures of a run.
func runTable(r *Result) [][]string {
	head := []string{rateHead, "requests", "errors"}
	row := []string{rate(r.RatePerSec), Thousands(r.Requests.Sent), Thousands(r.Requests.Failed)}
	if l := r.Latency; l != nil && !r.Workload.Load {
		times := []int64{l.AvgNs, l.MaxNs}
		for _, p := range l.Percentiles {
			times = append(times, p.Ns)
		}
		scale := scaleFor(times...)
		head, row = append(head, "avg ms"), append(row, scale.text(l.AvgNs))
		for _, p := range l.Percentiles {
			head, row = append(head, percentileName(p.Percent)+" ms"), append(row, scale.text(p.Ns))
		}
		head, row = append(head, "max ms"), append(row, scale.text(l.MaxNs))
	}
	return [][]string{head, row}
}

// SuiteMarkdown writes the summary of a suite as a section of a Markdown
// page: the table, what to know about it, and what each test sent.
func SuiteMarkdown(w io.Writer, s *SuiteResult) error {
	m := &markdown{}
	m.line("### " + prose(strings.Join(s.facts(), ", ")))
	m.gap()
	m.table(s.wideTable())
	for i := range s.Targets {
		m.list(prose(s.on(i) + strings.Join(s.serverFacts(i), ", ")))
	}
	m.list(strings.Join(s.loadFacts(), ", "))
	for _, d := range s.data() {
		m.list("data " + prose(strings.Join(d.facts(), ", ")))
	}
	for _, r := range s.remarks() {
		m.list(r.label + ": " + prose(strings.Join(r.pieces, "; ")))
	}
	m.warnings(s.warnings())
	m.gap()
	m.line("What was sent:")
	m.gap()
	m.table(s.sent())
	_, err := io.WriteString(w, m.String())
	return err
}

// wideTable is the table of a suite with all targets side by side.
func (s *SuiteResult) wideTable() [][]string {
	head := []string{"command"}
	for i := range s.Targets {
		title := ""
		if len(s.Targets) > 1 {
			title = prose(s.title(i)) + " "
		}
		head = append(head, title+rateHead, "avg ms", "p99 ms")
	}
	if len(s.Targets) > 1 {
		head = append(head, "ratio")
	}
	rows := [][]string{head}
	scale := s.scale()
	for t, test := range s.Tests {
		row := []string{prose(test.Name)}
		for i := range s.Targets {
			row = append(row, s.figures(t, i, scale)...)
		}
		if len(s.Targets) > 1 {
			row = append(row, ratioText(s.ratio(t)))
		}
		rows = append(append(rows, row), s.partRows(t, 0, len(s.Targets), len(s.Targets) > 1, scale, indented)...)
		rows = append(rows, s.laneRows(t, 0, len(s.Targets), len(s.Targets) > 1, scale)...)
	}
	return rows
}

// indented is a template below the name of its test. A cell would not keep
// spaces at its start.
func indented(template string) string { return "&nbsp;&nbsp;" + code(template) }

// sent is what each test measured, and on which data.
func (s *SuiteResult) sent() [][]string {
	rows := [][]string{{"command", "measured", "before it"}}
	cleaned := slices.ContainsFunc(s.Tests, func(t SuiteTest) bool { return len(t.Cleanup) > 0 })
	if cleaned {
		rows[0] = append(rows[0], "after it")
	}
	for _, test := range s.Tests {
		var before []string
		for _, p := range test.Prepare {
			before = append(before, code(p))
		}
		for _, p := range test.Preload {
			before = append(before, Thousands(p.Requests)+" × "+code(p.Template))
		}
		row := []string{prose(test.Name), code(test.Template), strings.Join(before, "; ")}
		if cleaned {
			var after []string
			for _, p := range test.Cleanup {
				after = append(after, code(p))
			}
			row = append(row, strings.Join(after, "; "))
		}
		rows = append(rows, row)
	}
	return rows
}

// markdown is a page that is being written.
type markdown struct {
	strings.Builder
	listed bool // the last line is an item of a list
}

func (m *markdown) line(s string) { m.WriteString(s + "\n") }

func (m *markdown) gap() { m.WriteByte('\n'); m.listed = false }

// list adds an item.
func (m *markdown) list(s string) {
	if !m.listed {
		m.gap()
	}
	m.listed = true
	m.line("- " + s)
}

func (m *markdown) warnings(list []string) {
	for _, warning := range list {
		m.list("**warning:** " + prose(warning))
	}
}

// table adds rows of which the first is the head; the columns with figures
// are aligned to the right.
func (m *markdown) table(rows [][]string) {
	t := table.NewWriter()
	row := func(cells []string) table.Row {
		r := make(table.Row, len(cells))
		for i, cell := range cells {
			r[i] = cell
		}
		return r
	}
	var columns []table.ColumnConfig
	for i, name := range rows[0] {
		align := text.AlignRight
		if slices.Contains([]string{"command", "measured", "before it", "after it"}, name) {
			align = text.AlignLeft
		}
		columns = append(columns, table.ColumnConfig{Number: i + 1, Align: align, AlignHeader: align})
	}
	t.SetColumnConfigs(columns)
	t.AppendHeader(row(rows[0]))
	for _, cells := range rows[1:] {
		t.AppendRow(row(cells))
	}
	m.line(t.RenderMarkdown())
}

// code puts text into a code span, with more backticks around it than in it.
func code(s string) string {
	s = Printable(s)
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return fence + s + fence
}

// prose makes text from outside safe to stand between Markdown: what would
// be markup or HTML is escaped.
func prose(s string) string {
	var b strings.Builder
	for _, r := range Printable(s) {
		// A bar matters in tables only, where it is escaped anyway.
		if strings.ContainsRune("\\`*_<>[]#", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
