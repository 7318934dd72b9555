package generator

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// machineCPU is the CPU time, in nanoseconds, that all programs have used
// since the machine started, from the first line of /proc/stat (proc(5)); 0
// if that cannot be read.
func machineCPU() int64 {
	const nsPerTick = 1e9 / 100 // USER_HZ is 100 on every architecture of Linux that Go runs on
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0
	}
	line, _, _ := strings.Cut(string(text), "\n")
	fields := strings.Fields(line) // cpu user nice system idle iowait irq softirq …
	if len(fields) < 8 || fields[0] != "cpu" {
		return 0
	}
	var ticks int64
	for _, i := range [...]int{1, 2, 3, 6, 7} {
		n, err := strconv.ParseInt(fields[i], 10, 64)
		if err != nil {
			return 0
		}
		ticks += n
	}
	return ticks * nsPerTick
}

// machineMemory is the machine's memory in bytes; 0 if it is not told.
func machineMemory() uint64 {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return 0
	}
	return uint64(info.Totalram) * uint64(info.Unit)
}
