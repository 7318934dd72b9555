package report

import (
	"strings"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/text"
)

const (
	pageColumns  = 80
	labelColumns = 11 // of "  server   "
	leastColumns = 20 // for what stands beside a very wide figure
)

// page is a text of lines that fit pageColumns where the content can.
type page struct {
	strings.Builder
	ink     ink
	between bool // an empty line is due before the next line
}

// line adds a line as it is, without trailing spaces.
func (p *page) line(line string) {
	if p.between && p.Len() > 0 {
		p.WriteByte('\n')
	}
	p.between = false
	p.WriteString(strings.TrimRight(line, " "))
	p.WriteByte('\n')
}

// gap parts what was added from what will be, if anything will.
func (p *page) gap() { p.between = true }

// row adds a label and what it says, in pieces between which lines may
// break; the next lines hang under the first. Without pieces it adds nothing.
func (p *page) row(label string, pieces ...string) {
	head := "  " + p.ink.dim(label) + strings.Repeat(" ", labelColumns-2-len(label))
	p.hang(head, labelColumns, "; ", pieces)
}

// hang adds pieces after a head that is indent columns wide.
func (p *page) hang(head string, indent int, separator string, pieces []string) {
	for _, line := range wrap(pieces, separator, pageColumns-indent) {
		p.line(head + line)
		head = strings.Repeat(" ", indent)
	}
}

// wrap joins pieces by a separator and breaks lines between pieces, and
// within a piece, between words, when it alone is wider than a line. A line
// has at least leastColumns.
func wrap(pieces []string, separator string, width int) []string {
	mark := strings.TrimRight(separator, " ")
	space := separator[len(mark):]
	width = max(width, leastColumns)
	var lines []string
	current := ""
	for i, piece := range pieces {
		if i < len(pieces)-1 {
			piece += mark
		}
		for j, part := range breakWords(piece, width) {
			switch {
			case i == 0 && j == 0:
				current = part
			case j == 0 && cells(current)+len(space)+cells(part) <= width:
				current += space + part
			default:
				lines = append(lines, current)
				current = part
			}
		}
	}
	if len(pieces) > 0 {
		lines = append(lines, current)
	}
	return lines
}

// breakWords cuts a piece into lines of at most width columns, between words
// where it can. All other spaces stay.
func breakWords(piece string, width int) []string {
	var lines []string
	for cells(piece) > width {
		end := prefixOf(piece, width)
		next := end
		if space := strings.LastIndexByte(piece[:min(end+1, len(piece))], ' '); space > 0 {
			end, next = space, space+1
		}
		lines = append(lines, piece[:end])
		piece = piece[next:]
	}
	return append(lines, piece)
}

// prefixOf is the number of bytes of the longest prefix that fits width
// columns, at least one character.
func prefixOf(s string, width int) int {
	used := 0
	for at, r := range s {
		used += text.RuneWidth(r)
		if used > width && at > 0 {
			return at
		}
	}
	return len(s)
}

// cells is the number of columns that text takes on a terminal.
func cells(s string) int { return text.StringWidthWithoutEscSequences(s) }

// cutMiddle shortens text to at most limit bytes, and a little, by leaving
// out its middle. Characters stay whole.
func cutMiddle(s string, limit int) string {
	const mark = " ... "
	if len(s) <= limit {
		return s
	}
	head, tail := limit*2/3, len(s)-(limit-limit*2/3-len(mark))
	for head > 0 && !utf8.RuneStart(s[head]) {
		head--
	}
	for tail < len(s) && !utf8.RuneStart(s[tail]) {
		tail++
	}
	return s[:head] + mark + s[tail:]
}
