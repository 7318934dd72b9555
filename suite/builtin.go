package suite

import (
	"embed"
	"fmt"
	"slices"
)

//go:embed suites/*.yaml
var files embed.FS

// Builtins returns the names of the suites that are part of the program.
// The first is the one that people mean when they name none.
func Builtins() []string {
	return []string{
		"whitepaper", "more", "ycsb", "redisjson",
		"documents", "redisearch", "redisearch-zh", "tairsearch", "tairsearch-zh",
	}
}

// BuiltinText returns the file of a built-in suite.
func BuiltinText(name string) ([]byte, error) {
	if !slices.Contains(Builtins(), name) {
		return nil, fmt.Errorf("no suite %q; built in are %q", name, Builtins())
	}
	return files.ReadFile("suites/" + name + ".yaml")
}

// Builtin returns a built-in suite.
func Builtin(name string) (*Suite, error) {
	text, err := BuiltinText(name)
	if err != nil {
		return nil, err
	}
	return Read(name+".yaml", text)
}
