package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

// mainJob is the command whose name may be left out.
const mainJob = "bench"

// ofOthers tells of a flag that the command does not know which others do; it is
// nil for any other mistake.
func ofOthers(err error) error {
	var wrong *kong.ParseError
	var flag string
	if _, scanned := fmt.Sscanf(err.Error(), "unknown flag %s", &flag); scanned != nil || !errors.As(err, &wrong) {
		return nil
	}
	flag = strings.TrimSuffix(flag, ",")
	chosen := mainJob
	if node := wrong.Context.Selected(); node != nil {
		chosen = node.Name
	}
	var owners []string
	for _, command := range wrong.Context.Model.Children {
		if command.Name != chosen && knows(command, flag) {
			owners = append(owners, command.Name)
		}
	}
	if len(owners) == 0 {
		return nil
	}
	try := "respbench " + owners[0] + " " + flag + " …"
	if owners[0] == mainJob {
		try = "respbench " + flag + " …"
	}
	for i, name := range owners {
		owners[i] = titleOf(name)
	}
	have := "has"
	if len(owners) > 1 {
		have = "have"
	}
	return &usageError{
		problem: fmt.Errorf("unknown flag %s of %s: %s %s it", flag, titleOf(chosen), allOf(owners), have),
		hint:    fmt.Sprintf("%s, or see respbench %s --help", try, chosen),
	}
}

// allOf are names as in "a, b and c".
func allOf(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// knows tells whether a command has a flag, written as -n or --name.
func knows(command *kong.Node, flag string) bool {
	for _, f := range command.Flags {
		if flag == "--"+f.Name || f.Short != 0 && flag == "-"+string(f.Short) {
			return true
		}
	}
	return false
}

// titleOf is how a sentence names a command.
func titleOf(name string) string {
	if name == mainJob {
		return "the main job"
	}
	return name
}
