package conn

import (
	"crypto/tls"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/respbench/respbench/internal/redistest"
)

// sealedPair is a client's side, detached from its socket, and the server's.
func sealedPair(t *testing.T, version uint16) (*sealed, *tls.Conn) {
	t.Helper()
	ca := redistest.NewCA(t)
	config := &tls.Config{Certificates: []tls.Certificate{ca.Server(t).TLS}, MaxVersion: version}
	ours, theirs := net.Pipe()
	server := tls.Server(theirs, config)
	done := make(chan error)
	go func() { done <- server.Handshake() }()
	trust := &TLS{CA: ca.File}
	s, err := trust.secure(t.Context(), ours, "127.0.0.1:1")
	if err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ours.Close(); theirs.Close() })
	s.wire.detached = true
	return s, server
}

// Replies come whole, wherever the stream of records is cut.
func TestSealedAtEverySplit(t *testing.T) {
	t.Parallel()
	for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		t.Run(tls.VersionName(version), func(t *testing.T) {
			t.Parallel()
			s, server := sealedPair(t, version)
			texts := []string{"+OK\r\n", strings.Repeat("x", 3*maxRecord), "$0\r\n\r\n"}
			raw := s.wire.Conn
			go func() {
				for _, text := range texts {
					io.WriteString(server, text)
				}
				server.Close()
			}()
			var got strings.Builder
			plain := make([]byte, maxRecord)
			one := make([]byte, 1)
			for {
				if _, err := raw.Read(one); err != nil {
					t.Fatal("the connection ended without the end of TLS:", err)
				}
				s.feed(one)
				n, err := s.open(plain)
				got.Write(plain[:n])
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if want := strings.Join(texts, ""); got.String() != want {
				t.Errorf("%d bytes, want %d", got.Len(), len(want))
			}
		})
	}
}

// What the TLS layer has to say itself goes out before the next request, and
// dst is kept.
func TestSealedAnswersOfItsOwn(t *testing.T) {
	t.Parallel()
	s := &sealed{wire: &wire{detached: true}}
	s.Conn = tls.Client(s.wire, &tls.Config{InsecureSkipVerify: true})
	s.wire.Write([]byte("update"))
	out, _ := s.seal([]byte("dst,"), nil)
	if !strings.HasPrefix(string(out), "dst,update") {
		t.Errorf("%q", out)
	}
}
