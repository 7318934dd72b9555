package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/respbench/respbench/data"
	"github.com/respbench/respbench/generator"
	"github.com/respbench/respbench/report"
	"github.com/respbench/respbench/template"
)

const (
	// maxTemplates bounds the lines of a command file some of which have
	// placeholders: each takes about 3 kB.
	maxTemplates = 1 << 16
	// fewTemplates is up to how many lines are templates also where none has a
	// placeholder, so that the report can tell them apart.
	fewTemplates = 64
	// maxRepeated bounds the sum of weights in a file of rows, where each is
	// stored as often as it comes.
	maxRepeated = 1 << 20
)

// commandFile is a command file that is being read.
type commandFile struct {
	path     string // as messages show it
	given    string // as the flag has it
	skipBad  bool
	first    []commandLine // up to maxTemplates
	lines    int
	weights  int
	varies   int        // the first line with a placeholder; 0 = none
	rows     *data.Made // of what has no placeholder, as long as all are such
	commands int        // in each line of rows
	uneven   error      // why lines cannot be rows: their numbers of commands
	heavy    error      // likewise: their weights
	bad      int64
	firstBad error
	buf      []byte
}

// lineError is a mistake in a line of a command file.
type lineError struct {
	place   string // file:line:column
	mistake *template.Error
}

func (e *lineError) Error() string { return e.place + ": " + e.mistake.Problem }
func (e *lineError) Unwrap() error { return e.mistake }

// readCommands reads a command file: a few lines become templates, many without
// placeholders become rows.
func (r *replay) readCommands(ctx context.Context, progress *report.Progress, path string, o template.Options, skipBad bool) error {
	source, err := opening(ctx, func() (*data.Source, error) { return data.Open(path, data.Options{Format: "lines"}) })
	if err != nil {
		return fileError("--commands", path, err)
	}
	defer source.Close()
	column := source.Column(data.Column{Form: data.Line})
	began := time.Now()
	err = source.Load(ctx, func(read, total int64) {
		progress.Update(report.Snapshot{Phase: report.ReadingData, Task: source.File(), Elapsed: time.Since(began), Done: read, Want: total})
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		return fileError("--commands", path, err)
	}
	f := &commandFile{path: source.File(), given: path, skipBad: skipBad, rows: data.Make(path)}
	reader := source.NewReader()
	for i := range source.Rows() {
		if i%1024 == 0 && ctx.Err() != nil {
			err = context.Cause(ctx)
			break
		}
		reader.Seek(i)
		if err = f.add(int(i)+1, reader.Bytes(column)); err != nil {
			break
		}
	}
	if err == nil {
		err = source.Err()
	}
	if err == nil {
		err = f.finish(r, path, o)
	}
	if len(r.made) == 0 {
		return errors.Join(err, f.dropRows())
	}
	return err
}

// add reads a line.
func (f *commandFile) add(number int, line []byte) error {
	if err := f.foreign(number, line); err != nil {
		return err
	}
	l, ok, err := readCommandLine(number, line)
	if err != nil {
		return f.refuse(l, err)
	}
	if !ok {
		return nil
	}
	commands := 0
	if f.buf, commands, err = template.AppendLiteral(f.buf[:0], l.text); err != nil {
		return f.refuse(l, err)
	}
	f.lines++
	f.weights += l.weight
	if len(f.first) < maxTemplates {
		f.first = append(f.first, l)
	}
	switch {
	case commands == 0 && f.varies == 0:
		f.varies = number
		if err := f.dropRows(); err != nil {
			return err
		}
	case f.varies == 0:
		if err := f.store(l, commands); err != nil {
			return err
		}
	}
	if f.varies > 0 && f.lines > maxTemplates {
		return &usageError{
			problem: fmt.Errorf("--commands: %s: more than %d lines, and line %d has a placeholder", f.path, maxTemplates, f.varies),
			hint:    "with so many lines none may have one: rows of data (--data) vary a template, too",
		}
	}
	return nil
}

// store keeps a line as a row, or rather as many as its weight.
func (f *commandFile) store(l commandLine, commands int) error {
	if f.rows == nil || f.uneven != nil || f.heavy != nil {
		return nil
	}
	if f.commands == 0 {
		f.commands = commands
	}
	switch {
	case commands != f.commands:
		f.uneven = fmt.Errorf("line %d has %s, and those before it have %d", l.number, commandCount(commands), f.commands)
		return nil
	case f.weights > f.lines && f.weights > maxRepeated:
		f.heavy = fmt.Errorf("the weights up to line %d add up to more than %d", l.number, maxRepeated)
	}
	for range l.weight {
		if f.heavy != nil {
			return nil
		}
		if err := f.rows.Add(f.buf); err != nil {
			return err
		}
	}
	return nil
}

func (f *commandFile) dropRows() error {
	if f.rows == nil {
		return nil
	}
	rows := f.rows
	f.rows = nil
	return rows.Close()
}

// refuse counts a bad line, or says what is wrong with it.
func (f *commandFile) refuse(l commandLine, err error) error {
	err = f.placed(l, err)
	if !f.skipBad {
		return err
	}
	if f.bad++; f.bad == 1 {
		f.firstBad = err
	}
	return nil
}

// placed gives a mistake its place in the file.
func (f *commandFile) placed(l commandLine, err error) error {
	var mistake *template.Error
	if !errors.As(err, &mistake) {
		return &usageError{problem: fmt.Errorf("%s:%d:%d: %w", f.path, l.number, l.column+1, err), hint: usageHint(err)}
	}
	return &lineError{fmt.Sprintf("%s:%d:%d", f.path, l.number, l.column+mistake.Offset+1), mistake}
}

// finish makes templates of the lines.
func (f *commandFile) finish(r *replay, path string, o template.Options) error {
	if f.lines == 0 && f.bad > 0 {
		return f.noneRead()
	}
	if f.lines == 0 {
		return &usageError{problem: fmt.Errorf("--commands: %s has no commands, only empty lines and comments", f.path)}
	}
	if f.varies == 0 && f.lines > fewTemplates && (f.uneven == nil || f.lines > maxTemplates) {
		return f.finishRows(r, path)
	}
	for _, l := range f.first {
		program, err := template.ParseWith(l.text, o)
		if err == nil {
			r.templates = append(r.templates, generator.Template{Program: program, Weight: l.weight})
		} else if err := f.refuse(l, err); err != nil {
			return err
		}
	}
	if len(r.templates) == 0 {
		return f.noneRead()
	}
	if f.bad > 0 {
		lines, were := "lines", "were"
		if f.bad == 1 {
			lines, were = "line", "was"
		}
		r.warnings = append(r.warnings, fmt.Sprintf("%s of %s left out; the first: %v.", report.Thousands(f.bad)+" "+lines, f.path+" "+were, f.firstBad))
	}
	return nil
}

func commandCount(n int) string {
	if n == 1 {
		return "1 command"
	}
	return fmt.Sprintf("%d commands", n)
}

func (f *commandFile) noneRead() error {
	return &usageError{
		problem: fmt.Errorf("--commands: none of the lines of %s can be read; the first: %w", f.path, f.firstBad),
		hint:    usageHint(f.firstBad),
	}
}

// finishRows makes one template that sends the rows.
func (f *commandFile) finishRows(r *replay, path string) error {
	switch {
	case f.heavy != nil:
		return &usageError{
			problem: fmt.Errorf("--commands: %s: %w", f.path, f.heavy),
			hint:    fmt.Sprintf("of a file of more than %d lines without placeholders, a line is kept as often as its weight says: use smaller weights", fewTemplates),
		}
	case f.uneven != nil:
		return &usageError{
			problem: fmt.Errorf("--commands: %s: %w", f.path, f.uneven),
			hint:    fmt.Sprintf("more than %d lines are kept as rows that are all sent alike: give each as many commands, with ; between them, or split the file", maxTemplates),
		}
	}
	source, err := f.rows.Source()
	if err != nil {
		return err
	}
	source.LeftOut(f.bad, f.firstBad)
	f.rows = nil
	r.made = opened{{Source: source, File: path}}
	r.templates = generator.Only(template.Whole(r.origin, source, f.commands))
	return nil
}
