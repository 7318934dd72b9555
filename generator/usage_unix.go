//go:build unix

package generator

import "golang.org/x/sys/unix"

// processCPU is the user and system time of this process in nanoseconds.
func processCPU() int64 {
	var ru unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &ru) != nil {
		return 0
	}
	return ru.Utime.Nano() + ru.Stime.Nano()
}
