package redistest

import (
	"bufio"
	"net"
	"testing"
	"time"

	"github.com/respbench/respbench/internal/clock"
	"github.com/respbench/respbench/internal/resp"
)

func TestRecording(t *testing.T) {
	t.Parallel()
	r := Record(t)
	const length = 50 * time.Millisecond
	r.StallAfter("SET", 3, length)
	c, err := net.Dial("tcp", r.Addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(doTimeout))
	in := bufio.NewReader(c)
	exchange := func(args ...string) {
		t.Helper()
		c.Write(resp.AppendCommand(nil, args...))
		if v, err := resp.ReadValue(in); err != nil || v.Str != "OK" {
			t.Fatalf("%v, %v", v, err)
		}
	}
	start := clock.Now()
	exchange("SET", "a", "1")
	first := r.Digest("SET")
	exchange("SET", "b", "2")
	exchange("GET", "a")
	if from, to := r.Stalled(); from != 0 || to != 0 {
		t.Errorf("stalled from %d to %d, and nothing was to stall", from, to)
	}
	exchange("SET", "a", "1")
	end := clock.Now()

	times := r.Arrivals("SET")
	if len(times) != 3 || len(r.Arrivals("GET")) != 1 || len(r.Arrivals("DEL")) != 0 {
		t.Fatalf("%d SET, %d GET, %d DEL", len(times), len(r.Arrivals("GET")), len(r.Arrivals("DEL")))
	}
	if times[0] < start || times[1] < times[0] || times[2] < times[1] {
		t.Errorf("started at %d, arrived at %d", start, times)
	}
	if from, to := r.Stalled(); from != times[2] || to-from != int64(length) || end < to {
		t.Errorf("stalled from %d to %d by the request of %d; answered at %d", from, to, times[2], end)
	}
	exchanges := r.Exchanges("SET")
	for k, key := range []string{"a", "b", "a"} {
		if e := exchanges[k]; e.Key != key || e.Arrived != times[k] || e.Answered < e.Arrived || end < e.Answered {
			t.Errorf("request %d: %+v, between %d and %d", k, e, start, end)
		}
	}
	if waited := exchanges[2].Answered - times[2]; waited < int64(length) {
		t.Errorf("the server stalled, and the request waited for %v", time.Duration(waited))
	}
	if r.Digest("SET") == first || first == 0 {
		t.Error("the digest does not change with the requests")
	}
}
