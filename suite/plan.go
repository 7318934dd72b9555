package suite

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/respbench/respbench/generator"
	"github.com/respbench/respbench/report"
	"github.com/respbench/respbench/template"
)

// planOptions is what turns a Suite into commands.
type planOptions struct {
	scale  float64
	prefix string // of the keys
	load   Load

	template template.Options // the data
}

// plannedTest is a Test whose texts are commands and whose numbers are
// known.
type plannedTest struct {
	test     Test
	prepare  []*template.Program
	cleanup  []*template.Program
	preload  []plannedLoad
	measured []generator.Template
	lanes    []generator.Lane // of which measured has the templates; nil where there is one load
	count    int64            // 0 = as many as the time allows
	load     Load
}

// plannedLoad is a data set, and by how many requests it is filled.
type plannedLoad struct {
	program  *template.Program
	requests int64
}

// plan compiles every template of s. The error is a *Error.
func (s *Suite) plan(o planOptions) ([]plannedTest, error) {
	var list []plannedTest
	names := s.variables(o)
	for i := range s.Tests {
		p := planner{test: &s.Tests[i], path: fmt.Sprintf("tests[%d]", i), names: names, options: o.template}
		t := p.plan()
		if p.err != nil {
			return nil, p.err
		}
		t.load = o.load.over(s.Tests[i].Load).over(s.Load)
		t.loadLanes(o.load, s.Tests[i].Load.over(s.Load))
		list = append(list, t)
	}
	return list, nil
}

// variables are the values of ${…}.
func (s *Suite) variables(o planOptions) map[string]string {
	names := map[string]string{prefixName: o.prefix}
	for name, n := range s.Scaled {
		names[name] = strconv.FormatInt(n.at(o.scale), 10)
	}
	return names
}

// at is the number at a scale: rounded, at least 1, and raised until it has
// no common divisor with Coprime.
func (n ScaledNumber) at(scale float64) int64 {
	v := int64(max(1, min(math.Round(float64(n.Full)*scale), math.MaxInt64/2)))
	for n.Coprime > 1 && gcd(v, n.Coprime) != 1 {
		v++
	}
	return v
}

// gcd is the greatest common divisor of two numbers, 0 or more.
func gcd(a, b int64) int64 {
	for b > 0 {
		a, b = b, a%b
	}
	return a
}

// planner plans one test, up to the first mistake.
type planner struct {
	test  *Test
	path  string
	names map[string]string
	err   error

	options template.Options
}

func (p *planner) plan() plannedTest {
	t := plannedTest{
		test:    *p.test,
		prepare: p.programs(p.test.Prepare, "prepare"),
		cleanup: p.programs(p.test.Cleanup, "cleanup"),
	}
	for i, l := range p.test.Preload {
		place := fmt.Sprintf("preload[%d]", i)
		load := plannedLoad{program: p.program(l.Template, place+".template")}
		load.requests = p.requests(load.program, l.Count, place)
		t.preload = append(t.preload, load)
	}
	if t.lanes = p.lanes(); t.lanes == nil {
		t.measured = p.measured()
	}
	for _, lane := range t.lanes {
		t.measured = append(t.measured, lane.Templates...)
	}
	t.count = p.measuredCount(t.measured)
	if p.err == nil {
		p.checkCount(t.measured, t.count)
	}
	return t
}

// programs compiles a list of commands.
func (p *planner) programs(texts []string, place string) []*template.Program {
	var list []*template.Program
	for i, text := range texts {
		list = append(list, p.program(text, fmt.Sprintf("%s[%d]", place, i)))
	}
	return list
}

// measuredCount is after how many requests the test ends; 0 where it has no
// count.
func (p *planner) measuredCount(measured []generator.Template) int64 {
	if p.test.Count != countOnce {
		return p.count(p.test.Count, "count")
	}
	if len(measured) > 1 {
		p.fail("count", fmt.Errorf("count: %s is of one template, and a mix has several", countOnce))
		return 0
	}
	return p.requests(measured[0].Program, "", "count")
}

// measured compiles the template, or those of the mix.
func (p *planner) measured() []generator.Template {
	if len(p.test.Mix) == 0 {
		return generator.Only(p.program(p.test.Template, "template"))
	}
	if p.test.Template != "" {
		p.fail("mix", fmt.Errorf("mix: there is a template, too; put it into the mix"))
	}
	var list []generator.Template
	for i, share := range p.test.Mix {
		place := fmt.Sprintf("mix[%d]", i)
		if share.Weight < 1 || share.Weight > generator.MaxWeights {
			p.fail(place+".weight", fmt.Errorf("weight: %d is not in 1..%d", share.Weight, generator.MaxWeights))
		}
		list = append(list, generator.Template{Program: p.program(share.Template, place+".template"), Weight: share.Weight})
	}
	return list
}

// checkCount refuses a count that would split a unit, or cannot be kept
// exactly.
func (p *planner) checkCount(measured []generator.Template, count int64) {
	if count == 0 {
		return
	}
	commands := measured[0].Program.Commands()
	for _, t := range measured {
		if t.Program.Commands() != commands {
			p.fail("count", fmt.Errorf("count: the templates of the mix have different numbers of commands, which cannot be counted exactly"))
		}
	}
	if count%int64(commands) != 0 {
		p.fail("count", fmt.Errorf("count: %d would split a unit of %d commands", count, commands))
	}
}

func (p *planner) fail(place string, err error) {
	if p.err == nil {
		p.err = &Error{Path: p.path + "." + place, Test: p.test.Name, Err: err}
	}
}

// program compiles a template; nil after a mistake.
func (p *planner) program(text, place string) *template.Program {
	if text == "" {
		p.fail(place, fmt.Errorf("there is no template"))
		return nil
	}
	text, err := expand(text, p.names)
	if err != nil {
		p.fail(place, err)
		return nil
	}
	program, err := template.ParseWith(text, p.options)
	if err == nil {
		err = program.CheckData()
	}
	if err != nil {
		p.fail(place, err)
		return nil
	}
	return program
}

// requests is by how many requests a data set is filled.
func (p *planner) requests(program *template.Program, count, place string) int64 {
	if program == nil {
		return 0
	}
	perUnit := int64(program.Commands())
	requests := p.count(count, place+".count")
	units, covered := program.Period()
	switch {
	case p.err != nil:
	case requests%perUnit != 0:
		p.fail(place+".count", fmt.Errorf("count: %d would split a unit of %d commands", requests, perUnit))
	case requests > 0:
	case !covered || units > uint64(math.MaxInt64/perUnit):
		p.fail(place, fmt.Errorf("the template has no sequences that could be covered once; say by how many requests with a count"))
	default:
		requests = int64(units) * perUnit
	}
	return requests
}

// count reads a number or a product of numbers; "" is 0.
func (p *planner) count(text, place string) int64 {
	if text == "" {
		return 0
	}
	expanded, err := expand(text, p.names)
	if err != nil {
		p.fail(place, err)
		return 0
	}
	product := int64(1)
	for factor := range strings.SplitSeq(expanded, "*") {
		n, err := template.ParseNumber(strings.TrimSpace(factor))
		if err != nil || n < 1 || int64(n) > math.MaxInt64/product {
			p.fail(place, fmt.Errorf("count %q is not a number of 1 or more, or a product as 1000 * ${keys}", text))
			return 0
		}
		product *= int64(n)
	}
	return product
}

// expand replaces every ${NAME}.
func expand(text string, names map[string]string) (string, error) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "${")
		b.WriteString(before)
		if !found {
			return b.String(), nil
		}
		name, after, closed := strings.Cut(rest, "}")
		value, known := names[name]
		if !closed || !known {
			return "", fmt.Errorf("\"${%s\" is none of %s; to send it as text, write $\\{", brief(name, closed),
				"${"+strings.Join(slices.Sorted(maps.Keys(names)), "}, ${")+"}")
		}
		b.WriteString(value)
		text = after
	}
}

// brief is a name that nobody declared, as far as it is worth repeating.
func brief(name string, closed bool) string {
	if len(name) > 30 {
		return name[:30] + "…"
	}
	if closed {
		return name + "}"
	}
	return name
}

// config is the load of a test, without what is the same for all.
func (t *plannedTest) config() generator.Config {
	if t.lanes != nil {
		return generator.Config{Lanes: t.lanes, Duration: t.duration()}
	}
	c := generator.Config{Templates: t.measured, Requests: t.count, Pipeline: t.load.Pipeline, Duration: t.duration()}
	if t.load.Connections != nil {
		c.Connections = *t.load.Connections
	}
	return c
}

func (t *plannedTest) duration() time.Duration {
	if t.load.Duration == 0 {
		return defaultDuration
	}
	return t.load.Duration
}

// row is the test as the report has it, still without figures.
func (t *plannedTest) row() report.SuiteTest {
	row := report.SuiteTest{Name: t.test.Name, Note: t.test.Note, Template: sources(t.measured)}
	for _, p := range t.prepare {
		row.Prepare = append(row.Prepare, p.Source())
	}
	for _, p := range t.cleanup {
		row.Cleanup = append(row.Cleanup, p.Source())
	}
	for _, l := range t.preload {
		row.Preload = append(row.Preload, report.SuitePreload{Template: l.program.Source(), Requests: l.requests})
	}
	return row
}

// sources is the text of the templates, each on a line of its own.
func sources(templates []generator.Template) string {
	var texts []string
	for _, t := range templates {
		texts = append(texts, t.Program.Source())
	}
	return strings.Join(texts, "\n")
}
