package conn

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"syscall"
	"time"
)

// RefusedError is a server that answers, and refuses the connection.
type RefusedError struct {
	Command string // of the handshake
	Reply   string // the server's words
}

func (e *RefusedError) Error() string { return e.Reply }

// ErrNoAnswer is a server, or a way to it, that kept silent for too long.
var ErrNoAnswer = errors.New("no answer")

// UnknownHostError is a name without an address.
type UnknownHostError struct{ Host string }

func (e *UnknownHostError) Error() string { return fmt.Sprintf("unknown host %q", e.Host) }

// TLSReason is why no encrypted connection can be made.
type TLSReason uint8

const (
	OtherTLS        TLSReason = iota
	NotTLS                    // the server does not speak TLS
	WantsTLS                  // the server speaks TLS, and was asked in plain text
	SilentTLS                 // the server did not answer the TLS handshake
	Untrusted                 // an unknown authority signed the server's certificate
	WrongName                 // the server's certificate is for another host
	OutOfDate                 // the server's certificate has expired, or is not valid yet
	WantsCert                 // the server wants a certificate of the client
	RefusesCert               // the server does not accept the client's certificate
	WrongVersion              // the two sides have no version of TLS in common
	ClosedDuringTLS           // the server hung up
	InternalTLS               // the server failed
	OwnFiles                  // the files that TLS names cannot be used
)

// TLSError is a server with which no encrypted connection can be made.
type TLSError struct {
	Reason TLSReason
	text   string
	err    error // may be nil
}

func (e *TLSError) Error() string { return e.text }
func (e *TLSError) Unwrap() error { return e.err }

// tlsAlert is the first byte with which a server that expects TLS answers
// plain text, if it answers. No reply starts with it.
const tlsAlert = 0x15

// asTLS says in the user's words what the TLS layer says in its own. An error
// of another kind it returns as it is.
func asTLS(err error) error {
	if reason, text := tlsReason(err); text != "" {
		return &TLSError{reason, text, err}
	}
	return err
}

func tlsReason(err error) (TLSReason, string) {
	var (
		header  tls.RecordHeaderError
		unknown x509.UnknownAuthorityError
		name    x509.HostnameError
		invalid x509.CertificateInvalidError
		failed  *tls.CertificateVerificationError
		op      *net.OpError
	)
	switch {
	case errors.As(err, &header):
		return NotTLS, "the server does not speak TLS"
	case errors.As(err, &unknown):
		return Untrusted, "its certificate is signed by an authority that is not trusted here"
	case errors.As(err, &name):
		return WrongName, wrongName(name)
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return OutOfDate, "its certificate is out of date: " + validity(invalid.Cert)
	case errors.As(err, &failed):
		return OtherTLS, "its certificate is not valid: " + withoutPackage(failed.Err)
	case errors.As(err, &op) && op.Op == "remote error":
		return alertReason(withoutPackage(op.Err))
	case isTimeout(err):
		return SilentTLS, "no answer to the TLS handshake"
	case isBroken(err):
		return ClosedDuringTLS, "the server hung up while TLS was set up"
	case strings.Contains(err.Error(), "unsupported protocol version"):
		return WrongVersion, "it speaks no version of TLS that is asked for"
	case strings.HasPrefix(err.Error(), "tls: "):
		return OtherTLS, "TLS: " + withoutPackage(err)
	}
	return OtherTLS, ""
}

// alertReason is what the server said when it refused the handshake.
func alertReason(alert string) (TLSReason, string) {
	switch alert {
	case "certificate required":
		return WantsCert, "the server wants a client certificate"
	case "bad certificate", "unsupported certificate", "revoked certificate", "expired certificate", "unknown certificate", "unknown certificate authority", "access denied":
		return RefusesCert, "the server does not accept the client's certificate: " + alert
	case "protocol version not supported":
		return WrongVersion, "it speaks no version of TLS that is asked for"
	case "internal error":
		return InternalTLS, "the server failed in the TLS handshake: " + alert
	}
	return OtherTLS, "the server refused the TLS handshake: " + alert
}

// namesShown is how many names of a certificate an error tells.
const namesShown = 5

// wrongName says whom a certificate is for, whether by name or by address.
func wrongName(e x509.HostnameError) string {
	names := slices.Clone(e.Certificate.DNSNames)
	for _, ip := range e.Certificate.IPAddresses {
		names = append(names, ip.String())
	}
	if len(names) == 0 {
		return "its certificate names no host, so it is not valid for " + e.Host
	}
	more := ""
	if n := len(names) - namesShown; n > 0 {
		names, more = names[:namesShown], fmt.Sprintf(" and %d more", n)
	}
	return fmt.Sprintf("its certificate is valid for %s%s, not %s", strings.Join(names, ", "), more, e.Host)
}

func validity(c *x509.Certificate) string {
	const day = "2006-01-02 15:04 MST"
	if now := time.Now(); now.Before(c.NotBefore) {
		return "it is valid from " + c.NotBefore.UTC().Format(day)
	}
	return "it was valid until " + c.NotAfter.UTC().Format(day)
}

// withoutPackage is an error without the name of the package that made it.
func withoutPackage(err error) string {
	text := strings.TrimPrefix(err.Error(), "tls: ")
	return strings.TrimPrefix(text, "x509: ")
}

func isTimeout(err error) bool {
	var ne net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &ne) && ne.Timeout()
}

// isBroken tells whether the other side closed the connection.
func isBroken(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

// explain puts what was tried, where and why it failed into one line, without
// the repetitions of package net and without any secret.
func (d *Dialer) explain(tried string, err error, timeout time.Duration) error {
	var (
		refused *RefusedError
		secure  *TLSError
		dns     *net.DNSError
		errno   syscall.Errno
	)
	switch {
	case errors.As(err, &refused):
		return fmt.Errorf("%s refused the connection: %w", d.Address, err)
	case errors.As(err, &secure):
		within := ""
		if secure.Reason == SilentTLS {
			within = fmt.Sprintf(" within %v", timeout)
		}
		return fmt.Errorf("cannot connect to %s: %w%s", d.Address, secure, within)
	case errors.As(err, &dns) && dns.IsNotFound:
		return fmt.Errorf("%s %s: %w", tried, d.Address, &UnknownHostError{dns.Name})
	case isTimeout(err):
		return fmt.Errorf("%s %s: %w within %v", tried, d.Address, ErrNoAnswer, timeout)
	case errors.As(err, &dns):
		return fmt.Errorf("%s %s: looking up host %q: %s", tried, d.Address, dns.Name, dns.Err)
	case errors.As(err, &errno):
		return fmt.Errorf("%s %s: %w", tried, d.Address, errno)
	}
	return fmt.Errorf("%s %s: %w", tried, d.Address, err)
}

// withoutSecret is a server's answer to a command of the handshake. Servers
// that do not know a command repeat what came with it.
func (d *Dialer) withoutSecret(command, reply string) string {
	if command != "AUTH" && command != "HELLO" {
		return reply
	}
	reply, _, _ = strings.Cut(reply, ", with args beginning with")
	if d.Password != "" {
		reply = strings.ReplaceAll(reply, d.Password, "***")
	}
	return reply
}
