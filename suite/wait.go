package suite

import (
	"context"
	"fmt"
	"time"

	"github.com/respbench/respbench/generator"
)

// AwaitTargets waits until all targets, of the same shape, serve, together for
// no longer than wait, and tells remark, which may be nil, what for. It returns
// at once where wait is 0.
func AwaitTargets(ctx context.Context, targets []Target, shape generator.ClusterShape, wait time.Duration, remark func(string)) error {
	w := generator.NewWaiter(wait, remark)
	for _, t := range targets {
		called := ""
		if t.Name != "" {
			called = fmt.Sprintf("target %q", t.Name)
		}
		err := w.Await(ctx, t.Dialer, shape, called)
		if err != nil && t.Name != "" && ctx.Err() == nil {
			err = fmt.Errorf("%s: %w", called, err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
