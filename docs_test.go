package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/respbench/respbench/suite"
)

// TestManualsSuite: the suite that the manual shows can be run, and its table
// has every key that a file may have.
func TestManualsSuite(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("docs/suites.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "```yaml\n")
	block, _, found := strings.Cut(rest, "```")
	if !found {
		t.Fatal("docs/suites.md shows no suite")
	}
	s, err := suite.Read("manual.yaml", []byte(block))
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Tests) != 2 {
		t.Errorf("%+v", s)
	}
	// The mistake that it shows stands where it says.
	_, err = suite.Read("sessions.yaml", []byte(strings.Replace(block, "HGETALL ${prefix}<key", "HGETALL ${prefix}<kye", 1)))
	if err == nil || !strings.Contains(rest, "    respbench: "+err.Error()+"\n") {
		t.Errorf("docs/suites.md shows another error than: %v", err)
	}
	var keys []string
	for _, m := range regexp.MustCompile("(?m)^\\| `((?:tests: )?(?:preload: )?[a-z]+)` \\|").FindAllStringSubmatch(rest, -1) {
		keys = append(keys, m[1])
	}
	for _, key := range []string{
		"name", "note", "connections", "pipeline", "seconds", "scaled", "tests",
		"tests: prepare", "tests: cleanup", "tests: preload", "tests: preload: template", "tests: preload: count", "tests: template", "tests: count", "data",
	} {
		if !slices.Contains(keys, key) {
			t.Errorf("docs/suites.md does not tell of %q", key)
		}
	}
}

// TestManualKnowsEveryFlag: the pages name every flag of the command line.
func TestManualKnowsEveryFlag(t *testing.T) {
	t.Parallel()
	var pages strings.Builder
	for _, name := range []string{"docs/command-line.md", "docs/suites.md"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		pages.Write(text)
	}
	for _, command := range []string{"bench", "suite", "report", "preview"} {
		var help strings.Builder
		if status := run(t.Context(), []string{command, "--help"}, &help, &help); status != 0 {
			t.Fatalf("%s --help: status %d", command, status)
		}
		for _, m := range regexp.MustCompile(`(?m)^  (?:-(\w), |    )--([\w-]+)`).FindAllStringSubmatch(help.String(), -1) {
			short, long := m[1], m[2]
			if !strings.Contains(pages.String(), "--"+long) && (short == "" || !strings.Contains(pages.String(), "`-"+short)) {
				t.Errorf("the manual does not tell of --%s of %s", long, command)
			}
		}
	}
}
