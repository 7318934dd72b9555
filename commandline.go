package main

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"unicode/utf8"

	"github.com/respbench/respbench/data"
	"github.com/respbench/respbench/template"
)

// maxWeight bounds the weight of a line of a command file.
const maxWeight = 1 << 20

// commandLine is a line of a command file.
type commandLine struct {
	number int // from 1
	column int // of the text in the line, from 0
	weight int
	text   string
}

// readCommandLine takes the weight off a line, 3x and blanks; ok is false where
// the line is empty or a comment.
func readCommandLine(number int, line []byte) (l commandLine, ok bool, err error) {
	l = commandLine{number: number, weight: 1}
	text := bytes.TrimLeft(line, " \t")
	if isSilent(text) {
		return l, false, nil
	}
	l.column = len(line) - len(text)
	word := firstWord(text)
	if apart := weightApart(text); apart != nil {
		return l, false, &usageError{problem: fmt.Errorf("the weight %s has blanks in it", apart), hint: quotedCommand(firstWord(apart))}
	}
	if !meantAsWeight(word) {
		l.text = string(text)
		return l, true, nil
	}
	if l.weight, err = parseWeight(word); err != nil {
		return l, false, err
	}
	text = bytes.TrimLeft(text[len(word):], " \t")
	switch second := firstWord(text); {
	case isSilent(text):
		return l, false, &usageError{
			problem: fmt.Errorf("the weight %s has no template behind it", word),
			hint:    quotedCommand(word),
		}
	case meantAsWeight(second):
		return l, false, &usageError{
			problem: fmt.Errorf("two weights, %s and %s, before one template", word, second),
			hint:    quotedCommand(second),
		}
	}
	l.column, l.text = len(line)-len(text), string(text)
	return l, true, nil
}

// isSilent tells whether nothing is sent of a line: it is empty or a comment.
func isSilent(text []byte) bool { return len(text) == 0 || text[0] == '#' }

// firstWord is the text up to the first blank.
func firstWord(text []byte) []byte {
	if end := bytes.IndexAny(text, " \t"); end >= 0 {
		return text[:end]
	}
	return text
}

// meantAsWeight tells whether a word is a number and an x, valid or not. No
// command of any server is called that.
func meantAsWeight(word []byte) bool {
	number, times := bytes.CutSuffix(word, []byte("x"))
	if !times {
		if number, times = bytes.CutSuffix(word, []byte("X")); !times {
			number, times = bytes.CutSuffix(word, []byte("×"))
		}
	}
	number = bytes.TrimLeft(number, "+-")
	digits := bytes.TrimLeft(number, ".")
	return times && len(digits) > 0 && digits[0] >= '0' && digits[0] <= '9' &&
		len(bytes.Trim(number, "0123456789_.,+-eEkKmMgGtTiI")) == 0
}

// weightApart is a number and an x with blanks between them at the start of a
// line, or nil.
func weightApart(text []byte) []byte {
	number := firstWord(text)
	rest := bytes.TrimLeft(text[len(number):], " \t")
	times := firstWord(rest)
	switch string(times) {
	case "x", "X", "×":
	default:
		return nil
	}
	if !meantAsWeight(slices.Concat(number, times)) {
		return nil
	}
	return text[:len(text)-len(rest)+len(times)]
}

// parseWeight reads a word that is meant as a weight.
func parseWeight(word []byte) (int, error) {
	number := bytes.TrimRight(word, "xX×")
	n, err := template.ParseNumber(string(number))
	problem, hint := fmt.Errorf("the weight %.40s is not a whole number in 1..%d", word, maxWeight), quotedCommand(word)
	switch {
	case err == nil && n == 0:
		hint = "# at its start leaves a line out"
	case err != nil || n > maxWeight:
	case word[len(word)-1] != 'x':
		problem = fmt.Errorf("the weight %s is written as %sx", word, number)
	default:
		return int(n), nil
	}
	return 1, &usageError{problem: problem, hint: hint}
}

// quotedCommand says how to send a word that is taken for a weight.
func quotedCommand(word []byte) string {
	return fmt.Sprintf("a weight is written as 3x; a command that is called %.40s goes into quotes", word)
}

// foreign refuses a file of another kind, whose lines would be sent as they
// stand. Leaving out its lines is no way to read it, so it is never that.
func (f *commandFile) foreign(number int, line []byte) error {
	text := bytes.TrimLeft(line, " \t")
	problem, hint := "", ""
	switch {
	case number == 1 && bytes.IndexByte(text, 0) >= 0 && !utf8.Valid(text):
		return usagef("--commands: %s is not text", f.path)
	case data.IsMonitorLine(text):
		problem, hint = "a line of a MONITOR log", "--monitor "+f.given+" replays the log"
	case wireLine.Match(text):
		problem, hint = "the wire protocol, as in an AOF or a file for redis-cli --pipe", "write each command on a line, as one types it: SET key value"
	case bytes.Contains(text, []byte("> ")) && promptLine.Match(text):
		problem, hint = "a prompt of redis-cli", "leave out the prompts, and the replies"
	default:
		return nil
	}
	return &usageError{
		problem: fmt.Errorf("--commands: %s:%d: %.40q is %s, not a template", f.path, number, text, problem),
		hint:    hint,
	}
}

var (
	// wireLine is how a command begins on the wire.
	wireLine = regexp.MustCompile(`^\*[1-9][0-9]*\r?$`)
	// promptLine begins as what redis-cli shows before a command.
	promptLine = regexp.MustCompile(`^(\S+:[0-9]+|redis \S+)(\[[0-9]+\])?(\(TX\))?> `)
)
