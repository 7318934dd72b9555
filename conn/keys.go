package conn

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/respbench/respbench/internal/resp"
)

// KeyPositions returns which arguments of a command are keys, in ascending
// order: 1 is the first argument after the name. The samples are one command as
// it is sent with different values, in RESP. The server is asked about each; an
// argument that only looks like a key, because its value is one, is told apart.
// An argument counts if it is a key in every sample. A command without keys has
// no positions.
//
// Where the server does not say, it is asked for the command's usual positions,
// and where it does not say that either, they are taken from what is known of
// the command: for most, the first argument.
//
// The error says that the connection failed, or that the samples have no key in
// common although some have one.
func KeyPositions(ctx context.Context, c *Client, samples [][]byte) ([]int, error) {
	var common []int
	some := false
	for i, sample := range samples {
		args, _ := resp.Arguments(sample)
		positions, err := keyPositions(ctx, c, args)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			common = positions
		}
		common = slices.DeleteFunc(common, func(p int) bool { return !slices.Contains(positions, p) })
		some = some || len(positions) > 0
	}
	if some && len(common) == 0 {
		name := string(resp.Argument(samples[0], 0))
		return nil, fmt.Errorf("no argument of %s is a key every time; keep the number of its keys the same", name)
	}
	return common, nil
}

// keyPositions is KeyPositions for one command.
func keyPositions(ctx context.Context, c *Client, args []string) ([]int, error) {
	keys, err := getKeys(ctx, c, args)
	var refused resp.Error
	switch {
	case errors.As(err, &refused) && hasNoKeys(refused):
		return shardChannels(args), nil
	case errors.As(err, &refused):
		return usualPositions(ctx, c, args)
	case err != nil:
		return nil, err
	}
	var positions []int
	for p := 1; p < len(args); p++ {
		isKey := slices.Contains(keys, args[p])
		if isKey && count(args[1:], args[p]) > 1 {
			// Some of the equal arguments may be keys and others not.
			if isKey, err = probe(ctx, c, args, p); err != nil {
				return nil, err
			}
		}
		if isKey {
			positions = append(positions, p)
		}
	}
	return positions, nil
}

// probe finds out whether argument p, which equals a key, is one: it puts
// something else there and looks whether that is a key then. Any text can be a
// key; if the server refuses it, the argument has a meaning of its own.
func probe(ctx context.Context, c *Client, args []string, p int) (isKey bool, err error) {
	other := "respbench"
	for slices.Contains(args, other) {
		other += "'"
	}
	changed := slices.Clone(args)
	changed[p] = other
	got, err := getKeys(ctx, c, changed)
	var refused resp.Error
	if errors.As(err, &refused) {
		return false, nil
	}
	return slices.Contains(got, other), err
}

func count(texts []string, text string) int {
	n := 0
	for _, t := range texts {
		if t == text {
			n++
		}
	}
	return n
}

// getKeys asks the server for the keys of a command.
func getKeys(ctx context.Context, c *Client, args []string) ([]string, error) {
	v, err := c.Do(ctx, append([]string{"COMMAND", "GETKEYS"}, args...)...)
	if err != nil {
		return nil, err
	}
	if v.Kind != '*' && v.Kind != '~' {
		return nil, resp.Error(fmt.Sprintf("COMMAND GETKEYS is a %q", v.Kind))
	}
	var keys []string
	for _, e := range v.Elems {
		keys = append(keys, e.Str)
	}
	return keys, nil
}

// hasNoKeys knows how servers answer COMMAND GETKEYS for a command that never
// has keys. Redis, Valkey and Kvrocks use the same words. Other refusals do not
// say that: before Redis 7 a script without keys had "Invalid arguments", and a
// command that is all wrong has them everywhere.
func hasNoKeys(e resp.Error) bool { return strings.Contains(string(e), "has no key arguments") }

// usualPositions returns the positions where COMMAND GETKEYS is not at hand.
func usualPositions(ctx context.Context, c *Client, args []string) ([]int, error) {
	if positions, known := knownPositions(args); known {
		return positions, nil
	}
	d, err := describe(ctx, c, args)
	if err != nil {
		return nil, err
	}
	if d.known && (d.first > 0 || !d.movable) {
		return d.positions(len(args)), nil
	}
	if len(args) < 2 {
		return nil, nil
	}
	return []int{1}, nil
}

// description is what COMMAND INFO says of a command.
type description struct {
	known    bool
	flags    []string
	movable  bool // the positions of the keys depend on the arguments
	first    int  // position of the first key; 0 for none
	last     int  // of the last one; negative: counted from the end, -1 is the last argument
	step     int  // between keys
	subs     []resp.Value
	fullName string
}

// describe asks for what the server knows of the command; a refusal leaves it
// unknown. The description of "object encoding" is that of the subcommand.
func describe(ctx context.Context, c *Client, args []string) (description, error) {
	if len(args) == 0 {
		return description{}, nil
	}
	v, err := c.Do(ctx, "COMMAND", "INFO", args[0])
	var refused resp.Error
	if err != nil && !errors.As(err, &refused) {
		return description{}, err
	}
	if err != nil || len(v.Elems) != 1 {
		return description{}, nil
	}
	d := newDescription(v.Elems[0])
	if len(args) > 1 {
		name := strings.ToLower(args[0] + "|" + args[1])
		for _, sub := range d.subs {
			if s := newDescription(sub); s.fullName == name {
				return s, nil
			}
		}
	}
	return d, nil
}

// newDescription reads a command in COMMAND INFO: name, arity, flags, first and
// last key, step; then, since Redis 7, categories, tips, key specifications and
// subcommands.
func newDescription(v resp.Value) description {
	e := v.Elems
	if len(e) < 6 {
		return description{}
	}
	d := description{known: true, fullName: e[0].Str, first: int(e[3].Int), last: int(e[4].Int), step: int(e[5].Int)}
	for _, f := range e[2].Elems {
		d.flags = append(d.flags, f.Str)
	}
	d.movable = slices.Contains(d.flags, "movablekeys")
	if len(e) >= 10 {
		d.subs = e[9].Elems
	}
	return d
}

// positions returns the positions of the keys in a command of n arguments, its
// name included.
func (d description) positions(n int) []int {
	last := d.last
	if last < 0 {
		last += n
	}
	var positions []int
	for p := d.first; p > 0 && p <= last && p < n; p += max(1, d.step) {
		positions = append(positions, p)
	}
	return positions
}

// ReadOnlyCommand reports whether a command, of which sample is one in RESP,
// only reads, so that a replica answers it. Where the server does not say, it
// is taken from what is known of the command; what is not known writes. The
// error says that the connection failed.
func ReadOnlyCommand(ctx context.Context, c *Client, sample []byte) (bool, error) {
	args, _ := resp.Arguments(sample)
	d, err := describe(ctx, c, args)
	if err != nil || d.known {
		return slices.Contains(d.flags, "readonly"), err
	}
	return knownReadOnly(args), nil
}
