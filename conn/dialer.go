package conn

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/respbench/respbench/internal/resp"
)

// Dialer opens every connection of the program, measured or not, the same
// way: it connects, logs in, selects the database. The zero value of every
// field but Address is useful.
type Dialer struct {
	Network  string // "tcp" (the zero value) or "unix"
	Address  string // host:port, or the path of a socket
	User     string // ACL user; "" logs in as the default user
	Password string // "" with no User does not log in; any bytes
	DB       int
	RESP3    bool
	ReadOnly bool
	// Timeout bounds connecting and logging in together; 0 is 10 seconds.
	Timeout time.Duration
}

// clientName is what CLIENT LIST shows. Setting it is also the round trip by
// which a server refuses a connection, before anything is measured on it.
const clientName = "respbench"

// Dial connects and finishes the handshake. No reply is outstanding and no
// byte is left unread on the connection that it returns.
func (d *Dialer) Dial(ctx context.Context) (net.Conn, error) {
	timeout := d.Timeout
	if timeout == 0 {
		timeout = 10 * time.Second
	}
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
	if err := d.handshake(nc); err != nil {
		nc.Close()
		return nil, d.explain("cannot log in to", err, timeout)
	}
	nc.SetDeadline(time.Time{})
	return nc, nil
}

func (d *Dialer) network() string {
	if d.Network == "" {
		return "tcp"
	}
	return d.Network
}

// step is one command of the handshake; a refusal of an optional one, or one
// that the server merely does not know, is no failure.
type step struct {
	args     []string
	optional bool
}

func (d *Dialer) steps() []step {
	var steps []step
	auth := d.Password != "" || d.User != ""
	user := d.User
	if user == "" {
		user = "default"
	}
	switch {
	case d.RESP3 && auth:
		steps = append(steps, step{args: []string{"HELLO", "3", "AUTH", user, d.Password}})
	case d.RESP3:
		steps = append(steps, step{args: []string{"HELLO", "3"}})
	case auth && d.User == "":
		steps = append(steps, step{args: []string{"AUTH", d.Password}})
	case auth:
		steps = append(steps, step{args: []string{"AUTH", d.User, d.Password}})
	}
	if d.ReadOnly {
		steps = append(steps, step{args: []string{"READONLY"}})
	}
	if d.DB != 0 {
		steps = append(steps, step{args: []string{"SELECT", strconv.Itoa(d.DB)}})
	}
	return append(steps, step{args: []string{"CLIENT", "SETNAME", clientName}, optional: true})
}

// handshake sends all steps in one write and reads all their replies.
func (d *Dialer) handshake(nc net.Conn) error {
	steps := d.steps()
	var out []byte
	for _, s := range steps {
		out = resp.AppendCommand(out, s.args...)
	}
	if _, err := nc.Write(out); err != nil {
		return err
	}
	br := bufio.NewReaderSize(nc, 4096)
	for _, s := range steps {
		v, err := resp.ReadValue(br)
		if err != nil {
			return err
		}
		if err := v.Err(); err != nil && !(s.optional && harmless(err)) {
			return &RefusedError{Command: s.args[0], Reply: err.Error()}
		}
	}
	if br.Buffered() > 0 {
		return errUnasked
	}
	return nil
}

// harmless tells a refusal that concerns the one command from one that
// concerns the connection.
func harmless(err error) bool {
	var e resp.Error
	if !errors.As(err, &e) {
		return false
	}
	return e.Code() == "NOPERM" || e.Code() == "ERR" && !strings.Contains(e.Error(), "max number of clients")
}

// RefusedError is a server that answers, and refuses the connection.
type RefusedError struct {
	Command string // of the handshake
	Reply   string // the server's words
}

func (e *RefusedError) Error() string { return e.Reply }

// explain puts what was tried, where and why it failed into one line, without
// the repetitions of package net and without any secret.
func (d *Dialer) explain(tried string, err error, timeout time.Duration) error {
	var refused *RefusedError
	if errors.As(err, &refused) {
		return fmt.Errorf("%s refused the connection: %w", d.Address, err)
	}
	var ne net.Error
	if errors.Is(err, context.DeadlineExceeded) || errors.As(err, &ne) && ne.Timeout() {
		return fmt.Errorf("%s %s: no answer within %v", tried, d.Address, timeout)
	}
	var dns *net.DNSError
	if errors.As(err, &dns) {
		return fmt.Errorf("%s %s: unknown host %q", tried, d.Address, dns.Name)
	}
	var errno syscall.Errno
	if errors.As(err, &errno) {
		return fmt.Errorf("%s %s: %w", tried, d.Address, errno)
	}
	return fmt.Errorf("%s %s: %w", tried, d.Address, err)
}
