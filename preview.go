package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"

	"github.com/respbench/respbench/generator"
	"github.com/respbench/respbench/report"
	"github.com/respbench/respbench/template"
)

// previewCommand prints commands instead of sending them.
type previewCommand struct {
	Requests *count  `short:"n" group:"load" placeholder:"N" help:"How many commands (10)."`
	Seed     *uint64 `group:"load" placeholder:"N" help:"Repeatable commands (random)."`

	dataFlags
	onceFlag

	Template []string `arg:"" optional:"" help:"The command, as one argument."`
}

func (p *previewCommand) run(ctx context.Context, stdout, stderr io.Writer) error {
	files, err := p.open()
	defer files.close()
	if err != nil {
		return err
	}
	program, err := p.program(ctx, stderr, files)
	if err != nil {
		return err
	}
	units := uint64(10)
	switch {
	case p.DataOnce:
		units = files[0].Source.Rows()
	case p.Requests != nil:
		commands := uint64(program.Commands())
		if units = uint64(*p.Requests) / commands; units*commands != uint64(*p.Requests) {
			return usagef("-n %d would split a unit of %d commands", *p.Requests, commands)
		}
	}
	appender := template.NewAppender(program, seedOr(p.Seed))
	out := bufio.NewWriter(stdout)
	var line []byte
	for i := uint64(0); i < units && ctx.Err() == nil; i++ {
		line = appender.AppendText(line[:0], i)
		if _, err := out.Write(line); err != nil {
			return err
		}
	}
	for _, warning := range generator.LeftOut(files) {
		fmt.Fprintf(stderr, "warning: %s\n", report.Printable(warning))
	}
	for _, f := range files {
		if err := f.Source.Err(); err != nil {
			return errors.Join(out.Flush(), fmt.Errorf("%s: %w", f.File, err))
		}
	}
	return out.Flush()
}

// program is the template, compiled, with its data loaded.
func (p *previewCommand) program(ctx context.Context, stderr io.Writer, files opened) (*template.Program, error) {
	program, err := compile(p.Template, files.options())
	if err == nil {
		err = p.check(files, p.Requests != nil)
	}
	if err == nil {
		err = files.used([]*template.Program{program})
	}
	if err == nil {
		err = files.load(ctx, (&reportFlags{}).progress(stderr), program.CheckData)
	}
	return program, err
}

// compile is the one template of the arguments, compiled.
func compile(args []string, o template.Options) (*template.Program, error) {
	switch len(args) {
	case 0:
		return nil, &usageError{
			problem: usagef("no template: which command should be sent?"),
			hint:    `for example: respbench "SET <key uniform 100000> <value 64>"`,
		}
	case 1:
		return template.ParseWith(args[0], o)
	}
	return nil, &usageError{
		problem: usagef("%d templates given without --ratio", len(args)),
		hint:    "put the whole command into quotes, as \"GET <key uniform 1000>\", or say how to mix several: --ratio 1:1",
	}
}

// seedOr is the seed that was asked for, or a random one.
func seedOr(seed *uint64) uint64 {
	if seed != nil {
		return *seed
	}
	return uint64(rand.Uint32()) // short enough to be typed again
}
