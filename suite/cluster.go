package suite

import (
	"context"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/internal/resp"
	"github.com/respbench/respbench/template"
)

// servers are the server of a site or, in a cluster, its primaries, with who
// serves which slot.
func (s *site) servers(ctx context.Context) ([]conn.Dialer, *conn.Topology, error) {
	contact := s.dialer.FirstContact()
	if !s.shape.Cluster {
		return []conn.Dialer{contact}, nil, nil
	}
	side, err := contact.Client(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer side.Close()
	t, err := conn.ReadTopology(ctx, side, s.dialer.Address, s.shape.AddressMap)
	if err != nil {
		return nil, nil, err
	}
	var list []conn.Dialer
	for _, n := range t.Nodes[:t.Primaries()] {
		list = append(list, contact.At(n.Address))
	}
	return list, t, nil
}

// send sends the commands of one unit of a program, and wants no error, which
// would say for what they were. In a cluster a command with a key goes to the node that serves it, and one
// without, such as SCRIPT LOAD, to every primary.
func (s *site) send(ctx context.Context, p *template.Program, seed uint64, what string) error {
	ctx, cancel := context.WithTimeout(ctx, occasionTime)
	defer cancel()
	servers, topology, err := s.servers(ctx)
	if err != nil {
		return err
	}
	var clients []*conn.Client
	for _, d := range servers {
		c, err := d.Client(ctx)
		if err != nil {
			return err
		}
		defer c.Close()
		clients = append(clients, c)
	}
	for _, args := range template.NewAppender(p, seed).Arguments(0) {
		to, err := receivers(ctx, clients, topology, args)
		if err != nil {
			return s.refused(what+" "+args[0], err)
		}
		for _, c := range to {
			if _, err := c.Do(ctx, args...); err != nil {
				return s.refused(what+" "+args[0], err)
			}
		}
	}
	return nil
}

// receivers are those of the servers that a command is sent to.
func receivers(ctx context.Context, servers []*conn.Client, t *conn.Topology, args []string) ([]*conn.Client, error) {
	if t == nil {
		return servers, nil
	}
	keys, err := conn.KeyPositions(ctx, servers[0], [][]byte{resp.AppendCommand(nil, args...)})
	if err != nil || len(keys) == 0 {
		return servers, err
	}
	owner := max(0, t.Owner(conn.KeySlot([]byte(args[keys[0]])))) // an unserved slot is refused by any
	return servers[owner : owner+1], nil
}
