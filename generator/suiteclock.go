package generator

import (
	"time"

	"github.com/respbench/respbench/report"
)

// suiteClock knows how long a suite still takes. What is measured takes the
// time it was given; how fast data sets are filled is learnt on the way.
type suiteClock struct {
	runs, done int // of tests, on all targets and in all rounds

	measure   time.Duration // still to be measured, without the present test
	requests  int64         // still to be loaded, without the present data set
	measuring time.Duration // of the present test
	loading   int64         // of the present test, not loaded yet

	loaded   int64         // so far
	loadTime time.Duration // that this has taken
}

// firstLoadRate is what filling is thought to do before any has been seen, in
// requests a second.
const firstLoadRate = 200_000

// newSuiteClock is for tests that are each run so many times.
func newSuiteClock(tests []plannedTest, times int) suiteClock {
	c := suiteClock{runs: len(tests) * times}
	for i := range tests {
		c.measure += tests[i].duration() * time.Duration(times)
		c.requests += tests[i].loads() * int64(times)
	}
	return c
}

// loads is how many requests fill the data sets of a test.
func (t *plannedTest) loads() int64 {
	var n int64
	for _, l := range t.preload {
		n += l.requests
	}
	return n
}

// begin says which test comes now.
func (c *suiteClock) begin(t *plannedTest) {
	c.measuring, c.loading = t.duration(), t.loads()
	c.measure -= c.measuring
	c.requests -= c.loading
}

// end says that the present test is over.
func (c *suiteClock) end() { c.done++ }

// filled says that a data set has been filled.
func (c *suiteClock) filled(r *report.Result) {
	c.loading -= r.Requests.Sent
	c.loaded += r.Requests.Sent
	c.loadTime += time.Duration(r.WindowNs)
}

// left is how long the suite still takes, from the state of the present run.
func (c *suiteClock) left(s report.Snapshot) time.Duration {
	loading, measuring := c.loading, c.measuring
	if s.Phase == "loading" {
		loading -= s.Done
	} else {
		loading = 0
		if s.Phase == "measuring" {
			measuring -= s.Elapsed
		}
	}
	perSecond := float64(firstLoadRate)
	if c.loaded > 0 && c.loadTime > 0 {
		perSecond = float64(c.loaded) / c.loadTime.Seconds()
	}
	filling := time.Duration(float64(max(0, c.requests+loading)) / perSecond * float64(time.Second))
	return filling + max(0, measuring) + c.measure
}
