package generator

import (
	"context"
	"fmt"
	"time"

	"github.com/respbench/respbench/report"
)

const (
	trialTime  = 400 * time.Millisecond
	trialDrain = 200 * time.Millisecond

	// maxTuned is where tuning ends: beyond it more connections only queue.
	maxTuned = 1024

	// clearly is by how much a doubling must raise the throughput to count.
	clearly = 1.05
)

// tune doubles the connections while the throughput keeps rising clearly, and
// settles on the smallest number that reaches the plateau.
func (r *run) tune(ctx context.Context) error {
	troubled := false
	for n := 1; n <= maxTuned && !plateau(r.tuning); n *= 2 {
		if err := r.fleet.grow(ctx, n); err != nil {
			if ctx.Err() != nil || len(r.tuning) == 0 {
				return err
			}
			r.remarks = append(r.remarks, fmt.Sprintf("tuning ended at %d connections: %v.", n/2, err))
			break
		}
		out, err := r.trial(ctx, "tuning", trialTime, trialDrain)
		if err != nil {
			return err
		}
		r.tuning = append(r.tuning, report.TuningStep{Connections: n, RatePerSec: out.rate()})
		troubled = troubled || len(out.outages) > 0
	}
	if troubled {
		r.remarks = append(r.remarks, "connections broke, or the cluster was down, while the number of connections was looked for: it may be wrong. Run again, or state it (-c).")
	}
	r.cfg.Connections = settled(r.tuning)
	r.fleet.shrink(r.cfg.Connections)
	return nil
}

// plateau tells whether the last two doublings brought nothing.
func plateau(steps []report.TuningStep) bool {
	if len(steps) < 3 {
		return false
	}
	best := 0.0
	for _, s := range steps[:len(steps)-2] {
		best = max(best, s.RatePerSec)
	}
	for _, s := range steps[len(steps)-2:] {
		if s.RatePerSec > best*clearly {
			return false
		}
	}
	return true
}

// settled is the smallest number of connections on the plateau.
func settled(steps []report.TuningStep) int {
	best := 0.0
	for _, s := range steps {
		best = max(best, s.RatePerSec)
	}
	for _, s := range steps {
		if s.RatePerSec*clearly >= best {
			return s.Connections
		}
	}
	return 1
}
