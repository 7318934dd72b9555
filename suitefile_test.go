package main

import (
	"os"
	"path/filepath"
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
