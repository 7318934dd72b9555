//go:build !linux

package generator

// machineCPU is the CPU time of all programs; this system is not asked.
func machineCPU() machineUsage { return machineUsage{} }

// machineMemory is the machine's memory in bytes; this system is not asked.
func machineMemory() uint64 { return 0 }
