package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/suite"
)

// nameList is names, written as set,get.
type nameList []string

// UnmarshalText implements encoding.TextUnmarshaler; it adds to the list.
func (l *nameList) UnmarshalText(text []byte) error {
	for name := range strings.SplitSeq(string(text), ",") {
		if name = strings.TrimSpace(name); name == "" {
			return fmt.Errorf("%q is not a list of tests; write as set,get", text)
		}
		*l = append(*l, name)
	}
	return nil
}

// targetList is servers by name.
type targetList []namedTarget

type namedTarget struct {
	name   string
	dialer conn.Dialer
}

// UnmarshalText implements encoding.TextUnmarshaler; it adds to the list. Its
// errors never repeat the URI, which may hold a password.
func (l *targetList) UnmarshalText(text []byte) error {
	name, uri, found := strings.Cut(string(text), "=")
	if !found || name == "" || strings.Contains(name, ":") {
		return errors.New("a target is NAME=URI: old=redis://127.0.0.1:6379")
	}
	d, err := conn.ParseURI(uri)
	if err != nil {
		return fmt.Errorf("target %q: %w", name, err)
	}
	*l = append(*l, namedTarget{name, d})
	return nil
}

// flushFlag is --flush or --flush=force.
type flushFlag suite.Flush

// IsBool tells kong that the flag stands without a value, too.
func (f *flushFlag) IsBool() bool { return true }

// Decode implements kong.MapperValue.
func (f *flushFlag) Decode(ctx *kong.DecodeContext) error {
	*f = flushFlag(suite.FlushYes)
	if ctx.Scan.Peek().Type != kong.FlagValueToken {
		return nil
	}
	switch value := ctx.Scan.Pop().Value; value {
	case "force":
		*f = flushFlag(suite.FlushForce)
	default:
		return fmt.Errorf("%v is not known; write --flush or --flush=force", value)
	}
	return nil
}
