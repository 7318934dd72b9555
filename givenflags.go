package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// choosy is a command that looks at which flags were given, beyond their values.
type choosy interface {
	// checkGiven refuses flags that would have no effect beside the others.
	checkGiven(given []*kong.Flag) error
}

// checkGiven refuses flags that were given and have no effect, as the one is
// missing that they are a detail of: one of both is a slip. That holds also for
// values that are the default.
func checkGiven(c command, parsed *kong.Context) error {
	var given []*kong.Flag
	for _, step := range parsed.Path {
		if step.Flag != nil {
			given = append(given, step.Flag)
		}
	}
	_, isSuite := c.(*suiteCommand)
	for _, n := range needs() {
		if isSuite && slices.Contains(n.others, "data") {
			continue // suites name data themselves: openSuite looks at these
		}
		if err := n.check(given, parsed.Flags()); err != nil {
			return err
		}
	}
	if c, ok := c.(choosy); ok {
		return c.checkGiven(given)
	}
	return nil
}

// need is that a flag has no effect without one of others.
type need struct {
	flag    string
	others  []string
	problem string
}

// needs are all, but for those that depend on more than whether a flag is
// given: the details of TLS, which a URI turns on, too, and --data-once.
func needs() []need {
	return []need{
		{"data-order", []string{"data"}, "there are no data; name a file with %s"},
		{"data-format", []string{"data"}, "there are no data; name a file with %s"},
		{"bad-rows", []string{"data", "commands", "monitor"}, "there is no file whose rows could be bad; name one with %s"},
		{"commands-order", []string{"commands"}, "there is no command file; name one with %s"},
		{"pace", []string{"monitor"}, "only a log has times; name one with %s"},
		{"arrivals", []string{"rate", "lane"}, "in a closed loop requests follow replies; state a rate with %s"},
		{"read-from", []string{"cluster"}, "only a cluster has nodes to choose from; add %s"},
		{"map-address", []string{"cluster"}, "only a cluster tells addresses; add %s"},
	}
}

// check looks only for flags that the command knows: without any of the others
// the flag has another meaning there.
func (n need) check(given, known []*kong.Flag) error {
	if !has(given, n.flag) {
		return nil
	}
	var others []string
	for _, name := range n.others {
		if has(given, name) {
			return nil
		}
		if has(known, name) {
			others = append(others, "--"+name)
		}
	}
	if len(others) == 0 {
		return nil
	}
	return usagef("--%s: %s", n.flag, fmt.Sprintf(n.problem, alternatives(others)))
}

func has(flags []*kong.Flag, name string) bool {
	return slices.ContainsFunc(flags, func(f *kong.Flag) bool { return f.Name == name })
}

// alternatives are names as in "a, b or c".
func alternatives(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
