package conn

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// pinThread binds the calling thread to one CPU.
func pinThread(cpu int) error {
	var set unix.CPUSet
	set.Set(cpu)
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		return fmt.Errorf("cannot run on CPU %d: %w", cpu, err)
	}
	return nil
}

// wakePunctually asks the kernel not to delay the calling thread's timers, by
// 50 us unless asked, in order to save wake-ups.
func wakePunctually() { _ = unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0) }

// UsableCPUs lists the CPU ids that this process may run on, ascending; nil
// where the system does not tell.
func UsableCPUs() []int {
	var set unix.CPUSet
	if unix.SchedGetaffinity(0, &set) != nil {
		return nil
	}
	var ids []int
	for id := 0; len(ids) < set.Count(); id++ {
		if set.IsSet(id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// busy is the user and system time that the loop's thread has used, without
// what it spent on looking for replies that had not come.
func (e *epollEngine) busy() (used time.Duration) {
	e.do(func() {
		var ts unix.Timespec
		if unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts) == nil {
			used = time.Duration(ts.Nano() - e.spin.spent)
		}
	})
	return used
}
