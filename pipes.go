package main

import (
	"os"

	"github.com/respbench/respbench/report"
)

// pipes are the files of a command line that can be read once only.
type pipes []pipe

type pipe struct {
	path string
	info os.FileInfo
}

// add notes a file of --data, "-" for standard input, and refuses one that has
// been named before, whatever it was called: /dev/stdin is standard input, too.
// What is wrong with the file otherwise shows when it is opened.
func (p *pipes) add(path string) error {
	info, err := os.Stdin.Stat()
	if path != "-" {
		info, err = os.Stat(path)
	}
	if err != nil || info.Mode().IsRegular() || info.IsDir() {
		return nil
	}
	for _, other := range *p {
		if os.SameFile(other.info, info) {
			first, second := report.Printable(other.path), report.Printable(path)
			if first == second {
				return usagef("--data %s is given twice, and can be read once", second)
			}
			return usagef("--data %s is the same as --data %s, which can be read once", second, first)
		}
	}
	*p = append(*p, pipe{path, info})
	return nil
}
