package suite

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/respbench/respbench/generator"
	"github.com/respbench/respbench/template"
)

// suiteText is a Suite as the file has it. All values are texts, so that
// numbers are read as those of templates are, and 1.5 connections are not
// taken for one.
type suiteText struct {
	Name   string                `yaml:"name"`
	Note   string                `yaml:"note"`
	Load   loadText              `yaml:",inline"`
	Scaled map[string]scaledText `yaml:"scaled"`
	Data   map[string]dataText   `yaml:"data"`
	Tests  []testText            `yaml:"tests"`
}

type loadText struct {
	Connections string `yaml:"connections"`
	Pipeline    string `yaml:"pipeline"`
	Seconds     string `yaml:"seconds"`
}

type scaledText struct {
	Full    string `yaml:"full"`
	Coprime string `yaml:"coprime"`
}

type testText struct {
	Name     string        `yaml:"name"`
	Note     string        `yaml:"note"`
	Prepare  []string      `yaml:"prepare"`
	Cleanup  []string      `yaml:"cleanup"`
	Preload  []preloadText `yaml:"preload"`
	Template string        `yaml:"template"`
	Mix      []shareText   `yaml:"mix"`
	Lanes    []laneText    `yaml:"lanes"`
	Count    string        `yaml:"count"`
	Load     loadText      `yaml:",inline"`
}

type shareText struct {
	Template string `yaml:"template"`
	Weight   string `yaml:"weight"`
}

type laneText struct {
	Name        string `yaml:"name"`
	Template    string `yaml:"template"`
	Rate        string `yaml:"rate"`
	Connections string `yaml:"connections"`
	Pipeline    string `yaml:"pipeline"`
}

type dataText struct {
	File  string `yaml:"file"`
	Order string `yaml:"order"`
	Of    string `yaml:"of"`
}

type preloadText struct {
	Template string `yaml:"template"`
	Count    string `yaml:"count"`
}

// Read reads a suite from the text of a YAML file. name is the file's,
// for errors: they are one line that starts with name:line:column.
func Read(name string, text []byte) (*Suite, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if err := checkText(name, text); err != nil {
		return nil, err
	}
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		return nil, located(name, err)
	}
	if len(file.Docs) != 1 || file.Docs[0].Body == nil {
		return nil, fmt.Errorf("%s: %d YAML documents with something in them; a suite is one", name, documents(file))
	}
	ast.Walk(scalarsAsTexts{}, file.Docs[0].Body)
	var t suiteText
	if err := yaml.NodeToValue(file.Docs[0].Body, &t, yaml.Strict()); err != nil {
		return nil, located(name, err)
	}
	s, err := t.suite()
	if err == nil {
		err = s.Validate()
	}
	var mistake *Error
	if errors.As(err, &mistake) {
		return nil, fmt.Errorf("%s:%s: %w", name, positionOf(file, mistake.Path), err)
	}
	return s, err
}

// checkText refuses what no text has: bytes that are not UTF-8, and NUL.
func checkText(name string, text []byte) error {
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRune(text[at:])
		problem := ""
		switch {
		case r == utf8.RuneError && size == 1:
			problem = fmt.Sprintf("the byte \\x%02x is not UTF-8", text[at])
		case r == 0:
			problem = "a NUL byte is no text"
		}
		if problem != "" {
			line := bytes.Count(text[:at], []byte("\n")) + 1
			column := utf8.RuneCount(text[bytes.LastIndexByte(text[:at], '\n')+1:at]) + 1
			return fmt.Errorf("%s:%d:%d: %s", name, line, column, problem)
		}
		at += size
	}
	return nil
}

// scalarsAsTexts makes texts of all numbers and truths in a file, as they are
// written there: 7.20 keeps its zero, and 010 is ten.
type scalarsAsTexts struct{}

// Visit implements ast.Visitor.
func (v scalarsAsTexts) Visit(node ast.Node) ast.Visitor {
	switch n := node.(type) {
	case *ast.MappingValueNode:
		n.Value = asText(n.Value)
	case *ast.SequenceNode:
		for i := range n.Values {
			n.Values[i] = asText(n.Values[i])
		}
	case *ast.AnchorNode:
		n.Value = asText(n.Value)
	}
	return v
}

func asText(node ast.Node) ast.Node {
	switch node.(type) {
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode, *ast.BoolNode:
		return ast.String(node.GetToken())
	}
	return node
}

func documents(file *ast.File) int {
	n := 0
	for _, d := range file.Docs {
		if d.Body != nil {
			n++
		}
	}
	return n
}

// located is what the YAML library says, in one line.
func located(name string, err error) error {
	var known yaml.Error
	if !errors.As(err, &known) || known.GetToken() == nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	message := known.GetMessage()
	var wrongNode *yaml.UnexpectedNodeTypeError
	var wrongType *yaml.TypeError
	switch {
	case errors.As(err, &wrongNode) && wrongNode.Expected == ast.SequenceType:
		message = "a list is wanted here"
	case errors.As(err, &wrongNode) && wrongNode.Expected == ast.MappingType:
		message = "keys with values are wanted here"
	case errors.As(err, &wrongType): // all values are texts
		message = "a single value is wanted here"
	}
	at := known.GetToken().Position
	return fmt.Errorf("%s:%d:%d: %s", name, at.Line, at.Column, message)
}

// positionOf is "line:column" of a place in the file, or of what encloses it
// where it is missing.
func positionOf(file *ast.File, path string) string {
	for path != "" {
		if at, err := yaml.PathString("$." + path); err == nil {
			if node, err := at.FilterFile(file); err == nil && node != nil {
				return startOf(node)
			}
		}
		path = enclosing(path)
	}
	return startOf(file.Docs[0].Body)
}

// enclosing is the path without its last step.
func enclosing(path string) string {
	for i := len(path) - 1; i > 0; i-- {
		if path[i] == '.' || path[i] == '[' {
			return path[:i]
		}
	}
	return ""
}

func startOf(node ast.Node) string {
	// A mapping's own token is its first colon.
	if m, ok := node.(*ast.MappingNode); ok && len(m.Values) > 0 && !m.IsFlowStyle {
		node = m.Values[0].Key
	}
	at := node.GetToken().Position
	return fmt.Sprintf("%d:%d", at.Line, at.Column)
}

func (t *suiteText) suite() (*Suite, error) {
	s := &Suite{Name: t.Name, Note: t.Note}
	var err error
	if s.Load, err = t.Load.load("", ""); err != nil {
		return nil, err
	}
	for name, n := range t.Scaled {
		if s.Scaled == nil {
			s.Scaled = map[string]ScaledNumber{}
		}
		if s.Scaled[name], err = n.number(name); err != nil {
			return nil, err
		}
	}
	if s.Data, err = t.data(); err != nil {
		return nil, err
	}
	for i := range t.Tests {
		from := &t.Tests[i]
		test := Test{
			Name: from.Name, Note: from.Note, Prepare: from.Prepare, Cleanup: from.Cleanup,
			Template: from.Template, Count: from.Count,
		}
		for _, p := range from.Preload {
			test.Preload = append(test.Preload, Preload(p))
		}
		for k, m := range from.Mix {
			weight, err := strconv.Atoi(m.Weight)
			if err != nil {
				return nil, &Error{Path: fmt.Sprintf("tests[%d].mix[%d].weight", i, k), Test: from.Name, Err: fmt.Errorf("weight: %q is not a whole number", m.Weight)}
			}
			test.Mix = append(test.Mix, Share{m.Template, weight})
		}
		if test.Lanes, err = from.lanes(fmt.Sprintf("tests[%d].", i)); err != nil {
			return nil, err
		}
		if test.Load, err = from.Load.load(fmt.Sprintf("tests[%d].", i), from.Name); err != nil {
			return nil, err
		}
		s.Tests = append(s.Tests, test)
	}
	return s, nil
}

func (t *scaledText) number(name string) (n ScaledNumber, err error) {
	for _, f := range []struct {
		key, text string
		to        *int64
	}{{"full", t.Full, &n.Full}, {"coprime", t.Coprime, &n.Coprime}} {
		if f.text == "" {
			continue
		}
		v, err := template.ParseNumber(f.text)
		if err != nil {
			return n, &Error{Path: "scaled." + name + "." + f.key, Err: err}
		}
		*f.to = int64(v)
	}
	return n, nil
}

// load reads the texts of a Load; path is that of what they stand in.
func (t *loadText) load(path, test string) (Load, error) {
	var l Load
	fail := func(key string, err error) (Load, error) {
		return l, &Error{Path: path + key, Test: test, Err: fmt.Errorf("%s: %w", key, err)}
	}
	if t.Connections != "" {
		n, err := template.ParseNumber(t.Connections)
		if err != nil {
			return fail("connections", err)
		}
		connections := int(min(n, math.MaxInt32))
		l.Connections = &connections
	}
	if t.Pipeline != "" {
		n, err := template.ParseNumber(t.Pipeline)
		if err == nil && n == 0 {
			err = fmt.Errorf("0 is not in 1..%d", generator.MaxPipeline)
		}
		if err != nil {
			return fail("pipeline", err)
		}
		l.Pipeline = int(min(n, math.MaxInt32))
	}
	if t.Seconds != "" {
		seconds, err := strconv.ParseFloat(t.Seconds, 64)
		if err != nil || !(seconds >= 0.001 && seconds <= 1e9) {
			return fail("seconds", fmt.Errorf("%q is not a number of seconds, 0.001 to 1e9", t.Seconds))
		}
		l.Duration = time.Duration(math.Round(seconds * float64(time.Second)))
	}
	return l, nil
}
