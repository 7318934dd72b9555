package template

import (
	"testing"

	"github.com/tidwall/redcon"
)

// mustParse compiles a template that has no mistake.
func mustParse(tb testing.TB, src string) *Program {
	tb.Helper()
	p, err := Parse(src)
	if err != nil {
		tb.Fatalf("Parse(%q): %v", src, err)
	}
	return p
}

// commandsOf reads the RESP arrays in wire, which must hold nothing else.
func commandsOf(tb testing.TB, wire []byte) [][]string {
	tb.Helper()
	var commands [][]string
	for len(wire) > 0 {
		complete, args, kind, rest, err := redcon.ReadNextCommand(wire, nil)
		if err != nil || !complete || kind != redcon.Redis {
			tb.Fatalf("not a RESP command (complete %v, kind %v, error %v): %.200q", complete, kind, err, wire)
		}
		command := []string{}
		for _, arg := range args {
			command = append(command, string(arg))
		}
		commands = append(commands, command)
		wire = rest
	}
	return commands
}

// unit renders unit i of p.
func unit(tb testing.TB, p *Program, seed, i uint64) [][]string {
	tb.Helper()
	return commandsOf(tb, NewAppender(p, seed).Append(nil, i))
}

// arguments renders argument n of the first command for the units 0..count-1.
func arguments(tb testing.TB, src string, n, count int) []string {
	tb.Helper()
	a := NewAppender(mustParse(tb, src), 1)
	var texts []string
	var wire []byte
	for i := range count {
		wire = a.Append(wire[:0], uint64(i))
		texts = append(texts, commandsOf(tb, wire)[0][n])
	}
	return texts
}
