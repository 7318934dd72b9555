package template

import (
	"bufio"
	"bytes"

	"github.com/respbench/respbench/internal/resp"
)

// Arguments returns the commands of unit i as lists of arguments, the name
// first: for those few commands that are not sent as a load.
func (a *Appender) Arguments(i uint64) [][]string {
	var commands [][]string
	unit := bufio.NewReader(bytes.NewReader(a.Append(nil, i)))
	for {
		command, err := resp.ReadValue(unit)
		if err != nil { // the end: Append makes whole commands
			return commands
		}
		var args []string
		for _, arg := range command.Elems {
			args = append(args, arg.Str)
		}
		commands = append(commands, args)
	}
}
