package suite

import (
	"testing"
	"time"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/generator"
	"github.com/respbench/respbench/internal/redistest"
)

// A server that speaks TLS alone is cleaned over TLS.
func TestCleanOverTLSOnly(t *testing.T) {
	t.Parallel()
	ca := redistest.NewCA(t)
	s := redistest.StartTLS(t, ca)
	s.Do(t, "MSET", "respbench:1:x.1:a", "left", "user:1", "precious")
	n, err := Clean(t.Context(), conn.Dialer{Address: s.Addr, TLS: &conn.TLS{CA: ca.File}, Timeout: time.Minute}, generator.ClusterShape{})
	if err != nil || n != 1 || s.Do(t, "DBSIZE").Int != 1 {
		t.Errorf("%d keys deleted, %v", n, err)
	}
}
