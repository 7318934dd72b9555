package main

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"

	"github.com/respbench/respbench/conn"
)

// serverFlags say which server, and as whom. Every command that connects has
// them.
type serverFlags struct {
	Host     string  `short:"h" group:"server" placeholder:"HOST" help:"Host name or address (127.0.0.1)."`
	Port     *uint16 `short:"p" group:"server" placeholder:"PORT" help:"Port (6379)."`
	Socket   string  `group:"server" placeholder:"PATH" help:"Unix socket."`
	URI      string  `name:"uri" group:"server" placeholder:"URI" help:"redis://user:pass@host:port/db or unix:///path?db=0."`
	User     string  `short:"u" group:"server" placeholder:"USER" help:"ACL user."`
	Password string  `name:"pass" short:"a" group:"server" placeholder:"PASS" help:"Password; also from REDISCLI_AUTH."`
	DB       *int    `name:"db" group:"server" placeholder:"N" help:"Database (0)."`
	RESP3    bool    `name:"resp3" short:"3" group:"server" help:"Speak RESP3."`
	Embedded bool    `group:"server" help:"Start a small server in this process (miniredis) and use it: for a first try, no figures worth quoting."`
}

// dialer is the server that the flags name.
func (f *serverFlags) dialer() (conn.Dialer, error) {
	named := f.Host != "" || f.Port != nil
	switch {
	case f.Embedded && (named || f.Socket != "" || f.URI != ""):
		return conn.Dialer{}, usagef("--embedded starts its own server; leave out -h, -p, --socket and --uri")
	case f.URI != "" && (named || f.Socket != "" || f.User != "" || f.DB != nil):
		return conn.Dialer{}, usagef("--uri says it all; leave out -h, -p, --socket, -u and --db")
	case f.Socket != "" && named:
		return conn.Dialer{}, usagef("--socket and a host or port contradict each other; give one of them")
	case f.DB != nil && *f.DB < 0:
		return conn.Dialer{}, usagef("--db %d: must be 0 or more", *f.DB)
	case f.Port != nil && *f.Port == 0:
		return conn.Dialer{}, usagef("-p 0: a port is 1 to 65535")
	}
	d := conn.Dialer{Network: "tcp", Address: f.address(), User: f.User}
	if f.Socket != "" {
		d.Network, d.Address = "unix", f.Socket
	}
	if f.DB != nil {
		d.DB = *f.DB
	}
	if f.URI != "" {
		var err error
		if d, err = conn.ParseURI(f.URI); err != nil {
			return d, &usageError{problem: fmt.Errorf("--uri: %w", err)}
		}
	}
	f.login(&d)
	return d, nil
}

// login adds what is not part of an address.
func (f *serverFlags) login(d *conn.Dialer) {
	if d.Password == "" {
		d.Password = f.Password
	}
	if d.Password == "" {
		d.Password = os.Getenv("REDISCLI_AUTH")
	}
	d.RESP3 = f.RESP3
}

func (f *serverFlags) address() string {
	host, port := f.Host, uint16(conn.DefaultPort)
	if host == "" {
		host = "127.0.0.1"
	}
	if f.Port != nil {
		port = *f.Port
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	return net.JoinHostPort(host, strconv.Itoa(int(port)))
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
