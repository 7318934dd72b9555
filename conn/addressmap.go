package conn

import (
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// AddressMap says by which addresses the nodes of a cluster are reached, where
// those that the cluster itself tells lead nowhere, as behind NAT. The zero
// value changes nothing.
type AddressMap struct {
	to map[string]string // host:port -> host:port, and host -> host
}

// Empty tells whether m changes nothing.
func (m AddressMap) Empty() bool { return len(m.to) == 0 }

// addressMapForm is what an error shows of how it is done.
const addressMapForm = "10.0.0.1:6379=127.0.0.1:7001, or 10.0.0.1=127.0.0.1 for all ports, with IPv6 addresses in brackets"

// ParseAddressMap reads rules FROM=TO. Both sides are host:port, or both are
// hosts, which stand for all ports; an IPv6 address is in brackets. A rule with
// a port goes before one without, and a rule is never applied to what another
// one made. Two rules that say different things of one address are an error.
func ParseAddressMap(rules []string) (AddressMap, error) {
	m := AddressMap{to: make(map[string]string)}
	for _, rule := range rules {
		left, right, found := strings.Cut(rule, "=")
		if !found {
			return AddressMap{}, fmt.Errorf("%q has no '='; write %s", rule, addressMapForm)
		}
		from, fromPort, err := parseSide(left)
		if err != nil {
			return AddressMap{}, fmt.Errorf("%q: %w; write %s", rule, err, addressMapForm)
		}
		to, toPort, err := parseSide(right)
		if err != nil {
			return AddressMap{}, fmt.Errorf("%q: %w; write %s", rule, err, addressMapForm)
		}
		if (fromPort == "") != (toPort == "") {
			return AddressMap{}, fmt.Errorf("%q has a port on one side only; write %s", rule, addressMapForm)
		}
		if fromPort != "" {
			from, to = net.JoinHostPort(from, fromPort), net.JoinHostPort(to, toPort)
		}
		if other, known := m.to[from]; known && other != to {
			return AddressMap{}, fmt.Errorf("%q: %s already goes to %s; name each address once", rule, from, other)
		}
		m.to[from] = to
	}
	return m, nil
}

// parseSide reads host, host:port, [IPv6] or [IPv6]:port; port is "" if there
// is none.
func parseSide(text string) (host, port string, err error) {
	host = text
	if colon := strings.LastIndexByte(text, ':'); colon > strings.LastIndexByte(text, ']') {
		host, port = text[:colon], text[colon+1:]
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return "", "", fmt.Errorf("port %q is not 1 to 65535", port)
		}
		port = strings.TrimLeft(port, "0")
	}
	bracketed := strings.HasPrefix(host, "[") && strings.HasSuffix(host, "]")
	if bracketed {
		host = host[1 : len(host)-1]
		if a, err := netip.ParseAddr(host); err != nil || !a.Is6() {
			return "", "", fmt.Errorf("%q is no IPv6 address", host)
		}
	} else if strings.ContainsAny(host, ":[]") {
		return "", "", fmt.Errorf("%q needs brackets around an IPv6 address", text)
	}
	if host == "" || strings.ContainsAny(host, " \t\r\n=") {
		return "", "", fmt.Errorf("%q is no host", host)
	}
	return canonicalHost(host), port, nil
}

// canonicalHost writes equal hosts equally: IPv6 in its shortest form, names in
// lower case.
func canonicalHost(host string) string {
	if a, err := netip.ParseAddr(host); err == nil {
		return a.String()
	}
	return strings.ToLower(host)
}

// Apply returns the address to dial, host:port, for a node that calls itself
// host and port.
func (m AddressMap) Apply(host string, port int) string {
	host = canonicalHost(host)
	address := net.JoinHostPort(host, strconv.Itoa(port))
	if to, known := m.to[address]; known {
		return to
	}
	if to, known := m.to[host]; known {
		return net.JoinHostPort(to, strconv.Itoa(port))
	}
	return address
}
