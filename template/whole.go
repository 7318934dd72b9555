package template

import (
	"github.com/respbench/respbench/data"
	"github.com/respbench/respbench/internal/resp"
)

// Whole returns the Program whose units are the rows of a source as they are:
// of its column of the form data.Command, each row so many commands. The title
// is its Source.
func Whole(title string, rows *data.Source, commands int) *Program {
	c := compiler{program: &Program{source: title, whole: true, names: make([]string, commands)}}
	p := c.program
	p.uses = []use{{source: rows, row: true}}
	t := taking{column: rows.Column(data.Column{Form: data.Command}), reg: c.register()}
	p.arguments = []dataArgument{{to: len(title), columns: []taking{t}}}
	p.insts = []inst{
		{op: opRow, reg: -1},
		{op: opColumn, reg: t.reg, column: t.column},
		{op: opData, reg: t.reg, n: -1, grows: true},
	}
	c.measure()
	return p
}

// IsWhole tells whether the units are commands that nothing is known of, as
// Whole makes them.
func (p *Program) IsWhole() bool { return p.whole }

// errVaries ends the reading of a template that has a placeholder.
var errVaries = &Error{}

// AppendLiteral appends the commands of a template without placeholders to dst,
// as RESP arrays, and returns how many they are. Of a template with placeholders
// it returns dst and 0. A mistake is an *Error; one behind a placeholder is not
// found.
func AppendLiteral(dst []byte, src string) (_ []byte, commands int, _ error) {
	start := len(dst)
	var body []byte
	arguments := 0
	end := func() {
		if arguments > 0 {
			dst = append(resp.AppendArrayHeader(dst, arguments), body...)
			body, arguments = body[:0], 0
		}
	}
	err := newSplitter(src, Options{AnyData: true}).split(func(command int, a *argument) *Error {
		text, ok := a.literal()
		if !ok {
			return errVaries
		}
		if command == commands {
			end()
			commands++
		}
		body = resp.AppendBulk(body, text)
		arguments++
		return checkSize(src, a, len(text))
	})
	switch {
	case err == errVaries:
		return dst[:start], 0, nil
	case err != nil:
		return dst[:start], 0, err
	}
	end()
	return dst, commands, nil
}
