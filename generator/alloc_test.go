package generator

import (
	"runtime"
	"testing"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/internal/redistest"
)

// A run allocates for its connections and its report, and nothing for a
// request: more requests, no more allocations. Not parallel, as it counts the
// allocations of the whole process.
func TestRunDoesNotAllocatePerRequest(t *testing.T) {
	s := redistest.Start(t)
	for _, engine := range []conn.Engine{conn.Auto, conn.Portable} {
		mallocs := func(n int64) int64 {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			mustRun(t, s, "SET <key zipfian 100000> <value 64>", Config{Requests: n, Connections: 10, Pipeline: 4, Engine: engine})
			runtime.ReadMemStats(&after)
			return int64(after.Mallocs - before.Mallocs)
		}
		mallocs(1000) // what is made once
		few, many := mallocs(1000), mallocs(200_000)
		// The runtime allocates a little now and then, the longer the more.
		if more := many - few; more > 199_000/10 {
			t.Errorf("engine %v: 199,000 more requests made %d more allocations", engine, more)
		}
	}
}
