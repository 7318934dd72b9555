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

// TestInputInterrupted: likewise while it waits for a password from standard
// input. It takes the place of standard input, so that it runs alone.
func TestInputInterrupted(t *testing.T) {
	in, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	old := os.Stdin
	os.Stdin = in
	defer func() { os.Stdin = old }()
	defer writer.Close()
	for _, args := range [][]string{
		{"-p", "1", "--pass-file", "-", "PING"},
		{"-p", "1", "--askpass", "PING"},
		{"suite", "-p", "1", "--clean", "--askpass"},
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(interrupted{os.Interrupt})
		var out, said strings.Builder
		if status := run(ctx, args, &out, &said); status != 130 || out.Len() > 0 || !strings.Contains(said.String(), "interrupted by SIGINT") {
			t.Errorf("%q: status %d, %q, %q", args, status, &out, &said)
		}
	}
}

// TestPipeInterrupted: a signal ends respbench also while it waits for somebody
// to write into a pipe, whichever flag names it.
func TestPipeInterrupted(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	regular := filepath.Join(t.TempDir(), "regular")
	if err := os.WriteFile(regular, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"-p", "1", "--data", pipe, "GET doc:<field id>"},
		{"-p", "1", "--commands", pipe},
		{"-p", "1", "--monitor", pipe},
		{"preview", "--data", pipe, "GET doc:<field id>"},
		{"sweep", "-p", "1", "--data", pipe, "GET doc:<field id>"},
		{"suite", "documents", "-p", "1", "--data", pipe},
		{"suite", "-p", "1", pipe},
		{"suite", "--list", pipe},
		{"report", pipe},
		{"-p", "1", "--pass-file", pipe, "PING"},
		{"sweep", "-p", "1", "--pass-file", pipe, "PING"},
		{"suite", "-p", "1", "--pass-file", pipe},
		{"suite", "--target", "a=redis://127.0.0.1:1", "--pass-file", pipe},
		{"suite", "--clean", "-p", "1", "--pass-file", pipe},
		{"-p", "1", "--cacert", pipe, "PING"},
		{"-p", "1", "--cert", pipe, "--key", regular, "PING"},
		{"-p", "1", "--cert", regular, "--key", pipe, "PING"},
		{"suite", "--target", "a=rediss://127.0.0.1:1", "--cacert", pipe},
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
