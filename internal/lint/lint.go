// Package lint keeps the rules of this repository that no ordinary tool
// knows: which folder may import which, how packages are not called, who may
// end the program, how long a file may get. Its own tests apply it to the
// repository; nothing else imports it.
package lint

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
)

const (
	maxLines     = 400 // of a file
	maxTestLines = 700 // of a test file
)

// Check reads the Go files of a module and returns a sentence for each place
// that breaks a rule, in the order of the files. The error says that a file
// could not be read or parsed.
func Check(module fs.FS) ([]string, error) {
	files, err := load(module)
	if err != nil {
		return nil, err
	}
	var faults []string
	for _, f := range files {
		faults = slices.Concat(faults, checkImports(f), checkNames(f), checkLength(f), checkExits(f))
	}
	// A folder that is not in the table is a fault of each of its files.
	return append(slices.Compact(faults), checkExcuses(files)...), nil
}

// checkNames finds names that say nothing of what is in the package or file.
func checkNames(f file) []string {
	var faults []string
	empty := []string{"util", "utils", "common", "helper", "helpers", "misc", "type", "types"}
	if slices.Contains(empty, f.pkg) {
		faults = append(faults, fmt.Sprintf("%s: a package called %q could hold anything; name it after what it holds", f.path, f.pkg))
	}
	if slices.Contains(empty, f.stem()) {
		faults = append(faults, fmt.Sprintf("%s: a file called %q could hold anything; name it after what it holds", f.path, path.Base(f.path)))
	}
	return faults
}

// checkLength finds files that nobody reads in one go.
func checkLength(f file) []string {
	limit := maxLines
	if f.isTest() {
		limit = maxTestLines
	}
	if f.lines <= limit {
		return nil
	}
	return []string{fmt.Sprintf("%s: %d lines, %d at most; make a second file of one of its parts", f.path, f.lines, limit)}
}
