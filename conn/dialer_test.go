package conn

import (
	"bufio"
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/respbench/respbench/internal/redistest"
	"github.com/respbench/respbench/internal/resp"
)

// recorded serves a handshake and tells what it was.
func recorded(t *testing.T, replies string) (address string, handshake <-chan [][]string) {
	t.Helper()
	got := make(chan [][]string, 1)
	address = redistest.Fake(t, func(nc net.Conn) {
		br := bufio.NewReader(nc)
		var commands [][]string
		for {
			v, err := resp.ReadValue(br)
			if err != nil {
				return
			}
			var args []string
			for _, e := range v.Elems {
				args = append(args, e.Str)
			}
			commands = append(commands, args)
			if len(commands) == strings.Count(replies, "\n") {
				nc.Write([]byte(replies))
				got <- commands
			}
		}
	})
	return address, got
}

func TestDialerHandshake(t *testing.T) {
	t.Parallel()
	name := []string{"CLIENT", "SETNAME", "respbench"}
	tests := []struct {
		name    string
		dialer  Dialer
		replies string
		want    [][]string
	}{
		{"bare", Dialer{}, "+OK\r\n", [][]string{name}},
		{"password", Dialer{Password: "p:/#?% é\"\x00\r\n"}, "+OK\r\n+OK\r\n", [][]string{{"AUTH", "p:/#?% é\"\x00\r\n"}, name}},
		{"user", Dialer{User: "a@b", Password: "p"}, "+OK\r\n+OK\r\n", [][]string{{"AUTH", "a@b", "p"}, name}},
		{"user without password", Dialer{User: "a"}, "+OK\r\n+OK\r\n", [][]string{{"AUTH", "a", ""}, name}},
		{"database", Dialer{DB: 7}, "+OK\r\n+OK\r\n", [][]string{{"SELECT", "7"}, name}},
		{"RESP3", Dialer{RESP3: true, DB: 1}, "%0\r\n+OK\r\n+OK\r\n", [][]string{{"HELLO", "3"}, {"SELECT", "1"}, name}},
		{"RESP3 login", Dialer{RESP3: true, Password: "p"}, "%0\r\n+OK\r\n", [][]string{{"HELLO", "3", "AUTH", "default", "p"}, name}},
		{"read only", Dialer{DB: 1, ReadOnly: true}, "+OK\r\n+OK\r\n+OK\r\n", [][]string{{"SELECT", "1"}, {"READONLY"}, name}},
		{"tracking", Dialer{RESP3: true, Tracking: true}, "%0\r\n+OK\r\n+OK\r\n", [][]string{{"HELLO", "3"}, {"CLIENT", "TRACKING", "ON"}, name}},
		{"no names", Dialer{}, "-ERR unknown command 'CLIENT'\r\n", [][]string{name}},
		{"names not permitted", Dialer{}, "-NOPERM this user has no permissions\r\n", [][]string{name}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			address, handshake := recorded(t, test.replies)
			d := test.dialer
			d.Address = address
			nc, err := d.Dial(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			nc.Close()
			if diff := cmp.Diff(test.want, <-handshake); diff != "" {
				t.Errorf("handshake (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDialerRefused(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		dialer  Dialer
		replies string
		want    string
	}{
		{"wrong password", Dialer{Password: "secret"}, "-WRONGPASS invalid\r\n+OK\r\n", "WRONGPASS invalid"},
		{"password wanted", Dialer{}, "-NOAUTH Authentication required.\r\n", "NOAUTH Authentication required."},
		{"protected", Dialer{}, "-DENIED running in protected mode\r\n", "DENIED"},
		{"full", Dialer{}, "-ERR max number of clients reached\r\n", "max number of clients"},
		{"no such database", Dialer{DB: 99}, "-ERR DB index is out of range\r\n+OK\r\n", "out of range"},
		{"no cluster", Dialer{ReadOnly: true}, "-ERR This instance has cluster support disabled\r\n+OK\r\n", "cluster support disabled"},
		{"no tracking", Dialer{RESP3: true, Tracking: true}, "%0\r\n-ERR unknown subcommand\r\n+OK\r\n", "unknown subcommand"},
		{"a server that repeats what it does not know", Dialer{Password: "secret"},
			"-ERR unknown command 'AUTH', with args beginning with: 'secret' \r\n+OK\r\n", "ERR unknown command 'AUTH'"},
		{"a server that repeats the password", Dialer{Password: "secret"}, "-ERR no user has secret\r\n+OK\r\n", "no user has ***"},
		{"no RESP3", Dialer{RESP3: true}, "-NOPROTO unsupported\r\n+OK\r\n", "NOPROTO"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			d := test.dialer
			d.Address, _ = recorded(t, test.replies)
			_, err := d.Dial(t.Context())
			var refused *RefusedError
			if !errors.As(err, &refused) || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), d.Address) {
				t.Fatalf("error %v, want a RefusedError with %q and the address", err, test.want)
			}
			if strings.Contains(err.Error(), "secret") {
				t.Errorf("the error shows the password: %v", err)
			}
		})
	}
}

func TestDialerUnreachable(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := l.Addr().String()
	l.Close()
	silent := redistest.Fake(t, func(nc net.Conn) { nc.Read(make([]byte, 1<<10)); nc.Read(make([]byte, 1)) })
	hangsUp := redistest.Fake(t, func(net.Conn) {})
	missing := filepath.Join(t.TempDir(), "none.sock")
	tests := []struct {
		name   string
		dialer Dialer
		is     error
		want   string
	}{
		{"nobody listens", Dialer{Address: closed}, syscall.ECONNREFUSED, closed},
		{"nobody answers", Dialer{Address: silent, Timeout: 50 * time.Millisecond}, nil, "no answer within 50ms"},
		{"hangs up", Dialer{Address: hangsUp}, nil, hangsUp},
		{"no socket", Dialer{Network: "unix", Address: missing}, syscall.ENOENT, missing},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := test.dialer.Dial(t.Context())
			if err == nil || !strings.Contains(err.Error(), test.want) || test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("error %v, want %q and %v", err, test.want, test.is)
			}
		})
	}
}

func TestDialerEndsWithItsContext(t *testing.T) {
	t.Parallel()
	accepted := make(chan struct{})
	address := redistest.Fake(t, func(nc net.Conn) {
		close(accepted)
		nc.Read(make([]byte, 1<<10))
		nc.Read(make([]byte, 1))
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-accepted
		cancel()
	}()
	d := Dialer{Address: address, Timeout: time.Minute}
	if _, err := d.Dial(ctx); err == nil {
		t.Error("no error")
	}
}

// A push may come before the reply to a step of the handshake.
func TestDialerSkipsPushes(t *testing.T) {
	t.Parallel()
	address := redistest.Fake(t, answering(func(args []string) string { return ">1\r\n+news\r\n+OK\r\n" }))
	d := Dialer{Address: address, RESP3: true}
	nc, err := d.Dial(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	nc.Close()
}

// A Client, which is beside the load, does not track.
func TestClientDoesNotTrack(t *testing.T) {
	t.Parallel()
	d := Dialer{Address: redistest.Start(t).Addr, RESP3: true, Tracking: true}
	c, err := d.Client(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	v, err := c.Do(t.Context(), "CLIENT", "TRACKINGINFO")
	if err != nil || len(v.Elems) < 2 || v.Elems[1].Elems[0].Str != "off" {
		t.Errorf("%+v, %v", v, err)
	}
}

// Every failure of the system is named for what it is.
func TestDialerExplains(t *testing.T) {
	t.Parallel()
	call := func(name string, errno syscall.Errno) error {
		return &net.OpError{Op: "dial", Net: "tcp", Addr: &net.TCPAddr{Port: 1}, Err: os.NewSyscallError(name, errno)}
	}
	d := Dialer{Address: "h:1"}
	tests := []struct {
		err  error
		want string
		is   error
	}{
		{call("socket", syscall.EMFILE), "try h:1: too many open files", syscall.EMFILE},
		{call("socket", syscall.ENFILE), "try h:1: too many open files in system", syscall.ENFILE},
		{call("connect", syscall.EADDRNOTAVAIL), "try h:1: cannot assign requested address", syscall.EADDRNOTAVAIL},
		{call("read", syscall.ECONNRESET), "try h:1: connection reset by peer", syscall.ECONNRESET},
		{call("connect", syscall.ETIMEDOUT), "try h:1: no answer within 2s", ErrNoAnswer},
		{call("connect", syscall.EHOSTUNREACH), "try h:1: no route to host", syscall.EHOSTUNREACH},
		{&net.DNSError{Name: "h", IsNotFound: true}, `try h:1: unknown host "h"`, nil},
		{&net.DNSError{Name: "h", Err: "server misbehaving", Server: "1.1.1.1:53"}, `try h:1: looking up host "h": server misbehaving`, nil},
		{&net.DNSError{Name: "h", IsTimeout: true}, "try h:1: no answer within 2s", ErrNoAnswer},
	}
	for _, test := range tests {
		got := d.explain("try", test.err, 2*time.Second)
		if got.Error() != test.want || test.is != nil && !errors.Is(got, test.is) {
			t.Errorf("%v: got %q, want %q", test.err, got, test.want)
		}
	}
}

func TestClientSkipsPushes(t *testing.T) {
	t.Parallel()
	address := redistest.Fake(t, answering(func(args []string) string {
		if args[0] == "INFO" {
			return ">1\r\n+news\r\n$3\r\na:1\r\n"
		}
		return "+OK\r\n"
	}))
	d := Dialer{Address: address}
	c, err := d.Client(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	v, err := c.Do(t.Context(), "INFO")
	if err != nil || v.Str != "a:1" {
		t.Errorf("got %q, %v", v.Str, err)
	}
}
