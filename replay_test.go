package main

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/respbench/respbench/internal/redistest"
	"github.com/respbench/respbench/internal/resp"
)

// session is a connection that keeps its state between commands.
type session struct {
	t  testing.TB
	nc net.Conn
	br *bufio.Reader
}

func connect(t testing.TB, s *redistest.Server) *session {
	t.Helper()
	nc, err := net.Dial("tcp", s.Addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { nc.Close() })
	return &session{t, nc, bufio.NewReader(nc)}
}

func (s *session) do(args ...string) resp.Value {
	s.t.Helper()
	if _, err := s.nc.Write(resp.AppendCommand(nil, args...)); err != nil {
		s.t.Fatal(err)
	}
	v, err := resp.ReadValue(s.br)
	if err != nil {
		s.t.Fatalf("%q: %v", args, err)
	}
	return v
}

// capture is the MONITOR log of a server while load runs, as it comes from the
// wire, in a file.
func capture(t testing.TB, server *redistest.Server, load func()) (path string) {
	t.Helper()
	const end = "this is where the capture ends"
	monitor := connect(t, server)
	monitor.do("MONITOR")
	lines := make(chan []byte, 1)
	go func() {
		var log bytes.Buffer
		for {
			line, err := monitor.br.ReadBytes('\n')
			log.Write(line)
			if err != nil || bytes.Contains(line, []byte(end)) {
				lines <- log.Bytes()
				return
			}
		}
	}()
	load()
	connect(t, server).do("ECHO", end)
	path = filepath.Join(t.TempDir(), "monitor.log")
	if err := os.WriteFile(path, <-lines, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// anyBytes is up to n random bytes.
func anyBytes(dice *rand.Rand, n int) string {
	b := make([]byte, dice.IntN(n))
	for i := range b {
		b[i] = byte(dice.Uint32())
	}
	return string(b)
}

// richLoad is what three clients with databases of their own do in turn, with
// commands of most kinds, and transactions that others come between.
func richLoad(t testing.TB, server *redistest.Server, databases []string, transactions bool) {
	t.Helper()
	dice := rand.New(rand.NewPCG(7, 7))
	var clients []*session
	for k := range 3 {
		c := connect(t, server)
		c.do("SELECT", databases[k%len(databases)])
		clients = append(clients, c)
	}
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	clients[0].do("SET", string(every), string(every)+`\x00 "quoted" \n`)
	if transactions {
		// A transaction that others come between, one that a WATCH forbids, and
		// one that is given up.
		a, b := clients[0], clients[1]
		a.do("MULTI")
		b.do("MULTI")
		a.do("SET", "transaction", "a")
		b.do("SET", "transaction", "b")
		b.do("INCR", "counter")
		a.do("INCR", "counter")
		if v := b.do("EXEC"); v.Null {
			t.Error("an EXEC did nothing")
		}
		clients[2].do("SET", "between", "c")
		a.do("EXEC")
		a.do("WATCH", "watched")
		connectIn(t, server, databases[0]).do("SET", "watched", "theirs")
		a.do("MULTI")
		a.do("SET", "watched", "mine")
		if v := a.do("EXEC"); !v.Null {
			t.Error("WATCH forbade nothing")
		}
		// One that goes on although what another client watches has changed.
		a.do("WATCH", "mine")
		b.do("WATCH", "watched")
		connectIn(t, server, databases[1%len(databases)]).do("SET", "watched", "again")
		a.do("MULTI")
		a.do("SET", "mine", "1")
		if v := a.do("EXEC"); v.Null {
			t.Error("an EXEC did nothing")
		}
		a.do("MULTI")
		a.do("SET", "discarded", "1")
		b.do("SET", "kept", "1")
		a.do("DISCARD")
	}
	for range 1500 {
		c := clients[dice.IntN(len(clients))]
		key := fmt.Sprint("k", dice.IntN(40))
		switch dice.IntN(10) {
		case 0:
			c.do("SET", "s"+key, anyBytes(dice, 300))
		case 1:
			c.do("HSET", "h"+key, anyBytes(dice, 10), anyBytes(dice, 100), "n", "1")
		case 2:
			c.do("RPUSH", "l"+key, anyBytes(dice, 50), anyBytes(dice, 5))
		case 3:
			c.do("EXPIRE", "h"+key, "100000")
		case 4:
			c.do("DEL", "s"+key, "l"+key)
		case 5:
			c.do("EVAL", "redis.call('incrby', KEYS[1], ARGV[1]); return redis.call('get', KEYS[1])", "1", "i"+key, "3")
		case 6:
			c.do("ZADD", "z"+key, strconv.Itoa(dice.IntN(100)), anyBytes(dice, 8))
		case 7:
			c.do("LPOP", "l"+key)
		case 8:
			c.do("APPEND", "s"+key, anyBytes(dice, 30))
		case 9:
			if transactions {
				c.do("MULTI")
				c.do("INCR", "i"+key)
				c.do("SADD", "set"+key, anyBytes(dice, 8))
				c.do("EXEC")
			}
		}
	}
}

func connectIn(t testing.TB, server *redistest.Server, db string) *session {
	t.Helper()
	c := connect(t, server)
	c.do("SELECT", db)
	return c
}

// digest is what DEBUG DIGEST says of all data of a server.
func digest(t testing.TB, s *redistest.Server) string {
	t.Helper()
	v := s.Do(t, "DEBUG", "DIGEST")
	if v.Err() != nil || strings.Trim(v.Str, "0") == "" {
		t.Fatalf("DEBUG DIGEST: %+v", v)
	}
	return v.Str
}

// TestReplay replays what a real server logged on another, and wants the same
// data: as fast as possible, pipelined, at the recorded pace times twenty, and,
// where that is allowed, in another database and twice over.
func TestReplay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name         string
		databases    []string
		transactions bool
		args         [][]string
	}{
		{"one database", []string{"0"}, false, [][]string{nil, {"-P", "100"}, {"--threads", "1", "--reconnect"}}},
		{"another database", []string{"5"}, false, [][]string{nil}},
		{"transactions", []string{"0"}, true, [][]string{nil, {"-P", "100"}, {"--pace", "20x"}}},
		{"all", []string{"3", "0", "9"}, true, [][]string{nil, {"-P", "33"}, {"--pace", "20x"}, {"-3"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			first := redistest.Start(t, "--enable-debug-command", "yes")
			log := capture(t, first, func() { richLoad(t, first, c.databases, c.transactions) })
			want := digest(t, first)
			for _, args := range c.args {
				second := redistest.Start(t, "--enable-debug-command", "yes")
				r := mustRun(t, second, append([]string{"--monitor", log}, args...)...)
				if got := digest(t, second); got != want {
					t.Errorf("%q: another data set: keyspace %q, want %q", args, second.Info(t, "db0"), first.Info(t, "db0"))
				}
				if r.Requests.Sent != r.Workload.Requests || r.Requests.Sent != r.Requests.Succeeded || r.Requests.Sent < 1000 {
					t.Errorf("%q: %+v of %d", args, r.Requests, r.Workload.Requests)
				}
				if d := r.Workload.Data; len(d) != 1 || d[0].File != log || r.Workload.Connections != 1 {
					t.Errorf("%q: %+v, %d connections", args, d, r.Workload.Connections)
				}
				if !strings.HasPrefix(r.Workload.Template, "--monitor "+log) {
					t.Errorf("the load is called %q", r.Workload.Template)
				}
			}
		})
	}
}

// TestByCount: the most frequent comes first, also by more than an int of a 32-bit
// machine holds.
func TestByCount(t *testing.T) {
	t.Parallel()
	got := byCount(map[string]int64{"GET": 3_000_000_000, "DEL": 2, "SET": 5_000_000_000, "ECHO": 2})
	if want := "SET 5,000,000,000, GET 3,000,000,000, DEL 2, ECHO 2"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestReplayTwice: a log that begins again begins in the database of its first
// command.
func TestReplayTwice(t *testing.T) {
	t.Parallel()
	first := redistest.Start(t)
	log := capture(t, first, func() {
		connectIn(t, first, "2").do("INCR", "n")
		connectIn(t, first, "0").do("INCR", "n")
		connectIn(t, first, "1").do("INCR", "n")
	})
	second := redistest.Start(t)
	// Three INCR, and the ECHO of the capture in database 0. The SELECTs between
	// them, and the way back, are no requests.
	if r := mustRun(t, second, "--monitor", log, "-n", "12"); r.Requests.Sent != 12 || r.Workload.Data[0].Rows != 4 {
		t.Errorf("%+v, %+v", r.Requests, r.Workload.Data)
	}
	for db, want := range map[string]string{"0": "3", "1": "3", "2": "3"} {
		if v := connectIn(t, second, db).do("GET", "n"); v.Str != want {
			t.Errorf("database %s: %q, want %s", db, v.Str, want)
		}
	}
	third := redistest.Start(t)
	mustRun(t, third, "--monitor", log, "--db", "4", "-c", "2")
	if v := connectIn(t, third, "4").do("GET", "n"); v.Str != "3" || third.Info(t, "db0") != "" {
		t.Errorf("all in one database: %q", v.Str)
	}
}

// writeFile writes a file of a test.
func writeFile(t testing.TB, name, text string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestCommandFile sends a file of templates and one of many lines without
// placeholders, in sequence and in random order.
func TestCommandFile(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	few := writeFile(t, "few.txt", "\ufeff# three lines\r\nSET <key sequence 10> <value 8>\r\n\r\n3x INCR n\r\nRPUSH list <index>\r\n")
	for _, args := range [][]string{nil, {"--commands-order", "random"}} {
		s.Do(t, "FLUSHALL")
		s.Do(t, "CONFIG", "RESETSTAT")
		r := mustRun(t, s, append([]string{"--commands", few, "-n", "50", "-c", "3"}, args...)...)
		if set, incr, push := s.Calls(t, "set"), s.Calls(t, "incr"), s.Calls(t, "rpush"); set != 10 || incr != 30 || push != 10 {
			t.Errorf("%q: %d SET, %d INCR, %d RPUSH", args, set, incr, push)
		}
		if n := s.Do(t, "DBSIZE").Int; n != 12 || len(r.Parts) != 3 || r.Parts[1].Weight != 3 || r.Parts[1].Sent != 30 {
			t.Errorf("%q: %d keys, %+v", args, n, r.Parts)
		}
	}
	var text strings.Builder
	const lines = 5000
	for i := range lines {
		fmt.Fprintf(&text, "RPUSH list %d\n", i)
	}
	many := writeFile(t, "many.txt", text.String())
	for _, args := range [][]string{nil, {"--commands-order", "random"}} {
		s.Do(t, "FLUSHALL")
		r := mustRun(t, s, append([]string{"--commands", many, "-n", strconv.Itoa(2 * lines), "-c", "1", "--seed", "3"}, args...)...)
		list := s.Do(t, "LRANGE", "list", "0", "-1").Elems
		if len(list) != 2*lines || len(r.Parts) != 0 || len(r.Workload.Data) != 1 || r.Workload.Data[0].Rows != lines {
			t.Fatalf("%q: %d elements, %d parts, %+v", args, len(list), len(r.Parts), r.Workload.Data)
		}
		inOrder := 0
		times := map[string]int{}
		for i, e := range list {
			if e.Str == strconv.Itoa(i%lines) {
				inOrder++
			}
			if times[e.Str]++; i == lines-1 && len(times) != lines {
				t.Errorf("%q: %d of %d lines the first time round", args, len(times), lines)
			}
		}
		if args == nil && inOrder != len(list) || args != nil && inOrder > 50 {
			t.Errorf("%q: %d lines in their place", args, inOrder)
		}
	}
	if r := mustRun(t, s, "--commands", many, "--commands-order", "random", "-n", "9"); r.Workload.Data[0].Order != "random" {
		t.Errorf("%+v", r.Workload.Data)
	}
	s.Do(t, "FLUSHALL")
	if r := mustRun(t, s, "--commands", writeFile(t, "two.txt", "3x INCR n\nINCR m"), "--load"); r.Requests.Sent != 4 || s.Do(t, "GET", "n").Str != "3" {
		t.Errorf("--load of a few lines: %+v", r.Requests)
	}
	if r := mustRun(t, s, "--commands", many, "--load"); r.Requests.Sent != lines || s.Do(t, "LLEN", "list").Int != lines {
		t.Errorf("--load: %+v", r.Requests)
	}
}

// TestCommandFileLimits: what cannot be kept as rows, nor as templates, is
// refused with the line that is the reason.
func TestCommandFileLimits(t *testing.T) {
	t.Parallel()
	lines := strings.Repeat("PING\n", 100)
	for _, c := range []struct{ text, want string }{
		{strings.Repeat("PING\n", maxTemplates) + "PING ; PING\n", fmt.Sprintf("line %d has 2 commands, and those before it have 1", maxTemplates+1)},
		{strings.Repeat("PING ; PING\n", maxTemplates) + "PING\n", fmt.Sprintf("line %d has 1 command, and those before it have 2", maxTemplates+1)},
		{lines + "1048576x PING\n", "the weights up to line 101 add up to more than 1048576"},
		{strings.Repeat("PING\n", maxTemplates) + "ECHO <index>\n", fmt.Sprintf("more than %d lines, and line %d has a placeholder", maxTemplates, maxTemplates+1)},
		{"ECHO <index>\n" + strings.Repeat("PING\n", maxTemplates), fmt.Sprintf("more than %d lines, and line 1 has a placeholder", maxTemplates)},
	} {
		var out, said strings.Builder
		if status := run(t.Context(), []string{"-p", "1", "--commands", writeFile(t, "lines.txt", c.text)}, &out, &said); status != 2 || !strings.Contains(said.String(), c.want) {
			t.Errorf("status %d, %q, want %q", status, said.String(), c.want)
		}
	}
	// Weights of a file of rows are as many rows.
	s := redistest.Start(t)
	r := mustRun(t, s, "--commands", writeFile(t, "lines.txt", lines+"50x INCR n\n"), "-n", "150", "-c", "3")
	if r.Workload.Data[0].Rows != 150 || s.Do(t, "GET", "n").Str != "50" || s.Calls(t, "ping") < 100 {
		t.Errorf("%+v", r.Workload.Data)
	}
	// Of different numbers of commands lines can be sent, for a time.
	for _, before := range []string{"", lines, "2x MULTI ; EXEC\n" + lines} {
		s.Do(t, "CONFIG", "RESETSTAT")
		mustRun(t, s, "--commands", writeFile(t, "few.txt", before+"MULTI ; INCR m ; EXEC\nPING\n"), "-s", "0.3", "-c", "2")
		if multi, exec := s.Calls(t, "multi"), s.Calls(t, "exec"); multi == 0 || multi != exec {
			t.Errorf("%d MULTI, %d EXEC", multi, exec)
		}
	}
}

// TestCommandFilePreview: what preview shows is what a run sends, whatever the
// number of threads and connections.
func TestCommandFilePreview(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 100 {
		fmt.Fprintf(&text, "%dx SADD set %d-<value 8>-<index>\n", i%3+1, i)
	}
	path := writeFile(t, "lines.txt", text.String())
	s := redistest.Start(t)
	for _, order := range []string{"sequence", "random"} {
		s.Do(t, "FLUSHALL")
		var out, said strings.Builder
		args := []string{"--commands", path, "--commands-order", order, "-n", "1000", "--seed", "9"}
		if status := run(t.Context(), append([]string{"preview"}, args...), &out, &said); status != 0 {
			t.Fatal(said.String())
		}
		r := mustRun(t, s, append(args, "-c", "7", "-P", "3", "--threads", "2")...)
		if len(r.Parts) > 0 {
			t.Errorf("%d parts of 100 lines", len(r.Parts))
		}
		wanted := map[string]bool{}
		for line := range strings.Lines(out.String()) {
			wanted[strings.Fields(line)[2]] = true
		}
		members := s.Do(t, "SMEMBERS", "set").Elems
		for _, m := range members {
			if !wanted[m.Str] {
				t.Fatalf("%s: %q was sent, and is not in the preview", order, m.Str)
			}
		}
		if len(members) != len(wanted) || len(members) != 1000 {
			t.Errorf("%s: %d members, %d in the preview", order, len(members), len(wanted))
		}
	}
}

// TestReplayPage runs the commands of docs/replay.md, which shows the examples
// as they are.
func TestReplayPage(t *testing.T) {
	t.Parallel()
	runPage(t, "docs/replay.md", 6)
	page, err := os.ReadFile("docs/replay.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, lines := range map[string]int{"commands.txt": 5, "monitor.log": 6} {
		text, err := os.ReadFile("docs/examples/" + name)
		if err != nil {
			t.Fatal(err)
		}
		shown := strings.SplitAfterN(string(text), "\n", lines+1)[:lines]
		if want := "    " + strings.Join(shown, "    "); !strings.Contains(string(page), want) {
			t.Errorf("docs/replay.md does not show\n%s", want)
		}
	}
}
