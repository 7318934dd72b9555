package template

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	excerptCells = 64 // of the source; with the indent and both dots, 72 columns
	leadCells    = 28 // of the source before the place, if enough follows it
	dots         = "..."
)

// Caret returns two lines that end without a line feed: the source, or a
// window of it around the place, indented by two spaces, and carets under the
// place. It returns "" when the mistake has no place. Characters that are not
// printable take one cell, so that columns line up on every terminal.
func (e *Error) Caret() string {
	from := min(max(e.Offset, 0), len(e.Source))
	to := min(max(from+e.Length, from), len(e.Source))
	if from == to {
		return ""
	}
	left, lead := walkBack(e.Source, from, leadCells)
	right, rest := walk(e.Source, from, excerptCells-lead)
	if right == len(e.Source) && left > 0 {
		left, lead = walkBack(e.Source, from, excerptCells-rest)
	}
	_, marked := walk(e.Source[:min(to, right)], from, excerptCells)

	var b strings.Builder
	b.WriteString("  ")
	if left > 0 {
		b.WriteString(dots)
		lead += len(dots)
	}
	for pos := left; pos < right; {
		shown, _, size := cell(e.Source[pos:])
		b.WriteString(shown)
		pos += size
	}
	if right < len(e.Source) {
		b.WriteString(dots)
	}
	b.WriteString("\n  ")
	b.WriteString(strings.Repeat(" ", lead))
	b.WriteString(strings.Repeat("^", max(marked, 1)))
	return b.String()
}

// bytesPerCell bounds what combining marks, which take no cell, may add.
const bytesPerCell = 8

// walk goes right from pos over at most limit cells and returns where it
// stopped and how many cells it passed.
func walk(s string, pos, limit int) (end, cells int) {
	for last := pos + bytesPerCell*limit; pos < min(last, len(s)); {
		_, width, size := cell(s[pos:])
		if cells+width > limit {
			break
		}
		cells += width
		pos += size
	}
	return pos, cells
}

// walkBack goes left from pos over at most limit cells.
func walkBack(s string, pos, limit int) (start, cells int) {
	for first := pos - bytesPerCell*limit; pos > max(first, 0); {
		_, size := utf8.DecodeLastRuneInString(s[:pos])
		_, width, _ := cell(s[pos-size : pos])
		if cells+width > limit {
			break
		}
		cells += width
		pos -= size
	}
	return pos, cells
}

// cell returns how the first character of s is shown, how many terminal
// cells that takes, and how many bytes it stands for.
func cell(s string) (shown string, width, size int) {
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case r == utf8.RuneError && size <= 1:
		return "?", 1, 1
	case unicode.IsSpace(r):
		return " ", 1, size
	case unicode.In(r, unicode.Mn, unicode.Me):
		return s[:size], 0, size
	case !unicode.IsPrint(r):
		return "?", 1, size
	case wide(r):
		return s[:size], 2, size
	}
	return s[:size], 1, size
}

// wide reports whether terminals give r two cells: the Wide and Fullwidth
// blocks of Unicode Standard Annex 11, "East Asian Width".
func wide(r rune) bool {
	switch {
	case r < 0x1100:
		return false
	case r <= 0x115f, // Hangul Jamo
		r == 0x231a, r == 0x231b, r == 0x2329, r == 0x232a, // watches, angle brackets
		r >= 0x2e80 && r <= 0x303e, // CJK radicals and punctuation
		r >= 0x3041 && r <= 0xa4cf, // kana to Yi
		r >= 0xa960 && r <= 0xa97f,
		r >= 0xac00 && r <= 0xd7a3, // Hangul
		r >= 0xf900 && r <= 0xfaff,
		r >= 0xfe10 && r <= 0xfe19,
		r >= 0xfe30 && r <= 0xfe6f,
		r >= 0xff00 && r <= 0xff60, // fullwidth forms
		r >= 0xffe0 && r <= 0xffe6,
		r >= 0x1f300 && r <= 0x1f64f, // pictographs, emoticons
		r >= 0x1f680 && r <= 0x1f6ff,
		r >= 0x1f900 && r <= 0x1f9ff,
		r >= 0x1fa70 && r <= 0x1faff,
		r >= 0x20000 && r <= 0x3fffd:
		return true
	}
	return false
}
