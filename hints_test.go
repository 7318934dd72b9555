package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/internal/redistest"
	"github.com/respbench/respbench/internal/resp"
)

// Files that a parent left open use up the limit, too.
func TestOutOfFiles(t *testing.T) {
	t.Parallel()
	path, err := exec.LookPath("respbench")
	if err != nil {
		t.Fatal(err)
	}
	server := redistest.Start(t)
	cmd := exec.Command("sh", "-c", `ulimit -n 128; exec "$0" "$@"`, path, "-p", strconv.Itoa(server.Port), "-c", "50", "-n", "50", "PING")
	for range 100 {
		file, err := os.Open(os.DevNull)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		cmd.ExtraFiles = append(cmd.ExtraFiles, file)
	}
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitFailed ||
		!strings.Contains(string(out), ": too many open files\nhint: every connection is an open file") {
		t.Errorf("%v:\n%s", err, out)
	}
}

// What the system says is named for what it is, and has a remedy.
func TestHints(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		err  error
		want string
	}{
		{fmt.Errorf("a:1: SCAN: %w", resp.Error("LOADING Redis is loading the dataset in memory")), "--wait"},
		{syscall.EMFILE, "ulimit -n"},
		{syscall.ENFILE, "whole machine"},
		{syscall.EADDRNOTAVAIL, "ip_local_port_range"},
		{syscall.ECONNREFUSED, "is a server running there"},
		{syscall.ECONNRESET, "hung up"},
		{syscall.EPIPE, "hung up"},
		{syscall.EACCES, "permissions"},
		{syscall.ENOENT, "unixsocket"},
		{io.EOF, "hung up"},
		{conn.ErrNoAnswer, "--connect-timeout"},
		{&conn.UnknownHostError{Host: "h"}, "check the name"},
		{&conn.TLSError{Reason: conn.NotTLS}, "leave out --tls"},
		{&conn.TLSError{Reason: conn.SilentTLS}, "leave out --tls"},
		{&conn.TLSError{Reason: conn.WantsTLS}, "add --tls"},
		{&conn.TLSError{Reason: conn.Untrusted}, "--cacert"},
		{&conn.TLSError{Reason: conn.WrongName}, "--sni"},
		{&conn.TLSError{Reason: conn.OutOfDate}, "new certificate"},
		{&conn.TLSError{Reason: conn.WantsCert}, "--cert"},
		{&conn.TLSError{Reason: conn.RefusesCert}, "--cert"},
		{&conn.TLSError{Reason: conn.WrongVersion}, "--tls-min"},
		{&conn.TLSError{Reason: conn.ClosedDuringTLS}, "client certificate"},
		{&conn.RefusedError{Command: "HELLO", Reply: "NOPROTO sorry"}, "leave out -3"},
		{&conn.RefusedError{Command: "CLIENT", Reply: "ERR max number of clients reached"}, "maxclients"},
	} {
		if got := hintFor(fmt.Errorf("at 127.0.0.1: %w", test.err)); !strings.Contains(got, test.want) {
			t.Errorf("%v: hint %q, want %q in it", test.err, got, test.want)
		}
	}
}

// A first connection has the time that is stated, less or more than usual.
func TestConnectTimeout(t *testing.T) {
	t.Parallel()
	silent := redistest.Fake(t, func(nc net.Conn) { io.Copy(io.Discard, nc) })
	_, port, _ := net.SplitHostPort(silent)
	var out, errs strings.Builder
	status := run(t.Context(), []string{"-p", port, "--connect-timeout", "50ms", "-n", "1", "PING"}, &out, &errs)
	want := "respbench: cannot log in to " + silent + ": no answer within 50ms\nhint: "
	if status != exitFailed || !strings.HasPrefix(errs.String(), want) || out.Len() > 0 {
		t.Errorf("status %d, %q, %q", status, out.String(), errs.String())
	}
}
