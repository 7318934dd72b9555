package generator

import (
	"runtime"
	"sync"
)

// processors is how many threads of the process run Go code at once, as all its
// Runs share them. There is one setting for the process, so there is one of these.
type processors struct {
	mu    sync.Mutex
	found int // the setting before the first Run under way raised it
	loops int // of all Runs under way

	cpus int             // that the process may run on
	set  func(n int) int // as runtime.GOMAXPROCS
}

// shared is that of the process.
var shared = processors{cpus: runtime.NumCPU(), set: runtime.GOMAXPROCS}

// moreFor lets the runtime run the program's other goroutines while so many more
// loops wait in the kernel. The function it returns undoes it, once.
func (p *processors) moreFor(loops int) (restore func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.loops == 0 {
		p.found = p.set(0)
	}
	p.adjust(loops)
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.adjust(-loops)
	}
}

// adjust sets what the loops under way take, when so many have come. The lock is
// held.
func (p *processors) adjust(loops int) {
	p.loops += loops
	want := p.found
	if p.loops > 0 {
		want = max(want, p.loops+2)
	}
	if p.set(0) != want { // a call that changes nothing would stop the world, too
		p.set(want)
	}
}

// usableCPUs is how many CPUs the process may use: those of its affinity mask,
// and no more than the GOMAXPROCS with which the runtime started, which heeds the
// quota of a container. It rounds a part of a CPU up, and a quota below two CPUs
// to two. The environment may set it, too.
func (p *processors) usableCPUs() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.loops > 0 {
		return min(p.cpus, p.found)
	}
	return min(p.cpus, p.set(0))
}
