package lint

import (
	"fmt"
	"slices"
	"strings"
)

// mayImport says, for each folder with Go files, which other folders of this
// module its code may import. The arrows point downwards: what makes load
// knows how to send it, what sends knows the wire, and nobody knows those who
// use him.
func mayImport() map[string][]string {
	return map[string][]string{
		".":         {"suite", "generator", "template", "data", "conn", "report"},
		"suite":     {"generator", "template", "data", "conn", "report", "internal/resp"},
		"generator": {"template", "data", "conn", "report", "internal/clock", "internal/resp", "internal/splitmix"},
		"template":  {"internal/resp", "internal/splitmix", "data"},
		"data":      {"internal/resp"},
		"conn":      {"internal/resp", "internal/clock"},
		"report":    {},

		"internal/resp":       {},
		"internal/clock":      {},
		"internal/lint":       {},
		"internal/splitmix":   {},
		"internal/nullserver": {"internal/resp"},
		"internal/redistest":  {"internal/resp", "internal/clock"},
	}
}

// testsMayImport returns what every test may import besides what its folder
// may: the tests' own servers and the wire they speak.
func testsMayImport() []string { return []string{"internal/redistest", "internal/resp"} }

// checkImports finds imports that the table does not allow.
func checkImports(f file) []string {
	allowed, known := mayImport()[f.folder()]
	if !known {
		return []string{f.folder() + ": this folder is not in the table mayImport of internal/lint/imports.go; add it there with what it may import"}
	}
	if f.isTest() {
		// A package example_test imports its own package.
		allowed = slices.Concat(allowed, testsMayImport(), []string{f.folder()})
	}
	var faults []string
	for _, i := range f.imports {
		if !slices.Contains(allowed, i) {
			faults = append(faults, fmt.Sprintf("%s: imports %s; a file in %s may import only %s of this module", f.path, i, f.folder(), list(allowed)))
		}
	}
	return faults
}

// list writes folders as part of a sentence.
func list(folders []string) string {
	if len(folders) == 0 {
		return "nothing"
	}
	return strings.Join(folders, ", ")
}
