package conn

import (
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
)

// DefaultPort is the port of a server that nobody named.
const DefaultPort = 6379

// ParseURI reads redis://[[user][:password]@]host[:port][/db], rediss:// and
// the rest likewise for TLS, and unix://[[user][:password]@]/path[?db=N]. User
// and password are percent-decoded. An error never repeats the URI, which may
// hold a password.
func ParseURI(text string) (Dialer, error) {
	u, err := url.Parse(text)
	if err != nil {
		return Dialer{}, fmt.Errorf("not a URI; the form is redis://user:password@host:port/db, with reserved characters percent-encoded")
	}
	var d Dialer
	if u.User != nil {
		d.User = u.User.Username()
		d.Password, _ = u.User.Password()
	}
	db := ""
	for name := range u.Query() {
		if name != "db" || u.Scheme != "unix" && u.Scheme != "redis+unix" {
			return Dialer{}, fmt.Errorf("parameter %q is not known", name)
		}
	}
	switch u.Scheme {
	case "redis", "valkey", "rediss", "valkeys":
		port := u.Port()
		if port == "" {
			port = strconv.Itoa(DefaultPort)
		}
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return Dialer{}, fmt.Errorf("port %q is not 1 to 65535", port)
		}
		if u.Hostname() == "" {
			return Dialer{}, fmt.Errorf("the URI names no host; the form is redis://user:password@host:port/db")
		}
		d.Network, d.Address = "tcp", net.JoinHostPort(u.Hostname(), port)
		if u.Scheme == "rediss" || u.Scheme == "valkeys" {
			d.TLS = new(TLS)
		}
		db = strings.Trim(u.Path, "/")
	case "unix", "redis+unix":
		if u.Path == "" || u.Host != "" {
			return Dialer{}, fmt.Errorf("the URI names no socket; the form is unix:///path/to/socket?db=0")
		}
		d.Network, d.Address = "unix", u.Path
		db = u.Query().Get("db")
	default:
		return Dialer{}, fmt.Errorf("scheme %q is not known; use redis://, rediss:// or unix://", u.Scheme)
	}
	if db == "" {
		return d, nil
	}
	if d.DB, err = strconv.Atoi(db); err != nil || d.DB < 0 {
		return Dialer{}, fmt.Errorf("database %q is not a number of 0 or more", db)
	}
	return d, nil
}
