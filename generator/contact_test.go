package generator

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/internal/redistest"
)

func TestWaitForServer(t *testing.T) {
	t.Parallel()
	s, remark, said := redistest.Returning(t)
	r := mustRun(t, s, "PING", Config{Connections: 1, Requests: 10, Wait: time.Minute, OnRemark: remark})
	if heard := said(); r.Requests.Succeeded != 10 || len(heard) == 0 || !strings.HasPrefix(heard[0], "waiting up to 1m0s for the server: cannot connect to "+s.Addr) {
		t.Errorf("%+v %q", r.Requests, heard)
	}
}

func TestSweepWaits(t *testing.T) {
	t.Parallel()
	for _, bounds := range []SweepConfig{{From: 100, To: 100}, {To: 100}} {
		s, remark, said := redistest.Returning(t)
		cfg := bounds
		cfg.Step.Wait, cfg.Step.OnRemark = time.Minute, remark
		r, err := sweepOn(t, s.Addr, "PING", cfg)
		if heard := said(); err != nil || len(r.Steps) == 0 || len(heard) == 0 {
			t.Errorf("%v %q", err, heard)
		}
	}
}

// The time is up where the server does not come.
func TestWaitHasABound(t *testing.T) {
	t.Parallel()
	_, err := Run(t.Context(), Config{
		Templates: Only(program(t, "PING")), Connections: 1, Requests: 1, Wait: 200 * time.Millisecond,
		Dialer: conn.Dialer{Address: "127.0.0.1:1"},
	})
	if err == nil || !strings.Contains(err.Error(), "refused (waited 200ms)") {
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
	err := NewWaiter(time.Minute, func(text string) { heard = append(heard, text) }).Await(t.Context(), conn.Dialer{Address: addr}, ClusterShape{}, "")
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
		err := NewWaiter(20*time.Second, func(text string) { heard = append(heard, text) }).Await(t.Context(), test.dialer, test.shape, "")
		if err == nil || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "waited") {
			t.Errorf("error %v, want one with %q", err, test.says)
		}
		if len(heard) > 0 && test.says != "does not speak TLS" { // a busy machine may be late to tell
			t.Errorf("%q is waited for", heard)
		}
	}
}
