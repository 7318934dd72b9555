package conn

import (
	"bytes"
	"net"
)

// Redirect is an error reply by which a node of a cluster sends a client to
// another one.
type Redirect struct {
	Ask  bool // ASK: this one request; otherwise MOVED: every request of the slot
	Slot int  // 0 to NumSlots-1
	// Host is as the node wrote it, a part of the text that was parsed. Empty
	// means the host of the node that answered, "?" that it does not know.
	Host []byte
	Port int // 1 to 65535
}

// ParseRedirect reads the text of an error reply: "MOVED 3999 127.0.0.1:6381",
// "ASK 3999 ::1:6381" and the like. It reports false for anything else.
func ParseRedirect(text []byte) (r Redirect, ok bool) {
	rest, moved := bytes.CutPrefix(text, []byte("MOVED "))
	if !moved {
		if rest, r.Ask = bytes.CutPrefix(text, []byte("ASK ")); !r.Ask {
			return Redirect{}, false
		}
	}
	slot, address, found := bytes.Cut(rest, []byte(" "))
	address, _, _ = bytes.Cut(address, []byte(" ")) // what may be added some day
	colon := bytes.LastIndexByte(address, ':')      // an IPv6 host has colons of its own
	if !found || colon < 0 {
		return Redirect{}, false
	}
	r.Slot, r.Port = decimal(slot, NumSlots-1), decimal(address[colon+1:], maxPort)
	if r.Slot < 0 || r.Port <= 0 {
		return Redirect{}, false
	}
	r.Host = address[:colon]
	if n := len(r.Host); n >= 2 && r.Host[0] == '[' && r.Host[n-1] == ']' {
		r.Host = r.Host[1 : n-1]
	}
	return r, true
}

// maxPort is the highest port that there is.
const maxPort = 65535

// decimal returns the value of digits, -1 if there are none, something else is
// among them, or it is more than most.
func decimal(digits []byte, most int) int {
	if len(digits) == 0 {
		return -1
	}
	n := 0
	for _, d := range digits {
		if d < '0' || d > '9' {
			return -1
		}
		if n = n*10 + int(d-'0'); n > most {
			return -1
		}
	}
	return n
}

// Address returns the address to dial, "" if the node that answered does not
// know it; then the topology has to be read. answered is that node's own
// address as it was dialed.
func (r Redirect) Address(answered string, m AddressMap) string {
	return nodeAddress(string(r.Host), r.Port, answered, m)
}

// nodeAddress returns the address to dial for a node of whom another one, dialed
// at answered, tells host and port; "" if they lead nowhere.
func nodeAddress(host string, port int, answered string, m AddressMap) string {
	if host == "?" || port < 1 || port > maxPort {
		return ""
	}
	if host == "" {
		var err error
		if host, _, err = net.SplitHostPort(answered); err != nil {
			host = "127.0.0.1" // answered is a unix socket
		}
	}
	return m.Apply(host, port)
}
