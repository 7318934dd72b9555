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

// format is one way to write a result to a file.
type format struct {
	name string // the file's extension without its dot
	run  func(io.Writer, *Result) error
}

// formats is the table of all file formats; a new one is a line here.
func formats() []format {
	return []format{
		{"json", JSON},
		{"txt", plainText},
	}
}

func plainText(w io.Writer, r *Result) error { return Text(w, r, TextOptions{}) }

// Output is a place for a result, and its format.
type Output struct {
	Path   string // "" for standard output
	Stdout bool
	Format string // "json" or "txt"
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

// Write writes a document, to stdout if the Output says so. A file appears
// whole or not at all: on an error its former content stays. The file is on
// the disk when Write returns.
func (o Output) Write(stdout io.Writer, d Document) error {
	f, err := find(o.Format)
	if err != nil {
		return o.failure(err)
	}
	var content bytes.Buffer
	if err := d.render(f, &content); err != nil {
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
