//go:build !linux

package conn

// UsableCPUs lists the CPU ids that this process may run on, ascending; nil
// where the system does not tell.
func UsableCPUs() []int { return nil }
