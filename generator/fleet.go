package generator

import (
	"context"
	"fmt"
	"net"
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

// fleet is the event loops of a run and their connections, which are dealt to
// the loops in turn.
type fleet struct {
	cfg     Config
	workers []*worker
	size    int // connections
}

// newFleet starts the event loops, still without connections.
func newFleet(cfg Config) (*fleet, error) {
	f := &fleet{cfg: cfg}
	for i := range cfg.Threads {
		w := &worker{number: i, of: cfg.Threads, rec: newLedger(&cfg), spare: newLedger(&cfg)}
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

// grow makes connections until there are n. If it fails, those that were made
// stay.
func (f *fleet) grow(ctx context.Context, n int) error {
	if n <= f.size {
		return nil
	}
	if err := conn.NeedFiles(n); err != nil {
		return err
	}
	links, err := f.dial(ctx, n-f.size)
	for _, l := range links {
		w := f.workers[f.size%len(f.workers)]
		addErr := w.add(l, f.cfg.window(), len(w.conns))
		if addErr != nil {
			return addErr
		}
		f.size++
	}
	if err != nil && n > 1 {
		return fmt.Errorf("%d of %d connections made: %w", f.size, n, err)
	}
	return err
}

// dialled is a connection that has finished its handshake.
type dialled struct {
	net.Conn
	took time.Duration
}

// dial makes n connections, several at a time; on an error it returns those
// that were made.
func (f *fleet) dial(ctx context.Context, n int) ([]dialled, error) {
	made := make([]dialled, n)
	var count atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(dialsAtOnce)
	for range n {
		if ctx.Err() != nil {
			break
		}
		g.Go(func() error {
			start := clock.Now()
			nc, err := f.cfg.Dialer.Dial(ctx)
			if err != nil {
				return err
			}
			made[count.Add(1)-1] = dialled{nc, time.Duration(clock.Now() - start)}
			return nil
		})
	}
	err := g.Wait()
	return made[:count.Load()], err
}

// add gives a connection to the worker's loop, as number id.
func (w *worker) add(l dialled, window, id int) (err error) {
	w.loop.Do(func() {
		var c *conn.Conn
		if c, err = w.loop.Add(l.Conn, window); err != nil {
			return
		}
		c.ID = id
		m := &member{Conn: c, connectNs: int64(l.took)}
		if id == len(w.conns) {
			w.conns = append(w.conns, m)
		} else {
			w.conns[id] = m
		}
	})
	return err
}

// shrink closes connections until n are left.
func (f *fleet) shrink(n int) {
	for ; f.size > n; f.size-- {
		w := f.workers[(f.size-1)%len(f.workers)]
		w.loop.Do(func() {
			last := len(w.conns) - 1
			w.loop.Drop(w.conns[last].Conn)
			w.conns = w.conns[:last]
		})
	}
}

// renew replaces the connections that broke, or that still owe a reply, so
// that nothing of an earlier phase reaches the next one.
func (f *fleet) renew(ctx context.Context) error {
	for _, w := range f.workers {
		for id, m := range w.conns {
			stale := false
			w.loop.Do(func() {
				if stale = m.broken || m.Inflight() > 0; stale {
					w.loop.Drop(m.Conn)
				}
			})
			if !stale {
				continue
			}
			links, err := f.dial(ctx, 1)
			if err != nil {
				return fmt.Errorf("a connection was lost and could not be made again: %w", err)
			}
			if err := w.add(links[0], f.cfg.window(), id); err != nil {
				return err
			}
		}
		w.broken, w.brokeErr, w.brokeAt = 0, nil, 0
	}
	return nil
}

// connect sums up the connections that worked in the last phase.
func (f *fleet) connect() report.Connect {
	var sum report.Connect
	for _, w := range f.workers {
		w.loop.Do(func() {
			for _, m := range w.conns {
				if m.worked {
					sum.Count++
					sum.AvgNs += m.connectNs
					sum.MaxNs = max(sum.MaxNs, m.connectNs)
				}
			}
		})
	}
	if sum.Count > 0 {
		sum.AvgNs /= sum.Count
	}
	return sum
}
