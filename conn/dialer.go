package conn

import (
	"bufio"
	"context"
	"errors"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/respbench/respbench/internal/resp"
)

// Dialer opens every connection of the program, measured or not, the same
// way: it connects, encrypts, logs in, selects the database. The zero value of
// every field but Address is useful.
type Dialer struct {
	Network  string // "tcp" (the zero value) or "unix"
	Address  string // host:port, or the path of a socket
	TLS      *TLS   // nil does not encrypt
	User     string // ACL user; "" logs in as the default user
	Password string // "" with no User does not log in; any bytes
	DB       int
	RESP3    bool
	// Tracking asks the server to tell of changes to keys that were read, as
	// client-side caches do. It needs RESP3. A Client never tracks.
	Tracking bool
	// ReadOnly lets a replica of a cluster answer reads.
	ReadOnly bool
	// Timeout bounds connecting, encrypting and logging in together; 0 is 10
	// seconds. Whether a server that does not answer the TLS handshake speaks
	// plain text is asked within a second more.
	Timeout time.Duration
}

// clientName is what CLIENT LIST shows. Setting it is also the round trip by
// which a server refuses a connection, before anything is measured on it.
const clientName = "respbench"

// At is a Dialer for another node of the same cluster: with the same login
// and the same TLS, whose server name, if none is stated, is the new host.
func (d Dialer) At(address string) Dialer {
	d.Network, d.Address = "tcp", address
	return d
}

// FirstContactTimeout bounds the first connection to a server, so that a wrong
// address is known within a second, unless the Dialer states a bound. Later
// ones, which a busy server may be slow to accept, have the Dialer's own.
const FirstContactTimeout = time.Second

// FirstContact is a Dialer for the first connection to a server, which
// takes FirstContactTimeout at the most where no Timeout is stated.
func (d Dialer) FirstContact() Dialer {
	if d.Timeout == 0 {
		d.Timeout = FirstContactTimeout
	}
	return d
}

// Dial connects and finishes the handshake. No reply is outstanding and no
// byte is left unread on the connection that it returns. A name is resolved
// afresh each time.
func (d *Dialer) Dial(ctx context.Context) (net.Conn, error) {
	if d.TLS != nil {
		if err := d.TLS.Load(); err != nil {
			return nil, &TLSError{Reason: OwnFiles, text: err.Error(), err: err}
		}
	}
	timeout, whole := d.Patience(), ctx
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var nd net.Dialer
	nc, err := nd.DialContext(ctx, d.network(), d.Address)
	if err != nil {
		return nil, d.explain("cannot connect to", err, timeout)
	}
	deadline, _ := ctx.Deadline()
	nc.SetDeadline(deadline)
	stop := context.AfterFunc(ctx, func() { nc.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	secured, err := d.secure(ctx, nc)
	if err != nil {
		nc.Close()
		return nil, d.explain("cannot connect to", d.silentOrPlain(whole, err), timeout)
	}
	if err := d.handshake(secured); err != nil {
		nc.Close()
		return nil, d.explain("cannot log in to", err, timeout)
	}
	nc.SetDeadline(time.Time{})
	return secured, nil
}

// Patience is the bound of Dial: Timeout, or what stands in its place.
func (d *Dialer) Patience() time.Duration {
	if d.Timeout == 0 {
		return 10 * time.Second
	}
	return d.Timeout
}

func (d *Dialer) network() string {
	if d.Network == "" {
		return "tcp"
	}
	return d.Network
}

// secure encrypts nc, if that is wanted.
func (d *Dialer) secure(ctx context.Context, nc net.Conn) (net.Conn, error) {
	if d.TLS == nil {
		return nc, nil
	}
	s, err := d.TLS.secure(ctx, nc, d.Address)
	if err != nil { // not s, which would be a nil in an interface
		return nil, asTLS(err)
	}
	return s, nil
}

// step is one command of the handshake; a refusal of an optional one, or one
// that the server merely does not know, is no failure.
type step struct {
	args     []string
	optional bool
}

func (d *Dialer) steps() []step {
	steps := d.login()
	if d.DB != 0 {
		steps = append(steps, step{args: []string{"SELECT", strconv.Itoa(d.DB)}})
	}
	if d.ReadOnly {
		steps = append(steps, step{args: []string{"READONLY"}})
	}
	if d.Tracking {
		steps = append(steps, step{args: []string{"CLIENT", "TRACKING", "ON"}})
	}
	return append(steps, step{args: []string{"CLIENT", "SETNAME", clientName}, optional: true})
}

func (d *Dialer) login() []step {
	auth := d.Password != "" || d.User != ""
	user := d.User
	if user == "" {
		user = "default"
	}
	switch {
	case d.RESP3 && auth:
		return []step{{args: []string{"HELLO", "3", "AUTH", user, d.Password}}}
	case d.RESP3:
		return []step{{args: []string{"HELLO", "3"}}}
	case auth && d.User == "":
		return []step{{args: []string{"AUTH", d.Password}}}
	case auth:
		return []step{{args: []string{"AUTH", d.User, d.Password}}}
	}
	return nil
}

// handshake sends all steps in one write and reads all their replies.
func (d *Dialer) handshake(nc net.Conn) error {
	steps := d.steps()
	var out []byte
	for _, s := range steps {
		out = resp.AppendCommand(out, s.args...)
	}
	// A server that refuses may have closed the connection while we wrote; it
	// has then said why, if it did, before.
	_, writeErr := nc.Write(out)
	br := bufio.NewReaderSize(nc, 4096)
	if err := d.answers(br, steps); err != nil {
		if writeErr != nil && isBroken(err) {
			err = writeErr
		}
		return err
	}
	if br.Buffered() > 0 {
		return errUnasked
	}
	return writeErr
}

// answers reads the reply to each step.
func (d *Dialer) answers(br *bufio.Reader, steps []step) error {
	for i, s := range steps {
		if first, err := br.Peek(1); i == 0 && err == nil && first[0] == tlsAlert && d.TLS == nil {
			return &TLSError{Reason: WantsTLS, text: "the server speaks TLS, and it was asked in plain text"}
		}
		v, err := readReply(br)
		if err != nil && d.TLS != nil && !isTimeout(err) {
			return asTLS(err) // with TLS 1.3, the server's verdict on our certificate comes here
		}
		if err != nil {
			return err
		}
		if err := v.Err(); err != nil && !(s.optional && harmless(err)) {
			return &RefusedError{Command: s.args[0], Reply: d.withoutSecret(s.args[0], err.Error())}
		}
	}
	return nil
}

// readReply reads the next value that is not a push.
func readReply(br *bufio.Reader) (resp.Value, error) {
	for {
		v, err := resp.ReadValue(br)
		if err != nil || v.Kind != '>' {
			return v, err
		}
	}
}

// harmless tells a refusal that concerns the one command from one that
// concerns the connection.
func harmless(err error) bool {
	var e resp.Error
	if !errors.As(err, &e) {
		return false
	}
	return e.Code() == "NOPERM" || e.Code() == "ERR" && !strings.Contains(e.Error(), maxClients)
}
