package conn

import (
	"context"
	"errors"
	"io"
	"net"
	"time"
)

// plainTime bounds the question whether a server speaks plain text.
const plainTime = time.Second

// silentOrPlain makes of a TLS handshake that got no answer what it is: a
// server that keeps silent, or one that speaks plain text, as redis-server waits
// for the rest of what it takes for a command. It asks the server in plain
// text, over a connection of its own, and gives nothing away. Other errors it
// returns as they are.
func (d *Dialer) silentOrPlain(ctx context.Context, err error) error {
	var secure *TLSError
	if !errors.As(err, &secure) || secure.Reason != SilentTLS || errors.Is(ctx.Err(), context.Canceled) {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), plainTime)
	defer cancel()
	var nd net.Dialer
	nc, dialErr := nd.DialContext(ctx, d.network(), d.Address)
	if dialErr != nil {
		return err
	}
	defer nc.Close()
	deadline, _ := ctx.Deadline()
	nc.SetDeadline(deadline)
	var first [1]byte
	if _, e := io.WriteString(nc, "PING\r\n"); e != nil {
		return err
	}
	if _, e := io.ReadFull(nc, first[:]); e != nil || first[0] != '+' && first[0] != '-' {
		return err
	}
	return &TLSError{NotTLS, "the server does not speak TLS", secure.err}
}
