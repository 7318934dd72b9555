package template

import (
	"fmt"
	"strings"

	"github.com/respbench/respbench/internal/resp"
)

const (
	byteOrderMark = "\ufeff"
	separator     = ';'
)

// splitter cuts a template into commands, arguments and pieces, before
// anything is substituted.
type splitter struct {
	src   string
	pos   int
	text  []byte  // the literal bytes of the argument
	cut   int     // how many of them are in a piece already
	parts []piece // of the argument
	bound map[string]*placeholder
	used  map[string]bool // names that are used after they were bound
	taken map[string]int  // bracketed single words taken as text, and where the first stood

	options Options
	sources []source // of the options
	check   connectionCheck
}

func newSplitter(src string, o Options) *splitter {
	s := &splitter{
		src:     src,
		options: o,
		bound:   map[string]*placeholder{},
		used:    map[string]bool{},
		taken:   map[string]int{},
	}
	for _, from := range o.Data {
		fields := map[string]bool{}
		for _, name := range from.Fields() {
			fields[name] = true
		}
		s.sources = append(s.sources, source{from, fields})
	}
	return s
}

// split calls each for every argument, with the number of its command. The
// argument is lent for the call.
func (s *splitter) split(each func(command int, a *argument) *Error) *Error {
	for strings.HasPrefix(s.src[s.pos:], byteOrderMark) || s.skipBlanks() {
		if strings.HasPrefix(s.src[s.pos:], byteOrderMark) {
			s.pos += len(byteOrderMark)
		}
	}
	if s.pos == len(s.src) {
		return &Error{Source: s.src, Problem: "the template is empty",
			Hint: "give a command, for example: SET <key uniform 1000> <value 64>"}
	}
	command, words := 0, 0 // words: arguments of the command so far
	end := -1              // where the separator before the command stood
	for ; s.pos < len(s.src); s.skipBlanks() {
		if s.src[s.pos] == separator && blankOrEnd(s.src, s.pos+1) {
			if words == 0 {
				return s.noCommand(s.pos, "before")
			}
			command, words, end = command+1, 0, s.pos
			s.pos++
			continue
		}
		a, err := s.argument()
		if err == nil && words == 0 {
			err = s.checkCommand(&a)
		}
		if err == nil {
			err = s.check.add(s.src, words, &a)
		}
		if err == nil {
			err = each(command, &a)
		}
		if err != nil {
			return err
		}
		words++
	}
	if words == 0 {
		return s.noCommand(end, "after")
	}
	return s.check.end(s.src)
}

func (s *splitter) noCommand(at int, side string) *Error {
	return mistakeAt(s.src, at, at+1, `a ";" stands between two commands; to send it as an argument, write ";" in quotes`,
		`there is no command %s the ";"`, side)
}

// checkCommand refuses command names that no server knows and that come from
// copied text: empty, or with bytes outside visible ASCII.
func (s *splitter) checkCommand(a *argument) *Error {
	name, ok := a.literal()
	if !ok {
		return nil
	}
	if len(name) == 0 {
		return mistakeAt(s.src, a.from, a.to, "the first argument of a command is its name", "the command name is empty")
	}
	for _, c := range name {
		if c <= ' ' || c > '~' {
			return mistakeAt(s.src, a.from, a.to, "type the name again: a space, a line break or a mark that cannot be seen may have been copied with it",
				"command name %s has byte 0x%02x in it", quoted(string(name)), c)
		}
	}
	return nil
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

func blankOrEnd(s string, at int) bool { return at >= len(s) || blank(s[at]) }

// skipBlanks reports whether there was one.
func (s *splitter) skipBlanks() bool {
	start := s.pos
	for s.pos < len(s.src) && blank(s.src[s.pos]) {
		s.pos++
	}
	return s.pos > start
}

// argument reads one argument: bare and quoted text and placeholders, up to a
// blank.
func (s *splitter) argument() (argument, *Error) {
	a := argument{from: s.pos}
	s.text, s.cut, s.parts = s.text[:0], 0, s.parts[:0]
	for s.pos < len(s.src) && !blank(s.src[s.pos]) {
		var err *Error
		switch c := s.src[s.pos]; c {
		case '"', '\'':
			a.quoted = true
			err = s.quotation(c)
		default:
			if objectStarts(s.src, s.pos) {
				err = s.object()
			} else {
				err = s.bare(0)
			}
		}
		if err != nil {
			return a, err
		}
	}
	s.endPiece()
	a.to, a.pieces = s.pos, s.parts
	return a, nil
}

// endPiece makes a piece of the literal bytes since the last one.
func (s *splitter) endPiece() {
	if len(s.text) > s.cut {
		s.parts = append(s.parts, piece{text: s.text[s.cut:]})
		s.cut = len(s.text)
	}
}

// bare reads one byte of text, an escaped bracket or a placeholder. quote is
// the quote it stands in, or 0.
func (s *splitter) bare(quote byte) *Error {
	c := s.src[s.pos]
	switch {
	case c == '\\' && s.pos+1 < len(s.src) && opener(s.src[s.pos+1]):
		c = s.src[s.pos+1]
		s.pos++
	case opener(c):
		p, err := s.bracket(quote)
		if err != nil {
			return err
		}
		if p != nil {
			s.endPiece()
			s.parts = append(s.parts, piece{placeholder: p})
			return nil
		}
	}
	s.text = append(s.text, c)
	s.pos++
	return nil
}

// quotation reads a quoted piece, as redis-cli does.
func (s *splitter) quotation(quote byte) *Error {
	open := s.pos
	s.pos++
	for s.pos < len(s.src) {
		c := s.src[s.pos]
		if c == quote {
			s.pos++
			return nil
		}
		if c == '\\' && s.escape(quote) {
			continue
		}
		if err := s.bare(quote); err != nil {
			return err
		}
	}
	other := '"' + '\'' - quote
	hint := fmt.Sprintf("end the text with %c; to send the quote itself, write %c%c%c", quote, other, quote, other)
	return mistakeAt(s.src, open, open+1, hint, "the quote %c is never closed", quote)
}

// escape reads a backslash sequence inside quotes. It returns false, at the
// same place, where the backslash is not special.
func (s *splitter) escape(quote byte) bool {
	rest := s.src[s.pos+1:]
	if rest == "" {
		return false
	}
	c := rest[0]
	if quote == '\'' {
		if c != '\'' && c != '\\' {
			return false
		}
		s.text = append(s.text, c)
		s.pos += 2
		return true
	}
	size := 1 // what is no escape stands for itself
	if escaped, n := resp.Unescape(rest); n > 0 {
		c, size = escaped, n
	}
	s.text = append(s.text, c)
	s.pos += 1 + size
	return true
}
