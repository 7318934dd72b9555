package generator

import (
	"bufio"
	"crypto/tls"
	"io"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/internal/redistest"
	"github.com/respbench/respbench/internal/resp"
)

// No request is sent before every connection has finished its handshake, TLS
// included: then no latency can hold one. The handshakes take their time here.
func TestHandshakesAreOverBeforeTheLoad(t *testing.T) {
	t.Parallel()
	const connections = 200
	ca := redistest.NewCA(t)
	var ready, early atomic.Int64
	address := redistest.FakeTLS(t, &tls.Config{Certificates: []tls.Certificate{ca.Server(t).TLS}}, func(c *tls.Conn) {
		time.Sleep(5 * time.Millisecond)
		br := bufio.NewReader(c)
		for {
			v, err := resp.ReadValue(br)
			if err != nil {
				return
			}
			switch v.Elems[0].Str {
			case "CLIENT":
				ready.Add(1)
			case "PING":
				if ready.Load() != connections+1 { // and the one for questions
					early.Add(1)
				}
			}
			io.WriteString(c, "+OK\r\n")
		}
	})
	r, err := Run(t.Context(), Config{
		Templates: Only(program(t, "PING")), Requests: 1000, Connections: connections,
		Dialer: conn.Dialer{Address: address, TLS: &conn.TLS{CA: ca.File}, Timeout: time.Minute},
	})
	if err != nil {
		t.Fatal(err)
	}
	if early.Load() > 0 || r.Requests.Succeeded != 1000 {
		t.Errorf("%d requests came before the last handshake; %+v", early.Load(), r.Requests)
	}
	if r.Connect.AvgNs < int64(5*time.Millisecond) {
		t.Errorf("connecting took %d ns on average, without the handshake", r.Connect.AvgNs)
	}
}

// Replies of every shape of RESP3, with pushes in between, stay with their
// requests: errors with those that fail, nulls with those that find nothing.
func TestRESP3RepliesDoNotShift(t *testing.T) {
	t.Parallel()
	ca := redistest.NewCA(t)
	s := redistest.Start(t, ca.Args(ca.Server(t))...)
	for _, command := range [][]string{
		{"SET", "text", "x"}, {"HSET", "hash", "a", "1", "b", "2"}, {"SADD", "set", "a", "b", "c"},
		{"ZADD", "sorted", "1.5", "a", "inf", "b"}, {"RPUSH", "list", "", "two"}, {"SET", "empty", ""},
	} {
		s.Do(t, command...)
	}
	const failing, missing = 5, 6
	texts := []string{
		"HGETALL hash", "SMEMBERS set", "ZRANGE sorted 0 -1 WITHSCORES", "LRANGE list 0 -1", "GET empty",
		"LPUSH text x", "GET nothing", "GET <key uniform 3>", "SET <key uniform 3> v", "CLIENT TRACKINGINFO", "COMMAND INFO get",
	}
	var mixed []Template
	for _, text := range texts {
		mixed = append(mixed, Template{Program: program(t, text), Weight: 1})
	}
	for _, engine := range []conn.Engine{conn.Auto, conn.Portable} {
		for name, d := range map[string]conn.Dialer{
			"plain": {Address: s.Addr},
			"TLS":   {Address: "127.0.0.1:" + strconv.Itoa(s.TLSPort), TLS: &conn.TLS{CA: ca.File}},
		} {
			t.Run(name+strconv.Itoa(int(engine)), func(t *testing.T) {
				t.Parallel()
				d.RESP3, d.Tracking = true, true
				r, err := Run(t.Context(), Config{
					Templates: mixed, Requests: int64(len(texts)) * 1000, Connections: 4, Pipeline: 10, Dialer: d, Engine: engine,
				})
				if err != nil {
					t.Fatal(err)
				}
				for i, p := range r.Parts {
					want := int64(0)
					if i == failing {
						want = p.Sent
					}
					if p.Sent != 1000 || p.Failed != want {
						t.Errorf("%s: %d of %d failed, want %d of 1000: %v", p.Template, p.Failed, p.Sent, want, p.Errors)
					}
				}
				// GET <key uniform 3> finds nothing until its key is set.
				if q, sent := r.Requests, r.Parts[missing].Sent; q.Empty < sent || q.Empty > sent+1000 || q.Lost+q.Unanswered > 0 {
					t.Errorf("%+v, want from %d empty ones", q, sent)
				}
				if r.Traffic.Pushes == 0 {
					t.Error("no push came")
				}
			})
		}
	}
}

// A connection that reads a key and then writes it is told once each time,
// and what it was told during the warm-up is not counted.
func TestTrackingCountsInvalidations(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	unit := "GET k ; SET k v"
	r := mustRun(t, s, unit, Config{
		Requests: 200, Connections: 1, Warmup: 50 * time.Millisecond,
		Dialer: conn.Dialer{RESP3: true, Tracking: true},
	})
	// The last of each phase may come after the reply that ends it.
	if n := r.Traffic.Pushes; n < 99 || n > 101 {
		t.Errorf("%d pushes, want 100", n)
	}
	r = mustRun(t, s, unit, Config{Requests: 200, Connections: 1, Dialer: conn.Dialer{RESP3: true}})
	if n := r.Traffic.Pushes; n != 0 {
		t.Errorf("%d pushes without tracking", n)
	}
	r = mustRun(t, s, unit, Config{
		Stages: []float64{1000, 2000}, Duration: 100 * time.Millisecond, Connections: 1,
		Dialer: conn.Dialer{RESP3: true, Tracking: true},
	})
	if n, units := r.Traffic.Pushes, r.Requests.Succeeded/2; n < units-2 || n > units+2 {
		t.Errorf("%d pushes over two rates, want %d", n, units)
	}
}

// The facts of a run come over the same transport as its load.
func TestRunOverTLSOnly(t *testing.T) {
	t.Parallel()
	ca := redistest.NewCA(t)
	s := redistest.StartTLS(t, ca)
	s.AddUser(t, "a@b", `p:/#?% é"`)
	for _, resp3 := range []bool{false, true} {
		r := mustRun(t, s.As("a@b", `p:/#?% é"`), "SET k v", Config{Requests: 100, Dialer: conn.Dialer{
			TLS: &conn.TLS{CA: ca.File}, User: "a@b", RESP3: resp3,
		}})
		if r.Target.TLS != "1.3" || r.Server.Name != "redis" || len(r.Server.Notes) > 0 {
			t.Errorf("%+v, %+v", r.Target, r.Server)
		}
	}
}
