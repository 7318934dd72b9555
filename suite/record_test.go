package suite

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/respbench/respbench/internal/redistest"
	"github.com/respbench/respbench/internal/resp"
)

// recorder is a server that writes down every command that it gets, and answers
// +OK but where reply has another answer.
type recorder struct {
	addr  string
	reply func(args []string) string

	mu       sync.Mutex
	commands [][]string
	faults   []string // commands that were not on the wire as RESP arrays of bulk strings
}

func newRecorder(t *testing.T, reply func(args []string) string) *recorder {
	t.Helper()
	r := &recorder{reply: reply}
	r.addr = redistest.Fake(t, r.serve)
	return r
}

func (r *recorder) serve(c net.Conn) {
	var wire bytes.Buffer
	br := bufio.NewReader(io.TeeReader(c, &wire))
	for {
		v, err := resp.ReadValue(br)
		if err != nil {
			return
		}
		var args []string
		for _, e := range v.Elems {
			args = append(args, e.Str)
		}
		want := resp.AppendCommand(nil, args...)
		bytes := wire.Next(len(want))
		r.mu.Lock()
		r.commands = append(r.commands, args)
		if string(bytes) != string(want) {
			r.faults = append(r.faults, string(bytes))
		}
		r.mu.Unlock()
		if _, err := c.Write([]byte(r.answer(args))); err != nil {
			return
		}
	}
}

func (r *recorder) answer(args []string) string {
	if own := r.reply(args); own != "" {
		return own
	}
	switch strings.ToUpper(args[0]) {
	case "DBSIZE", "DEL":
		return ":0\r\n"
	case "SCAN":
		return "*2\r\n$1\r\n0\r\n*0\r\n"
	case "INFO", "CONFIG", "CLIENT", "COMMAND":
		return "-ERR not here\r\n"
	}
	return "+OK\r\n"
}

// got is the commands whose names keep accepts, in the order in which they
// came.
func (r *recorder) got(keep func(name string) bool) [][]string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(r.commands), func(args []string) bool { return !keep(args[0]) })
}
