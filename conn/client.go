package conn

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"net"
	"time"

	"github.com/respbench/respbench/internal/resp"
)

// Client asks a server one thing at a time, beside the load. It is not safe
// for use by several goroutines.
type Client struct {
	nc net.Conn
	br *bufio.Reader
}

// Client dials a connection for questions.
func (d *Dialer) Client(ctx context.Context) (*Client, error) {
	quiet := *d
	quiet.Tracking = false
	nc, err := quiet.Dial(ctx)
	if err != nil {
		return nil, err
	}
	return &Client{nc: nc, br: bufio.NewReader(nc)}, nil
}

// Do sends one command and waits for its reply, until ctx ends. A reply that
// is an error is returned as the error.
func (c *Client) Do(ctx context.Context, args ...string) (resp.Value, error) {
	replies, err := c.All(ctx, [][]string{args})
	if len(replies) == 0 {
		return resp.Value{}, err
	}
	return replies[0], replies[0].Err()
}

// All sends commands in one write, of a size that the system buffers, and waits
// for all their replies, until ctx ends. The error is the connection's, or the
// first reply that is one; the replies that came are returned with it.
func (c *Client) All(ctx context.Context, commands [][]string) (replies []resp.Value, err error) {
	deadline, _ := ctx.Deadline()
	c.nc.SetDeadline(deadline)
	stop := context.AfterFunc(ctx, func() { c.nc.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	var out []byte
	for _, args := range commands {
		out = resp.AppendCommand(out, args...)
	}
	if _, err := c.nc.Write(out); err != nil {
		return nil, err
	}
	for range commands {
		v, readErr := readReply(c.br)
		if readErr != nil {
			return replies, readErr
		}
		replies = append(replies, v)
		err = cmp.Or(err, v.Err())
	}
	return replies, err
}

// Close closes the connection.
func (c *Client) Close() error { return c.nc.Close() }

// ErrorCode is the first word of the error reply that err is, or that refused
// a connection; "" if err is none.
func ErrorCode(err error) string {
	var refused *RefusedError
	if errors.As(err, &refused) {
		return resp.Error(refused.Reply).Code()
	}
	var reply resp.Error
	if errors.As(err, &reply) {
		return reply.Code()
	}
	return ""
}
