package generator

import "runtime/metrics"

// usage is what the process has consumed.
type usage struct {
	cpuNs     int64 // user + system
	machineNs int64 // all programs of this machine; 0 = not told
	gcs       int64 // garbage collections
}

func usageNow() usage {
	sample := []metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}}
	metrics.Read(sample)
	return usage{cpuNs: processCPU(), machineNs: machineCPU(), gcs: int64(sample[0].Value.Uint64())}
}

func (u usage) since(old usage) usage {
	return usage{u.cpuNs - old.cpuNs, u.machineNs - old.machineNs, u.gcs - old.gcs}
}
