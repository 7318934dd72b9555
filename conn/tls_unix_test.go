//go:build unix

package conn

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/respbench/respbench/internal/redistest"
)

// TestFolderWithPipe: what is no file in a folder of certificates is not waited
// for, and links to files are followed.
func TestFolderWithPipe(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(folder, "a.pem"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(redistest.NewCA(t).File, filepath.Join(folder, "b.pem")); err != nil {
		t.Fatal(err)
	}
	if err := (&TLS{CADir: folder}).Load(); err != nil {
		t.Error(err)
	}
}
