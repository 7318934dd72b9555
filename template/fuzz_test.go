package template

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// seedTemplates adds every template of the other tests.
func seedTemplates(f *testing.F) {
	for _, src := range slices.Concat(programs, mistakes) {
		f.Add(src, uint64(1), uint64(12345))
	}
}

// FuzzParse holds that a template is either a mistake with a place in its
// source or a Program, that it takes little time, and that quoting a text
// sends it.
func FuzzParse(f *testing.F) {
	seedTemplates(f)
	f.Fuzz(func(t *testing.T, src string, _, _ uint64) {
		start := time.Now()
		p, err := Parse(src)
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("Parse takes %v", took)
		}
		var mistake *Error
		switch {
		case err == nil:
			if p.String() == "" || p.Source() != src || p.Commands() < 1 || p.SizeHint() > p.most {
				t.Errorf("not a sound program: %s", p)
			}
		case !errors.As(err, &mistake):
			t.Errorf("error %v is not an *Error", err)
		case mistake.Offset < 0 || mistake.Length < 0 || mistake.Offset+mistake.Length > len(src):
			t.Errorf("place %d+%d lies outside of the %d bytes of source", mistake.Offset, mistake.Length, len(src))
		case mistake.Problem == "" || mistake.Hint == "" || strings.ContainsAny(mistake.Problem+mistake.Hint, "\r\n"):
			t.Errorf("problem %q, hint %q: want one line each", mistake.Problem, mistake.Hint)
		case (mistake.Length == 0) != (mistake.Caret() == ""):
			t.Errorf("length %d, caret %q", mistake.Length, mistake.Caret())
		}

		quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "<", `\<`, "{", `\{`).Replace(src)
		literal := mustParse(t, `ECHO "`+quoted+`"`)
		if got := unit(t, literal, 0, 0); len(got) != 1 || len(got[0]) != 2 || got[0][1] != src {
			t.Errorf("quoted, it is sent as %q", got)
		}
	})
}

// FuzzAppend holds that a Program's units are RESP, are of the promised
// number of commands and size, and follow from seed and index.
func FuzzAppend(f *testing.F) {
	seedTemplates(f)
	f.Fuzz(func(t *testing.T, src string, seed, i uint64) {
		p, err := Parse(src)
		if err != nil || p.most > 1<<20 {
			return
		}
		wire := NewAppender(p, seed).Append([]byte("before"), i)
		wire = wire[len("before"):]
		if len(wire) > p.most {
			t.Errorf("%d bytes, the bound is %d", len(wire), p.most)
		}
		commands := commandsOf(t, wire)
		if len(commands) != p.Commands() {
			t.Errorf("%d commands, want %d", len(commands), p.Commands())
		}
		for k, name := range p.Names() {
			if name != "" && strings.ToUpper(commands[k][0]) != name {
				t.Errorf("command %d is %q, want %q", k, commands[k][0], name)
			}
		}
		if strings.Contains(src, "time") {
			return
		}
		a := NewAppender(p, seed)
		a.Append(nil, i+1)
		if again := a.Append(nil, i); string(again) != string(wire) {
			t.Errorf("the same unit differs:\n%q\n%q", wire, again)
		}
	})
}
