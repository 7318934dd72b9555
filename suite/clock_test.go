package suite

import (
	"testing"
	"time"

	"github.com/respbench/respbench/report"
)

// TestSuiteClockOfACount: a test that ends after a number of requests is not
// thought to take all its time.
func TestSuiteClockOfACount(t *testing.T) {
	t.Parallel()
	tests := []plannedTest{{count: 1_000_000, load: Load{Duration: time.Hour}}, {load: Load{Duration: 20 * time.Second}}}
	c := newClock(tests, 1)
	if left := c.left(report.Snapshot{}); left != 25*time.Second {
		t.Errorf("%v before it begins", left)
	}
	c.begin(&tests[0])
	if left := c.left(report.Snapshot{Phase: "measuring", Elapsed: 10 * time.Second, Done: 250_000}); left != 50*time.Second {
		t.Errorf("%v after a quarter in 10 s", left)
	}
}
