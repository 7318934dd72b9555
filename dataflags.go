package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/respbench/respbench/data"
	"github.com/respbench/respbench/generator"
	"github.com/respbench/respbench/report"
	"github.com/respbench/respbench/template"
)

// dataFlags say which files templates take rows of.
type dataFlags struct {
	Data       dataList   `sep:"none" group:"data" placeholder:"[NAME=]FILE" help:"A file of rows for the placeholders field, len, json, line, rows and word: CSV, TSV, JSON, lines or Wikipedia abstracts; - is standard input. Repeatable."`
	DataOrder  *dataOrder `group:"data" placeholder:"HOW" help:"Which row serves a unit: sequence, random or zipfian (sequence)."`
	DataFormat string     `group:"data" placeholder:"FORMAT" help:"What the files are: csv, tsv, jsonl, json, lines or xml (by their names, or what they start with)."`
	BadRows    *badRows   `group:"data" placeholder:"WHAT" help:"Rows that cannot be read: skip leaves them out and counts them, stop ends the run before it starts (stop)."`
}

// dataFile is one --data.
type dataFile struct{ name, path string }

// dataList is files, one for each --data, written as FILE or NAME=FILE.
type dataList []dataFile

// UnmarshalText implements encoding.TextUnmarshaler; it adds to the list.
func (l *dataList) UnmarshalText(text []byte) error {
	name, path, named := strings.Cut(string(text), "=")
	if !named || !template.IsDataName(name) { // a path may have an = in it
		name, path = "", string(text)
	}
	if path == "" {
		return errors.New("the name of the file is empty; write as abstracts.csv or wiki=abstracts.csv")
	}
	for _, other := range *l {
		switch {
		case name != "" && other.name == name:
			return fmt.Errorf("two files are called %q", name)
		case path == "-" && other.path == "-":
			return errors.New("standard input can be read once")
		}
	}
	*l = append(*l, dataFile{name, path})
	return nil
}

// dataOrder is which row serves a unit.
type dataOrder data.Order

// UnmarshalText implements encoding.TextUnmarshaler.
func (o *dataOrder) UnmarshalText(text []byte) error {
	order, err := generator.ParseOrder(string(text))
	*o = dataOrder(order)
	return err
}

// badRows tells whether rows that cannot be read are left out.
type badRows bool

// UnmarshalText implements encoding.TextUnmarshaler.
func (b *badRows) UnmarshalText(text []byte) error {
	switch string(text) {
	case "skip":
		*b = true
	case "stop":
		*b = false
	default:
		return fmt.Errorf("%q is not known; use skip or stop", text)
	}
	return nil
}

// given is the first of the flags that was given, "" if none was.
func (f *dataFlags) given() string {
	switch {
	case len(f.Data) > 0:
		return "--data " + f.Data[0].path
	case f.DataOrder != nil:
		return "--data-order"
	case f.DataFormat != "":
		return "--data-format " + f.DataFormat
	case f.BadRows != nil:
		return "--bad-rows"
	}
	return ""
}

func (f *dataFlags) skipsBad() bool { return f.BadRows != nil && bool(*f.BadRows) }

// open opens the files, so that templates can be compiled against their
// fields. What it returns is to be closed, also with an error.
func (f *dataFlags) open(ctx context.Context) (opened, error) {
	if f.DataFormat != "" && !slices.Contains(data.Formats(), f.DataFormat) {
		return nil, usagef("--data-format %s: must be one of %s", f.DataFormat, strings.Join(data.Formats(), ", "))
	}
	var list opened
	room, pipes := data.NewRoom(), pipes{}
	for _, file := range f.Data {
		if err := pipes.add(file.path); err != nil {
			return list, err
		}
	}
	for _, file := range f.Data {
		d, err := f.openOne(ctx, file, room, data.Sequence, f.DataOrder)
		if err != nil {
			return list, err
		}
		list = append(list, d)
	}
	return list, nil
}

// openOne opens a file whose rows are taken in the given order, unless a flag
// names another. All files of a run share a room.
func (f *dataFlags) openOne(ctx context.Context, file dataFile, room *data.Room, order data.Order, flag *dataOrder) (generator.Data, error) {
	o := data.Options{Name: file.name, Order: order, SkipBad: f.skipsBad(), Format: f.DataFormat, Room: room}
	if flag != nil {
		o.Order = data.Order(*flag)
	}
	source, err := opening(ctx, func() (*data.Source, error) { return data.Open(file.path, o) })
	if err != nil {
		return generator.Data{}, dataError(file.path, err)
	}
	return generator.Data{Source: source, File: file.path}, nil
}

// dataError is what is wrong with a file, which is named once.
func dataError(path string, err error) error { return fileError("--data", path, err) }

// fileError is what is wrong with the file of a flag.
func fileError(flag, path string, err error) error {
	if _, plain := err.(*fs.PathError); plain {
		err = brief(path, err)
	}
	var bad *data.Error
	hint := ""
	if errors.As(err, &bad) {
		hint = bad.Hint
	}
	return &usageError{problem: fmt.Errorf("%s: %w", flag, err), hint: hint}
}

// opened is files that have been opened, and later loaded.
type opened []generator.Data

func (l opened) close() {
	for _, d := range l {
		// Whatever was read from it has been used by now.
		_ = d.Source.Close()
	}
}

// options are those for compiling templates.
func (l opened) options() template.Options {
	var o template.Options
	for _, d := range l {
		o.Data = append(o.Data, d.Source)
	}
	return o
}

// load reads the files, after all templates have been compiled and before
// anything is dialled, shows on progress how far it is, and then checks against
// what is in them.
func (l opened) load(ctx context.Context, progress *report.Progress, check func() error) error {
	defer progress.Stop()
	if len(l) == 0 {
		return nil
	}
	for _, d := range l {
		name, began := d.File, time.Now()
		if name == "-" {
			name = "standard input"
		}
		flag, load := "--data", d.Source.Load
		if d.Load != nil {
			flag, load = "--monitor", d.Load
		}
		err := load(ctx, func(read, total int64) {
			progress.Update(report.Snapshot{Phase: report.ReadingData, Task: name, Elapsed: time.Since(began), Done: read, Want: total})
		})
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			return fileError(flag, d.File, err)
		}
	}
	if err := check(); err != nil {
		if usage, ok := err.(*usageError); ok {
			return usage
		}
		return &usageError{problem: err}
	}
	return nil
}

// used refuses a file that no template takes anything of: one of both is a
// slip.
func (l opened) used(programs []*template.Program) error {
	taken := map[*data.Source]bool{}
	for _, p := range programs {
		for _, s := range p.Sources() {
			taken[s] = true
		}
	}
	for _, d := range l {
		if !taken[d.Source] {
			return &usageError{
				problem: fmt.Errorf("--data %s: no template takes anything of it", d.File),
				hint:    "its fields are " + fieldList(d.Source.Fields()),
			}
		}
	}
	return nil
}

// fieldList is the first of the fields, as a template names them.
func fieldList(fields []string) string {
	const most = 8
	var list []string
	for _, name := range fields[:min(most, len(fields))] {
		if strings.ContainsAny(name, " \t,.<>{}'\"") {
			name = fmt.Sprintf("%q", name)
		}
		list = append(list, "<field "+name+">")
	}
	if len(fields) > most {
		list = append(list, "…")
	}
	return report.Printable(strings.Join(list, ", "))
}

// onceFlag is --data-once.
type onceFlag struct {
	DataOnce bool `group:"data" help:"End when every row of the file has been used once."`
}

// check refuses what contradicts it, as far as that is known before the data
// are loaded.
func (f *onceFlag) check(l opened, counted bool) error {
	switch {
	case !f.DataOnce:
		return nil
	case len(l) != 1:
		return usagef("--data-once: it ends at the end of the file of --data, of which %d are given", len(l))
	case l[0].Source.Order() != data.Sequence:
		return usagef("--data-once: in random order rows come again before all have come; use --data-order sequence")
	case counted:
		return usagef("--data-once and -n both say how many; leave one out")
	}
	return nil
}

// requests is how many there are in as many units as the file has rows.
func (f *onceFlag) requests(l opened, p *template.Program) int64 {
	return int64(l[0].Source.Rows()) * int64(p.Commands())
}
