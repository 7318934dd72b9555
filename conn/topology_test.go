package conn

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/respbench/respbench/internal/redistest"
	"github.com/respbench/respbench/internal/resp"
)

// scripted is a server that answers each command as a table says, by the
// command's words; others get +OK, as the handshake likes it.
func scripted(t *testing.T, replies map[string]string) (address string) {
	t.Helper()
	return redistest.Fake(t, func(nc net.Conn) {
		br := bufio.NewReader(nc)
		for {
			v, err := resp.ReadValue(br)
			if err != nil {
				return
			}
			var words []string
			for _, e := range v.Elems {
				words = append(words, e.Str)
			}
			reply, known := replies[strings.Join(words, " ")]
			if !known {
				reply = "+OK\r\n"
			}
			nc.Write([]byte(reply))
		}
	})
}

// client dials a Client and closes it when the test ends.
func client(t *testing.T, d Dialer) *Client {
	t.Helper()
	c, err := d.Client(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// asReply writes a reply: strings and numbers, nil as null, slices as arrays.
func asReply(v any) string {
	switch v := v.(type) {
	case nil:
		return "$-1\r\n"
	case int:
		return fmt.Sprintf(":%d\r\n", v)
	case string:
		return fmt.Sprintf("$%d\r\n%s\r\n", len(v), v)
	case []any:
		var b strings.Builder
		fmt.Fprintf(&b, "*%d\r\n", len(v))
		for _, e := range v {
			b.WriteString(asReply(e))
		}
		return b.String()
	}
	panic(v)
}

type list = []any

const unknownSub = "-ERR unknown subcommand 'X'. Try CLUSTER HELP.\r\n"

func TestReadTopology(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name          string
		slots, shards string
		want          []Node
		owners        map[int]int
		unassigned    int
	}{
		{"in disorder", asReply(list{
			list{12000, 16383, list{"10.0.0.1", 1003, "c"}},
			list{0, 99, list{"10.0.0.1", 1002, "b"}, list{"10.0.0.1", 2002, "rb"}},
			list{200, 11999, list{"10.0.0.1", 1002, "b"}, list{"10.0.0.1", 2002, "rb"}, list{"10.0.0.1", 2001, "rb2"}},
			list{100, 199, list{"10.0.0.1", 1001, "a"}, list{"10.0.0.2", 2001, "ra"}},
		}), "", []Node{
			{"b", "10.0.0.1:1002", true, 0, 11900},
			{"a", "10.0.0.1:1001", true, 1, 100},
			{"c", "10.0.0.1:1003", true, 2, 4384},
			{"rb2", "10.0.0.1:2001", false, 0, 11900},
			{"rb", "10.0.0.1:2002", false, 0, 11900},
			{"ra", "10.0.0.2:2001", false, 1, 100},
		}, map[int]int{0: 0, 99: 0, 100: 1, 199: 1, 200: 0, 11999: 0, 12000: 2, 16383: 2}, 0},
		{"an empty host, a null one, a name, IPv6", asReply(list{
			list{0, 0, list{"", 1001, "a"}},
			list{1, 1, list{nil, 1002, "b", list{"ip", "10.1.1.1"}}},
			list{2, 2, list{"Node-3.example", 1003, "c", list{"ip", "10.1.1.1"}}},
			list{3, 3, list{"2001:DB8::0:1", 1004, "d"}},
		}), "", []Node{
			{"a", "127.0.0.1:1001", true, 0, 1},
			{"b", "127.0.0.1:1002", true, 1, 1},
			{"c", "node-3.example:1003", true, 2, 1},
			{"d", "[2001:db8::1]:1004", true, 3, 1},
		}, map[int]int{0: 0, 1: 1, 2: 2, 3: 3, 4: -1}, 16380},
		{"unknown hosts", asReply(list{
			list{0, 0, list{"?", 1001, "a", list{"ip", "10.0.0.1"}}, list{"?", 2001, "ra", list{}}},
			list{1, 1, list{"?", 1002, "b", list{"ip", ""}}},
			list{2, 2, list{"?", 1003, "c"}},
			list{3, 3, list{"10.0.0.4", 0, "d"}},
		}), "", []Node{{"a", "10.0.0.1:1001", true, 0, 1}}, map[int]int{0: 0, 1: -1, 2: -1, 3: -1}, 16383},
		{"no ids, as before Redis 4, and an overlap", asReply(list{
			list{0, 9, list{"10.0.0.1", 1001}, list{"10.0.0.1", 2001}},
			list{5, 19, list{"10.0.0.1", 1002}, list{"10.0.0.1", 2002}},
		}), "", []Node{
			{"", "10.0.0.1:1001", true, 0, 10},
			{"", "10.0.0.1:1002", true, 1, 10},
			{"", "10.0.0.1:2001", false, 0, 10},
			{"", "10.0.0.1:2002", false, 1, 10},
		}, map[int]int{5: 0, 9: 0, 10: 1, 19: 1, 20: -1}, 16364},
		{"shards", unknownSub, asReply(list{
			list{"slots", list{}, "nodes", list{shard("e", 1009, "master", "online")}},
			list{"slots", list{100, 199, 0, 9}, "nodes", list{
				shard("old", 1000, "master", "fail"), shard("r", 2001, "replica", "online"),
				shard("a", 1001, "master", "online"), shard("l", 2002, "replica", "loading")}},
			list{"slots", list{10, 10}, "nodes", list{shard("f", 1002, "master", "fail"), shard("rf", 2003, "replica", "online")}},
			list{"slots", list{11, 11}, "nodes", list{list{"id", "t", "tls-port", 1, "port", 1003, "ip", "10.0.0.9", "endpoint", "?", "hostname", "", "role", "master", "health", "loading"}}},
		}), []Node{
			{"a", "10.0.0.1:1001", true, 0, 110},
			{"t", "10.0.0.9:1003", true, 1, 1},
			{"r", "10.0.0.1:2001", false, 0, 110},
		}, map[int]int{0: 0, 10: -1, 11: 1, 150: 0}, 16273},
		{"shards where slots are not permitted", "-NOPERM no\r\n", asReply(list{
			list{"slots", list{0, 16383}, "nodes", list{shard("a", 1001, "master", "online")}},
		}), []Node{{"a", "10.0.0.1:1001", true, 0, 16384}}, map[int]int{0: 0, 16383: 0}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			address := scripted(t, map[string]string{"CLUSTER SLOTS": tt.slots, "CLUSTER SHARDS": tt.shards})
			got, err := ReadTopology(t.Context(), client(t, Dialer{Address: address}), address, AddressMap{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got.Nodes); diff != "" {
				t.Errorf("nodes (-want +got):\n%s", diff)
			}
			for slot, want := range tt.owners {
				if owner := got.Owner(slot); owner != want {
					t.Errorf("owner of slot %d: %d, want %d", slot, owner, want)
				}
			}
			if got.Unassigned() != tt.unassigned {
				t.Errorf("%d slots unassigned, want %d", got.Unassigned(), tt.unassigned)
			}
			for i, n := range got.Nodes {
				if (i < got.Primaries()) != n.Primary || got.Find(n.Address) != i {
					t.Errorf("node %d of %d primaries: %+v, found at %d", i, got.Primaries(), n, got.Find(n.Address))
				}
			}
		})
	}
}

// shard is a node in CLUSTER SHARDS.
func shard(id string, port int, role, health string) list {
	return list{"id", id, "port", port, "ip", "10.0.0.1", "endpoint", "10.0.0.1", "role", role, "replication-offset", 0, "health", health}
}

func TestReadTopologyFails(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		slots, shards string
		want          string // "HOST" stands for the server's address
		kind          error
	}{
		{"-ERR This instance has cluster support disabled\r\n", "",
			"HOST is not a node of a cluster: ERR This instance has cluster support disabled", new(NoClusterError)},
		{"-ERR Cluster is disabled. Enabled via passing --cluster_mode=emulated|yes\r\n", "",
			"HOST is not a node of a cluster: ERR Cluster is disabled. Enabled via passing --cluster_mode=emulated|yes", new(NoClusterError)},
		{"-ERR Cluster mode is not enabled\r\n", "", "HOST is not a node of a cluster: ERR Cluster mode is not enabled", new(NoClusterError)},
		{"-ERR unknown command 'CLUSTER', with args\r\n", "-ERR unknown command 'CLUSTER'\r\n",
			"HOST is not a node of a cluster: ERR unknown command 'CLUSTER', with args", new(NoClusterError)},
		{"*0\r\n", "", "the cluster of HOST serves no slots yet", new(FormingError)},
		{"-CLUSTERDOWN The cluster is not initialized\r\n", "",
			"the cluster of HOST serves no slots yet: CLUSTERDOWN The cluster is not initialized", new(FormingError)},
		{"-ERR Cluster is not yet configured\r\n", "", "the cluster of HOST serves no slots yet: ERR Cluster is not yet configured", new(FormingError)},
		{"-NOPERM no permission\r\n", "-NOPERM nor this\r\n",
			"HOST does not tell the topology: NOPERM nor this; the user needs +cluster|slots or +cluster|shards", nil},
		{"-NOPERM no permission\r\n", unknownSub,
			"HOST does not tell the topology: NOPERM no permission; the user needs +cluster|slots or +cluster|shards", nil},
		{"-LOADING data\r\n", "-LOADING data\r\n", "HOST does not tell the topology: LOADING data", nil},
		{asReply(list{list{0, 9, list{"?", 1, "a"}}}), "",
			"HOST tells no address of any node that serves slots; set the cluster's announced addresses, or the host names that it prefers", nil},
		{"+OK\r\n", "", "cannot understand the topology that HOST tells: CLUSTER SLOTS is a '+'", nil},
		{asReply(list{list{0, 9}}), "", "cannot understand the topology that HOST tells: CLUSTER SLOTS has a range of 2 elements", nil},
		{asReply(list{list{0, 16384, list{"h", 1}}}), "", "cannot understand the topology that HOST tells: slots 0 to 16384", nil},
		{asReply(list{list{5, 4, list{"h", 1}}}), "", "cannot understand the topology that HOST tells: slots 5 to 4", nil},
		{asReply(list{list{0, 9, list{"h"}}}), "",
			"cannot understand the topology that HOST tells: CLUSTER SLOTS has a node without a port in the range of slot 0", nil},
		{unknownSub, "+OK\r\n", "cannot understand the topology that HOST tells: CLUSTER SHARDS is a '+'", nil},
		{"", "", "cannot read the topology from HOST: unexpected EOF", nil},
	} {
		t.Run(tt.want, func(t *testing.T) {
			t.Parallel()
			replies := map[string]string{"CLUSTER SLOTS": tt.slots, "CLUSTER SHARDS": tt.shards}
			address := scripted(t, replies)
			c := client(t, Dialer{Address: address})
			if tt.slots == "" {
				c.br.Reset(strings.NewReader("*1\r\n"))
			}
			_, err := ReadTopology(t.Context(), c, address, AddressMap{})
			if err == nil || strings.ReplaceAll(err.Error(), address, "HOST") != tt.want {
				t.Errorf("error %v, want %s", err, tt.want)
			}
			var none *NoClusterError
			var forming *FormingError
			if _, want := tt.kind.(*NoClusterError); errors.As(err, &none) != want {
				t.Errorf("%T, want a NoClusterError: %v", err, want)
			}
			if _, want := tt.kind.(*FormingError); errors.As(err, &forming) != want {
				t.Errorf("%T, want a FormingError: %v", err, want)
			}
		})
	}
}

func TestReadTopologyMapped(t *testing.T) {
	t.Parallel()
	address := scripted(t, map[string]string{"CLUSTER SLOTS": asReply(list{
		list{0, 1, list{"10.0.0.1", 6379, "a"}, list{"10.0.0.2", 6379, "ra"}},
		list{2, 3, list{"10.0.0.1", 6380, "b"}},
	})})
	m, err := ParseAddressMap([]string{"10.0.0.1=nat.example", "10.0.0.1:6380=nat.example:7000"})
	if err != nil {
		t.Fatal(err)
	}
	got, err := ReadTopology(t.Context(), client(t, Dialer{Address: address}), address, m)
	if err != nil {
		t.Fatal(err)
	}
	want := []Node{
		{"a", "nat.example:6379", true, 0, 2},
		{"b", "nat.example:7000", true, 1, 2},
		{"ra", "10.0.0.2:6379", false, 0, 2},
	}
	if diff := cmp.Diff(want, got.Nodes); diff != "" {
		t.Errorf("nodes (-want +got):\n%s", diff)
	}
}

func TestParseAddressMap(t *testing.T) {
	t.Parallel()
	m, err := ParseAddressMap([]string{
		"10.0.0.1:6379=127.0.0.1:7001", "10.0.0.1=b", "b=c", "[2001:DB8::1]:6379=[::1]:1", "[2001:db8::2]=Host", "X.example:0001=y:2",
		"10.0.0.1=B", // the same once more
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		host string
		port int
		want string
	}{
		{"10.0.0.1", 6379, "127.0.0.1:7001"},
		{"10.0.0.1", 6380, "b:6380"},
		{"b", 1, "c:1"},
		{"2001:db8:0::1", 6379, "[::1]:1"},
		{"2001:db8::1", 6380, "[2001:db8::1]:6380"},
		{"2001:db8::2", 9, "host:9"},
		{"x.EXAMPLE", 1, "y:2"},
		{"other", 1, "other:1"},
	} {
		if got := m.Apply(tt.host, tt.port); got != tt.want {
			t.Errorf("%s port %d: %s, want %s", tt.host, tt.port, got, tt.want)
		}
	}
	if got := (AddressMap{}).Apply("::1", 5); got != "[::1]:5" {
		t.Errorf("without rules: %s", got)
	}
}

func TestParseAddressMapRefuses(t *testing.T) {
	t.Parallel()
	const form = "; write 10.0.0.1:6379=127.0.0.1:7001, or 10.0.0.1=127.0.0.1 for all ports, with IPv6 addresses in brackets"
	for _, tt := range []struct {
		rules []string
		want  string
	}{
		{[]string{""}, `"" has no '='` + form},
		{[]string{"a"}, `"a" has no '='` + form},
		{[]string{"=b"}, `"=b": "" is no host` + form},
		{[]string{"a="}, `"a=": "" is no host` + form},
		{[]string{"a=b=c"}, `"a=b=c": "b=c" is no host` + form},
		{[]string{"a:1=b"}, `"a:1=b" has a port on one side only` + form},
		{[]string{"a=b:1"}, `"a=b:1" has a port on one side only` + form},
		{[]string{"a:0=b:1"}, `"a:0=b:1": port "0" is not 1 to 65535` + form},
		{[]string{"a:1=b:65536"}, `"a:1=b:65536": port "65536" is not 1 to 65535` + form},
		{[]string{"a:=b:1"}, `"a:=b:1": port "" is not 1 to 65535` + form},
		{[]string{"::1=b"}, `"::1=b": "::1" needs brackets around an IPv6 address` + form},
		{[]string{"[::1=b"}, `"[::1=b": "[::1" needs brackets around an IPv6 address` + form},
		{[]string{"[10.0.0.1]=b"}, `"[10.0.0.1]=b": "10.0.0.1" is no IPv6 address` + form},
		{[]string{"[]=b"}, `"[]=b": "" is no IPv6 address` + form},
		{[]string{"a b=c"}, `"a b=c": "a b" is no host` + form},
		{[]string{"a:1=b:1", "A:1=c:1"}, `"A:1=c:1": a:1 already goes to b:1; name each address once`},
	} {
		if _, err := ParseAddressMap(tt.rules); err == nil || err.Error() != tt.want {
			t.Errorf("%q: %v, want %s", tt.rules, err, tt.want)
		}
	}
}

func TestParseRedirect(t *testing.T) {
	t.Parallel()
	m, err := ParseAddressMap([]string{"10.0.0.1:6379=nat:7"})
	if err != nil {
		t.Fatal(err)
	}
	const answered = "[2001:db8::5]:6400"
	for _, tt := range []struct {
		text string
		ask  bool
		slot int
		want string // the address; "-" for no redirection
	}{
		{"MOVED 3999 127.0.0.1:6381", false, 3999, "127.0.0.1:6381"},
		{"ASK 0 127.0.0.1:6381", true, 0, "127.0.0.1:6381"},
		{"MOVED 16383 :6381", false, 16383, "[2001:db8::5]:6381"},
		{"MOVED 1 ::1:6381", false, 1, "[::1]:6381"},
		{"MOVED 1 [::1]:6381", false, 1, "[::1]:6381"},
		{"MOVED 1 Node.example:6381", false, 1, "node.example:6381"},
		{"MOVED 1 10.0.0.1:6379", false, 1, "nat:7"},
		{"ASK 1 10.0.0.1:6379 more", true, 1, "nat:7"},
		{"MOVED 1 ?:6381", false, 1, ""},
		{"MOVED 16384 h:1", false, 0, "-"},
		{"MOVED -1 h:1", false, 0, "-"},
		{"MOVED 1 h:0", false, 0, "-"},
		{"MOVED 1 h:65536", false, 0, "-"},
		{"MOVED 99999999999999999999 h:1", false, 0, "-"},
		{"MOVED 1 h:99999999999999999999", false, 0, "-"},
		{"MOVED 1 h:", false, 0, "-"},
		{"MOVED 1 h", false, 0, "-"},
		{"MOVED 1 ", false, 0, "-"},
		{"MOVED 1", false, 0, "-"},
		{"MOVED  h:1", false, 0, "-"},
		{"MOVED", false, 0, "-"},
		{"ASK", false, 0, "-"},
		{"ASKING 1 h:1", false, 0, "-"},
		{"ERR MOVED 1 h:1", false, 0, "-"},
		{"moved 1 h:1", false, 0, "-"},
		{"", false, 0, "-"},
	} {
		r, ok := ParseRedirect([]byte(tt.text))
		if !ok {
			if tt.want != "-" {
				t.Errorf("%q is no redirection", tt.text)
			}
			continue
		}
		if got := r.Address(answered, m); r.Ask != tt.ask || r.Slot != tt.slot || got != tt.want {
			t.Errorf("%q: ask %v, slot %d, address %q", tt.text, r.Ask, r.Slot, got)
		}
	}
	r, _ := ParseRedirect([]byte("MOVED 1 :6381"))
	if got := r.Address("/tmp/redis.sock", m); got != "127.0.0.1:6381" {
		t.Errorf("from a unix socket: %s", got)
	}
}

func TestParseRedirectAllocs(t *testing.T) {
	text := []byte("MOVED 3999 127.0.0.1:6381")
	if n := testing.AllocsPerRun(100, func() { ParseRedirect(text) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
