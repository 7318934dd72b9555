package lint

import (
	"fmt"
	"go/ast"
	"strings"
)

// mayExit names the files, besides main.go and main_*.go of a program, that may end the program on their
// own, each with the reason. A panic belongs here only if no input of a user
// can cause it.
func mayExit() map[string]string {
	return map[string]string{}
}

// exitCall returns the name of the called function if it ends the program,
// otherwise "". packages maps the names of imported packages to their paths.
func exitCall(call *ast.CallExpr, packages map[string]string) string {
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		if fun.Name == "panic" {
			return "panic"
		}
	case *ast.SelectorExpr:
		x, ok := fun.X.(*ast.Ident)
		if !ok {
			return ""
		}
		name := packages[x.Name] + "." + fun.Sel.Name
		if name == "os.Exit" || strings.HasPrefix(name, "log.Fatal") || strings.HasPrefix(name, "log.Panic") {
			return name
		}
	}
	return ""
}

// checkExits finds calls that end the program where an error should be
// returned instead.
func checkExits(f file) []string {
	if _, excused := mayExit()[f.path]; excused || f.isTest() || f.isMain() {
		return nil
	}
	var faults []string
	for _, e := range f.exits {
		faults = append(faults, fmt.Sprintf("%s:%d: %s outside main.go; return an error, or give the reason in mayExit of internal/lint/exits.go", f.path, e.line, e.call))
	}
	return faults
}

// isMain reports whether the file is a program's main.go or one of its variants
// for a system, main_linux.go.
func (f file) isMain() bool {
	return f.pkg == "main" && (f.stem() == "main" || strings.HasPrefix(f.stem(), "main_"))
}

// checkExcuses finds files in mayExit that do not need to be there.
func checkExcuses(files []file) []string {
	needed := make(map[string]bool)
	for _, f := range files {
		needed[f.path] = len(f.exits) > 0
	}
	var faults []string
	for name := range mayExit() {
		if !needed[name] {
			faults = append(faults, fmt.Sprintf("%s: needs no place in mayExit of internal/lint/exits.go", name))
		}
	}
	return faults
}
