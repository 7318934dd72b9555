package generator

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/data"
	"github.com/respbench/respbench/internal/resp"
)

// A log whose rows are tied to each other goes over one connection of one
// worker, in order. Databases are selected between its commands, which counts
// as no request, and what has begun a transaction goes on to its end.

// ties is those of the log that is sent; nil where its rows are not tied, or
// there is none.
func (c *Config) ties() *data.Ties {
	if c.Log == nil || !c.Log.Tied() {
		return nil
	}
	return c.Log.Ties()
}

// checkLog refuses what would take tied rows apart.
func (c *Config) checkLog() error {
	ties := c.ties()
	switch {
	case ties == nil:
		return nil
	case c.Connections != 1 || c.remakes() || c.Cluster:
		return errors.New("log: it has transactions or several databases, which need one connection from begin to end")
	case len(c.Stages) > 0 || c.Warmup > 0 || len(c.Templates) != 1 || c.Order == Shuffled:
		return errors.New("log: it has transactions or several databases, so it is sent from its begin, in order, at one rate")
	case c.Requests == 0:
		return nil
	}
	below, above := ties.Nearest(c.Requests)
	switch {
	case below == c.Requests:
		return nil
	case below == 0:
		return fmt.Errorf("requests: %d would end inside a transaction of the log; the nearest that does not is %d", c.Requests, above)
	}
	return fmt.Errorf("requests: %d would end inside a transaction of the log; the nearest that do not are %d and %d", c.Requests, below, above)
}

// databases is those whose keys are counted.
func (c *Config) databases() []int {
	if ties := c.ties(); ties != nil && len(ties.Databases()) > 1 {
		return ties.Databases()
	}
	return []int{c.Dialer.DB}
}

// checkDatabases asks whether the server has all databases of the log.
func checkDatabases(ctx context.Context, side *conn.Client, cfg *Config) error {
	list := cfg.databases()
	if len(list) == 1 { // to which connections are made
		return nil
	}
	highest := list[len(list)-1]
	if _, err := side.Do(ctx, "SELECT", strconv.Itoa(highest)); err != nil {
		return fmt.Errorf("the log has commands for database %d: %w", highest, err)
	}
	_, err := side.Do(ctx, "SELECT", strconv.Itoa(cfg.Dialer.DB))
	return err
}

// midway tells whether the next unit belongs to a transaction that has begun.
func (w *worker) midway() bool { return w.ties != nil && w.ties.Inside() }

// renderTied appends the next unit of tied rows, behind a command that selects
// its database, if that is another one. There must be one in the lease.
func (w *worker) renderTied(dst []byte) ([]byte, planned) {
	p := planned{n: 1, index: w.lease.next}
	if db, ok := w.ties.Next(); ok {
		p.flags = flagSelect
		w.scratch = strconv.AppendInt(w.scratch[:0], int64(db), 10)
		dst = resp.AppendArrayHeader(dst, 2)
		dst = resp.AppendBulk(dst, "SELECT")
		dst = resp.AppendBulk(dst, w.scratch)
	}
	w.lease.next++
	return w.appenders[0].Append(dst, p.index), p
}

// fillTied is fillPlain of tied rows. When nothing more may be sent, that still
// is as much as ends a transaction.
func (w *worker) fillTied(dst []byte) []byte {
	for n := 0; n < w.window && (w.now < w.deadline || w.midway()) && w.renew(); n++ {
		var p planned
		dst, p = w.renderTied(dst)
		if last := len(w.planned) - 1; last >= 0 && p.flags == 0 {
			w.planned[last].n++
		} else {
			w.planned = append(w.planned, p)
		}
	}
	return dst
}

// goesOn tells whether a transaction is being ended past the deadline, and has
// come further since it was asked last.
func (g *gatherer) goesOn() (further bool) {
	for _, w := range g.fleet.workers {
		w.loop.Do(func() {
			if w.midway() && w.ended < len(w.clients) && w.lease.next > g.cameTo {
				g.cameTo, further = w.lease.next, true
			}
		})
	}
	return further
}

// cutText warns of a run that ended inside a transaction.
const cutText = "The run ended inside a transaction of the log, of which the server has done nothing."
