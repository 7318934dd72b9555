package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/respbench/respbench/generator"
	"github.com/respbench/respbench/template"
)

// laneList is the lanes of a run, one for each --lane, written as
// NAME[,c=N,P=N,rate=N]=TEMPLATE.
type laneList []laneText

// laneText is a lane whose template is still to be compiled: the data that it
// takes rows of may stand behind it on the command line.
type laneText struct {
	generator.Lane
	template string
}

// UnmarshalText implements encoding.TextUnmarshaler; it adds to the list.
func (l *laneList) UnmarshalText(text []byte) error {
	lane, err := parseLane(string(text))
	if err != nil {
		return err
	}
	if slices.ContainsFunc(*l, func(other laneText) bool { return other.Name == lane.Name }) {
		return fmt.Errorf("two lanes are called %q", lane.Name)
	}
	*l = append(*l, lane)
	return nil
}

// compile makes of the list what the generator wants.
func (l laneList) compile(o template.Options) ([]generator.Lane, error) {
	var list []generator.Lane
	for _, text := range l {
		program, err := template.ParseWith(text.template, o)
		if err != nil {
			return nil, fmt.Errorf("lane %q: %w", text.Name, err)
		}
		lane := text.Lane
		lane.Templates = generator.Only(program)
		list = append(list, lane)
	}
	return list, nil
}

func parseLane(text string) (laneText, error) {
	const form = "write as NAME=TEMPLATE or NAME,c=4,P=10,rate=1k=TEMPLATE"
	var lane laneText
	at := strings.IndexAny(text, ",=")
	if at < 1 {
		return lane, fmt.Errorf("%q has no name; %s", text, form)
	}
	lane.Name = text[:at]
	rest := text[at:]
	for strings.HasPrefix(rest, ",") {
		key, after, ok := strings.Cut(rest[1:], "=")
		end := strings.IndexAny(after, ",=")
		if !ok || end < 0 {
			return lane, fmt.Errorf("lane %q has no template; %s", lane.Name, form)
		}
		if err := setLane(&lane.Lane, key, after[:end]); err != nil {
			return lane, fmt.Errorf("lane %q: %w", lane.Name, err)
		}
		rest = after[end:]
	}
	lane.template = rest[1:]
	return lane, nil
}

// setLane sets one property of a lane.
func setLane(lane *generator.Lane, key, value string) error {
	if key == "rate" || key == "t" {
		var err error
		lane.Rate, err = generator.ParseRate(value)
		return err
	}
	var n count
	if err := n.UnmarshalText([]byte(value)); err != nil {
		return err
	}
	if n < 1 {
		return fmt.Errorf("%s=%d: must be at least 1", key, n)
	}
	switch key {
	case "c":
		lane.Connections = clampInt(n)
	case "P":
		lane.Pipeline = clampInt(n)
	default:
		return fmt.Errorf("%q is not known; use c, P and rate", key)
	}
	return nil
}
