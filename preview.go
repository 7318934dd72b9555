package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"

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
	replayFlags

	Template []string `arg:"" optional:"" help:"The command, as one argument."`
}

func (p *previewCommand) run(ctx context.Context, stdout, stderr io.Writer) error {
	files, err := p.open(ctx)
	defer func() { files.close() }()
	if err != nil {
		return err
	}
	progress := func() *report.Progress { return (&reportFlags{}).progress(stderr) }
	replay, err := p.take(ctx, progress, &files, p.skipsBad(), p.Template)
	defer replay.close()
	if err != nil {
		return err
	}
	templates, err := p.templates(ctx, progress, files, replay)
	if err != nil {
		return err
	}
	commands, err := p.commands(files, templates, replay)
	if err != nil {
		return err
	}
	units := generator.NewUnits(templates, replay.order, seedOr(p.Seed), replay.log)
	out := bufio.NewWriter(stdout)
	var line []byte
	n := 0
	for i := uint64(0); commands > 0 && ctx.Err() == nil; i++ {
		line, n = units.AppendText(line[:0], i)
		if _, err := out.Write(line); err != nil {
			return err
		}
		commands -= int64(n)
	}
	if ctx.Err() != nil {
		return errors.Join(out.Flush(), context.Cause(ctx))
	}
	files = slices.Concat(files, replay.made)
	for _, warning := range slices.Concat(replay.warnings, generator.LeftOut(files)) {
		fmt.Fprintf(stderr, "warning: %s\n", report.Printable(warning))
	}
	for _, f := range files {
		if err := f.Source.Err(); err != nil {
			return errors.Join(out.Flush(), fmt.Errorf("%s: %w", f.File, err))
		}
	}
	return out.Flush()
}

// commands is how many are printed; the last unit is printed whole.
func (p *previewCommand) commands(files opened, templates []generator.Template, replay *replay) (int64, error) {
	size := int64(templates[0].Program.Commands())
	switch {
	case p.DataOnce:
		return int64(files[0].Source.Rows()) * size, nil
	case p.Requests == nil && replay.log != nil:
		return min(10, int64(replay.log.Rows())), nil
	case p.Requests == nil && len(templates) > 1:
		return 10, nil
	case p.Requests == nil:
		return 10 * size, nil
	case len(templates) == 1 && int64(*p.Requests)%size != 0:
		return 0, usagef("-n %d would split a unit of %d commands", *p.Requests, size)
	}
	return int64(*p.Requests), nil
}

// templates are what is previewed, compiled, with their data loaded.
func (p *previewCommand) templates(ctx context.Context, progress func() *report.Progress, files opened, replay *replay) ([]generator.Template, error) {
	templates := replay.templates
	if replay.given && p.DataOnce {
		return nil, usagef("%s says how often rows are used; leave out --data-once", p.flag())
	}
	if !replay.given {
		program, err := compile(p.Template, files.options())
		if err != nil {
			return nil, err
		}
		templates = generator.Only(program)
	}
	if err := p.check(files, p.Requests != nil); err != nil {
		return nil, err
	}
	var programs []*template.Program
	for _, t := range templates {
		programs = append(programs, t.Program)
	}
	if err := files.used(programs); err != nil {
		return nil, err
	}
	return templates, files.load(ctx, progress(), func() error {
		if replay.log != nil {
			replay.warnings = logWarnings(replay.path, replay.log.Facts())
		}
		for _, p := range programs {
			if err := p.CheckData(); err != nil {
				return err
			}
		}
		return nil
	})
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
