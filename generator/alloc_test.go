package generator

import (
	"runtime"
	"testing"
	"time"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/internal/redistest"
)

// A run allocates for its connections and its report, and nothing for a
// request: more requests, no more allocations. Not parallel, as it counts the
// allocations of the whole process.
func TestRunDoesNotAllocatePerRequest(t *testing.T) {
	s := redistest.Start(t)
	const set, unit = "SET <key zipfian 100000> <value 64>", "SET <key zipfian 100000> <value 64> ; GET k"
	for _, test := range []struct {
		name, text string
		cfg        Config
	}{
		{"plain", set, Config{Connections: 10, Pipeline: 4}},
		{"portable", set, Config{Connections: 10, Pipeline: 4, Engine: conn.Portable}},
		{"open loop", set, Config{Connections: 10, Pipeline: 4, Rate: 1e6}},
		{"units that are settled whole", unit, Config{Connections: 2, Pipeline: 1000, Timeout: time.Minute}},
	} {
		mallocs := func(n int64) int64 {
			var before, after runtime.MemStats
			test.cfg.Requests = n
			runtime.ReadMemStats(&before)
			mustRun(t, s, test.text, test.cfg)
			runtime.ReadMemStats(&after)
			return int64(after.Mallocs - before.Mallocs)
		}
		mallocs(2000) // what is made once
		few, many := mallocs(2000), mallocs(200_000)
		// The runtime allocates a little now and then, the longer the more, and
		// so does writing a histogram, the more values it has met.
		if more := many - few; more > 198_000/5 {
			t.Errorf("%s: 198,000 more requests made %d more allocations", test.name, more)
		}
	}
}
