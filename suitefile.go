package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/respbench/respbench/data"
	"github.com/respbench/respbench/suite"
)

// relevant is the first suite that has all the tests, or those that have some.
// Where none has any, it is all suites.
func relevant(suites []*suite.Suite, only []string) []*suite.Suite {
	var some []*suite.Suite
	for _, s := range suites {
		if _, err := s.Select(only, nil); err == nil && len(only) > 0 {
			return []*suite.Suite{s}
		}
		has := func(name string) bool {
			_, err := s.Select([]string{name}, nil)
			return err == nil
		}
		if slices.ContainsFunc(only, has) {
			some = append(some, s)
		}
	}
	if len(some) == 0 {
		return suites
	}
	return some
}

// maxSuiteBytes is far above any file that a person writes.
const maxSuiteBytes = 4 << 20

// readSuite reads a built-in suite or a file.
func readSuite(ctx context.Context, name string) (*suite.Suite, error) {
	if slices.Contains(suite.Builtins(), name) {
		return suite.Builtin(name)
	}
	text, err := readFile(ctx, name, maxSuiteBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &usageError{
			problem: fmt.Errorf("suite %q: no such file", name),
			hint:    "built-in suites are " + strings.Join(suite.Builtins(), ", ") + "; another is the name of a YAML file",
		}
	}
	if err != nil {
		return nil, &usageError{problem: fmt.Errorf("suite %w", err)}
	}
	s, err := suite.Read(name, text)
	if err != nil {
		return nil, &usageError{problem: err, hint: "respbench suite --print shows how a suite is written"}
	}
	for i := range s.Data {
		if d := &s.Data[i]; d.File != "" && d.File != "-" && !filepath.IsAbs(d.File) {
			d.File = filepath.Join(filepath.Dir(name), d.File)
		}
	}
	return s, nil
}

// suitePath is the same for two names of the same suite.
func suitePath(name string) string {
	if slices.Contains(suite.Builtins(), name) {
		return name
	}
	return "." + string(filepath.Separator) + filepath.Clean(name)
}

// readFile reads a text of at most so many bytes.
func readFile(ctx context.Context, name string, most int64) ([]byte, error) {
	if name == "-" {
		return nil, errors.New(`"-": standard input is not read here; name a file`)
	}
	text, err := opening(ctx, func() ([]byte, error) {
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		return io.ReadAll(io.LimitReader(file, most+1))
	})
	switch {
	case err != nil:
		return nil, brief(name, err)
	case int64(len(text)) > most:
		return nil, fmt.Errorf("%q: larger than %d bytes", name, most)
	case len(text) == 0:
		return nil, fmt.Errorf("%q: is empty", name)
	}
	if wide := data.WideEncoding(text); wide != "" {
		return nil, brief(name, wideError(wide))
	}
	return text, nil
}

// wideError is that of a file in another encoding than UTF-8.
func wideError(encoding string) error {
	return fmt.Errorf("is %s, and only UTF-8 is read; iconv -f %s -t utf-8 converts it", strings.ToUpper(encoding), encoding)
}

// brief is an error of a file without what package os repeats.
func brief(name string, err error) error {
	var atPath *fs.PathError
	if errors.As(err, &atPath) {
		err = atPath.Err
	}
	return fmt.Errorf("%q: %w", name, err)
}
