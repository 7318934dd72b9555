package data

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync/atomic"
)

// input is a file, unpacked.
type input struct {
	file    *os.File
	regular bool
	total   int64         // bytes of the file, 0 if not known
	read    *atomic.Int64 // bytes of the file that have been read
	packed  compression   // name "" if it is not
	text    io.Reader
}

// counted counts what is read.
type counted struct {
	reader io.Reader
	n      *atomic.Int64
}

func (c counted) Read(p []byte) (int, error) {
	n, err := c.reader.Read(p)
	c.n.Add(int64(n))
	return n, err
}

// openInput opens the file at path, "-" for standard input, and finds out how
// it is compressed.
func openInput(path string) (*input, error) {
	in := &input{file: os.Stdin, read: new(atomic.Int64)}
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return nil, unopened(path, err)
		}
		in.file = file
	}
	if info, err := in.file.Stat(); err == nil {
		if info.IsDir() {
			_ = in.close()
			return nil, &Error{File: path, Problem: "is a directory", Hint: "name a file in it"}
		}
		if in.regular = info.Mode().IsRegular(); in.regular {
			in.total = info.Size()
		}
	}
	packed := &packedBytes{bufio.NewReaderSize(counted{in.file, in.read}, blockSize), in.read}
	in.text = packed.Reader
	magic, err := packed.Peek(magicSize)
	if err != nil && err != io.EOF {
		_ = in.close()
		return nil, unopened(shown(path), err)
	}
	c, known := compressionOf(magic)
	if !known {
		return in, nil
	}
	if c.open == nil {
		_ = in.close()
		return nil, &Error{File: shown(path), Problem: "is a " + c.name + " file, which is not read", Hint: "unpack it first; .gz, .bz2 and .zst are read as they are"}
	}
	text, err := c.open(packed)
	if err != nil {
		_ = in.close()
		return nil, unpackError(shown(path), c, 0, err)
	}
	in.packed, in.text = c, text
	return in, nil
}

// unopened makes the error of a file that the system does not give.
func unopened(path string, err error) error {
	e := &Error{File: path, Problem: err.Error(), Err: err}
	var told *fs.PathError
	if errors.As(err, &told) {
		e.Problem = told.Err.Error()
	}
	return e
}

// unpackError makes the error of a file that cannot be read to its end. line is
// how many lines could be, 0 if that is not known.
func unpackError(path string, c compression, line int, err error) error {
	e := &Error{File: path, Line: line, Err: err}
	var trailing *trailingError
	switch {
	case errors.As(err, &trailing):
		e.Line = 0
		e.Problem = fmt.Sprintf("other bytes follow the end of the %s data, which is at byte %d", c.name, trailing.end)
		e.Hint = fmt.Sprintf("head -c %d keeps what comes before them; was a file that is not compressed put behind it?", trailing.end)
	case c.name != "" && errors.Is(err, io.ErrUnexpectedEOF):
		e.Problem = "the " + c.name + " data ends in its middle"
		e.Hint = "the file is not complete: was it cut off while it was copied?"
	case c.name != "":
		e.Problem = fmt.Sprintf("the %s data is damaged: %v", c.name, err)
	default:
		e.Problem = err.Error()
	}
	return e
}

// close closes the file, but not standard input.
func (in *input) close() error {
	if in.packed.close != nil {
		in.packed.close(in.text)
	}
	if in.file == os.Stdin {
		return nil
	}
	return in.file.Close()
}

// shown is how messages name a path.
func shown(path string) string {
	if path == "-" {
		return "standard input"
	}
	return path
}

// Open opens the file at path, "-" for standard input, and finds its format
// and its fields; of JSON, those of the first megabyte. The error is an *Error.
func Open(path string, o Options) (*Source, error) {
	if o.Format != "" && !slices.Contains(Formats(), o.Format) {
		return nil, &Error{File: shown(path), Problem: fmt.Sprintf("unknown format %q", o.Format), Hint: "known are " + list(Formats())}
	}
	return openAs(path, o)
}

// openAs is Open for a format that is known, or "" to find it out.
func openAs(path string, o Options) (*Source, error) {
	in, err := openInput(path)
	if err != nil {
		return nil, err
	}
	s := &Source{options: o, name: shown(path), input: in, window: newWindow(in.text)}
	s.store.limit = memoryLimit
	if err := s.begin(path); err != nil {
		_ = in.close()
		return nil, err
	}
	return s, nil
}

// begin reads the first piece of the text: its encoding, format and fields.
func (s *Source) begin(path string) error {
	if err := s.window.more(); err != nil {
		return unpackError(s.name, s.input.packed, 0, err)
	}
	text := s.window.text()
	if len(text) == 0 {
		return &Error{File: s.name, Problem: "is empty"}
	}
	if c, known := compressionOf(text[:min(len(text), magicSize)]); known {
		return &Error{File: s.name, Problem: "has a " + c.name + " file within its " + s.input.packed.name + " data", Hint: "unpack it once: one compression is read, not two"}
	}
	if wide := WideEncoding(text); wide != "" {
		return &Error{File: s.name, Problem: "is " + strings.ToUpper(wide), Hint: "only UTF-8 is read: iconv -f " + wide + " -t utf-8"}
	}
	if strings.HasPrefix(string(text[:min(len(text), 3)]), "\xef\xbb\xbf") {
		s.window.skip(3)
		s.window.column = -3
		text = text[3:]
	}
	name := s.options.Format
	if name == "" {
		name = formatOfName(path)
	}
	if s.guessed = name == ""; s.guessed {
		if name = formatOfText(text); name == "" {
			return &Error{File: s.name, Problem: "is not text", Hint: "known formats are " + list(Formats()) + "; give the one that it has"}
		}
	}
	if s.options.Format == "" && (name == formatJSON || name == formatJSONLines) {
		name = jsonOfText(name, text)
	}
	return s.choose(name)
}

// choose sets the format, and finds the fields.
func (s *Source) choose(name string) error {
	switch name {
	case formatLines:
		s.format, s.fields = lines{}, []string{"line"}
		if s.guessed {
			s.headed = headerOf(s.window.text())
		}
	case formatMonitor:
		s.format = newMonitor()
	case formatXML:
		s.format, s.fields = &abstracts{}, xmlNames()
	case formatCSV:
		c := &csv{}
		if err := s.header(c); err != nil {
			return err
		}
		c.width, s.format = len(s.fields), c
	case formatTSV:
		t := &tsv{}
		if err := s.header(t); err != nil {
			return err
		}
		t.width, s.format = len(s.fields), t
	case formatJSONLines:
		s.objects = newObjects()
		s.format = &jsonLines{s.objects}
		return s.learn(&jsonLines{s.objects})
	case formatJSON:
		s.objects = newObjects()
		s.format = &jsonArray{objects: s.objects}
		return s.learn(&jsonArray{objects: s.objects})
	}
	return nil
}

// header reads the names of fields from the first row.
func (s *Source) header(f format) error {
	var r row
	for {
		n, err := f.next(s.window.text(), s.window.last, &r)
		switch {
		case err == errEnd:
			return &Error{File: s.name, Problem: "is empty but for line ends"}
		case err == errMore:
			s.window.skip(n)
			if err := s.window.more(); err == errTooLong {
				return s.misplaced(s.tooLong(f))
			} else if err != nil {
				return s.unread(err)
			}
			continue
		case err != nil:
			return s.misplaced(err)
		}
		text := s.window.text()
		for _, v := range r.fields {
			name := string(r.appendText(nil, v))
			if slices.Contains(s.fields, name) {
				return s.misplaced(&fault{at: cap(text) - cap(v.raw), problem: fmt.Sprintf("the header names %q twice", name)})
			}
			s.fields = append(s.fields, name)
		}
		s.window.skip(n)
		return nil
	}
}

// learn reads rows only to know the names of their fields: at least one row,
// and as many more as the window holds.
func (s *Source) learn(f format) error {
	var r row
	var first error // what is wrong with the first bad row
	rows := 0
	for at := 0; ; {
		n, err := f.next(s.window.text()[at:], s.window.last, &r)
		var wrong *fault
		switch {
		case err == errMore && rows == 0:
			at += n
			if err := s.window.more(); err == errTooLong && first != nil {
				return first
			} else if err != nil {
				return s.unread(err)
			}
			continue
		case errors.As(err, &wrong):
			wrong.at += at
			err := s.misplaced(wrong)
			if !s.options.SkipBad || wrong.lost {
				return err
			}
			if first == nil {
				first = err
			}
		case err == errEnd && rows == 0 && first != nil:
			return first
		case err == errEnd && rows == 0:
			return s.noRows()
		case err != nil:
			s.partial = err == errMore
			s.objects.learn, s.objects.within = false, false
			s.fields = s.objects.fields()
			return nil
		default:
			rows++
		}
		at += n
	}
}
