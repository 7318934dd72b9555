package generator

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/respbench/respbench/conn"
)

const (
	// knockEvery is the time between two attempts to reach a server that is
	// waited for.
	knockEvery = 100 * time.Millisecond

	// remarksOfOne bounds how many reasons to wait for a server are told.
	remarksOfOne = 10

	// theServer is what the only one is called.
	theServer = "the server"
)

// Waiter waits for servers at the start, for all of them together no longer
// than it was told. It is how every run, suite and sweep meets its servers.
type Waiter struct {
	total    time.Duration // 0 does not wait
	deadline time.Time
	remark   func(string) // may be nil
}

// NewWaiter starts the time of a Waiter; a total of 0 does not wait. remark,
// which may be nil, is told what is waited for.
func NewWaiter(total time.Duration, remark func(string)) *Waiter {
	return &Waiter{total, time.Now().Add(total), remark}
}

// meet makes the first connection to the server of cfg, on which it is asked
// about itself. A server that cannot be reached, or that loads its data, is
// waited for, and so are the nodes of a cluster. Every reason for that is told
// once, with what the server is called.
func (w *Waiter) meet(ctx context.Context, cfg *Config, called string) (*conn.Client, error) {
	contact := cfg.Dialer.FirstContact()
	told := map[string]bool{}
	for {
		side, err := contact.Client(ctx)
		if err == nil && w.total > 0 {
			if err = allReady(ctx, side, cfg); err != nil {
				side.Close()
			}
		}
		switch {
		case err == nil:
			return side, nil
		case conn.Final(err) || ctx.Err() != nil || w.total == 0:
			return nil, err
		case time.Now().After(w.deadline):
			return nil, fmt.Errorf("%w (waited %v)", err, w.total)
		}
		if text := err.Error(); !told[text] && w.remark != nil && len(told) < remarksOfOne {
			told[text] = true
			w.remark(fmt.Sprintf("waiting up to %v for %s: %s", w.total, called, text))
		}
		if !sleep(ctx, knockEvery) {
			return nil, err
		}
	}
}

// Await waits until the server of d serves, and in a cluster every node that the
// load needs. Remarks name the server as called says; "" is "the server". It
// returns at once where the Waiter does not wait, and when ctx ends its cause.
func (w *Waiter) Await(ctx context.Context, d conn.Dialer, shape ClusterShape, called string) error {
	if w.total == 0 {
		return nil
	}
	side, err := w.meet(ctx, &Config{Dialer: d, ClusterShape: shape}, cmp.Or(called, theServer))
	if err != nil {
		return causeOr(ctx, err)
	}
	side.Close()
	return nil
}

// allReady asks whether the server serves, and of a cluster every node that the
// load needs.
func allReady(ctx context.Context, side *conn.Client, cfg *Config) error {
	if err := ready(ctx, side, cfg.Dialer.Address); err != nil || !cfg.Cluster {
		return err
	}
	asking, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	c, err := survey(asking, side, cfg)
	if err != nil {
		return err
	}
	for _, k := range c.wanted() {
		d := c.dialer(k).FirstContact()
		node, err := d.Client(ctx)
		if err == nil {
			err = inService(ctx, node, d.Address)
			node.Close()
		}
		if err != nil {
			return c.blame(k, err)
		}
	}
	return nil
}

// inService asks whether a node serves, by its own word and that of its cluster.
func inService(ctx context.Context, node *conn.Client, address string) error {
	if err := ready(ctx, node, address); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	v, err := node.Do(ctx, "CLUSTER", "INFO")
	switch {
	case conn.ErrorCode(err) != "": // not permitted: the load will tell
		return nil
	case err == nil && strings.Contains(v.Str, "cluster_state:fail"):
		return fmt.Errorf("%s: the cluster is down (cluster_state:fail)", address)
	}
	return err
}

// NodeError is a connection that could not be made to a node that the cluster
// told of, rather than the user. It reads as the error that it wraps.
type NodeError struct{ err error }

func (e *NodeError) Error() string { return e.err.Error() }

func (e *NodeError) Unwrap() error { return e.err }

// blame makes err a NodeError unless the node is the one that the user named.
func (c *cluster) blame(node int, err error) error {
	if c.dialer(node).Address == c.seed.Address {
		return err
	}
	return &NodeError{err}
}

// ready asks whether the server serves.
func ready(ctx context.Context, side *conn.Client, address string) error {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	_, err := side.Do(ctx, "PING")
	if err == nil || conn.ErrorCode(err) != "" && conn.Final(err) { // what is not permitted is served all the same
		return nil
	}
	return fmt.Errorf("%s: %w", address, err)
}

// sleep waits; false means that ctx has ended.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// remark tells the user something while the run goes on.
func (c *Config) remark(text string) {
	if c.OnRemark != nil {
		c.OnRemark(text)
	}
}
