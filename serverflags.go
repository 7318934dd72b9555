package main

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/respbench/respbench/conn"
)

// serverFlags say which server, and as whom. Every command that connects has
// them.
type serverFlags struct {
	Host   *string `short:"h" group:"server" placeholder:"HOST" help:"Host name or address (127.0.0.1)."`
	Port   *port   `short:"p" group:"server" placeholder:"PORT" help:"Port (6379)."`
	Socket *string `group:"server" placeholder:"PATH" help:"Unix socket."`
	URI    *string `name:"uri" group:"server" placeholder:"URI" help:"redis://user:pass@host:port/db, rediss:// likewise with TLS, or unix:///path?db=0."`
	User   string  `short:"u" group:"server" placeholder:"USER" help:"ACL user."`
	passwordFlags
	DB       *int `name:"db" group:"server" placeholder:"N" help:"Database (0)."`
	RESP3    bool `name:"resp3" short:"3" group:"server" help:"Speak RESP3."`
	Tracking bool `group:"server" help:"Ask to be told of changes to keys that were read, as client-side caches do; needs -3."`

	ConnectTimeout *duration `group:"server" placeholder:"TIME" help:"How long connecting and logging in may take (10s; the first time 1s)."`
	Wait           *duration `group:"server" placeholder:"TIME" help:"Wait so long for a server that cannot be reached yet, or is loading its data."`
	Embedded       bool      `group:"server" help:"Start a small server in this process (miniredis) and use it: for a first try, no figures worth quoting."`

	tlsFlags
}

// dialer says which server, and as whom.
func (f *serverFlags) dialer(ctx context.Context) (conn.Dialer, error) {
	named := f.Host != nil || f.Port != nil
	switch {
	case f.Embedded && (named || f.Socket != nil || f.URI != nil || f.User != "" || f.passwordFlags.given() != "" || f.tlsFlags.given() != ""):
		return conn.Dialer{}, usagef("--embedded starts its own server; leave out -h, -p, -u, -a, --socket, --uri and --tls, and their like")
	case f.URI != nil && (named || f.Socket != nil || f.User != "" || f.DB != nil):
		return conn.Dialer{}, usagef("--uri says it all; leave out -h, -p, --socket, -u and --db")
	case f.Socket != nil && named:
		return conn.Dialer{}, usagef("--socket and a host or port contradict each other; give one of them")
	case f.Socket != nil && *f.Socket == "":
		return conn.Dialer{}, usagef("--socket: the path is empty")
	case f.Socket != nil && f.tlsFlags.given() != "":
		return conn.Dialer{}, usagef("--socket and %s contradict each other: TLS is for TCP", f.tlsFlags.given())
	case f.DB != nil && *f.DB < 0:
		return conn.Dialer{}, usagef("--db %d: must be 0 or more", *f.DB)
	}
	address, err := f.address()
	if err != nil {
		return conn.Dialer{}, err
	}
	d := conn.Dialer{Network: "tcp", Address: address, User: f.User}
	if f.Socket != nil {
		d.Network, d.Address = "unix", *f.Socket
	}
	if f.DB != nil {
		d.DB = *f.DB
	}
	if f.URI != nil {
		if d, err = conn.ParseURI(*f.URI); err != nil {
			return d, &usageError{problem: fmt.Errorf("--uri: %w", err)}
		}
		if given := f.tlsFlags.given(); d.TLS == nil && given != "" {
			return d, usagef("--uri without TLS and %s contradict each other; write rediss://", given)
		}
	} else if d.TLS, err = f.tlsFlags.turnedOn(); err != nil {
		return d, err
	}
	return d, f.complete(ctx, &d)
}

// complete adds to servers what does not depend on how they were named.
func (f *serverFlags) complete(ctx context.Context, servers ...*conn.Dialer) error {
	if f.Tracking && !f.RESP3 {
		return usagef("--tracking: servers tell of changes by pushes, which are part of RESP3; add -3")
	}
	var timeout time.Duration
	if err := (timeFlag{"--connect-timeout", f.ConnectTimeout, &timeout}).set(); err != nil {
		return err
	}
	if err := (timeFlag{"--wait", f.Wait, new(time.Duration)}).set(); err != nil {
		return err
	}
	for _, d := range servers {
		d.RESP3, d.Tracking, d.Timeout = f.RESP3, f.Tracking, timeout
		if err := f.tlsFlags.complete(ctx, d.TLS); err != nil {
			return err
		}
	}
	if f.Embedded { // it has no password, whatever the environment says
		return nil
	}
	return f.passwordFlags.complete(ctx, servers)
}

// wait is how long the server may take to serve; complete has checked it.
func (f *serverFlags) wait() time.Duration {
	if f.Wait == nil {
		return 0
	}
	return time.Duration(*f.Wait)
}

func (f *serverFlags) address() (string, error) {
	host, number := "127.0.0.1", port(conn.DefaultPort)
	if f.Port != nil {
		number = *f.Port
	}
	if f.Host != nil {
		host = strings.TrimSuffix(strings.TrimPrefix(*f.Host, "["), "]")
		if host == "" {
			return "", usagef("-h: the host is empty")
		}
		if name, digits, ok := strings.Cut(host, ":"); ok && net.ParseIP(host) == nil {
			return "", &usageError{
				problem: fmt.Errorf("-h %s: not a host name or an address", host),
				hint:    fmt.Sprintf("the port has a flag of its own: -h %s -p %s", name, digits),
			}
		}
	}
	return net.JoinHostPort(host, strconv.Itoa(int(number))), nil
}

// embed starts the server of --embedded and points d to it. The function it
// returns stops the server.
func (f *serverFlags) embed(d *conn.Dialer) (stop func(), err error) {
	if !f.Embedded {
		return func() {}, nil
	}
	server, err := startEmbedded()
	if err != nil {
		return nil, fmt.Errorf("the embedded server does not start: %w", err)
	}
	d.Address = server.Addr()
	return server.Close, nil
}
