package main

import (
	"encoding/json"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestManualsGoCompiles: every Go block of the manual and the README is a whole
// program, in Go's own form, that compiles.
func TestManualsGoCompiles(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	decisions, err := filepath.Glob("docs/decisions/*.md")
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	blocks := 0
	for _, page := range append(append(pages, decisions...), "README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for i, found := range regexp.MustCompile("(?ms)^```go\n(.*?)^```").FindAllStringSubmatch(string(text), -1) {
			blocks++
			name := fmt.Sprintf("%s, Go block %d", page, i+1)
			block := found[1]
			if pretty, err := format.Source([]byte(block)); err != nil || string(pretty) != block {
				t.Errorf("%s is not as gofmt writes it: %v", name, err)
				continue
			}
			if output, err := compileGo(t, root, block); err != nil {
				t.Errorf("%s does not compile: %v\n%s", name, err, output)
			}
		}
	}
	if blocks == 0 {
		t.Error("no page has a Go block")
	}
	// One that does not compile is seen.
	wrong := "package main\n\nimport \"github.com/respbench/respbench/generator\"\n\nfunc main() { _ = generator.Config{Program: nil} }\n"
	if output, err := compileGo(t, root, wrong); err == nil || !strings.Contains(output, "unknown field Program") {
		t.Errorf("a block with a mistake: %v\n%s", err, output)
	}
}

// compileGo compiles a program as if it stood in a folder of this module.
func compileGo(t *testing.T, root, source string) (output string, err error) {
	t.Helper()
	dir := t.TempDir()
	file, overlay := filepath.Join(dir, "main.go"), filepath.Join(dir, "overlay.json")
	place := filepath.Join(root, "manual", "main.go")
	replaced, err := json.Marshal(map[string]map[string]string{"Replace": {place: file}})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{file: []byte(source), overlay: replaced} {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-overlay", overlay, "-o", os.DevNull, "./manual")
	build.Dir = root
	text, err := build.CombinedOutput()
	return string(text), err
}
