//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakBytes is the largest resident memory that a finished process had.
func peakBytes(p *os.ProcessState) int64 {
	most := p.SysUsage().(*syscall.Rusage).Maxrss
	if runtime.GOOS != "darwin" { // where it is bytes already
		most *= 1024
	}
	return most
}
