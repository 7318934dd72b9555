package main

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/respbench/respbench/report"
)

// reportCommand renders result files again.
type reportCommand struct {
	Output outputList `short:"o" group:"report" placeholder:"FILE" help:"Where to, in the format of the extension: .json, .csv, .md, .txt, .hgrm, .bench; -.md is standard output. Repeatable. Without it the summary is printed."`
	Quiet  bool       `short:"q" group:"report" help:"The figures alone."`

	File []string `arg:"" optional:"" name:"file" help:"A result file in JSON."`
}

// maxResultBytes is far above the file of the longest run.
const maxResultBytes = 1 << 30

func (c *reportCommand) run(ctx context.Context, stdout, _ io.Writer) error {
	if len(c.File) != 1 {
		return &usageError{problem: fmt.Errorf("%d result files named; one is rendered at a time", len(c.File)), hint: "for example: respbench report result.json -o result.md"}
	}
	text, err := readFile(ctx, c.File[0], maxResultBytes)
	if err != nil {
		return &usageError{problem: err}
	}
	document, err := report.Read(bytes.NewReader(text))
	if err != nil {
		return &usageError{problem: fmt.Errorf("%q: %w", c.File[0], err)}
	}
	check := report.Output.Check
	switch document.(type) {
	case *report.SuiteResult:
		check = report.Output.CheckSuite
	case *report.SweepResult:
		check = report.Output.CheckSweep
	}
	if err := c.Output.check(check); err != nil {
		return err
	}
	if len(c.Output) > 0 {
		return c.Output.write(document, stdout)
	}
	return report.Summary(stdout, document, report.TextOptions{Color: colorful(stdout), Quiet: c.Quiet})
}
