package generator

import (
	"runtime/metrics"
	"slices"
)

// usage is what the process has consumed.
type usage struct {
	cpuNs   int64        // user + system
	machine machineUsage // of all programs
	gcs     int64        // garbage collections
}

// machineUsage is what all programs have used of the CPUs that this process may
// run on.
type machineUsage struct {
	ns       int64
	cpus     []int // their ids; none = not told
	confined bool  // the machine has others, too
}

func usageNow() usage {
	sample := []metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}}
	metrics.Read(sample)
	return usage{cpuNs: processCPU(), machine: machineCPU(), gcs: int64(sample[0].Value.Uint64())}
}

func (u usage) since(old usage) usage {
	return usage{u.cpuNs - old.cpuNs, u.machine.since(old.machine), u.gcs - old.gcs}
}

// since tells nothing where the CPUs have changed meanwhile.
func (u machineUsage) since(old machineUsage) machineUsage {
	if !slices.Equal(u.cpus, old.cpus) {
		return machineUsage{}
	}
	u.ns -= old.ns
	return u
}
