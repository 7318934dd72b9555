//go:build unix

package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestPipeInterrupted: a signal ends respbench also while it waits for somebody
// to write into a pipe, whichever flag names it.
func TestPipeInterrupted(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"-p", "1", "--data", pipe, "GET doc:<field id>"},
		{"-p", "1", "--commands", pipe},
		{"-p", "1", "--monitor", pipe},
		{"preview", "--data", pipe, "GET doc:<field id>"},
		{"sweep", "-p", "1", "--data", pipe, "GET doc:<field id>"},
		{"suite", "documents", "-p", "1", "--data", pipe},
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(interrupted{os.Interrupt})
		var out, said strings.Builder
		if status := run(ctx, args, &out, &said); status != 130 || out.Len() > 0 || !strings.Contains(said.String(), "interrupted by SIGINT") {
			t.Errorf("%q: status %d, %q, %q", args, status, &out, &said)
		}
		// Whoever waits for a writer meets one, and the end of the pipe.
		writer, err := os.OpenFile(pipe, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := writer.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
