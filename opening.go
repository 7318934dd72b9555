package main

import "context"

// opening opens, or reads, a file that the command line names; nothing else may
// do so. It may be a pipe, for which opening and reading wait until somebody
// writes into it; ctx ends that, with its cause. The goroutine that waits is then
// left behind: nothing wakes it.
func opening[T any](ctx context.Context, open func() (T, error)) (T, error) {
	type result struct {
		opened T
		err    error
	}
	done := make(chan result, 1)
	go func() {
		opened, err := open()
		done <- result{opened, err}
	}()
	select {
	case r := <-done:
		return r.opened, r.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}
