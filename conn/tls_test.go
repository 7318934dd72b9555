package conn

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/respbench/respbench/internal/redistest"
)

func TestDialTLS(t *testing.T) {
	t.Parallel()
	ca := redistest.NewCA(t)
	client := ca.Client(t, "someone")
	folder := filepath.Dir(ca.File)
	optional := redistest.StartTLS(t, ca, "--tls-auth-clients", "optional")
	strict := redistest.StartTLS(t, ca, "--tls-auth-clients", "yes")
	old := redistest.StartTLS(t, ca, "--tls-protocols", "TLSv1.2")
	named := redistest.Start(t, append(ca.Args(ca.Server(t, "redis.example")), "--port", "0")...)
	tests := []struct {
		name    string
		tls     *TLS
		server  *redistest.Server
		version string
	}{
		{"CA", &TLS{CA: ca.File}, optional, "1.3"},
		{"CA folder", &TLS{CADir: folder}, optional, "1.3"},
		{"CA and folder", &TLS{CA: ca.File, CADir: folder}, optional, "1.3"},
		{"insecure", &TLS{Insecure: true}, optional, "1.3"},
		{"client certificate", &TLS{CA: ca.File, Cert: client.Cert, Key: client.Key}, strict, "1.3"},
		{"optional client certificate", &TLS{CA: ca.File, Cert: client.Cert, Key: client.Key}, optional, "1.3"},
		{"1.2", &TLS{CA: ca.File}, old, "1.2"},
		{"at least 1.2", &TLS{CA: ca.File, Minimum: tls.VersionTLS12}, optional, "1.3"},
		{"at least 1.3", &TLS{CA: ca.File, Minimum: tls.VersionTLS13}, optional, "1.3"},
		{"server name", &TLS{CA: ca.File, ServerName: "redis.example"}, named, "1.3"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			d := Dialer{Address: tlsAddr(test.server), TLS: test.tls}
			if v := d.TLS.Version(); v != "" {
				t.Errorf("version %q before the first connection", v)
			}
			c, err := d.Client(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			v, err := c.Do(t.Context(), "ECHO", strings.Repeat("long ", 20000))
			if err != nil || len(v.Str) != 100000 {
				t.Errorf("%d bytes, %v", len(v.Str), err)
			}
			if got := d.TLS.Version(); got != test.version {
				t.Errorf("version %q, want %q", got, test.version)
			}
		})
	}
}

func TestDialTLSRefused(t *testing.T) {
	t.Parallel()
	ca, other := redistest.NewCA(t), redistest.NewCA(t)
	foreign := other.Client(t, "a stranger")
	server := ca.Server(t)
	good := redistest.StartTLS(t, ca)
	strict := redistest.StartTLS(t, ca, "--tls-auth-clients", "yes")
	expired := redistest.Start(t, append(ca.Args(ca.Expired(t)), "--port", "0")...)
	old := redistest.StartTLS(t, ca, "--tls-protocols", "TLSv1.2")
	plain := redistest.Start(t)
	says := func(reply string) string {
		return redistest.Fake(t, func(nc net.Conn) {
			nc.Read(make([]byte, 1))
			io.WriteString(nc, reply)
			io.Copy(io.Discard, nc)
		})
	}
	tls10 := redistest.FakeTLS(t, &tls.Config{Certificates: []tls.Certificate{server.TLS}, MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11},
		func(c *tls.Conn) { c.Handshake() })
	silent := redistest.Fake(t, func(nc net.Conn) { io.Copy(io.Discard, nc) })
	hangsUp := redistest.Fake(t, func(nc net.Conn) { nc.Read(make([]byte, 1<<12)) })
	tests := []struct {
		name    string
		tls     *TLS
		address string
		timeout time.Duration
		reason  TLSReason
		want    string
	}{
		{"unknown authority", &TLS{}, tlsAddr(good), 0, Untrusted, "not trusted"},
		{"wrong authority", &TLS{CA: other.File}, tlsAddr(good), 0, Untrusted, "not trusted"},
		{"wrong name", &TLS{CA: ca.File, ServerName: "other.example"}, tlsAddr(good), 0, WrongName, "its certificate is valid for localhost, 127.0.0.1, not other.example"},
		{"expired", &TLS{CA: ca.File}, tlsAddr(expired), 0, OutOfDate, "it was valid until "},
		{"no client certificate", &TLS{CA: ca.File}, tlsAddr(strict), 0, WantsCert, "wants a client certificate"},
		{"foreign client certificate", &TLS{CA: ca.File, Cert: foreign.Cert, Key: foreign.Key}, tlsAddr(strict), 0, RefusesCert, "does not accept the client's certificate"},
		{"too old for us", &TLS{CA: ca.File, Minimum: tls.VersionTLS13}, tlsAddr(old), 0, WrongVersion, "no version of TLS"},
		{"too old altogether", &TLS{CA: ca.File}, tls10, 0, WrongVersion, "no version of TLS"},
		{"another protocol", &TLS{CA: ca.File}, says("-ERR unknown command\r\n"), 0, NotTLS, "does not speak TLS"},
		{"plain", &TLS{CA: ca.File}, plain.Addr, 200 * time.Millisecond, NotTLS, "does not speak TLS"},
		{"silent", &TLS{CA: ca.File}, silent, 50 * time.Millisecond, SilentTLS, "within 50ms"},
		{"hangs up", &TLS{CA: ca.File}, hangsUp, 0, ClosedDuringTLS, "hung up"},
		{"asked in plain text", nil, says("\x15\x03\x01\x00\x02\x02\x46"), 0, WantsTLS, "the server speaks TLS"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			d := Dialer{Address: test.address, TLS: test.tls, Timeout: test.timeout, Password: "secret"}
			_, err := d.Dial(t.Context())
			var failed *TLSError
			if !errors.As(err, &failed) || failed.Reason != test.reason || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("error %v, %+v, want reason %d and %q", err, failed, test.reason, test.want)
			}
			if !strings.Contains(err.Error(), test.address) || strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "secret") {
				t.Errorf("not one line with the address and without the password: %v", err)
			}
		})
	}
}

// A name that does not fit is told in the same words whatever the certificate
// has: names, addresses, many or none.
func TestWrongName(t *testing.T) {
	t.Parallel()
	loopback := net.IPv4(127, 0, 0, 1)
	for _, test := range []struct {
		cert x509.Certificate
		host string
		want string
	}{
		{x509.Certificate{DNSNames: []string{"a.example"}}, "127.0.0.1", "its certificate is valid for a.example, not 127.0.0.1"},
		{x509.Certificate{DNSNames: []string{"a.example"}, IPAddresses: []net.IP{loopback}}, "b", "its certificate is valid for a.example, 127.0.0.1, not b"},
		{x509.Certificate{}, "b", "its certificate names no host, so it is not valid for b"},
		{x509.Certificate{DNSNames: []string{"1", "2", "3", "4", "5", "6", "7"}}, "b", "its certificate is valid for 1, 2, 3, 4, 5 and 2 more, not b"},
	} {
		reason, text := tlsReason(x509.HostnameError{Certificate: &test.cert, Host: test.host})
		if reason != WrongName || text != test.want {
			t.Errorf("%d %q, want %q", reason, text, test.want)
		}
	}
}

func tlsAddr(s *redistest.Server) string { return net.JoinHostPort(s.Host, strconv.Itoa(s.TLSPort)) }

// A Dialer asks in plain text where TLS is spoken, by real servers too.
func TestDialPlainToTLS(t *testing.T) {
	t.Parallel()
	server := redistest.StartTLS(t, redistest.NewCA(t))
	d := Dialer{Address: server.Addr}
	if _, err := d.Dial(t.Context()); !isBroken(err) {
		t.Errorf("error %v, want the end of the connection", err)
	}
}

func TestTLSLoad(t *testing.T) {
	t.Parallel()
	ca := redistest.NewCA(t)
	one, two := ca.Client(t, "one"), ca.Client(t, "two")
	dir := t.TempDir()
	junk, locked := filepath.Join(dir, "junk"), filepath.Join(dir, "locked")
	for name, text := range map[string]string{junk: "nothing\n", locked: "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	wide := func(name, key, mark string, before, after string) string {
		text, err := os.ReadFile(key)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range text {
			mark += before + string(c) + after
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(mark), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	missing := filepath.Join(dir, "missing")
	tests := []struct {
		name string
		tls  *TLS
		want string // "" is no error
	}{
		{"nothing", &TLS{}, ""},
		{"all", &TLS{CA: ca.File, Cert: one.Cert, Key: one.Key}, ""},
		{"CA missing", &TLS{CA: missing}, "TLS: CA " + strconv.Quote(missing) + ": no such file or directory"},
		{"CA without certificate", &TLS{CA: one.Key}, "no certificate in it"},
		{"folder missing", &TLS{CADir: missing}, "TLS: CA folder " + strconv.Quote(missing) + ": no such file or directory"},
		{"folder without certificate", &TLS{CADir: dir}, "no certificate in it"},
		{"no key", &TLS{Cert: one.Cert}, "its key is missing"},
		{"no certificate", &TLS{Key: one.Key}, "its certificate is missing"},
		{"certificate missing", &TLS{Cert: missing, Key: one.Key}, "TLS: certificate " + strconv.Quote(missing) + ": no such file"},
		{"key missing", &TLS{Cert: one.Cert, Key: missing}, "TLS: key " + strconv.Quote(missing) + ": no such file"},
		{"another key", &TLS{Cert: one.Cert, Key: two.Key}, "does not belong to certificate"},
		{"swapped", &TLS{Cert: one.Key, Key: one.Cert}, "no certificate in it"},
		{"junk certificate", &TLS{Cert: junk, Key: one.Key}, "no certificate in it"},
		{"junk key", &TLS{Cert: one.Cert, Key: junk}, "no private key in it"},
		{"wide CA", &TLS{CA: wide("wide CA", ca.File, "\xff\xfe", "", "\x00")}, "the file is UTF-16, and PEM is plain text: iconv -f utf-16 -t utf-8"},
		{"wide certificate", &TLS{Cert: wide("wide certificate", one.Cert, "", "", "\x00"), Key: one.Key}, "iconv -f utf-16le -t utf-8"},
		{"wide key", &TLS{Cert: one.Cert, Key: wide("wide key", one.Key, "", "\x00", "")}, "iconv -f utf-16be -t utf-8"},
		{"encrypted key", &TLS{Cert: one.Cert, Key: locked}, "openssl pkey"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			err := test.tls.Load()
			if test.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
				t.Fatalf("error %v, want %q", err, test.want)
			}
			d := Dialer{Address: "127.0.0.1:1", TLS: test.tls}
			if _, err := d.Dial(t.Context()); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("Dial: error %v, want %q", err, test.want)
			}
		})
	}
}

// Another node is asked by its own name, unless a name is stated.
func TestDialerAt(t *testing.T) {
	t.Parallel()
	ca := redistest.NewCA(t)
	certificate := ca.Server(t, "localhost", "stated.example").TLS
	asked := make(chan string, 1)
	address := redistest.FakeTLS(t, &tls.Config{GetCertificate: func(h *tls.ClientHelloInfo) (*tls.Certificate, error) {
		asked <- h.ServerName
		return &certificate, nil
	}}, func(c *tls.Conn) { answering(func([]string) string { return "+OK\r\n" })(c) })
	_, port, _ := net.SplitHostPort(address)
	for _, test := range []struct{ stated, want string }{{"", "localhost"}, {"stated.example", "stated.example"}} {
		first := Dialer{
			Network: "unix", Address: "/a/socket", User: "u", Password: "p", RESP3: true, ReadOnly: true,
			TLS: &TLS{CA: ca.File, ServerName: test.stated},
		}
		d := first.At("localhost:" + port)
		if d.User != "u" || d.Password != "p" || !d.RESP3 || !d.ReadOnly || first.Address != "/a/socket" {
			t.Errorf("%+v from %+v", d, first)
		}
		nc, err := d.Dial(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		nc.Close()
		if got := <-asked; got != test.want {
			t.Errorf("asked for %q, want %q", got, test.want)
		}
	}
}
