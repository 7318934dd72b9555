package suite

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/internal/resp"
)

// MissingCommandsError tells that a server lacks a command of every test of a
// suite, which was therefore not started.
type MissingCommandsError struct {
	Address  string
	Suite    string
	Commands []string // in upper case, sorted
}

func (e *MissingCommandsError) Error() string {
	return fmt.Sprintf("%s: %s; no test of suite %q can run there", e.Address, missingText(e.Commands), e.Suite)
}

func missingText(commands []string) string {
	return "the server has no " + strings.Join(commands, ", ")
}

// commands are the names of all that the test sends, in upper case, sorted,
// but for those that are made by a placeholder.
func (t *plannedTest) commands() []string {
	var names []string
	for _, p := range t.programs() {
		names = append(names, p.Names()...)
	}
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(name string) bool { return name == "" })
}

// checkCommands asks every server which of the commands of all tests it has,
// before anything is written. It is an error if a server can run no test.
func (s *runner) checkCommands(ctx context.Context) error {
	tests, err := s.cfg.plan(0, 0)
	if err != nil {
		return err
	}
	var all []string
	for i := range tests {
		all = append(all, tests[i].commands()...)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	for _, site := range s.sites {
		if site.missing, err = site.lacks(ctx, all); err != nil {
			return err
		}
		runs := func(t plannedTest) bool { return len(site.missingFor(&t)) == 0 }
		if !slices.ContainsFunc(tests, runs) {
			return &MissingCommandsError{Address: site.dialer.Address, Suite: s.cfg.Suite.Name, Commands: site.missing}
		}
	}
	return nil
}

// missingFor is what the server does not have of the commands of a test.
func (s *site) missingFor(t *plannedTest) []string {
	if len(s.missing) == 0 {
		return nil
	}
	return slices.DeleteFunc(t.commands(), func(name string) bool { return !slices.Contains(s.missing, name) })
}

// lacks returns those of the commands that the server does not have. Where it
// does not tell, only modules' commands are looked for: what else it refuses is
// found when it is sent.
func (s *site) lacks(ctx context.Context, names []string) (missing []string, err error) {
	err = s.with(ctx, func(ctx context.Context, c *conn.Client) error {
		// Every server has PING, unless its COMMAND INFO says nothing of worth.
		v, err := c.Do(ctx, append([]string{"COMMAND", "INFO", "PING"}, names...)...)
		if err != nil && conn.ErrorCode(err) == "" {
			return s.refused("COMMAND INFO", err)
		}
		told := err == nil && len(v.Elems) == len(names)+1 && !absent(v.Elems[0])
		for i, name := range names {
			listed := told && !absent(v.Elems[i+1])
			unasked := !ofModule(name) && !told
			if listed || unasked || ofModule(name) && s.knows(ctx, c, name) {
				continue
			}
			missing = append(missing, name)
		}
		return nil
	})
	return missing, err
}

// absent is what COMMAND INFO has for a command that it does not know.
func absent(v resp.Value) bool { return len(v.Elems) == 0 }

// ofModule tells whether a command is one of a module: FT.SEARCH.
func ofModule(name string) bool { return strings.Contains(name, ".") }

// knows asks for a command of a module by sending it without arguments: proxies
// may pass on commands that their COMMAND INFO does not list. Others are not
// tried, as some need no argument to do harm.
func (s *site) knows(ctx context.Context, c *conn.Client, name string) bool {
	_, err := c.Do(ctx, name)
	return err == nil || !strings.Contains(strings.ToLower(err.Error()), "unknown command")
}
