package conn

import "time"

const (
	// spinBound is how long, in nanoseconds, a loop looks for one reply before
	// it sleeps: somewhat more than a round trip on loopback. Waking a thread
	// that sleeps takes about as long as the whole round trip, most of all in
	// a virtual machine, and would be measured as the server's latency.
	spinBound = int64(50 * time.Microsecond)

	// spinPause is the most waits without a look between two looks in vain.
	spinPause = 1024
)

// spinner decides whether to look for readiness before sleeping. Where looking
// does not pay, because the server is further away than spinBound or needs the
// same CPU, it is tried ever more rarely.
type spinner struct {
	pause int   // waits without a look after the next look in vain
	skip  int   // of them, still to come
	spent int64 // nanoseconds of looking, altogether
}

// worth tells whether to look this time.
func (s *spinner) worth() bool {
	if s.skip > 0 {
		s.skip--
		return false
	}
	return true
}

// learn is told that looking for took nanoseconds found something, or not.
func (s *spinner) learn(took int64, found bool) {
	s.spent += took
	if found {
		s.pause = 0
		return
	}
	s.skip = s.pause
	s.pause = min(2*s.pause+1, spinPause)
}
