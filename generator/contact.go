package generator

import (
	"context"
	"errors"
	"fmt"
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
// long as cfg says.
func meet(ctx context.Context, cfg *Config) (*conn.Client, error) {
	contact := contactOf(cfg.Dialer)
	deadline := time.Now().Add(cfg.Wait)
	told := false
	for {
		side, err := contact.Client(ctx)
		if err == nil && cfg.Wait > 0 {
			if err = ready(ctx, side); err != nil {
				side.Close()
			}
		}
		var refused *conn.RefusedError
		switch final := errors.As(err, &refused) && !loading(err); {
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
