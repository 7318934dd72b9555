package generator

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/internal/redistest"
)

// returning is a server that is away until it is waited for: remark is an
// OnRemark that brings it back, and said is what it has heard.
func returning(t *testing.T) (s *redistest.Server, remark func(string), said func() []string) {
	s = redistest.Start(t)
	s.Kill(t)
	var mu sync.Mutex
	var heard []string
	waiting, back := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(back)
		<-waiting
		s.Restart(t)
	}()
	remark = func(text string) {
		mu.Lock()
		defer mu.Unlock()
		if heard = append(heard, text); len(heard) == 1 {
			close(waiting)
		}
	}
	said = func() []string {
		mu.Lock()
		first := len(heard) == 0
		mu.Unlock()
		if first {
			close(waiting)
		}
		<-back
		return heard
	}
	return s, remark, said
}

func TestWaitForServer(t *testing.T) {
	t.Parallel()
	s, remark, said := returning(t)
	r := mustRun(t, s, "PING", Config{Connections: 1, Requests: 10, Wait: time.Minute, OnRemark: remark})
	if heard := said(); r.Requests.Succeeded != 10 || len(heard) == 0 || !strings.HasPrefix(heard[0], "waiting up to 1m0s for the server: cannot connect to "+s.Addr) {
		t.Errorf("%+v %q", r.Requests, heard)
	}
}

func TestSweepWaits(t *testing.T) {
	t.Parallel()
	for _, bounds := range []SweepConfig{{From: 100, To: 100}, {To: 100}} {
		s, remark, said := returning(t)
		cfg := bounds
		cfg.Step.Wait, cfg.Step.OnRemark = time.Minute, remark
		r, err := sweepOn(t, s.Addr, "PING", cfg)
		if heard := said(); err != nil || len(r.Steps) == 0 || len(heard) == 0 {
			t.Errorf("%v %q", err, heard)
		}
	}
}

// Each target is waited for by its name, and what it is waited for is said once.
func TestSuiteWaits(t *testing.T) {
	t.Parallel()
	there := redistest.Start(t)
	s, remark, said := returning(t)
	r := mustSuite(t, SuiteConfig{
		Suite: suiteOf(SuiteTest{Name: "ping", Template: "PING"}), Targets: []SuiteTarget{at("first", there), at("second", s)},
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
	_, err := Run(t.Context(), Config{
		Templates: Only(program(t, "PING")), Connections: 1, Requests: 1, Wait: 200 * time.Millisecond,
		Dialer: conn.Dialer{Address: "127.0.0.1:1"},
	})
	if err == nil || !strings.Contains(err.Error(), "refused (waited 200ms)") {
		t.Error(err)
	}
	targets := []SuiteTarget{at("up", redistest.Start(t)), {Name: "down", Dialer: conn.Dialer{Address: "127.0.0.1:1"}}}
	cfg := briefly(SuiteConfig{Suite: suiteOf(SuiteTest{Name: "ping", Template: "PING"}), Targets: targets, Wait: 200 * time.Millisecond})
	if _, err := RunSuite(t.Context(), cfg); err == nil || !strings.HasPrefix(err.Error(), `target "down": `) || !strings.HasSuffix(err.Error(), "refused (waited 200ms)") {
		t.Error(err)
	}
	cfg.Wait = -1
	if err := cfg.Validate(); err == nil || !strings.Contains(err.Error(), "wait") {
		t.Error(err)
	}
}

// A server that loads its data is waited for, and what its user may not ask it
// is not.
func TestWaitWhileLoading(t *testing.T) {
	t.Parallel()
	loads := 3
	addr := fakeServer(t, false, func(args []string) string {
		if args[0] == "PING" && loads > 0 {
			loads--
			return "-LOADING Redis is loading the dataset in memory\r\n"
		}
		return "-NOPERM this user has no permissions\r\n"
	})
	var heard []string
	err := AwaitTargets(t.Context(), []SuiteTarget{{Dialer: conn.Dialer{Address: addr}}}, ClusterShape{}, time.Minute, func(text string) { heard = append(heard, text) })
	if err != nil || len(heard) != 1 || !strings.Contains(heard[0], addr+": LOADING") {
		t.Errorf("%v %q", err, heard)
	}
}

// Nobody waits for a server that has said no.
func TestWaitEndsAtWhatIsFinal(t *testing.T) {
	t.Parallel()
	ca, other := redistest.NewCA(t), redistest.NewCA(t)
	secured := redistest.StartTLS(t, ca)
	plain := redistest.Start(t)
	addr := fmt.Sprintf("%s:%d", secured.Host, secured.TLSPort)
	for _, test := range []struct {
		says   string
		dialer conn.Dialer
		shape  ClusterShape
	}{
		{"not trusted", conn.Dialer{Address: addr, TLS: &conn.TLS{CA: other.File}}, ClusterShape{}},
		{"not other.example", conn.Dialer{Address: addr, TLS: &conn.TLS{CA: ca.File, ServerName: "other.example"}}, ClusterShape{}},
		{"does not speak TLS", conn.Dialer{Address: plain.Addr, TLS: &conn.TLS{CA: ca.File}}, ClusterShape{}},
		{"AUTH", conn.Dialer{Address: plain.Addr, Password: "wrong"}, ClusterShape{}},
		{"not a node", conn.Dialer{Address: plain.Addr}, ClusterShape{Cluster: true}},
	} {
		var heard []string
		err := AwaitTargets(t.Context(), []SuiteTarget{{Dialer: test.dialer}}, test.shape, 20*time.Second, func(text string) { heard = append(heard, text) })
		if err == nil || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "waited") {
			t.Errorf("error %v, want one with %q", err, test.says)
		}
		if len(heard) > 0 && test.says != "does not speak TLS" { // a busy machine may be late to tell
			t.Errorf("%q is waited for", heard)
		}
	}
}
