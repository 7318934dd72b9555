package redistest

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/respbench/respbench/internal/resp"
)

// ping sends a PING to addr and returns the connection and the reply.
func ping(t *testing.T, addr string) (net.Conn, resp.Value) {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(doTimeout))
	c.Write(resp.AppendCommand(nil, "PING"))
	v, err := resp.ReadValue(bufio.NewReader(c))
	if err != nil {
		t.Fatal(err)
	}
	return c, v
}

func TestStart(t *testing.T) {
	t.Parallel()
	s := Start(t, "--maxmemory", "12mb")
	if _, v := ping(t, s.Addr); v.Str != "PONG" {
		t.Errorf("PING at %s: %+v", s.Addr, v)
	}
	if s.Addr != fmt.Sprintf("127.0.0.1:%d", s.Port) || s.Host != "127.0.0.1" || s.TLSPort != 0 {
		t.Errorf("host %s, port %d, address %s, TLS port %d", s.Host, s.Port, s.Addr, s.TLSPort)
	}
	for field, want := range map[string]string{
		"process_id":         strconv.Itoa(s.Pid()),
		"tcp_port":           strconv.Itoa(s.Port),
		"maxmemory":          strconv.Itoa(12 << 20),
		"aof_enabled":        "0",
		"no_such_field":      "",
		"uptime_in_seconds ": "",
	} {
		if got := s.Info(t, field); got != want {
			t.Errorf("INFO %s is %q, want %q", field, got, want)
		}
	}
	if v := s.Do(t, "CONFIG", "GET", "save"); len(v.Elems) != 2 || v.Elems[1].Str != "" {
		t.Errorf("the server saves: %+v", v)
	}
}

func TestStartMany(t *testing.T) {
	t.Parallel()
	// Each must have its own process behind its own port.
	for i := range 8 {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			s := Start(t)
			name := fmt.Sprint(s.Pid())
			s.Do(t, "SET", "name", name)
			if v := s.Do(t, "GET", "name"); v.Str != name || s.Info(t, "tcp_port") != strconv.Itoa(s.Port) {
				t.Errorf("GET name: %+v, want %s; tcp_port %s, want %d", v, name, s.Info(t, "tcp_port"), s.Port)
			}
		})
	}
}

func TestCleanup(t *testing.T) {
	t.Parallel()
	var s *Server
	var c net.Conn
	t.Run("inner", func(t *testing.T) {
		s = Start(t)
		var err error
		if c, err = net.Dial("tcp", s.Addr); err != nil {
			t.Fatal(err)
		}
	})
	defer c.Close()
	if _, err := os.Stat(s.dir); !os.IsNotExist(err) {
		t.Errorf("directory after the test: %v", err)
	}
	c.SetDeadline(time.Now().Add(doTimeout))
	if _, err := io.ReadAll(c); os.IsTimeout(err) {
		t.Error("the server lives on after the test")
	}
}

func TestCalls(t *testing.T) {
	t.Parallel()
	s := Start(t)
	for range 3 {
		s.Do(t, "SET", "k", "v")
	}
	s.Do(t, "CONFIG", "GET", "port")
	s.Do(t, "LPUSH", "k", "wrong type")
	for command, want := range map[string]int64{"set": 3, "config|get": 1, "lpush": 1, "get": 0, "nosuch": 0, "auth": 0} {
		if got := s.Calls(t, command); got != want {
			t.Errorf("Calls(%s) = %d, want %d", command, got, want)
		}
	}
}

func TestDoReturnsErrorReplies(t *testing.T) {
	t.Parallel()
	s := Start(t)
	if err := s.Do(t, "NOSUCH").Err(); err == nil || !strings.HasPrefix(err.Error(), "ERR unknown command") {
		t.Errorf("NOSUCH: %v", err)
	}
}

func TestLogin(t *testing.T) {
	t.Parallel()
	s := Start(t, "--requirepass", "p:/#?% é")
	if v := s.Do(t, "ACL", "SETUSER", "a@b", "on", ">x y", "~*", "+ping", "+acl|whoami"); v.Str != "OK" {
		t.Fatalf("ACL SETUSER: %+v", v)
	}
	for _, tt := range []struct{ user, password, want string }{
		{"a@b", "x y", "a@b"},
		{"", "p:/#?% é", "default"},
		{"a@b", "wrong", "WRONGPASS invalid username-password pair or user is disabled."},
		{"", "", "NOAUTH Authentication required."},
	} {
		if v := s.As(tt.user, tt.password).Do(t, "ACL", "WHOAMI"); v.Str != tt.want {
			t.Errorf("as %q with %q: %q, want %q", tt.user, tt.password, v.Str, tt.want)
		}
	}
	if err := s.As("a@b", "x y").Do(t, "GET", "k").Err(); err == nil || !strings.HasPrefix(err.Error(), "NOPERM") {
		t.Errorf("GET as a@b: %v, want NOPERM", err)
	}
}

func TestKillRestart(t *testing.T) {
	t.Parallel()
	s := Start(t)
	pid := s.Pid()
	c, _ := ping(t, s.Addr)
	s.Kill(t)
	if _, err := io.ReadAll(c); os.IsTimeout(err) {
		t.Error("a connection lives on after Kill")
	}
	s.Kill(t) // of nothing
	s.Restart(t)
	if _, v := ping(t, s.Addr); v.Str != "PONG" || s.Pid() == pid {
		t.Errorf("after Restart: %+v from pid %d, before %d", v, s.Pid(), pid)
	}
}

func TestPauseResume(t *testing.T) {
	t.Parallel()
	s := Start(t)
	c, _ := ping(t, s.Addr)
	s.Pause(t)
	c.Write(resp.AppendCommand(nil, "ECHO", "late"))
	c.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	if n, err := c.Read(make([]byte, 100)); !os.IsTimeout(err) {
		t.Errorf("a paused server sends %d bytes, %v", n, err)
	}
	s.Resume(t)
	c.SetReadDeadline(time.Now().Add(doTimeout))
	if v, err := resp.ReadValue(bufio.NewReader(c)); v.Str != "late" {
		t.Errorf("after Resume: %+v, %v", v, err)
	}
}

func TestCluster(t *testing.T) {
	t.Parallel()
	s := Start(t, "--cluster-enabled", "yes")
	if v := s.Do(t, "CLUSTER", "INFO"); !strings.Contains(v.Str, "cluster_slots_assigned:0") {
		t.Errorf("CLUSTER INFO: %+v", v)
	}
}

func TestPortTaken(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	s := Start(t)
	s.Kill(t)
	s.args = append(s.args, "--port", strconv.Itoa(l.Addr().(*net.TCPAddr).Port))
	if err := s.start(time.Now().Add(startTimeout)); err == nil || !s.addressInUse() {
		t.Errorf("started on a taken port: %v; log:\n%s", err, s.log())
	}
}

// fatal is a testing.TB that remembers with which words it was ended.
type fatal struct {
	testing.TB
	text string
}

func (f *fatal) Fatal(args ...any)                 { f.text = fmt.Sprint(args...); runtime.Goexit() }
func (f *fatal) Fatalf(format string, args ...any) { f.Fatal(fmt.Sprintf(format, args...)) }

// fatalText runs do and returns with which words it ended its test.
func fatalText(t *testing.T, do func(testing.TB)) string {
	f := &fatal{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		do(f)
	}()
	<-done
	return f.text
}

func TestStartFails(t *testing.T) {
	t.Parallel()
	got := fatalText(t, func(t testing.TB) { Start(t, "--no-such-option", "1") })
	if !strings.Contains(got, "ended instead of answering") || !strings.Contains(got, "Bad directive") {
		t.Errorf("got %q, want the server's own words", got)
	}
}

func TestStartWithoutServer(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if got := fatalText(t, func(t testing.TB) { Start(t) }); !strings.Contains(got, "run scripts/test.sh") {
		t.Errorf("got %q, want what to do", got)
	}
}

func TestDoOfDeadServer(t *testing.T) {
	t.Parallel()
	s := Start(t)
	s.Kill(t)
	if got := fatalText(t, func(t testing.TB) { s.Do(t, "PING") }); !strings.Contains(got, "PING") {
		t.Errorf("got %q, want the command", got)
	}
}

// TestServerDiesWithParent runs this test binary again, which starts a server
// and is killed before it can stop it.
func TestServerDiesWithParent(t *testing.T) {
	if os.Getenv("REDISTEST_ORPHAN") != "" {
		fmt.Println(Start(t).Addr)
		io.Copy(io.Discard, os.Stdin)
		return
	}
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells a process that its parent died")
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestServerDiesWithParent$")
	cmd.Env = append(os.Environ(), "REDISTEST_ORPHAN=1", "TMPDIR="+t.TempDir())
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, readErr := bufio.NewReader(stdout).ReadString('\n')
	var c net.Conn
	if readErr == nil {
		c, _ = ping(t, strings.TrimSpace(line))
	}
	cmd.Process.Kill()
	cmd.Wait()
	if readErr != nil {
		t.Fatal(readErr)
	}
	if _, err := io.ReadAll(c); os.IsTimeout(err) {
		t.Error("the server outlives the test binary")
	}
}

func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		s := Start(b)
		s.Kill(b)
	}
}
