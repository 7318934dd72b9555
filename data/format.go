package data

import (
	"bytes"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"
)

// format finds rows in a text.
type format interface {
	// next reads the row at the start of text into r; last says that nothing
	// follows the text. It returns how much of the text is done with, which may
	// be some also where it returns errMore, errEnd or a *fault: after a fault
	// it is where the next row may begin.
	next(text []byte, last bool, r *row) (int, error)
}

// The names of formats, as Options and messages have them.
const (
	formatCSV       = "csv"
	formatTSV       = "tsv"
	formatJSONLines = "jsonl"
	formatJSON      = "json"
	formatLines     = "lines"
	formatXML       = "xml"
	formatMonitor   = "monitor" // of OpenLog alone
)

// Formats returns what Options.Format may be besides "".
func Formats() []string {
	return []string{formatCSV, formatTSV, formatJSONLines, formatJSON, formatLines, formatXML}
}

// formatOfName returns the format that a file's name tells, "" if it tells
// none.
func formatOfName(path string) string {
	name := strings.ToLower(filepath.Base(path))
	for _, packed := range []string{".gz", ".bz2", ".zst"} {
		name = strings.TrimSuffix(name, packed)
	}
	switch filepath.Ext(name) {
	case ".csv":
		return formatCSV
	case ".tsv", ".tab":
		return formatTSV
	case ".jsonl", ".ndjson":
		return formatJSONLines
	case ".json":
		return formatJSON
	case ".txt":
		return formatLines
	case ".xml":
		return formatXML
	}
	return ""
}

// jsonOfText tells the two formats of JSON apart, whatever the file is called.
func jsonOfText(name string, text []byte) string {
	switch start := space(text, 0); {
	case start < len(text) && text[start] == '{':
		return formatJSONLines
	case start < len(text) && text[start] == '[':
		return formatJSON
	}
	return name
}

// formatOfText returns the format that the beginning of a text suggests, ""
// if that is not text at all.
func formatOfText(text []byte) string {
	if isBinary(text) {
		return ""
	}
	start := bytes.TrimLeft(text, " \t\r\n")
	switch {
	case bytes.HasPrefix(start, []byte("{")):
		return formatJSONLines
	case bytes.HasPrefix(start, []byte("[")):
		return formatJSON
	case bytes.HasPrefix(start, []byte("<?xml")), bytes.HasPrefix(start, []byte("<feed")):
		return formatXML
	}
	// A table has as many separators in its second line as in its first.
	first, rest, _ := bytes.Cut(start, []byte("\n"))
	second, _, _ := bytes.Cut(rest, []byte("\n"))
	for _, f := range []struct{ separator, format string }{{"\t", formatTSV}, {",", formatCSV}} {
		n := bytes.Count(first, []byte(f.separator))
		if n > 0 && n == bytes.Count(second, []byte(f.separator)) {
			return f.format
		}
	}
	return formatLines
}

// headerOf returns the first line of a text if it is a name, and what follows it
// only numbers; otherwise "".
func headerOf(text []byte) string {
	const enough = 100 // lines to tell
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	first = bytes.TrimSpace(first)
	if n := nameEnd(first, 0); n == 0 || n < len(first) || n > quotedBytes || !bytes.ContainsFunc(first[:1], unicode.IsLetter) {
		return ""
	}
	numbers := 0
	for numbers < enough {
		content, n, err := line(rest, false)
		if err != nil {
			break // the last line may not be all there
		}
		rest = rest[n:]
		digits := bytes.TrimLeft(content, "0") // identifiers may begin with some
		if len(content) > 0 && len(digits) > 0 && !isNumber(digits) {
			return ""
		}
		numbers += min(len(content), 1)
	}
	if numbers == 0 {
		return ""
	}
	return string(first)
}

// isBinary reports whether the beginning of a text is none: it has a NUL, or
// is not UTF-8 for the most part.
func isBinary(text []byte) bool {
	text = text[:min(len(text), 4096)]
	if bytes.IndexByte(text, 0) >= 0 {
		return true
	}
	wrong := 0
	for rest := text; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		if r == utf8.RuneError && size == 1 {
			wrong++
		}
		rest = rest[size:]
	}
	return wrong > len(text)/10
}

// line returns the line at the start of text without its end, and where the
// next one begins. Without a line end it is whole only if the text is the last.
func line(text []byte, last bool) (content []byte, next int, err error) {
	end := bytes.IndexByte(text, '\n')
	next = end + 1
	if end < 0 {
		if !last {
			return nil, 0, errMore
		}
		if len(text) == 0 {
			return nil, 0, errEnd
		}
		end, next = len(text), len(text)
	}
	if end > 0 && text[end-1] == '\r' {
		end--
	}
	return text[:end], next, nil
}

// afterLine returns where the line after the one at text[i] begins.
func afterLine(text []byte, i int) int {
	end := bytes.IndexByte(text[i:], '\n')
	if end < 0 {
		return len(text)
	}
	return i + end + 1
}
