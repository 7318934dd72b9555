package conn

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/respbench/respbench/internal/redistest"
)

// meetOnce makes a Client and reads the topology if cluster says so.
func meetOnce(ctx context.Context, d Dialer, cluster bool) error {
	c, err := d.Client(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	if cluster {
		_, err = ReadTopology(ctx, c, d.Address, AddressMap{})
	}
	return err
}

// What real servers, and some that play one, say: is it worth trying again?
func TestFinal(t *testing.T) {
	t.Parallel()
	ca, other := redistest.NewCA(t), redistest.NewCA(t)
	secured := redistest.StartTLS(t, ca)
	strict := redistest.StartTLS(t, ca, "--tls-auth-clients", "yes")
	expired := redistest.Start(t, append(ca.Args(ca.Expired(t)), "--port", "0")...)
	plain := redistest.Start(t)
	locked := redistest.Start(t, "--requirepass", "right")
	locked.As("default", "right").AddUser(t, "poor", "p", "+auth", "+client|setname")
	foreign := other.Client(t, "a stranger")
	says := func(reply string) string {
		return redistest.Fake(t, func(nc net.Conn) {
			nc.Read(make([]byte, 1))
			io.WriteString(nc, reply)
			io.Copy(io.Discard, nc)
		})
	}
	failing := redistest.FakeTLS(t, &tls.Config{GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
		return nil, fmt.Errorf("not there yet") // an alert: internal error
	}}, func(c *tls.Conn) { c.Handshake() })
	silent := redistest.Fake(t, func(nc net.Conn) { io.Copy(io.Discard, nc) })
	hangsUp := redistest.Fake(t, func(nc net.Conn) { nc.Read(make([]byte, 1<<12)) })
	noSocket := filepath.Join(t.TempDir(), "none.sock")
	const short = 200 * time.Millisecond

	tests := []struct {
		name    string
		dialer  Dialer
		cluster bool
		final   bool
		says    string
	}{
		{"nobody listens", Dialer{Address: "127.0.0.1:1"}, false, false, "refused"},
		{"nobody answers", Dialer{Address: silent, Timeout: short}, false, false, "no answer"},
		{"hangs up", Dialer{Address: hangsUp}, false, false, "EOF"},
		{"unknown host", Dialer{Address: "nowhere.invalid:6379"}, false, false, "nowhere.invalid"},
		{"no socket yet", Dialer{Network: "unix", Address: noSocket}, false, false, "no such file"},
		{"a path too long for a socket", Dialer{Network: "unix", Address: "/" + strings.Repeat("x", 200)}, false, true, "invalid argument"},
		{"loading", Dialer{Address: says("-LOADING Redis is loading the dataset in memory\r\n")}, false, false, "LOADING"},
		{"full", Dialer{Address: says("-ERR max number of clients reached\r\n")}, false, false, "max number"},
		{"busy", Dialer{Address: says("-BUSY Redis is busy running a script\r\n")}, false, false, "BUSY"},
		{"no login", Dialer{Address: locked.Addr}, false, true, "NOAUTH"},
		{"wrong password", Dialer{Address: locked.Addr, Password: "wrong"}, false, true, "WRONGPASS"},
		{"no such user", Dialer{Address: locked.Addr, User: "nobody", Password: "right"}, false, true, "WRONGPASS"},
		{"not permitted", Dialer{Address: locked.Addr, User: "poor", Password: "p", DB: 1}, false, true, "NOPERM"},
		{"no such database", Dialer{Address: plain.Addr, DB: 99}, false, true, "out of range"},
		{"protected", Dialer{Address: says("-DENIED Redis is running in protected mode\r\n")}, false, true, "DENIED"},
		{"another protocol", Dialer{Address: says("HTTP/1.1 400 Bad Request\r\n")}, false, true, "malformed"},
		{"no cluster", Dialer{Address: plain.Addr}, true, true, "not a node"},
		{"a cluster without slots yet", Dialer{Address: redistest.Start(t, "--cluster-enabled", "yes").Addr}, true, false, "no slots yet"},
		{"a topology that is not permitted", Dialer{Address: locked.Addr, User: "poor", Password: "p"}, true, true, "NOPERM"},
		{"TLS of an unknown authority", Dialer{Address: tlsAddr(secured), TLS: &TLS{CA: other.File}}, false, true, "not trusted"},
		{"TLS for another host", Dialer{Address: tlsAddr(secured), TLS: &TLS{CA: ca.File, ServerName: "other.example"}}, false, true, "not other.example"},
		{"TLS out of date", Dialer{Address: tlsAddr(expired), TLS: &TLS{CA: ca.File}}, false, true, "it was valid until"},
		{"TLS with a client certificate", Dialer{Address: tlsAddr(strict), TLS: &TLS{CA: ca.File}}, false, true, "wants a client certificate"},
		{"TLS with another client certificate", Dialer{Address: tlsAddr(strict), TLS: &TLS{CA: ca.File, Cert: foreign.Cert, Key: foreign.Key}}, false, true, "does not accept"},
		{"no TLS", Dialer{Address: plain.Addr, TLS: &TLS{CA: ca.File}, Timeout: short}, false, true, "does not speak TLS"},
		{"no TLS, and it says so", Dialer{Address: says("-ERR unknown command\r\n"), TLS: &TLS{CA: ca.File}}, false, true, "does not speak TLS"},
		{"TLS without a word", Dialer{Address: silent, TLS: &TLS{CA: ca.File}, Timeout: short}, false, false, "no answer to the TLS handshake"},
		{"TLS hangs up", Dialer{Address: hangsUp, TLS: &TLS{CA: ca.File}}, false, false, "hung up"},
		{"TLS fails", Dialer{Address: failing, TLS: &TLS{CA: ca.File}}, false, false, "internal error"},
		{"TLS without its file", Dialer{Address: tlsAddr(secured), TLS: &TLS{CA: noSocket}}, false, true, "no such file"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			err := meetOnce(t.Context(), test.dialer, test.cluster)
			if err == nil || !strings.Contains(err.Error(), test.says) {
				t.Fatalf("error %v, want one with %q", err, test.says)
			}
			if got := Final(err); got != test.final {
				t.Errorf("final: %v, want %v: %v", got, test.final, err)
			}
			if got := Final(fmt.Errorf("step 2: %w", err)); got != test.final {
				t.Errorf("wrapped: %v, want %v: %v", got, test.final, err)
			}
		})
	}
}

// What no test can bring about on every machine.
func TestFinalBySystem(t *testing.T) {
	t.Parallel()
	soon := &x509.Certificate{NotBefore: time.Now().Add(time.Hour), NotAfter: time.Now().Add(2 * time.Hour)}
	early := asTLS(&tls.CertificateVerificationError{Err: x509.CertificateInvalidError{Cert: soon, Reason: x509.Expired}})
	tests := []struct {
		err   error
		final bool
	}{
		{nil, false},
		{&net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.EACCES)}, true},
		{&net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.EPERM)}, true},
		{syscall.EAFNOSUPPORT, true},
		{syscall.EHOSTUNREACH, false},
		{syscall.ENETUNREACH, false},
		{syscall.EADDRNOTAVAIL, false},
		{syscall.EMFILE, false},
		{&FormingError{Address: "a:1"}, false},
		{early, false},
		{fmt.Errorf("something new"), false},
	}
	for _, test := range tests {
		if got := Final(test.err); got != test.final {
			t.Errorf("%v: %v, want %v", test.err, got, test.final)
		}
	}
}
