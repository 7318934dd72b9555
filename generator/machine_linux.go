package generator

import (
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/respbench/respbench/conn"
)

// machineCPU is what all programs have used of the CPUs that this process may
// run on; of none if that is not told.
func machineCPU() machineUsage {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return machineUsage{}
	}
	return usageOf(string(text), conn.UsableCPUs())
}

// usageOf reads the lines of some CPUs in the text of /proc/stat (proc(5)).
func usageOf(stat string, ids []int) machineUsage {
	const nsPerTick = 1e9 / 100 // USER_HZ is 100 on every architecture of Linux that Go runs on
	var u machineUsage
	for line := range strings.Lines(stat) {
		fields := strings.Fields(line) // cpuN user nice system idle iowait irq softirq …
		if len(fields) < 8 {
			continue
		}
		number, _ := strings.CutPrefix(fields[0], "cpu")
		id, err := strconv.Atoi(number)
		if err != nil { // the sum of all CPUs, or something else
			continue
		}
		if !slices.Contains(ids, id) {
			u.confined = true
			continue
		}
		for _, i := range [...]int{1, 2, 3, 6, 7} {
			ticks, err := strconv.ParseInt(fields[i], 10, 64)
			if err != nil {
				return machineUsage{}
			}
			u.ns += ticks * nsPerTick
		}
		u.cpus = append(u.cpus, id)
	}
	if len(u.cpus) == 0 {
		return machineUsage{}
	}
	return u
}

// machineMemory is the machine's memory in bytes; 0 if it is not told.
func machineMemory() uint64 {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return 0
	}
	return uint64(info.Totalram) * uint64(info.Unit)
}
