package conn

import (
	"bufio"
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
	deadline, _ := ctx.Deadline()
	c.nc.SetDeadline(deadline)
	stop := context.AfterFunc(ctx, func() { c.nc.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	if _, err := c.nc.Write(resp.AppendCommand(nil, args...)); err != nil {
		return resp.Value{}, err
	}
	v, err := readReply(c.br)
	if err != nil {
		return resp.Value{}, err
	}
	return v, v.Err()
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
