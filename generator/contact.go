package generator

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/respbench/respbench/conn"
)

const (
	// firstContact bounds the first connection of a run, so that a wrong
	// address is known within a second, unless the Dialer states a bound. Later
	// ones, which a busy server may be slow to accept, have the Dialer's own.
	firstContact = time.Second

	// knockEvery is the time between two attempts to reach a server that is
	// waited for.
	knockEvery = 100 * time.Millisecond
)

// contactOf is d for a first connection.
func contactOf(d conn.Dialer) conn.Dialer {
	if d.Timeout == 0 {
		d.Timeout = firstContact
	}
	return d
}

// meet makes the first connection, on which the server is asked about itself.
// A server that cannot be reached, or that loads its data, is waited for as
// long as cfg says, and so are the nodes of a cluster.
func meet(ctx context.Context, cfg *Config) (*conn.Client, error) {
	contact := contactOf(cfg.Dialer)
	deadline := time.Now().Add(cfg.Wait)
	told := false
	for {
		side, err := contact.Client(ctx)
		if err == nil && cfg.Wait > 0 {
			if err = allReady(ctx, side, cfg); err != nil {
				side.Close()
			}
		}
		switch final := isFinal(err); {
		case err == nil:
			return side, nil
		case final || ctx.Err() != nil || cfg.Wait == 0:
			return nil, err
		case time.Now().After(deadline):
			return nil, fmt.Errorf("%w (waited %v)", err, cfg.Wait)
		}
		if !told {
			told = true
			cfg.remark(fmt.Sprintf("waiting up to %v for the server: %v", cfg.Wait, err))
		}
		if !sleep(ctx, knockEvery) {
			return nil, err
		}
	}
}

// isFinal tells whether waiting would not help: the server answers, and refuses
// the login, or is no cluster.
func isFinal(err error) bool {
	var refused *conn.RefusedError
	var alone *conn.NoClusterError
	return errors.As(err, &refused) && !loading(err) || errors.As(err, &alone)
}

// allReady asks whether the server serves, and of a cluster every node that the
// load needs.
func allReady(ctx context.Context, side *conn.Client, cfg *Config) error {
	if err := ready(ctx, side); err != nil || !cfg.Cluster {
		return err
	}
	c, err := survey(ctx, side, cfg)
	if err != nil {
		return err
	}
	for _, k := range c.wanted() {
		d := contactOf(c.dialer(k))
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
	if err := ready(ctx, node); err != nil {
		return err
	}
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
func ready(ctx context.Context, side *conn.Client) error {
	_, err := side.Do(ctx, "PING")
	if loading(err) {
		return err
	}
	if conn.ErrorCode(err) != "" { // what is not permitted is served all the same
		return nil
	}
	return err
}

// loading tells whether a server says that it does not serve yet.
func loading(err error) bool {
	code := conn.ErrorCode(err)
	return code == "LOADING" || code == "MASTERDOWN"
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
