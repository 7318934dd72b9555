package suite

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/respbench/respbench/data"
	"github.com/respbench/respbench/generator"
	"github.com/respbench/respbench/template"
)

// data reads what a suite's file says of data.
func (t *suiteText) data() ([]Data, error) {
	var list []Data
	for _, name := range slices.Sorted(maps.Keys(t.Data)) {
		d := Data{Name: name, File: t.Data[name].File, Of: t.Data[name].Of}
		if order := t.Data[name].Order; order != "" {
			var err error
			if d.Order, err = generator.ParseOrder(order); err != nil {
				return nil, &Error{Path: "data." + name + ".order", Err: fmt.Errorf("order: %w", err)}
			}
		}
		list = append(list, d)
	}
	return list, nil
}

// validateData refuses data i of all, d, if templates could not name them, or
// if they are of none.
func validateData(d Data, all []Data, i int) error {
	if !template.IsDataName(d.Name) {
		return errors.New("a name is a letter, then letters, digits, _ and -")
	}
	if slices.ContainsFunc(all[:i], func(other Data) bool { return other.Name == d.Name }) {
		return errors.New("the name is given twice")
	}
	whole := slices.ContainsFunc(all, func(other Data) bool { return other.Name == d.Of && other.Of == "" })
	switch {
	case d.Of == "":
	case d.File != "":
		return errors.New("of: there is a file, too; leave one out")
	case !whole:
		return fmt.Errorf("of: %q are no data with a file of their own", d.Of)
	}
	return nil
}

// lanes reads the lanes of a test; path is that of the test.
func (t *testText) lanes(path string) ([]Lane, error) {
	var list []Lane
	for k, from := range t.Lanes {
		at := fmt.Sprintf("%slanes[%d].", path, k)
		lane := Lane{Name: from.Name, Template: from.Template}
		var err error
		load := loadText{Connections: from.Connections, Pipeline: from.Pipeline}
		if lane.Load, err = load.load(at, t.Name); err != nil {
			return nil, err
		}
		if from.Rate != "" {
			if lane.Rate, err = generator.ParseRate(from.Rate); err != nil {
				return nil, &Error{Path: at + "rate", Test: t.Name, Err: fmt.Errorf("rate: %w", err)}
			}
		}
		list = append(list, lane)
	}
	return list, nil
}

// lanes compiles the lanes of the test; nil if it has none.
func (p *planner) lanes() []generator.Lane {
	if len(p.test.Lanes) == 0 {
		return nil
	}
	switch {
	case p.test.Template != "" || len(p.test.Mix) > 0:
		p.fail("lanes", errors.New("lanes: there is a template, too, or a mix; put it into a lane"))
	case p.test.Count != "":
		p.fail("count", errors.New("count: lanes run side by side for a time, not for a number of requests"))
	}
	names := map[string]bool{}
	var list []generator.Lane
	for k, lane := range p.test.Lanes {
		place := fmt.Sprintf("lanes[%d].", k)
		if err := validateName(lane.Name); err != nil {
			p.fail(place+"name", fmt.Errorf("lane %d: %w", k+1, err))
		}
		if names[lane.Name] {
			p.fail(place+"name", fmt.Errorf("two lanes are called %q", lane.Name))
		}
		names[lane.Name] = true
		if err := validateLoad(lane.Load, ""); err != nil {
			p.fail(place+err.Path, err.Err)
		}
		list = append(list, generator.Lane{Name: lane.Name, Templates: generator.Only(p.program(lane.Template, place+"template")), Rate: lane.Rate})
	}
	return list
}

// loadLanes gives every lane its connections and pipeline depth: those that
// are asked for whatever the suite says, those of the lane, or those of the
// test.
func (t *plannedTest) loadLanes(asked, test Load) {
	for k := range t.lanes {
		load := asked.over(t.test.Lanes[k].Load).over(test)
		if load.Connections != nil {
			t.lanes[k].Connections = *load.Connections
		}
		// With a rate the depth is a bound, and wide unless said otherwise.
		t.lanes[k].Pipeline = load.Pipeline
	}
}

// template is what the templates of the suite may take: without files, anything
// that they name, for a look at what would be sent.
func (c *Config) template() template.Options {
	o := template.Options{AnyData: len(c.Data) == 0 && len(c.Suite.Data) > 0}
	for _, d := range c.Data {
		o.Data = append(o.Data, d.Source)
	}
	return o
}

// TakesData tells whether some template of the suite takes data.
func (s *Suite) TakesData() bool {
	tests, err := s.plan(planOptions{scale: 1, template: template.Options{AnyData: true}})
	return err == nil && slices.ContainsFunc(tests, func(t plannedTest) bool {
		return slices.ContainsFunc(t.programs(), (*template.Program).TakesData)
	})
}

// checkData refuses to run a suite without the files that it needs.
func (c *Config) checkData() error {
	if len(c.Data) == 0 && c.Suite.TakesData() {
		return fmt.Errorf("suite %q: its data are not there", c.Suite.Name)
	}
	return nil
}

// dataOf is the files that the templates of one run take something of.
func (c *Config) dataOf(one generator.Config) []generator.Data {
	taken := map[*data.Source]bool{}
	all := slices.Clone(one.Templates)
	for _, lane := range one.Lanes {
		all = append(all, lane.Templates...)
	}
	for _, t := range all {
		for _, s := range t.Program.Sources() {
			taken[s] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(c.Data), func(d generator.Data) bool { return !taken[d.Source] })
}

// programs are all that the test sends.
func (t *plannedTest) programs() []*template.Program {
	programs := slices.Concat(t.prepare, t.cleanup)
	for _, m := range t.measured {
		programs = append(programs, m.Program)
	}
	for _, l := range t.preload {
		programs = append(programs, l.program)
	}
	return programs
}
