package generator

import (
	"errors"
	"strconv"
	"testing"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/internal/redistest"
)

// A user who may not ask: what the server says of that is the error, and not
// the redirection that led there.
func TestAskingRefused(t *testing.T) {
	t.Parallel()
	c := startCluster(t, redistest.ClusterOptions{Primaries: 2})
	const key = "a"
	slot := conn.KeySlot([]byte(key))
	from := c.SlotOwners(t)[slot]
	to := 1 - from
	c.Nodes()[to].Do(t, "CLUSTER", "SETSLOT", strconv.Itoa(slot), "IMPORTING", c.ID(from))
	c.Nodes()[from].Do(t, "CLUSTER", "SETSLOT", strconv.Itoa(slot), "MIGRATING", c.ID(to))
	for _, s := range c.Nodes() {
		s.Do(t, "ACL", "SETUSER", "u", "on", ">p", "~*", "+@all", "-asking")
	}
	for _, text := range []string{"GET " + key, "GET " + key + " ; TTL " + key} {
		_, err := Run(t.Context(), Config{
			Templates: Only(program(t, text)), Connections: 2, Requests: 100, ClusterShape: ClusterShape{Cluster: true},
			Dialer: conn.Dialer{Address: c.Addr(), User: "u", Password: "p"},
		})
		if nothing := new(NoSuccessError); !errors.As(err, &nothing) || nothing.Code() != "NOPERM" {
			t.Errorf("%s: %v", text, err)
		}
	}
}
