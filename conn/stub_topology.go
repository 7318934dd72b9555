package conn

import (
	"context"
	"errors"

	"github.com/respbench/respbench/internal/resp"
)

type AddressMap struct{ m map[string]string }

func (m AddressMap) Empty() bool                         { return len(m.m) == 0 }
func ParseAddressMap(rules []string) (AddressMap, error) { return AddressMap{}, nil }

type Node struct {
	ID, Address string
	Primary     bool
	Of, Slots   int
}
type Topology struct {
	Nodes []Node
	owner [NumSlots]int16
}

func (t *Topology) Owner(slot int) int { return int(t.owner[slot]) }
func (t *Topology) Served() int        { return 0 }
func ReadTopology(ctx context.Context, c *Client, asked string, m AddressMap) (*Topology, error) {
	return nil, errors.New("stub")
}

type Redirect struct {
	Slot    int
	Address string
}

func ParseRedirect(text []byte) (Redirect, bool)                                   { return Redirect{}, false }
func KeyPositions(ctx context.Context, c *Client, samples [][]byte) ([]int, error) { return nil, nil }
func ReadOnlyCommand(ctx context.Context, c *Client, name string) bool             { return false }
func (d Dialer) At(address string) Dialer                                          { d.Address = address; return d }
func ErrorCode(err error) string {
	var refused *RefusedError
	if errors.As(err, &refused) {
		return resp.Error(refused.Reply).Code()
	}
	var e resp.Error
	if errors.As(err, &e) {
		return e.Code()
	}
	return ""
}
