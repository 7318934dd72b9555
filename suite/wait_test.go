package suite

import (
	"strings"
	"testing"
	"time"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/internal/redistest"
)

// Each target is waited for by its name, and what it is waited for is said once.
func TestRunWaits(t *testing.T) {
	t.Parallel()
	there := redistest.Start(t)
	s, remark, said := redistest.Returning(t)
	r := mustSuite(t, Config{
		Suite: suiteOf(Test{Name: "ping", Template: "PING"}), Targets: []Target{at("first", there), at("second", s)},
		Wait: time.Minute, OnRemark: remark,
	})
	heard := said()
	if len(r.Tests[0].Cells) != 2 || len(heard) == 0 || !strings.HasPrefix(heard[0], `waiting up to 1m0s for target "second": cannot connect to `+s.Addr) {
		t.Errorf("%+v %q", r.Tests, heard)
	}
	once := map[string]bool{}
	for _, text := range heard {
		if once[text] {
			t.Errorf("said again: %s", text)
		}
		once[text] = true
	}
}

// The time is that of all targets together, and the one that is missing is
// named. Without waiting none of them is tried twice.
func TestWaitHasABound(t *testing.T) {
	t.Parallel()
	targets := []Target{at("up", redistest.Start(t)), {Name: "down", Dialer: conn.Dialer{Address: "127.0.0.1:1"}}}
	cfg := briefly(Config{Suite: suiteOf(Test{Name: "ping", Template: "PING"}), Targets: targets, Wait: 200 * time.Millisecond})
	if _, err := Run(t.Context(), cfg); err == nil || !strings.HasPrefix(err.Error(), `target "down": `) || !strings.HasSuffix(err.Error(), "refused (waited 200ms)") {
		t.Error(err)
	}
	cfg.Wait = -1
	if err := cfg.Validate(); err == nil || !strings.Contains(err.Error(), "wait") {
		t.Error(err)
	}
}
