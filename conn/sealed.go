package conn

import (
	"context"
	"crypto/tls"
	"net"
)

// maxRecord is the most plain bytes that a TLS record holds.
const maxRecord = 16 << 10

// sealed is a connection over TLS. Until it is detached it is one like any
// other. Then it has no socket any more: whoever detached it moves the
// encrypted bytes, and seal and open turn them from and into plain ones.
type sealed struct {
	*tls.Conn
	wire *wire
}

// wire is what a tls.Conn takes for its network connection.
type wire struct {
	net.Conn
	detached bool
	in       []byte // read from the socket, and not yet by the tls.Conn
	out      []byte // written by the tls.Conn, and not yet to the socket
}

// again tells the tls.Conn that there is nothing to read now. It comes back
// for the rest of the record as it would after a read that timed out.
type again struct{}

func (again) Error() string   { return "nothing to read yet" }
func (again) Timeout() bool   { return true }
func (again) Temporary() bool { return true }

func (w *wire) Read(b []byte) (int, error) {
	if !w.detached {
		return w.Conn.Read(b)
	}
	if len(w.in) == 0 {
		return 0, again{}
	}
	n := copy(b, w.in)
	w.in = w.in[n:]
	return n, nil
}

func (w *wire) Write(b []byte) (int, error) {
	if !w.detached {
		return w.Conn.Write(b)
	}
	w.out = append(w.out, b...)
	return len(b), nil
}

// secure makes the TLS handshake with the server at address.
func (t *TLS) secure(ctx context.Context, nc net.Conn, address string) (*sealed, error) {
	config, err := t.configFor(address)
	if err != nil {
		return nil, err
	}
	w := &wire{Conn: nc}
	s := &sealed{tls.Client(w, config), w}
	if err := s.HandshakeContext(ctx); err != nil {
		return nil, err
	}
	t.version.Store(uint32(s.ConnectionState().Version))
	return s, nil
}

// seal appends to dst what has to go through the socket so that plain arrives.
func (s *sealed) seal(dst, plain []byte) ([]byte, error) {
	// What the tls.Conn had to write while it read, such as a key update, is
	// in w.out and comes first.
	s.wire.out = append(dst, s.wire.out...)
	_, err := s.Conn.Write(plain)
	dst, s.wire.out = s.wire.out, nil
	return dst, err
}

// feed gives it what came through the socket. It is used up when open returns
// nothing.
func (s *sealed) feed(in []byte) { s.wire.in = in }

// open reads into plain what the bytes fed so far amount to; 0 without an
// error means that more must come first.
func (s *sealed) open(plain []byte) (int, error) {
	n, err := s.Conn.Read(plain)
	if err == (again{}) {
		err = nil
	}
	return n, err
}
