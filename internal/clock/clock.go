// Package clock is the one time base of a run: monotonic nanoseconds, so
// that times taken on different threads can be subtracted. It never tells the
// time of day.
package clock

import "time"

// start carries a monotonic reading; time.Since(start) is then a single
// reading of the monotonic clock, which time.Now would double with the wall
// clock's.
var start = time.Now()

// Now returns nanoseconds since the program started, at least 1, so that 0
// may mean "never".
func Now() int64 { return int64(time.Since(start)) + 1 }
