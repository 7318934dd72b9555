package data

import (
	"context"
	"io"
)

const (
	// blockSize is what is read of a file, or decompressed, at once.
	blockSize = 256 << 10
	// blocks is how many may wait to be parsed.
	blocks = 4
)

// prefetch is a reader whose underlying one works in a goroutine of its own, so
// that decompressing and parsing take a core each. Where the underlying one
// does not return, as a terminal may not, ending the context still ends Read.
type prefetch struct {
	ctx  context.Context
	full chan block
	free chan []byte
	// ended is closed when the underlying reader is not in use any more.
	ended chan struct{}
	now   block
	done  int // bytes of now.text that have been read
}

// block is a piece of text, and the error that came with it.
type block struct {
	text []byte
	err  error
}

func newPrefetch(ctx context.Context, r io.Reader) *prefetch {
	p := &prefetch{ctx: ctx, full: make(chan block, blocks), free: make(chan []byte, blocks), ended: make(chan struct{})}
	for range blocks {
		p.free <- make([]byte, blockSize)
	}
	go p.run(r)
	return p
}

// run fills blocks until the reader or the context ends.
func (p *prefetch) run(r io.Reader) {
	defer close(p.ended)
	for {
		select {
		case <-p.ctx.Done():
			return
		case buf := <-p.free:
			n, err := r.Read(buf[:blockSize])
			// full has room for all blocks that there are.
			p.full <- block{buf[:n], err}
			if err != nil {
				return
			}
		}
	}
}

// Read implements io.Reader.
func (p *prefetch) Read(dst []byte) (int, error) {
	if p.done == len(p.now.text) {
		if p.now.err != nil {
			return 0, p.now.err
		}
		if p.now.text != nil {
			p.free <- p.now.text
		}
		p.now, p.done = block{}, 0
		select {
		case <-p.ctx.Done():
			return 0, p.ctx.Err()
		case p.now = <-p.full:
		}
	}
	n := copy(dst, p.now.text[p.done:])
	p.done += n
	return n, nil
}
