//go:build unix

package conn

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// NeedFiles makes sure that n connections, and the few files that the program
// holds anyway, can be open at once. It raises the soft limit if it must.
func NeedFiles(n int) error {
	const others = 24 // standard streams, epoll, side connections, result files
	var l unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &l); err != nil {
		return nil // not told: the system will say when it is reached
	}
	want := uint64(n + others)
	if want <= uint64(l.Cur) {
		return nil
	}
	if want > uint64(l.Max) {
		return fmt.Errorf("%d connections need %d open files, and the limit is %d; raise it with ulimit -n %d", n, want, l.Max, want)
	}
	l.Cur = l.Max
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &l); err != nil {
		return fmt.Errorf("%d connections need %d open files: raising the limit: %w", n, want, err)
	}
	return nil
}
