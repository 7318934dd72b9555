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
       respbench suite [flags] [SUITE…]       a table of standard tests
       respbench sweep [flags] TEMPLATE       throughput against latency
       respbench report FILE [flags]          render a result file again
       respbench preview [flags] TEMPLATE     print commands, no server needed

  respbench -c 128 -s 20 "SET <key uniform 10000000> <value 64>"
  respbench --load -n 10m "SET <key sequence 10m> <value 64>"
  respbench suite --scale 0.01 -s 2 --flush -o table.md
  respbench sweep --slo 'p99<1ms' "GET <key uniform 10000000>"
  respbench --cluster --reconnect -c 20 -s 60 "SET <key uniform 100k> <value 64>"
  respbench --embedded -s 5 "SET <key uniform 100000> <value 64>"

A template is a command with placeholders: key, int, rand, value, bytes, range,
index, uuid, time; and, for rows of files (--data): field, len, json, line, rows,
word. docs/templates.md and docs/documents.md explain them all.
`

const previewHelp = `Print the commands that a template makes, one a line; needs no server.

usage: respbench preview [flags] TEMPLATE
       respbench preview [flags] --commands FILE
       respbench preview [flags] --monitor FILE

  respbench preview -n 3 "ZADD {key uniform 1000} {rand 70000} {key uniform 9}"
  respbench preview --data abstracts.csv "HSET doc:<field id> title <field title>"
`

const suiteHelp = `Run a list of tests, one after another, and make one table of them.

usage: respbench suite [flags] [SUITE…]

  respbench suite --scale 0.01 -s 2 --flush
  respbench suite --only set,get --repeat 5 -o table.md -o all.json
  respbench suite --target old=redis://127.0.0.1:6379 \
                  --target new=redis://127.0.0.1:6380 --flush
  respbench suite documents --data abstracts.csv --flush

A suite is a YAML file or one of those that are built in: "whitepaper" (without
any other), "more", "ycsb", "redisjson"; and, for documents of a file (--data),
"documents", "redisearch", "redisearch-zh", "tairsearch", "tairsearch-zh".
docs/suites.md explains them.
`

const reportHelp = `Render a result file again: what a run or a suite wrote as JSON.

usage: respbench report FILE [flags]

  respbench report result.json -o result.md -o result.csv
`

const sweepHelp = `Find the curve of throughput against latency: raise the rate step by step until
the server is full, find the knee, and how much holds an objective.

usage: respbench sweep [flags] TEMPLATE

  respbench sweep "SET <key uniform 10000000> <value 64>"
  respbench sweep --slo 'p99<1ms' -s 5 -o curve.json "GET <key uniform 10000000>"
  respbench sweep --by connections --to 256 "GET <key uniform 10000000>"

docs/sweep.md explains how it goes about it.
`

var groups = []kong.Group{
	{Key: "server", Title: "Server"},
	{Key: "tls", Title: "TLS"},
	{Key: "tests", Title: "Tests"},
	{Key: "sweep", Title: "Sweep"},
	{Key: "load", Title: "Load"},
	{Key: "data", Title: "Data"},
	{Key: "faults", Title: "Faults"},
	{Key: "client", Title: "This side"},
	{Key: "report", Title: "Report"},
	{Key: "other", Title: "Other"},
}

// printHelp is the help of the selected command: what it is for, how to say
// it, and every flag under its group.
func printHelp(_ kong.HelpOptions, ctx *kong.Context) error {
	intro := benchHelp
	if node := ctx.Selected(); node != nil {
		if other := map[string]string{"preview": previewHelp, "suite": suiteHelp, "sweep": sweepHelp, "report": reportHelp}[node.Name]; other != "" {
			intro = other
		}
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
		lead = strings.TrimRight(lead, " ") + "\n" + strings.Repeat(" ", helpColumn+4)
	}
	for i, line := range lines {
		if i > 0 {
			lead = strings.Repeat(" ", helpColumn+4)
		}
		b.WriteString(lead + strings.TrimSpace(line) + "\n")
	}
}
