package suite

import (
	"time"

	"github.com/respbench/respbench/report"
)

// clock knows how long a suite still takes. What is measured takes the
// time it was given, or less where it ends after a number of requests; how fast
// data sets are filled is learnt on the way.
type clock struct {
	runs, done int // of tests, on all targets and in all rounds

	measure   time.Duration // still to be measured, without the present test
	requests  int64         // still to be loaded, without the present data set
	measuring time.Duration // of the present test
	counted   int64         // requests after which the present test ends; 0 = none
	loading   int64         // of the present test, not loaded yet

	loaded   int64         // so far
	loadTime time.Duration // that this has taken
}

// firstLoadRate is what filling is thought to do before any has been seen, in
// requests a second.
const firstLoadRate = 200_000

// newClock is for tests that are each run so many times.
func newClock(tests []plannedTest, times int) clock {
	c := clock{runs: len(tests) * times}
	for i := range tests {
		c.measure += tests[i].expected() * time.Duration(times)
		c.requests += tests[i].loads() * int64(times)
	}
	return c
}

// expected is how long the test is thought to be measured.
func (t *plannedTest) expected() time.Duration {
	if t.count > 0 {
		return min(t.duration(), time.Duration(float64(t.count)/firstLoadRate*float64(time.Second)))
	}
	return t.duration()
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
func (c *clock) begin(t *plannedTest) {
	c.measuring, c.counted, c.loading = t.expected(), t.count, t.loads()
	c.measure -= c.measuring
	c.requests -= c.loading
}

// end says that the present test is over.
func (c *clock) end() { c.done++ }

// filled says that a data set has been filled.
func (c *clock) filled(r *report.Result) {
	c.loading -= r.Requests.Sent
	c.loaded += r.Requests.Sent
	c.loadTime += time.Duration(r.WindowNs)
}

// left is how long the suite still takes, from the state of the present run.
func (c *clock) left(s report.Snapshot) time.Duration {
	loading, measuring := c.loading, c.measuring
	if s.Phase == "loading" {
		loading -= s.Done
	} else {
		loading = 0
		if s.Phase == "measuring" {
			measuring -= s.Elapsed
		}
		if s.Phase == "measuring" && c.counted > 0 && s.Done > 0 {
			measuring = time.Duration(float64(s.Elapsed) / float64(s.Done) * float64(max(0, c.counted-s.Done)))
		}
	}
	perSecond := float64(firstLoadRate)
	if c.loaded > 0 && c.loadTime > 0 {
		perSecond = float64(c.loaded) / c.loadTime.Seconds()
	}
	filling := time.Duration(float64(max(0, c.requests+loading)) / perSecond * float64(time.Second))
	return filling + max(0, measuring) + c.measure
}
