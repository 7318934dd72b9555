package main

import (
	"context"
	"crypto/tls"

	"github.com/respbench/respbench/conn"
)

// tlsFlags say how connections are encrypted.
type tlsFlags struct {
	TLS       bool    `name:"tls" group:"tls" help:"Encrypt. So do --cacert, --cacertdir, --cert and rediss://."`
	CACert    *string `name:"cacert" group:"tls" placeholder:"FILE" help:"Certificates (PEM) of the authorities to trust, in place of the system's."`
	CACertDir *string `name:"cacertdir" group:"tls" placeholder:"DIR" help:"A folder of such files."`
	Cert      *string `group:"tls" placeholder:"FILE" help:"Client certificate (PEM)."`
	Key       *string `group:"tls" placeholder:"FILE" help:"Its private key (PEM)."`
	SNI       *string `name:"sni" group:"tls" placeholder:"NAME" help:"Server name to ask for and to verify (the host)."`
	Insecure  bool    `group:"tls" help:"Do not verify the server's certificate."`
	TLSMin    *string `name:"tls-min" group:"tls" placeholder:"VERSION" help:"Lowest version of TLS: 1.2 or 1.3 (1.2)."`
}

// given is the name of a flag of TLS that was given, "" if none was.
func (f *tlsFlags) given() string {
	switch {
	case f.TLS:
		return "--tls"
	case f.CACert != nil:
		return "--cacert"
	case f.CACertDir != nil:
		return "--cacertdir"
	case f.Cert != nil:
		return "--cert"
	}
	return f.detail()
}

// detail is the name of a flag that was given and does not turn TLS on.
func (f *tlsFlags) detail() string {
	switch {
	case f.Key != nil:
		return "--key"
	case f.SNI != nil:
		return "--sni"
	case f.Insecure:
		return "--insecure"
	case f.TLSMin != nil:
		return "--tls-min"
	}
	return ""
}

// turnedOn is what the flags make of a server that no URI describes: TLS, still
// to be completed, or nil for plain text.
func (f *tlsFlags) turnedOn() (*conn.TLS, error) {
	given := f.given()
	if given == "" {
		return nil, nil
	}
	if given == f.detail() {
		return nil, usagef("%s says something of TLS, which is off; add --tls", given)
	}
	return new(conn.TLS), nil
}

// complete puts the flags into t, unless it is nil, and reads the files.
func (f *tlsFlags) complete(ctx context.Context, t *conn.TLS) error {
	if t == nil {
		return nil
	}
	for _, flag := range []struct {
		name  string
		value *string
		field *string
	}{
		{"--cacert", f.CACert, &t.CA},
		{"--cacertdir", f.CACertDir, &t.CADir},
		{"--cert", f.Cert, &t.Cert},
		{"--key", f.Key, &t.Key},
		{"--sni", f.SNI, &t.ServerName},
	} {
		if flag.value == nil {
			continue
		}
		if *flag.value == "" {
			return usagef("%s: it is empty", flag.name)
		}
		*flag.field = *flag.value
	}
	switch {
	case f.Cert != nil && f.Key == nil:
		return usagef("--cert: its key is missing; add --key FILE")
	case f.Cert == nil && f.Key != nil:
		return usagef("--key: its certificate is missing; add --cert FILE")
	case f.Insecure && (f.CACert != nil || f.CACertDir != nil):
		return usagef("--insecure trusts everybody, and --cacert only some; leave out one of them")
	}
	t.Insecure = f.Insecure
	if f.TLSMin != nil {
		versions := map[string]uint16{"1.2": tls.VersionTLS12, "1.3": tls.VersionTLS13}
		if t.Minimum = versions[*f.TLSMin]; t.Minimum == 0 {
			return usagef("--tls-min %q: must be 1.2 or 1.3", *f.TLSMin)
		}
	}
	if _, err := opening(ctx, func() (*conn.TLS, error) { return t, t.Load() }); err != nil {
		return &usageError{problem: err}
	}
	return nil
}
