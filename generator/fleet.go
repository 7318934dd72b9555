package generator

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/internal/clock"
	"github.com/respbench/respbench/report"
)

// dialsAtOnce bounds how many connections are being made at a time: below any
// server's accept backlog.
const dialsAtOnce = 64

// fleet is the event loops of a run and their clients, which are dealt to the
// loops in turn.
type fleet struct {
	cfg     Config
	workers []*worker
	size    int      // clients
	cluster *cluster // nil of a single server
	mend    *mender
	policy  faultPolicy
}

// newFleet starts the event loops, still without clients.
func newFleet(cfg Config, c *cluster) (*fleet, error) {
	f := &fleet{cfg: cfg, cluster: c}
	f.mend = newMender(f)
	f.policy = policyOf(&cfg)
	for i := range cfg.Threads {
		w := &worker{
			number: i, of: cfg.Threads, rec: newLedger(&cfg), spare: newLedger(&cfg),
			faults: f.policy, mend: f.mend, ring: cfg.window(), phaseState: phaseState{finished: true},
		}
		if c != nil {
			w.places, w.ring = c.places, 2*cfg.window() // each may need an ASKING
			w.setRoutes(c.routes)
		}
		if cfg.ties() != nil {
			w.ring = 2 * cfg.window() // each may need a SELECT
		}
		o := conn.LoopOptions{Engine: cfg.Engine}
		if n := len(cfg.Cores); n > 0 {
			o.Pin, o.CPU = true, cfg.Cores[i%n]
		}
		loop, err := conn.NewLoop(w, o)
		if err != nil {
			f.close()
			return nil, err
		}
		w.loop = loop
		f.workers = append(f.workers, w)
	}
	return f, nil
}

func (f *fleet) close() {
	for _, w := range f.workers {
		w.loop.Close()
	}
}

// nodes are the numbers of those that every client has a link to.
func (f *fleet) nodes() []int {
	if f.cluster == nil {
		return []int{0}
	}
	return f.cluster.wanted()
}

// grow makes clients until there are n. If it fails, those that were made
// stay.
func (f *fleet) grow(ctx context.Context, n int) error {
	if n <= f.size {
		return nil
	}
	nodes := f.nodes()
	if err := conn.NeedFiles(n * len(nodes)); err != nil {
		return err
	}
	clients, err := f.dial(ctx, n-f.size, nodes)
	for i, links := range clients {
		if addErr := f.addClient(links); addErr != nil {
			for _, rest := range clients[i+1:] {
				hangUp(rest)
			}
			return addErr
		}
	}
	if err != nil && n > 1 {
		return fmt.Errorf("%d of %d connections made: %w", f.size, n, err)
	}
	return err
}

// addClient gives a client with these connections to the loop whose turn it is.
func (f *fleet) addClient(links []dialled) (err error) {
	w := f.workers[f.size%len(f.workers)]
	w.loop.Do(func() {
		cl := &client{id: len(w.clients)}
		for _, nc := range links {
			if err = w.attach(cl.link(nc.node), nc); err != nil {
				return
			}
			cl.links[nc.node].wanted = true
		}
		w.clients = append(w.clients, cl)
	})
	if err == nil {
		f.size++
	}
	return err
}

// dial makes a connection to each of the nodes for n clients, several at a
// time, and returns them by client. On an error those are the clients that have
// all of theirs.
func (f *fleet) dial(ctx context.Context, n int, nodes []int) ([][]dialled, error) {
	byNode := make([][]dialled, len(nodes))
	made := make([]atomic.Int64, len(nodes))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(dialsAtOnce)
	for k := range nodes {
		byNode[k] = make([]dialled, n)
	}
	for i := range n * len(nodes) {
		if ctx.Err() != nil {
			break
		}
		k := i % len(nodes)
		g.Go(func() error {
			nc, err := f.dialOne(ctx, nodes[k])
			if err == nil {
				byNode[k][made[k].Add(1)-1] = nc
			}
			return err
		})
	}
	err := g.Wait()
	for k := range nodes {
		byNode[k] = byNode[k][:made[k].Load()]
	}
	clients, rest := deal(byNode)
	hangUp(rest)
	return clients, err
}

// dialOne makes a connection to a node.
func (f *fleet) dialOne(ctx context.Context, node int) (dialled, error) {
	return f.dialBy(ctx, f.dialer(node), node)
}

func (f *fleet) dialBy(ctx context.Context, d conn.Dialer, node int) (dialled, error) {
	start := clock.Now()
	nc, err := d.Dial(ctx)
	if err != nil && f.cluster != nil {
		err = f.cluster.blame(node, err)
	}
	return dialled{nc, node, d.ReadOnly, time.Duration(clock.Now() - start)}, err
}

// deal gives every client a connection to each node, and returns what is left over
// of some nodes apart.
func deal(byNode [][]dialled) (clients [][]dialled, rest []dialled) {
	least := len(byNode[0])
	for _, made := range byNode {
		least = min(least, len(made))
	}
	clients = make([][]dialled, least)
	for _, made := range byNode {
		for i := range clients {
			clients[i] = append(clients[i], made[i])
		}
		rest = append(rest, made[least:]...)
	}
	return clients, rest
}

// hangUp closes connections that no client has taken.
func hangUp(list []dialled) {
	for _, nc := range list {
		nc.Close()
	}
}

// shrink closes clients until n are left.
func (f *fleet) shrink(n int) {
	for ; f.size > n; f.size-- {
		w := f.workers[(f.size-1)%len(f.workers)]
		w.loop.Do(func() {
			last := len(w.clients) - 1
			for _, l := range w.clients[last].links {
				if l != nil {
					l.wanted = false
					w.drop(l)
				}
			}
			w.clients = w.clients[:last]
		})
	}
}

// renew replaces the connections that broke, or that still owe a reply, so
// that nothing of an earlier phase reaches the next one. Where connections are
// made again during a phase, those that cannot be made now are left to it. It
// returns how long each took, in nanoseconds.
func (f *fleet) renew(ctx context.Context) (took []int64, err error) {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(dialsAtOnce)
	var mu sync.Mutex
	for _, w := range f.workers {
		for _, l := range w.stale() {
			g.Go(func() error {
				dial := f.dialOne
				if f.cfg.Reconnect {
					dial = f.dialAgain
				}
				nc, err := dial(ctx, l.node)
				if err == nil {
					w.loop.Do(func() { err = w.attach(l, nc) })
				}
				if err == nil {
					mu.Lock()
					took = append(took, int64(nc.took))
					mu.Unlock()
				}
				if err == nil || f.cfg.Reconnect && ctx.Err() == nil {
					return nil
				}
				return fmt.Errorf("a connection was lost and could not be made again: %w", err)
			})
		}
	}
	err = g.Wait()
	return took, err
}

// dialAgain is dialOne where there has been a connection before: a server that
// keeps silent is tried again rather than waited for.
func (f *fleet) dialAgain(ctx context.Context, node int) (dialled, error) {
	d := f.dialer(node)
	if d.Timeout == 0 {
		d.Timeout = remakeTimeout
	}
	return f.dialBy(ctx, d, node)
}

// stale closes what must not go on into another phase, and lists the links
// that have no connection and need one.
func (w *worker) stale() (list []*link) {
	w.loop.Do(func() {
		w.each(func(l *link) {
			if l.Conn != nil && (!l.wanted || !l.up || l.Inflight() > 0) {
				w.drop(l)
			}
			if l.wanted && l.Conn == nil {
				list = append(list, l)
			}
		})
	})
	return list
}

// connect sums up the connections that worked in the last phase.
func (f *fleet) connect() report.Connect {
	var sum report.Connect
	for _, w := range f.workers {
		w.loop.Do(func() {
			w.each(func(l *link) {
				if l.worked || f.cfg.Idle && l.Conn != nil {
					sum.Count++
					sum.AvgNs += l.connectNs
					sum.MaxNs = max(sum.MaxNs, l.connectNs)
				}
			})
		})
	}
	if sum.Count > 0 {
		sum.AvgNs /= sum.Count
	}
	return sum
}
