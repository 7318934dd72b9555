package generator

import "golang.org/x/sys/windows"

// processCPU is the user and system time of this process in nanoseconds.
func processCPU() int64 {
	var created, exited, kernel, user windows.Filetime
	if windows.GetProcessTimes(windows.CurrentProcess(), &created, &exited, &kernel, &user) != nil {
		return 0
	}
	// A Filetime counts hundreds of nanoseconds in two halves.
	ticks := func(f windows.Filetime) int64 { return int64(f.HighDateTime)<<32 | int64(f.LowDateTime) }
	return 100 * (ticks(kernel) + ticks(user))
}
