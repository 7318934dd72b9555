package lint

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// file is what the rules look at in one Go file. Files for all systems are
// read, whatever their build constraints.
type file struct {
	path    string   // from the module's root, with slashes
	pkg     string   // package name
	imports []string // folders of this module that it imports; "." is the root
	lines   int
	exits   []exit
}

// exit is a call that ends the program.
type exit struct {
	call string // os.Exit, log.Fatalf, panic, …
	line int
}

// folder returns the file's folder; "." is the root.
func (f file) folder() string { return path.Dir(f.path) }

// isTest reports whether the file is compiled into tests alone.
func (f file) isTest() bool { return strings.HasSuffix(f.path, "_test.go") }

// stem returns the file's name without _test and .go.
func (f file) stem() string {
	return strings.TrimSuffix(strings.TrimSuffix(path.Base(f.path), ".go"), "_test")
}

// load reads all Go files below the module's root, in lexical order, but for
// folders that the go command ignores too.
func load(module fs.FS) ([]file, error) {
	mod, err := fs.ReadFile(module, "go.mod")
	if err != nil {
		return nil, err
	}
	name, err := modulePath(mod)
	if err != nil {
		return nil, err
	}
	var files []file
	err = fs.WalkDir(module, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && p != "." && ignored(module, p):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(p, ".go"):
			return nil
		}
		src, err := fs.ReadFile(module, p)
		if err != nil {
			return err
		}
		f, err := parse(name, p, src)
		files = append(files, f)
		return err
	})
	return files, err
}

// ignored reports whether the go command leaves a folder out of ./... .
func ignored(module fs.FS, folder string) bool {
	base := path.Base(folder)
	if strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") || base == "testdata" || base == "vendor" {
		return true
	}
	_, err := fs.Stat(module, path.Join(folder, "go.mod"))
	return err == nil
}

// modulePath returns the path that a go.mod declares.
func modulePath(mod []byte) (string, error) {
	for line := range bytes.Lines(mod) {
		if f := strings.Fields(string(line)); len(f) >= 2 && f[0] == "module" {
			return f[1], nil
		}
	}
	return "", fmt.Errorf("go.mod has no module line")
}

// parse reads one file of the module called name.
func parse(name, p string, src []byte) (file, error) {
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, p, src, parser.SkipObjectResolution)
	if err != nil {
		return file{}, err
	}
	f := file{path: p, pkg: tree.Name.Name, lines: bytes.Count(src, []byte("\n"))}
	packages := make(map[string]string) // what a file calls a package -> its path
	for _, spec := range tree.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return file{}, err
		}
		called := path.Base(imported)
		if spec.Name != nil {
			called = spec.Name.Name
		}
		packages[called] = imported
		if imported == name {
			f.imports = append(f.imports, ".")
		} else if folder, ours := strings.CutPrefix(imported, name+"/"); ours {
			f.imports = append(f.imports, folder)
		}
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if ends := exitCall(call, packages); ends != "" {
				f.exits = append(f.exits, exit{ends, fset.Position(call.Pos()).Line})
			}
		}
		return true
	})
	return f, nil
}
