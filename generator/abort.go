package generator

import (
	"fmt"
	"time"

	"github.com/respbench/respbench/internal/clock"
	"github.com/respbench/respbench/report"
)

// abortAfter is from when on a run may be ended by its own figures: the first
// moments, with cold caches and few samples, are no ground for that.
const abortAfter = time.Second

// abortError ends a phase whose figures met a condition to do so.
type abortError struct{ report.Abort }

func (e *abortError) Error() string { return "ended early: " + e.String() }

// aborted is the first condition that what was gathered so far meets, or nil.
func (g *gatherer) aborted() error {
	now := clock.Now()
	if len(g.phase.abortIf) == 0 || now-g.started < int64(abortAfter) {
		return nil
	}
	sum := g.out.total
	t := &tally{
		latency: sum.Recorder, service: sum.service,
		ratePerSec: float64(sum.Succeeded()) / (float64(now-g.started) / 1e9),
		requests:   report.Requests{Sent: sum.Sent, Succeeded: sum.Succeeded(), Failed: sum.Failed(), Lost: sum.Lost},
	}
	for _, o := range g.phase.abortIf {
		if value, ok := o.measure(t); ok && o.allows(value) {
			return &abortError{report.Abort{Text: o.text, Measured: value, Unit: o.unit, AtNs: now - sum.FirstSentNs}}
		}
	}
	return nil
}

// checkConditions explains the first objective, or condition to end early,
// that does not fit the run.
func (c *Config) checkConditions() error {
	for _, o := range c.Objectives {
		if err := o.fits(c); err != nil {
			return err
		}
	}
	for _, o := range c.AbortIf {
		if err := o.fits(c); err != nil {
			return err
		}
		if o.figure == unanswered {
			return fmt.Errorf("objective %q: which requests stay unanswered is only known at the end; it cannot end a run early", o.text)
		}
	}
	return nil
}
