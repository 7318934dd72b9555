package template

import "github.com/respbench/respbench/internal/resp"

// Arguments returns the commands of unit i as lists of arguments, the name
// first: for people to read, and for those few commands that are not sent as
// a load.
func (a *Appender) Arguments(i uint64) [][]string {
	var commands [][]string
	for rest := a.Append(nil, i); len(rest) > 0; {
		var args []string
		args, rest = resp.Arguments(rest)
		commands = append(commands, args)
	}
	return commands
}
