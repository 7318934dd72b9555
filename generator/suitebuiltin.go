package generator

import (
	"embed"
	"fmt"
	"slices"
)

//go:embed suites/*.yaml
var suiteFiles embed.FS

// BuiltinSuites returns the names of the suites that are part of the program.
// The first is the one that people mean when they name none.
func BuiltinSuites() []string {
	return []string{
		"whitepaper", "more", "ycsb", "redisjson",
		"documents", "redisearch", "redisearch-zh", "tairsearch", "tairsearch-zh",
	}
}

// BuiltinText returns the file of a built-in suite.
func BuiltinText(name string) ([]byte, error) {
	if !slices.Contains(BuiltinSuites(), name) {
		return nil, fmt.Errorf("no suite %q; built in are %q", name, BuiltinSuites())
	}
	return suiteFiles.ReadFile("suites/" + name + ".yaml")
}

// BuiltinSuite returns a built-in suite.
func BuiltinSuite(name string) (*Suite, error) {
	text, err := BuiltinText(name)
	if err != nil {
		return nil, err
	}
	return ReadSuite(name+".yaml", text)
}
