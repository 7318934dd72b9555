package generator

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/respbench/respbench/report"
)

const (
	trialRequests = 200              // of the first part of a trial
	trialWork     = int64(trialTime) // ns of work that a trial may leave a slow server with
	climbSteps    = 9                // about so many up to what a closed loop reached
	leastInStep   = 10               // requests, where the rate is not given
	beyondClosed  = 10               // how far above a closed loop's rate a search may go
	leastGrow     = 1.1              // between two steps of the climb
	mostGrow      = 2.0              // likewise
	descent       = 16               // how far below its first step a search may go
	maxGrowSteps  = float64(maxLevels) - 2
)

// Validate explains the first thing that is wrong, before anything is dialled.
func (c SweepConfig) Validate() error {
	_, err := c.resolve()
	return err
}

// resolve checks c and fills in what its zero values stand for, except bounds
// that a trial finds.
func (c SweepConfig) resolve() (SweepConfig, error) {
	if c.By == "" {
		c.By = report.ByRate
	}
	if c.Step.Duration == 0 {
		c.Step.Duration = defaultStep
	}
	switch s := &c.Step; {
	case c.By != report.ByRate && c.By != report.ByConnections:
		return c, fmt.Errorf("sweep by %q: known are %s and %s", c.By, report.ByRate, report.ByConnections)
	case s.Rate != 0 || s.Requests != 0 || s.Load || len(s.Objectives)+len(s.AbortIf) > 0:
		return c, fmt.Errorf("sweep: rate, requests, load, objectives and conditions to end early are not for its steps")
	case c.By == report.ByConnections && s.Connections != 0:
		return c, fmt.Errorf("sweep by connections: it raises the connections itself; bound them by from and to")
	}
	if err := c.checkBounds(); err != nil {
		return c, err
	}
	if o := c.Objective; o != nil && (o.figure == throughput || o.compare[0] != '<') {
		return c, fmt.Errorf("objective %q: a sweep looks for the highest load that holds it, so it must be an upper bound on a latency or on errors, as p99<1ms", o.text)
	}
	c.withP99()
	return c, c.checkSteps()
}

func (c *SweepConfig) checkBounds() error {
	most := float64(maxRate)
	if c.By == report.ByConnections {
		most = maxConnections
	}
	for _, b := range [...]struct {
		name string
		at   float64
	}{{"from", c.From}, {"to", c.To}} {
		switch whole := b.at == math.Trunc(b.at); {
		case !(b.at >= 0 && b.at <= most):
			return fmt.Errorf("sweep: %s %v is not above 0 and up to %v", b.name, b.at, most)
		case c.By == report.ByConnections && !whole:
			return fmt.Errorf("sweep by connections: %s %v is not a whole number", b.name, b.at)
		}
	}
	if c.From > 0 && c.To > 0 && c.From > c.To {
		return fmt.Errorf("sweep: from %v is above to %v", c.From, c.To)
	}
	return nil
}

// withP99 adds p99, which makes the curve, to the percentiles asked for.
func (c *SweepConfig) withP99() {
	if p := c.Step.Percentiles; len(p) > 0 && !slices.Contains(p, 99) {
		c.Step.Percentiles = append(slices.Clone(p), 99)
		slices.Sort(c.Step.Percentiles)
	}
}

// checkSteps checks the largest step that the bounds allow.
func (c *SweepConfig) checkSteps() error {
	largest := sweep{cfg: *c}
	at := max(c.To, c.From, 1)
	return largest.step(at).Validate()
}

// bounds finds where to start and to end, and how large the steps are.
func (s *sweep) bounds(ctx context.Context) error {
	c := &s.cfg
	s.search = search{from: c.From, to: c.To, narrow: c.By == report.ByRate || c.Objective != nil}
	if c.By == report.ByConnections {
		s.search.connections()
	} else {
		closed := 0.0
		if c.From == 0 || c.To == 0 {
			var err error
			if closed, err = s.trial(ctx); err != nil {
				return err
			}
		}
		s.search.rates(closed, c.Step.Duration.Seconds())
	}
	s.result.Sweep.From, s.result.Sweep.To = s.search.from, s.search.to
	return nil
}

// connections completes a search by connections.
func (s *search) connections() {
	s.whole, s.grow = true, mostGrow
	if s.lowest = s.from; s.from == 0 {
		s.from, s.lowest = 1, 1
		if s.to > 0 {
			s.from = min(s.from, s.to)
		}
	}
	if s.to == 0 {
		s.to = max(maxSweptConn, s.from)
	}
}

// rates completes a search by rate. closed is what a closed loop reached, and
// is not needed where both bounds are given.
func (s *search) rates(closed, stepSeconds float64) {
	s.lowest = s.from
	if s.from == 0 {
		s.from = min(max(closed/10, leastInStep/stepSeconds), closed/2)
		if s.to > 0 {
			s.from = min(s.from, s.to/10)
		}
		s.from = s.round(min(s.from, maxRate))
		s.lowest = s.round(max(s.from/descent, min(s.from, leastInStep/stepSeconds)))
	}
	if s.to == 0 {
		s.to = s.round(min(max(beyondClosed*closed, 4*s.from), maxRate))
	}
	target := s.to
	if closed > 0 {
		target = min(target, 1.25*closed)
	}
	s.grow = math.Pow(target/s.from, 1.0/climbSteps)
	s.grow = min(max(s.grow, leastGrow), mostGrow)
	s.grow = max(s.grow, math.Pow(s.to/s.from, 1/maxGrowSteps))
}

// trial is about how much a closed loop reaches, in requests a second: first
// with one connection, then with as many as do not leave a slow server with a
// long queue.
func (s *sweep) trial(ctx context.Context) (float64, error) {
	c := s.cfg.Step
	most := c.Connections
	if most == 0 {
		most = 50
	}
	c.Pipeline, c.Warmup = 0, 0
	c.OnProgress = s.named("trial")
	c.Connections, c.Requests = 1, int64(trialRequests*c.Templates[0].Program.Commands())
	one, err := runTrial(ctx, c)
	if err != nil {
		return 0, err
	}
	best := report.SweepTrial{Connections: 1, RatePerSec: one.RatePerSec}
	if n := min(most, int(trialWork/max(1, one.Latency.AvgNs))); n > 1 {
		c.Connections, c.Requests, c.Duration = n, 0, trialTime
		many, err := runTrial(ctx, c)
		if err != nil {
			return 0, err
		}
		if many.RatePerSec > best.RatePerSec {
			best = report.SweepTrial{Connections: n, RatePerSec: many.RatePerSec}
		}
	}
	s.result.Sweep.Trial = &best
	return best.RatePerSec, nil
}

// runTrial wants at least one success.
func runTrial(ctx context.Context, c Config) (*report.Result, error) {
	r, err := Run(ctx, c)
	switch {
	case err != nil:
		return nil, err
	case r.Interrupted != "":
		return nil, context.Cause(ctx)
	case r.Latency == nil:
		return nil, fmt.Errorf("sweep: a trial of %v brought no reply; make steps longer, or state both bounds", c.Duration)
	}
	return r, nil
}
