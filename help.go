package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/jedib0t/go-pretty/v6/text"
)

const (
	helpColumn = 20 // where the explanations start
	helpWidth  = 80
)

const benchHelp = `Load generator for every server that speaks the Redis protocol.

usage: respbench [flags] TEMPLATE
       respbench preview [flags] TEMPLATE     print commands, no server needed

  respbench -c 128 -s 20 "SET <key uniform 10000000> <value 64>"
  respbench --load -n 10m "SET <key sequence 10m> <value 64>"
  respbench --embedded -s 5 "SET <key uniform 100000> <value 64>"

A template is a command with placeholders: key, int, rand, value, bytes, range,
index, uuid, time. docs/templates.md explains them all.
`

const previewHelp = `Print the commands that a template makes, one a line; needs no server.

usage: respbench preview [flags] TEMPLATE

  respbench preview -n 3 "ZADD {key uniform 1000} {rand 70000} {key uniform 9}"
`

var groups = []kong.Group{
	{Key: "server", Title: "Server"},
	{Key: "load", Title: "Load"},
	{Key: "client", Title: "This side"},
	{Key: "report", Title: "Report"},
	{Key: "other", Title: "Other"},
}

// printHelp is the help of the selected command: what it is for, how to say
// it, and every flag under its group.
func printHelp(_ kong.HelpOptions, ctx *kong.Context) error {
	intro := benchHelp
	node := ctx.Selected()
	if node != nil && node.Name == "preview" {
		intro = previewHelp
	}
	var b strings.Builder
	b.WriteString(intro)
	for _, g := range groups {
		title := "\n" + g.Title + "\n"
		for _, flags := range ctx.Flags() {
			if flags.Group != nil && flags.Group.Key == g.Key && !flags.Hidden {
				b.WriteString(title)
				title = ""
				writeFlag(&b, flags)
			}
		}
	}
	_, err := io.WriteString(ctx.Stdout, b.String())
	return err
}

func writeFlag(b *strings.Builder, f *kong.Flag) {
	name := "    --" + f.Name
	if f.Short != 0 {
		name = fmt.Sprintf("-%c, --%s", f.Short, f.Name)
	}
	if f.PlaceHolder != "" {
		name += " " + f.PlaceHolder
	}
	lines := strings.Split(text.WrapSoft(f.Help, helpWidth-helpColumn-4), "\n")
	lead := fmt.Sprintf("  %-*s", helpColumn+2, name)
	if len(name) > helpColumn {
		lead += "\n" + strings.Repeat(" ", helpColumn+4)
	}
	for i, line := range lines {
		if i > 0 {
			lead = strings.Repeat(" ", helpColumn+4)
		}
		b.WriteString(lead + strings.TrimSpace(line) + "\n")
	}
}
