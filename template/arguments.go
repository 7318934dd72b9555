package template

import "bytes"

// Arguments returns the commands of unit i as lists of arguments, the name
// first: for people to read, and for those few commands that are not sent as
// a load.
func (a *Appender) Arguments(i uint64) [][]string {
	var commands [][]string
	for rest := a.Append(nil, i); len(rest) > 0; {
		var n, length int
		n, rest = cutHeader(rest)
		args := make([]string, n)
		for k := range args {
			length, rest = cutHeader(rest)
			args[k] = string(rest[:length])
			rest = rest[length+len("\r\n"):]
		}
		commands = append(commands, args)
	}
	return commands
}

// cutHeader takes a header, as Append writes them, off the front of b.
func cutHeader(b []byte) (n int, rest []byte) {
	line, rest, _ := bytes.Cut(b, []byte("\r\n"))
	for _, digit := range line[1:] {
		n = 10*n + int(digit-'0')
	}
	return n, rest
}
