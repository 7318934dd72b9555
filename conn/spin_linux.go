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

// lead is how long before an appointment, in nanoseconds, a loop no longer
// sleeps: what waking up takes in nine cases of ten. That is a few microseconds
// on some machines and fifty on others, and looking costs CPU time, so the loop
// learns it from its own sleeps.
type lead int64

const (
	firstLead = lead(40 * time.Microsecond)
	leastLead = lead(4 * time.Microsecond)
	mostLead  = lead(100 * time.Microsecond)

	// leadStep is small, so that the lead stays where it should be, and a
	// sleep that was very late counts no more than one that was a little late.
	leadStep = lead(200)
)

// learn is told that a sleep ended late by so many nanoseconds. Below the lead
// is where it should be nine times for each time above.
func (l *lead) learn(late int64) {
	if late > int64(*l) {
		*l = min(*l+9*leadStep, mostLead)
		return
	}
	*l = max(*l-leadStep, leastLead)
}
