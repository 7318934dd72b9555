// Package redistest gives tests real redis-server processes, one's own for
// each test, and fake servers that speak whatever bytes a test wants. It
// listens on 127.0.0.1 only and is imported by tests alone.
package redistest

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"
)

const (
	host         = "127.0.0.1"
	startTimeout = 20 * time.Second      // for a server to answer, on a busy machine
	startBackoff = 2 * time.Millisecond  // between two looks at a starting server
	doTimeout    = 30 * time.Second      // for one command of Do
	maxPort      = 65535 - clusterOffset // so that the cluster bus has a port too
)

// clusterOffset is how far above its port a server opens its cluster bus.
const clusterOffset = 10000

// Server is a running redis-server. Its methods that take a testing.TB may end
// the test and are therefore to be called on the test's own goroutine.
type Server struct {
	Host    string // 127.0.0.1
	Port    int
	Addr    string // Host:Port
	Socket  string // path of the unix socket
	TLSPort int    // 0 without --tls-port

	// User and Password are what Do logs in with; it does not log in while
	// both are empty. Start sets Password from --requirepass.
	User, Password string

	*process
}

// Start starts a redis-server with the given arguments ("--maxmemory", "1mb"),
// waits until it answers, and stops it when the test ends. It listens on a
// port and a unix socket that are its own and persists nothing, unless args
// say so; its directory is a temporary one. A "--tls-port auto" in args gets a
// free port as well. Start ends the test, showing the server's log, if the
// server does not come up.
func Start(t testing.TB, args ...string) *Server {
	t.Helper()
	path, err := exec.LookPath("redis-server")
	if err != nil {
		t.Fatal("redis-server not found; run scripts/test.sh, which installs what the tests need")
	}
	// Not t.TempDir: with the test's name in it, the socket's path may grow
	// beyond what the system allows (about 100 bytes).
	dir, err := os.MkdirTemp("", "redistest")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })

	s := &Server{
		Host:     host,
		Socket:   filepath.Join(dir, "redis.sock"),
		Password: argument(args, "--requirepass"),
	}
	s.process = &process{path: path, dir: dir, socket: s.Socket}
	t.Cleanup(s.kill)

	deadline := time.Now().Add(startTimeout)
	for {
		s.choosePorts(t, args)
		err := s.start(deadline)
		if err == nil {
			return s
		}
		// A port is free only until somebody takes it: another test, or the
		// system for an outgoing connection. Then the server says so and
		// another port is tried.
		if !s.addressInUse() || time.Now().After(deadline) {
			t.Fatalf("redis-server %q: %v; its log:\n%s", s.args, err, s.log())
		}
	}
}

// choosePorts picks free ports and puts together the server's command line.
func (s *Server) choosePorts(t testing.TB, args []string) {
	t.Helper()
	args = slices.Clone(args)
	if i := slices.Index(args, "--tls-port"); i >= 0 && i+1 < len(args) && args[i+1] == "auto" {
		s.TLSPort = freePort(t)
		args[i+1] = strconv.Itoa(s.TLSPort)
	}
	s.Port = freePort(t)
	s.Addr = net.JoinHostPort(s.Host, strconv.Itoa(s.Port))
	s.args = append([]string{
		"--bind", s.Host,
		"--port", strconv.Itoa(s.Port),
		"--unixsocket", s.Socket,
		"--dir", s.dir,
		"--save", "",
		"--appendonly", "no",
		"--daemonize", "no",
	}, args...)
}

// freePort returns a port that nobody listened on a moment ago.
func freePort(t testing.TB) int {
	t.Helper()
	for {
		l, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
		if err != nil {
			t.Fatal(err)
		}
		port := l.Addr().(*net.TCPAddr).Port
		l.Close()
		if port <= maxPort {
			return port
		}
	}
}

// argument returns the value that follows name in args, or "".
func argument(args []string, name string) string {
	i := slices.Index(args, name)
	if i < 0 || i+1 >= len(args) {
		return ""
	}
	return args[i+1]
}

// Restart starts the server again after Kill, on the same ports and in the
// same directory, and waits until it answers.
func (s *Server) Restart(t testing.TB) {
	t.Helper()
	deadline := time.Now().Add(startTimeout)
	for {
		err := s.start(deadline)
		if err == nil {
			return
		}
		if !s.addressInUse() || time.Now().After(deadline) {
			t.Fatalf("redis-server %q: %v; its log:\n%s", s.args, err, s.log())
		}
		time.Sleep(startBackoff)
	}
}

// Kill ends the server with SIGKILL and waits until it is gone.
func (s *Server) Kill(t testing.TB) {
	t.Helper()
	s.kill()
}

// Pause stops the server with SIGSTOP: its sockets stay open, the system goes
// on accepting connections and bytes for it, and nothing answers until Resume.
func (s *Server) Pause(t testing.TB) {
	t.Helper()
	if err := s.pause(); err != nil {
		t.Fatal(fmt.Errorf("pausing redis-server: %w", err))
	}
}

// Resume lets a paused server go on.
func (s *Server) Resume(t testing.TB) {
	t.Helper()
	if err := s.resume(); err != nil {
		t.Fatal(fmt.Errorf("resuming redis-server: %w", err))
	}
}
