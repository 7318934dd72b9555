package conn

import (
	"crypto/x509"
	"errors"
	"io/fs"
	"strings"
	"syscall"
	"time"

	"github.com/respbench/respbench/internal/resp"
)

// Final tells whether an error of a Dialer or a Client, or of reading a
// topology, stays the same however often one tries: the other side is there and
// says no, is no server of the kind that is wanted, or may not be reached by
// this user. What may pass by itself is not: a server that is not up yet, loads
// its data, is full, or is silent, a name that is not known yet, and whatever is
// not known here. It is the one place that says so, for those who wait for a
// server and for those who make connections again.
func Final(err error) bool {
	var (
		secure *TLSError
		alone  *NoClusterError
	)
	switch code := ErrorCode(err); {
	case err == nil:
		return false
	case code != "":
		return finalReply(code, err.Error())
	case errors.As(err, &secure):
		return secure.final()
	case errors.As(err, &alone), resp.IsMalformed(err), errors.Is(err, errUnasked):
		return true
	case errors.Is(err, fs.ErrPermission): // EACCES, EPERM
		return true
	}
	return errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.EPROTOTYPE) || errors.Is(err, syscall.EAFNOSUPPORT)
}

// finalReply tells it of an error reply: NOAUTH, WRONGPASS, NOPERM, DENIED and
// the like are final, unless the server says that it is a matter of time.
func finalReply(code, text string) bool {
	switch code {
	case "LOADING", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN", "BUSY":
		return false
	}
	return !strings.Contains(text, maxClients)
}

// maxClients is how a full server says so.
const maxClients = "max number of clients"

// final tells it of TLS. A server that hangs up or keeps silent may be one that
// starts, behind a proxy that is there already; so may one with an internal
// error, which is what some of those say without a certificate.
func (e *TLSError) final() bool {
	switch e.Reason {
	case SilentTLS, ClosedDuringTLS, InternalTLS:
		return false
	case OutOfDate:
		var invalid x509.CertificateInvalidError
		early := errors.As(e.err, &invalid) && invalid.Cert != nil && time.Now().Before(invalid.Cert.NotBefore)
		return !early
	}
	return true
}
