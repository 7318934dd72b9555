package data

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Load reads all rows, once. progress, if not nil, is told now and then how
// many bytes of the file have been read, and how many it has, 0 if not known.
// The error is an *Error where the file is at fault, the context's if that
// ended, and otherwise says why the rows could not be kept.
func (s *Source) Load(ctx context.Context, progress func(read, total int64)) error {
	if s.loaded {
		return errors.New(s.name + " has been loaded already")
	}
	s.loaded = true
	built, err := s.prepare()
	if err != nil {
		return err
	}
	s.built = built
	s.options.Room.enter(&s.store)
	stop := s.fetchAhead(ctx)
	defer stop()
	if err := s.readRows(ctx, progress); err != nil {
		return err
	}
	s.foundLate()
	if s.store.index.rows == 0 {
		return s.noRows()
	}
	if err := s.store.finish(); err != nil {
		return err
	}
	s.options.Room.take(&s.store)
	return nil
}

// fetchAhead lets a goroutine read and unpack the file, and returns what ends
// it.
func (s *Source) fetchAhead(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	p := newPrefetch(ctx, s.window.reader)
	s.window.reader = p
	return func() {
		cancel()
		// Standard input or a pipe may not answer for ever; then the decoder
		// stays in use, and what it holds is left to the end of the program.
		if s.input.regular || s.window.last {
			<-p.ended
		} else {
			s.input.packed.close = nil
		}
		s.window = nil
	}
}

// readRows stores row after row.
func (s *Source) readRows(ctx context.Context, progress func(read, total int64)) error {
	var r row
	for {
		text := s.window.text()
		r.number = s.store.index.rows + 1
		n, err := s.format.next(text, s.window.last, &r)
		if err == nil {
			err = s.keep(text, &r)
		}
		switch wrong, bad := err.(*fault); {
		case bad:
			if err := s.skipRow(wrong); err != nil {
				return err
			}
		case err == errMore:
			if err := s.more(ctx, n, progress); err != nil {
				return err
			}
			continue
		case err == errEnd:
			if progress != nil {
				progress(s.input.read.Load(), s.input.total)
			}
			return nil
		case err != nil:
			return err
		}
		s.window.skip(n)
	}
}

// keep stores the columns of a row.
func (s *Source) keep(text []byte, r *row) error {
	if err := s.built.build(r); err != nil {
		var u *unfit
		if errors.As(err, &u) {
			// Both end where the window's memory does.
			return &fault{at: cap(text) - cap(u.raw), problem: u.problem}
		}
		return err
	}
	if err := s.store.add(s.built.sizes, s.built.body); err != nil {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	s.built.count()
	return nil
}

// skipRow counts a bad row, or notes a fault that costs none, or says what is
// wrong.
func (s *Source) skipRow(wrong *fault) error {
	if !s.options.SkipBad || wrong.lost {
		return s.misplaced(wrong)
	}
	if wrong.rowless {
		if s.flaw == nil {
			s.flaw = s.misplaced(wrong)
		}
		return nil
	}
	s.bad++
	if s.bad == 1 || wrong.open {
		err := s.misplaced(wrong)
		if s.bad == 1 {
			s.firstBad = err
		}
	}
	return nil
}

// more skips n bytes and reads on.
func (s *Source) more(ctx context.Context, n int, progress func(read, total int64)) error {
	s.window.skip(n)
	if err := ctx.Err(); err != nil {
		return err
	}
	if progress != nil {
		progress(s.input.read.Load(), s.input.total)
	}
	err := s.window.more()
	if err == errTooLong {
		return s.skipLong(ctx)
	}
	return s.unread(err)
}

// skipLong leaves out a row that is too long, where its end can be known.
func (s *Source) skipLong(ctx context.Context) error {
	wrong := s.tooLong(s.format)
	if err := s.skipRow(wrong); err != nil {
		return err
	}
	for {
		text := s.window.text()
		next := afterLine(text, 0)
		s.window.skip(next)
		if next > 0 && text[next-1] == '\n' || s.window.last {
			return nil
		}
		if err := s.window.more(); err != nil {
			return s.unread(err)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// tooLong is the fault of a row that is too long. It is lost unless it ends with
// its line.
func (s *Source) tooLong(f format) *fault {
	wrong := faultf(0, "a row of more than %d MiB", s.window.max>>20).
		withHint("is this the right format? rows of that size are not read")
	switch f := f.(type) {
	case *jsonLines, *tsv, *monitor, lines:
	case *csv:
		if f.quote > 0 {
			return faultf(f.quote-1, "a quote that nothing closes within %d MiB", s.window.max>>20).
				withHint(`within quotes a quote is written twice: "say ""hello"""`)
		}
		wrong.lost = true
	default:
		wrong.lost = true
	}
	return wrong
}

// unread explains why the text could not be read on.
func (s *Source) unread(err error) error {
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case err == errTooLong:
		return s.misplaced(faultf(0, "a row of more than %d MiB", s.window.max>>20))
	}
	line, _ := s.window.place(len(s.window.text()))
	return unpackError(s.name, s.input.packed, line, err)
}

// misplaced gives a fault its place in the file.
func (s *Source) misplaced(err error) error {
	wrong := err.(*fault)
	if wrong.passed {
		return &Error{File: s.name, Line: s.open.Line, Column: s.open.Column, Problem: wrong.problem}
	}
	line, column := s.window.place(wrong.at)
	e := &Error{File: s.name, Line: line, Column: column, Problem: wrong.problem, Hint: wrong.hint}
	if wrong.open {
		s.open = e
	}
	return e
}

// noRows is the error of a file without any that can be used.
func (s *Source) noRows() error {
	if s.bad > 0 {
		e := &Error{File: s.name, Problem: fmt.Sprintf("none of its %s can be read; the first: %v", plural(int(s.bad), "row"), s.firstBad)}
		var first *Error
		if errors.As(s.firstBad, &first) {
			e.Hint = first.Hint
		}
		return e
	}
	switch s.format.(type) {
	case *csv, *tsv:
		e := &Error{File: s.name, Problem: "has a header and no rows"}
		if slices.ContainsFunc(s.fields, func(name string) bool { return strings.Contains(strings.ReplaceAll(name, "\r\n", ""), "\r") }) {
			e.Problem += ", as its lines end in CR alone"
			e.Hint = `a line ends in LF or CR LF: tr '\r' '\n'`
		}
		return e
	}
	return &Error{File: s.name, Problem: "has no rows"}
}
