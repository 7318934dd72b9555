//go:build !linux

package conn

import "time"

// UsableCPUs lists the CPU ids that this process may run on, ascending; nil
// where the system does not tell.
func UsableCPUs() []int { return nil }

// ThreadCPU is the user and system time that the calling thread has used; 0
// where the system does not tell. Inside Loop.Do it is the loop's.
func ThreadCPU() time.Duration { return 0 }
