package template

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestCaret(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		err  Error
		want string
	}{
		{
			"many accents", Error{Source: "{" + strings.Repeat("\u0301", 500), Offset: 0, Length: 1},
			"  {" + strings.Repeat("\u0301", 256) + "...\n  ^",
		},
		{"no source", Error{}, ""},
		{"no place", Error{Source: "PING"}, ""},
		{"a word", Error{Source: "GET {kye 1}", Offset: 5, Length: 3}, "  GET {kye 1}\n       ^^^"},
		{"the last byte", Error{Source: "GET {", Offset: 4, Length: 1}, "  GET {\n      ^"},
		{"beyond the end", Error{Source: "GET {", Offset: 4, Length: 100}, "  GET {\n      ^"},
		{"outside", Error{Source: "GET", Offset: 100, Length: 5}, ""},
		{"tab and line feed", Error{Source: "GET\tk\n{", Offset: 6, Length: 1}, "  GET k {\n        ^"},
		{"control characters", Error{Source: "\x1b[31m\x00\x7f\u009b{", Offset: 9, Length: 1}, "  ?[31m???{\n          ^"},
		{"marks that cannot be seen", Error{Source: "\ufeffa\u200bb\u202e{", Offset: 11, Length: 1}, "  ?a?b?{\n       ^"},
		{"not UTF-8", Error{Source: "\xff\xc3{", Offset: 2, Length: 1}, "  ??{\n    ^"},
		{"wide", Error{Source: "日本語 {", Offset: 10, Length: 1}, "  日本語 {\n         ^"},
		{"wide place", Error{Source: "a日本b", Offset: 1, Length: 6}, "  a日本b\n   ^^^^"},
		{"emoji, Hangul, fullwidth", Error{Source: "😀한ａ{", Offset: 10, Length: 1}, "  😀한ａ{\n        ^"},
		{"narrow letters", Error{Source: "éжλ{", Offset: 6, Length: 1}, "  éжλ{\n     ^"},
		{"combining accent", Error{Source: "e\u0301{", Offset: 3, Length: 1}, "  e\u0301{\n   ^"},
		{
			"long, in the middle", Error{Source: strings.Repeat("a", 500) + "XY" + strings.Repeat("b", 500), Offset: 500, Length: 2},
			"  ..." + strings.Repeat("a", 28) + "XY" + strings.Repeat("b", 34) + "...\n" + strings.Repeat(" ", 33) + "^^",
		},
		{
			"long, at the end", Error{Source: strings.Repeat("a", 500) + "XY", Offset: 500, Length: 2},
			"  ..." + strings.Repeat("a", 62) + "XY\n" + strings.Repeat(" ", 67) + "^^",
		},
		{
			"long, at the start", Error{Source: "XY" + strings.Repeat("b", 500), Offset: 0, Length: 2},
			"  XY" + strings.Repeat("b", 62) + "...\n  ^^",
		},
		{
			"a long place", Error{Source: strings.Repeat("a", 500), Offset: 0, Length: 500},
			"  " + strings.Repeat("a", 64) + "...\n  " + strings.Repeat("^", 64),
		},
	} {
		if diff := cmp.Diff(test.want, test.err.Caret()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func FuzzCaret(f *testing.F) {
	f.Add("SET {kye uniform 10}", 5, 3)
	f.Add(strings.Repeat("日", 100), 150, 30)
	f.Add("\xff\x00e\u0301", 2, 1)
	f.Fuzz(func(t *testing.T, source string, offset, length int) {
		e := Error{Source: source, Offset: offset, Length: length}
		caret := e.Caret()
		if caret == "" {
			return
		}
		excerpt, carets, two := strings.Cut(caret, "\n")
		if !two || strings.Contains(carets, "\n") || !utf8.ValidString(excerpt) {
			t.Fatalf("not two lines of UTF-8: %q", caret)
		}
		if strings.Trim(carets, " ") == "" || strings.Trim(carets, " ^") != "" {
			t.Fatalf("no carets: %q", carets)
		}
		cells := 0
		for rest := excerpt; rest != ""; {
			shown, width, size := cell(rest)
			if shown != rest[:size] {
				t.Fatalf("%q is not printable in %q", rest[:size], excerpt)
			}
			cells += width
			rest = rest[size:]
		}
		if cells > 72 || len(carets) > cells+2 {
			t.Fatalf("%d cells, %d with carets: %q", cells, len(carets), caret)
		}
	})
}
