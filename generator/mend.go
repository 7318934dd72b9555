package generator

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/internal/clock"
)

const (
	// firstBackoff and lastBackoff bound the time between two attempts to make
	// a connection again; it doubles from one to the other.
	firstBackoff = 10 * time.Millisecond
	lastBackoff  = time.Second

	// remakeTimeout bounds one such attempt, unless the Dialer states a bound.
	remakeTimeout = 2 * time.Second
)

// mender makes connections again while a phase runs, and follows the changes
// of a cluster. The event loops only leave it messages, so they never wait.
type mender struct {
	fleet *fleet

	mu      sync.Mutex
	repairs []repair
	look    bool     // at the topology of the cluster; at once, unless one is under way
	hints   []string // addresses of nodes that a redirection named
	signal  chan struct{}

	told    map[string]bool // why connections are not back
	failed  error           // of the last attempt, in this phase
	looked  chan struct{}   // of capacity 1: a look is over
	dials   chan struct{}   // one for each attempt under way
	running sync.WaitGroup
}

// repair is a connection that is wanted again.
type repair struct {
	w *worker
	l *link
}

func newMender(f *fleet) *mender {
	return &mender{fleet: f, told: map[string]bool{}, signal: make(chan struct{}, 1), looked: make(chan struct{}, 1), dials: make(chan struct{}, dialsAtOnce)}
}

// remake asks for the connection of a link to be made again; an old one is
// closed first.
func (m *mender) remake(w *worker, l *link) {
	m.mu.Lock()
	m.repairs = append(m.repairs, repair{w, l})
	m.mu.Unlock()
	m.wake()
}

// lookAgain asks for the topology of the cluster to be read again. The hint,
// if there is one, is the address of a node that is not known yet.
func (m *mender) lookAgain(hint string) {
	m.mu.Lock()
	m.look = true
	if hint != "" && !slices.Contains(m.hints, hint) {
		m.hints = append(m.hints, hint)
	}
	m.mu.Unlock()
	m.wake()
}

func (m *mender) wake() {
	select {
	case m.signal <- struct{}{}:
	default: // it will look anyway
	}
}

// start works until the function that it returns is called, which waits for
// what is under way.
func (m *mender) start(ctx context.Context) (stop func()) {
	// An interrupted run still drains: ctx does not end this.
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	m.mu.Lock()
	m.failed = nil
	m.mu.Unlock()
	m.running.Go(func() { m.run(ctx) })
	return func() {
		cancel()
		m.running.Wait()
		m.mu.Lock() // the loops go on turning
		m.repairs, m.look, m.hints = nil, false, nil
		select {
		case <-m.looked:
		default:
		}
		m.mu.Unlock()
	}
}

func (m *mender) run(ctx context.Context) {
	var pause <-chan time.Time // before the next look
	looking := false
	for {
		select {
		case <-ctx.Done():
			return
		case <-m.signal:
		case <-m.looked:
			looking = false
		case <-pause:
			pause, looking = nil, true
			m.running.Go(func() {
				m.fleet.follow(ctx)
				m.looked <- struct{}{}
			})
		}
		m.mu.Lock()
		repairs := m.repairs
		m.repairs = nil
		if m.look && !looking && pause == nil && m.fleet.cluster != nil {
			m.look = false
			pause = time.After(m.fleet.cluster.untilNextLook())
		}
		m.mu.Unlock()
		for _, r := range repairs {
			m.running.Go(func() { m.repair(ctx, r) })
		}
	}
}

// repair makes one connection again, however often it takes, unless that is
// beyond the bounds of givesUp.
func (m *mender) repair(ctx context.Context, r repair) {
	made := false // meanwhile, in another way
	first := 0
	r.w.loop.Do(func() {
		if made = r.l.up; !made {
			r.w.drop(r.l)
			first = r.l.fruitless
		}
	})
	if made {
		return
	}
	started := time.Now()
	var refused time.Time // since when the errors are final; zero = the last was not
	for attempt := first; ; attempt++ {
		if !m.pauseBefore(ctx, attempt) || !m.stillWanted(r) {
			return
		}
		nc, err := m.dial(ctx, r.l.node)
		if err == nil {
			err = m.deliver(r, nc)
		}
		if err == nil || ctx.Err() != nil {
			return
		}
		switch final := conn.Final(err); {
		case !final:
			refused = time.Time{}
		case refused.IsZero():
			refused = time.Now()
		}
		m.tell(err)
		switch {
		case m.givesUp(started, refused):
			r.w.loop.Do(func() { r.w.forsake(r.l, err) })
			return
		case m.fleet.cluster != nil:
			m.lookAgain("")
		}
	}
}

// givesUp tells whether a connection that has been tried since started is tried
// no more: with Reconnect only if the errors have been final for long enough
// that it is no server that is still being set up.
func (m *mender) givesUp(started, refused time.Time) bool {
	patience := m.fleet.cfg.Dialer.Patience()
	if !m.fleet.cfg.Reconnect {
		return time.Since(started) >= patience
	}
	return !refused.IsZero() && time.Since(refused) >= patience
}

// tell tells the user why connections are not back yet, each reason once.
func (m *mender) tell(err error) {
	text := err.Error()
	m.mu.Lock()
	m.failed = err
	known := m.told[text] || len(m.told) >= remarksOfOne
	if !known {
		m.told[text] = true
	}
	m.mu.Unlock()
	switch {
	case known:
	case conn.Final(err):
		m.fleet.cfg.remark(fmt.Sprintf("a connection is refused, and given up if that lasts for %v: %s", m.fleet.cfg.Dialer.Patience(), text))
	default:
		m.fleet.cfg.remark("a connection is not back yet: " + text)
	}
}

// lastError is why connections are not back.
func (m *mender) lastError() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.failed
}

// dial makes a connection, when fewer than dialsAtOnce are being made.
func (m *mender) dial(ctx context.Context, node int) (dialled, error) {
	select {
	case m.dials <- struct{}{}:
		defer func() { <-m.dials }()
	case <-ctx.Done():
		return dialled{}, ctx.Err()
	}
	return m.fleet.dialAgain(ctx, node)
}

// pauseBefore waits before an attempt; false means that ctx has ended. The
// times are spread, so that a server that comes back is not met by all
// clients at once.
func (m *mender) pauseBefore(ctx context.Context, attempt int) bool {
	if attempt == 0 {
		return ctx.Err() == nil
	}
	wait := min(firstBackoff<<min(attempt-1, 10), lastBackoff)
	return sleep(ctx, time.Duration(float64(wait)*(0.5+0.5*rand.Float64())))
}

// stillWanted tells whether the node of a connection still serves something.
func (m *mender) stillWanted(r repair) (wanted bool) {
	r.w.loop.Do(func() { wanted = r.l.wanted })
	return wanted
}

// takeHints makes the nodes that redirections named, and that the topology does
// not tell yet, known.
func (m *mender) takeHints(c *cluster) {
	m.mu.Lock()
	hints := m.hints
	m.hints = nil
	m.mu.Unlock()
	for _, address := range hints {
		c.meet(address)
	}
}

// deliver gives a connection to its client, who goes on with it.
func (m *mender) deliver(r repair, nc dialled) (err error) {
	r.w.loop.Do(func() {
		if !r.l.wanted || r.l.up {
			nc.Close()
			return
		}
		if err = r.w.attach(r.l, nc); err == nil {
			r.w.revive(r.l, int64(nc.took))
		}
	})
	return err
}

// revive lets a client go on that has a connection again, the making of which
// took so many nanoseconds. Call it inside Loop.Do.
func (w *worker) revive(l *link, took int64) {
	cl := l.client
	w.now = clock.Now()
	w.rec.reconnected(took)
	w.well(l)
	cl.retryNow()
	w.carryOn(cl, nil)
	if w.table != nil {
		w.rearm(cl)
	}
}

// release forgets a link to a node that serves nothing any more. Call it
// inside Loop.Do.
func (w *worker) release(l *link) {
	l.wanted = false
	w.well(l)
	if l.Conn != nil && l.Inflight() == 0 && len(l.outbox) == 0 {
		w.drop(l)
	}
}

// dialer is the one for connections to a node.
func (f *fleet) dialer(node int) conn.Dialer {
	if f.cluster == nil {
		return f.cfg.Dialer
	}
	return f.cluster.dialer(node)
}
