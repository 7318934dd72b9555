package main

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/respbench/respbench/internal/redistest"
)

// wideText is an ASCII text as Windows programs write it, in UTF-16.
func wideText(text string, mark bool) string {
	var b strings.Builder
	if mark {
		b.WriteString("\xff\xfe")
	}
	for _, c := range []byte(text) {
		b.WriteByte(c)
		b.WriteByte(0)
	}
	return b.String()
}

// TestWideFiles: every file that is read as text is said to be UTF-16 if it is.
func TestWideFiles(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "wide")
	for _, args := range [][]string{
		{"suite", "-p", "1", path},
		{"report", path},
		{"-p", "1", "--pass-file", path, "PING"},
		{"-p", "1", "--commands", path},
		{"-p", "1", "--monitor", path},
		{"-p", "1", "--data", path, "GET <line>"},
	} {
		for _, mark := range []bool{false, true} {
			if err := os.WriteFile(path, []byte(wideText("PING key\r\n", mark)), 0o600); err != nil {
				t.Fatal(err)
			}
			var out, said strings.Builder
			if status := run(t.Context(), args, &out, &said); status != 2 || !strings.Contains(said.String(), "is UTF-16") || !strings.Contains(said.String(), "iconv -f utf-16") {
				t.Errorf("%q, mark %v: status %d, %q", args, mark, status, &said)
			}
		}
	}
}

// TestOddFiles: what is named in place of a file that can be used is said in one
// line, whichever flag names it.
func TestOddFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"empty": "", "line": "\n", "long": strings.Repeat("a", 17<<20), "program": "\x7fELF\x02\x00\xff\x00\n",
		"suite.yaml": "name: s\ntests:\n  - name: x\n    template: PING\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		args []string // those that are in dir have a slash
		want string
	}{
		{[]string{"--commands", "/"}, "--commands: /: is a directory\nhint: name a file in it"},
		{[]string{"--data", "/", "GET <line>"}, "--data: /: is a directory"},
		{[]string{"suite", "/"}, `suite "/": is a directory`},
		{[]string{"suite", "/empty"}, `suite "/empty": is empty`},
		{[]string{"report", "/empty"}, `"/empty": is empty`},
		{[]string{"report", "-"}, `"-": standard input is not read here; name a file`},
		{[]string{"suite", "-"}, `suite "-": standard input is not read here; name a file`},
		{[]string{"suite", "/suite.yaml", "/./suite.yaml"}, `suite "/./suite.yaml" is named twice`},
		{[]string{"suite", "more", "more"}, `suite "more" is named twice`},
		{[]string{"--commands", ""}, "--commands: the name of the file is empty"},
		{[]string{"--commands", "", "PING"}, "--commands: the name of the file is empty"},
		{[]string{"preview", "--monitor", ""}, "--monitor: the name of the file is empty"},
		{[]string{"--commands", "/line"}, "--commands: /line has no commands, only empty lines and comments"},
		{[]string{"--commands", "/program"}, "--commands: /program is not text"},
		{[]string{"--monitor", "/line"}, "--monitor: /line: has no command of MONITOR"},
		{[]string{"--cacert", "/long", "PING"}, `TLS: CA "/long": larger than 16777216 bytes`},
		{[]string{"--cert", "/long", "--key", "/line", "PING"}, `TLS: certificate "/long": larger than 16777216 bytes`},
		{[]string{"--cert", "/line", "--key", "/long", "PING"}, `TLS: key "/long": larger than 16777216 bytes`},
		{[]string{"--pass-file", "/long", "PING"}, `--pass-file "/long": the first line is longer than 65536 bytes`},
	} {
		args := slices.Clone(tt.args)
		for i, arg := range args {
			if strings.HasPrefix(arg, "/") {
				args[i] = dir + arg
			}
		}
		var out, said strings.Builder
		status := run(t.Context(), args, &out, &said)
		if got := strings.ReplaceAll(said.String(), dir, ""); status != 2 || out.Len() > 0 || !strings.HasPrefix(got, "respbench: "+tt.want) {
			t.Errorf("%q: status %d, %q, %q; want %q", tt.args, status, &out, got, tt.want)
		}
	}
}

// TestMarkedPassword: a byte order mark is no part of a password.
func TestMarkedPassword(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, "--requirepass", "secret")
	path := filepath.Join(t.TempDir(), "marked")
	if err := os.WriteFile(path, []byte("\ufeffsecret\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, said strings.Builder
	if status := run(t.Context(), []string{"-p", strconv.Itoa(server.Port), "--pass-file", path, "-n", "1", "-q", "PING"}, &out, &said); status != 0 {
		t.Errorf("status %d, %q", status, &said)
	}
}
