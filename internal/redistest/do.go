package redistest

import (
	"bufio"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/respbench/respbench/internal/resp"
)

// Do sends one command through the unix socket, on a connection of its own,
// and returns the reply. An error reply, also one to the login, is a Value
// like any other; a broken connection, or no answer within 30 s, ends the test.
func (s *Server) Do(t testing.TB, args ...string) resp.Value {
	t.Helper()
	c, err := net.Dial("unix", s.Socket)
	if err != nil {
		t.Fatalf("%q: %v", args, err)
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(doTimeout))
	br := bufio.NewReader(c)
	exchange := func(args ...string) resp.Value {
		t.Helper()
		if _, err := c.Write(resp.AppendCommand(nil, args...)); err != nil {
			t.Fatalf("%q: %v", args, err)
		}
		v, err := resp.ReadValue(br)
		if err != nil {
			t.Fatalf("%q: %v", args, err)
		}
		return v
	}
	if s.User != "" || s.Password != "" {
		login := []string{"AUTH", s.Password}
		if s.User != "" {
			login = []string{"AUTH", s.User, s.Password}
		}
		if v := exchange(login...); v.Err() != nil {
			return v
		}
	}
	return exchange(args...)
}

// As returns the same server, whose Do logs in as user with password. An empty
// user is the default one; without user and password Do does not log in.
func (s *Server) As(user, password string) *Server {
	as := *s
	as.User, as.Password = user, password
	return &as
}

// Info returns the value of a field of INFO, any section, or "" if the server
// does not show that field.
func (s *Server) Info(t testing.TB, field string) string {
	t.Helper()
	v := s.Do(t, "INFO", "everything")
	if err := v.Err(); err != nil {
		t.Fatalf("INFO: %v", err)
	}
	for line := range strings.Lines(v.Str) {
		if name, value, _ := strings.Cut(line, ":"); name == field {
			return strings.TrimRight(value, "\r\n")
		}
	}
	return ""
}

// Calls returns how often the server has executed a command since it started
// or since CONFIG RESETSTAT, as INFO's commandstats count. The command is in
// lower case, a sub-command after a bar: "get", "config|set". Failed calls
// count, calls rejected before execution do not. Do itself adds to "info" and,
// where it logs in, to "auth".
func (s *Server) Calls(t testing.TB, command string) int64 {
	t.Helper()
	stats := s.Info(t, "cmdstat_"+command)
	if stats == "" {
		return 0
	}
	// calls=12,usec=…
	calls, _, _ := strings.Cut(stats, ",")
	n, err := strconv.ParseInt(strings.TrimPrefix(calls, "calls="), 10, 64)
	if err != nil {
		t.Fatalf("cmdstat_%s:%s: %v", command, stats, err)
	}
	return n
}
