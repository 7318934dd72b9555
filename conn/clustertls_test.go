package conn

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/respbench/respbench/internal/redistest"
)

// clusterTLS are the arguments of nodes that speak TLS with each other. On the
// cluster bus they are each other's clients, and need the certificates of such.
func clusterTLS(t *testing.T, ca *redistest.CA) []string {
	own := ca.Client(t, "node")
	return append(ca.Args(ca.Server(t)), "--tls-cluster", "yes", "--tls-replication", "yes",
		"--tls-client-cert-file", own.Cert, "--tls-client-key-file", own.Key)
}

// TestTopologyByTLS: a cluster names the ports that fit the connection by which
// it is asked; and everything else works behind TLS and an ACL user, too.
func TestTopologyByTLS(t *testing.T) {
	t.Parallel()
	ca := redistest.NewCA(t)
	args := clusterTLS(t, ca)
	c := redistest.StartCluster(t, redistest.ClusterOptions{Primaries: 3, Replicas: 1, Args: args, User: "bench", Password: "p w"})
	first := c.Primary(0)
	plain := Dialer{Address: first.Addr, User: "bench", Password: "p w"}
	secure := plain
	secure.Address, secure.TLS = fmt.Sprintf("127.0.0.1:%d", first.TLSPort), &TLS{CA: ca.File}
	var wantPlain, wantSecure []string
	for _, s := range c.Nodes()[:3] {
		wantPlain = append(wantPlain, s.Addr)
		wantSecure = append(wantSecure, fmt.Sprintf("127.0.0.1:%d", s.TLSPort))
	}
	first.Do(t, "ACL", "SETUSER", "shards", "on", ">x", "+@all", "-cluster|slots")
	for _, user := range []string{"bench", "shards"} {
		for want, d := range map[*[]string]Dialer{&wantPlain: plain, &wantSecure: secure} {
			if user == "shards" {
				d.User, d.Password = user, "x"
			}
			var got []string
			for _, n := range topologyAt(t, d).Nodes[:3] {
				got = append(got, n.Address)
			}
			if diff := cmp.Diff(*want, got); diff != "" {
				t.Errorf("as %s (-want +got):\n%s", user, diff)
			}
		}
	}
	slot := c.Primary(0).Do(t, "CLUSTER", "KEYSLOT", "{b}").Int // 3300: the first primary's
	for i := range 50 {
		c.Primary(0).Do(t, "SET", fmt.Sprintf("{b}%d", i), "v")
	}
	c.MoveSlots(t, int(slot)+1, 0, 1)
	if sizes := c.DBSizes(t); sizes[0] != 0 || sizes[1] != 50 {
		t.Errorf("keys of each node after the move: %v", sizes)
	}
	c.Kill(t, 0)
	if heir := c.AwaitFailover(t, 0); heir != c.ReplicaOf(0) {
		t.Errorf("node %d took over", heir)
	}
}

// TestTopologyOfNothingButTLS: also a cluster without plain ports.
func TestTopologyOfNothingButTLS(t *testing.T) {
	t.Parallel()
	ca := redistest.NewCA(t)
	args := append(clusterTLS(t, ca), "--port", "0")
	c := redistest.StartCluster(t, redistest.ClusterOptions{Primaries: 2, Args: args})
	got := topologyAt(t, Dialer{Address: c.Addr(), TLS: &TLS{CA: ca.File}})
	if len(got.Nodes) != 2 || got.Nodes[0].Address != c.Primary(0).Addr || got.Nodes[1].Address != c.Primary(1).Addr {
		t.Errorf("nodes %+v", got.Nodes)
	}
}
