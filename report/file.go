package report

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// format is one way to write a result to a file. One without suite holds one
// run, and a suite takes a file for each test and target.
type format struct {
	name  string // the file's extension without its dot
	run   func(io.Writer, *Result) error
	suite func(io.Writer, *SuiteResult) error
}

// formats is the table of all file formats; a new one is a line here.
func formats() []format {
	return []format{
		{"json", JSON, SuiteJSON},
		{"csv", CSV, SuiteCSV},
		{"md", Markdown, SuiteMarkdown},
		{"txt", plainText, plainSuiteText},
		{"hgrm", Histogram, nil},
		{"bench", Benchmark, SuiteBenchmark},
	}
}

func plainText(w io.Writer, r *Result) error           { return Text(w, r, TextOptions{}) }
func plainSuiteText(w io.Writer, s *SuiteResult) error { return SuiteText(w, s, TextOptions{}) }

// Output is a place for a result, and its format.
type Output struct {
	Path   string // "" for standard output
	Stdout bool
	Format string // an extension without its dot
}

// ParseOutput reads what -o was given: the name of a file whose extension is
// the format, or "-" and an extension for standard output. The error of an
// unknown extension lists the known ones.
func ParseOutput(spec string) (Output, error) {
	extension := filepath.Ext(spec)
	name := strings.ToLower(strings.TrimPrefix(extension, "."))
	if _, err := find(name); err != nil {
		return Output{}, fmt.Errorf("output %q: %w", spec, err)
	}
	switch stem := strings.TrimSuffix(spec, extension); {
	case stem == "-":
		return Output{Stdout: true, Format: name}, nil
	case stem == "" || os.IsPathSeparator(stem[len(stem)-1]):
		return Output{}, fmt.Errorf("output %q: there is no name before the extension", spec)
	}
	return Output{Path: spec, Format: name}, nil
}

// find looks a format up by its name.
func find(name string) (format, error) {
	var known []string
	for _, f := range formats() {
		if f.name == name {
			return f, nil
		}
		known = append(known, "."+f.name)
	}
	problem := "unknown format \"." + name + "\""
	if name == "" {
		problem = "no extension to tell the format"
	}
	return format{}, fmt.Errorf("%s, known are %s", problem, strings.Join(known, ", "))
}

// Check finds out, before a run, whether Write can work: the folder exists
// and a file can be made in it, and the path is not something else than a
// file that may be written. It leaves nothing behind.
func (o Output) Check() error {
	if o.Stdout {
		return nil
	}
	path := o.target()
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return o.failure(err)
	case info.IsDir():
		return fmt.Errorf("output %q: is a folder", o.Path)
	case !info.Mode().IsRegular():
		return fmt.Errorf("output %q: is not a regular file", o.Path)
	case info.Mode().Perm()&0o222 == 0:
		return fmt.Errorf("output %q: is read-only", o.Path)
	}
	file, err := createBeside(path)
	if err != nil {
		return o.failure(err)
	}
	return errors.Join(o.failure(file.Close()), o.failure(os.Remove(file.Name())))
}

// CheckSuite is Check for what will be a SuiteResult. Standard output cannot
// take a format of which a suite needs several files.
func (o Output) CheckSuite() error {
	if f, err := find(o.Format); err == nil && f.suite == nil && o.Stdout {
		return o.failure(fmt.Errorf(".%s holds one run, and a suite has several; give the name of a file, to which that of each test is added", o.Format))
	}
	return o.Check()
}

// Write writes a document, to stdout if the Output says so. A file appears
// whole or not at all: on an error its former content stays. The file is on
// the disk when Write returns. A format that holds one run gets a file for
// each part of the document: x.hgrm becomes x.get.hgrm.
func (o Output) Write(stdout io.Writer, d Document) error {
	f, err := find(o.Format)
	if err != nil {
		return o.failure(err)
	}
	if f.suite == nil {
		return o.writeParts(stdout, d, f)
	}
	return o.put(stdout, func(w io.Writer) error { return d.render(f, w) })
}

// writeParts writes each part of a document to a file of its own.
func (o Output) writeParts(stdout io.Writer, d Document, f format) error {
	parts, err := d.parts()
	if err != nil {
		return o.failure(err)
	}
	for _, p := range parts {
		one := o
		if extension := filepath.Ext(o.Path); !o.Stdout {
			one.Path = strings.TrimSuffix(o.Path, extension) + p.suffix + extension
		}
		if err := one.put(stdout, func(w io.Writer) error { return f.run(w, p.result) }); err != nil {
			return err
		}
	}
	return nil
}

// put draws first and writes then, so that no error leaves half of a file.
func (o Output) put(stdout io.Writer, draw func(io.Writer) error) error {
	var content bytes.Buffer
	if err := draw(&content); err != nil {
		return o.failure(err)
	}
	if o.Stdout {
		_, err := stdout.Write(content.Bytes())
		return o.failure(err)
	}
	return o.failure(replace(o.target(), content.Bytes()))
}

// target is the path, or what it leads to if it is a symbolic link: the file
// is replaced, not the link.
func (o Output) target() string {
	if path, err := filepath.EvalSymlinks(o.Path); err == nil {
		return path
	}
	return o.Path
}

// failure names the output in an error, in place of the name of the
// temporary file that the user does not know.
func (o Output) failure(err error) error {
	if err == nil {
		return nil
	}
	var atPath *fs.PathError
	if errors.As(err, &atPath) {
		err = atPath.Err
	}
	var atLink *os.LinkError
	if errors.As(err, &atLink) {
		err = atLink.Err
	}
	if o.Stdout {
		return fmt.Errorf("standard output: %w", err)
	}
	return fmt.Errorf("output %q: %w", o.Path, err)
}

// replace puts content in the place of a file in one step: a new file beside
// it is filled, brought to the disk and renamed.
func replace(path string, content []byte) (err error) {
	file, err := createBeside(path)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	if err := fill(file, path, content); err != nil {
		return errors.Join(err, file.Close())
	}
	if err := file.Close(); err != nil {
		return err
	}
	if err := os.Rename(file.Name(), path); err != nil {
		return err
	}
	syncFolder(filepath.Dir(path))
	return nil
}

// fill writes content with the permissions of the file that it will replace.
func fill(file *os.File, path string, content []byte) error {
	if info, err := os.Stat(path); err == nil {
		if err := file.Chmod(info.Mode().Perm()); err != nil {
			return err
		}
	}
	if _, err := file.Write(content); err != nil {
		return err
	}
	return file.Sync()
}

// createBeside makes an empty file with a new name in the folder of path.
// Unlike os.CreateTemp it leaves the permissions to the umask, as they are
// for any file that a user writes.
func createBeside(path string) (*os.File, error) {
	for tries := 0; ; tries++ {
		name := ".respbench-" + strconv.FormatUint(rand.Uint64(), 36) + ".tmp"
		file, err := os.OpenFile(filepath.Join(filepath.Dir(path), name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err == nil || !errors.Is(err, fs.ErrExist) || tries == 10 {
			return file, err
		}
	}
}

// syncFolder brings the renaming to the disk. Where a folder cannot be
// synchronised the content is safe all the same, so errors do not count.
func syncFolder(path string) {
	if folder, err := os.Open(path); err == nil {
		_ = folder.Sync()
		_ = folder.Close()
	}
}
