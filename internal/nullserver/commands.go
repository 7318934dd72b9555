// Command nullserver answers every Redis command with +OK and does nothing
// else, on one thread: a server that is never the bottleneck, against which
// load generators are measured. It is no server for anything but that.
package main

import "bytes"

// counter finds the ends of commands in a stream that may stop at any byte.
// It trusts its clients: what is not RESP is skipped up to the next line.
type counter struct {
	args int // arguments that the command still has to bring
	skip int // bytes of the current argument, with its line end
	line []byte
}

// count returns how many commands end in buf.
func (c *counter) count(buf []byte) (commands int) {
	for len(buf) > 0 {
		if c.skip > 0 {
			n := min(c.skip, len(buf))
			buf, c.skip = buf[n:], c.skip-n
			if c.skip == 0 {
				if c.args--; c.args == 0 {
					commands++
				}
			}
			continue
		}
		end := bytes.IndexByte(buf, '\n')
		if end < 0 {
			c.line = append(c.line, buf...)
			return commands
		}
		header := buf[:end]
		if len(c.line) > 0 {
			header = append(c.line, header...)
			c.line = c.line[:0]
		}
		buf = buf[end+1:]
		if len(header) < 2 {
			continue
		}
		switch n := digits(header[1:]); header[0] {
		case '*':
			c.args = n
		case '$':
			c.skip = n + 2
		}
	}
	return commands
}

// digits is the decimal number that text starts with.
func digits(text []byte) (n int) {
	for _, b := range text {
		if b < '0' || b > '9' {
			break
		}
		n = n*10 + int(b-'0')
	}
	return n
}
