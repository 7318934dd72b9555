package template

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// example is a fenced block of the manual.
type example struct {
	language string
	lines    []string
}

// examples returns the blocks of the manual.
func examples(t *testing.T) []example {
	t.Helper()
	text, err := os.ReadFile("../docs/templates.md")
	if err != nil {
		t.Fatal(err)
	}
	var blocks []example
	inside := false
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\r\n")
		language, fence := strings.CutPrefix(line, "```")
		switch {
		case fence && !inside:
			blocks = append(blocks, example{language: language})
			inside = true
		case fence:
			inside = false
		case inside:
			last := &blocks[len(blocks)-1]
			last.lines = append(last.lines, line)
		}
	}
	return blocks
}

// TestManual runs the examples of docs/templates.md: each line of a
// "template" block must compile and render; the first line of a "units" block
// must send what the others say, from index 0 on; a "mistake" block is what
// the template in its second line must print.
func TestManual(t *testing.T) {
	t.Parallel()
	blocks := examples(t)
	if len(blocks) < 10 {
		t.Fatalf("found %d examples", len(blocks))
	}
	for _, block := range blocks {
		switch block.language {
		case "template":
			for _, src := range block.lines {
				p := mustParse(t, src)
				if got := unit(t, p, 1, 1); len(got) != p.Commands() {
					t.Errorf("%q sends %d commands, want %d", src, len(got), p.Commands())
				}
			}
		case "data":
			for _, src := range block.lines {
				if _, err := ParseWith(src, Options{AnyData: true}); err != nil {
					t.Errorf("%q: %v", src, err)
				}
			}
		case "units":
			a := NewAppender(mustParse(t, block.lines[0]), 1)
			for i := range block.lines[1:] {
				got := strings.Join(commandsOf(t, a.Append(nil, uint64(i)))[0], " ")
				if want := block.lines[1+i]; got != want {
					t.Errorf("unit %d of %q is %q, want %q", i, block.lines[0], got, want)
				}
			}
		case "mistake":
			_, err := Parse(strings.TrimPrefix(block.lines[1], "  "))
			var mistake *Error
			if !errors.As(err, &mistake) {
				t.Errorf("%q: error %v, want a mistake", block.lines[1], err)
				continue
			}
			got := "respbench: " + mistake.Error() + "\n" + mistake.Caret() + "\nhint: " + mistake.Hint
			if diff := cmp.Diff(strings.Join(block.lines, "\n"), got); diff != "" {
				t.Errorf("%q (-want +got):\n%s", block.lines[1], diff)
			}
		default:
			t.Errorf("a block of unknown language %q: %q", block.language, block.lines)
		}
	}
}

// TestPackageExamples compiles the examples of the package comment.
func TestPackageExamples(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, list, found := strings.Cut(string(text), "// # Data\n//\n")
	withData, list, found2 := strings.Cut(list, "// # Examples\n//\n")
	if !found || !found2 {
		t.Fatal("doc.go has no examples")
	}
	for line := range strings.Lines(list) {
		if src, ok := strings.CutPrefix(line, "//\t"); ok {
			mustParse(t, src)
		}
	}
	for line := range strings.Lines(withData) {
		if src, ok := strings.CutPrefix(line, "//\t"); ok {
			if _, err := ParseWith(src, Options{AnyData: true}); err != nil {
				t.Errorf("%q: %v", src, err)
			}
		}
	}
}
