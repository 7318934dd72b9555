package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/respbench/respbench/data"
	"github.com/respbench/respbench/suite"
)

// suiteFiles are the files that a suite declares, by the names of its data, or
// those that the flags name in their place.
func (f *dataFlags) suiteFiles(s *suite.Suite) (map[string]string, error) {
	if given := f.given(); given != "" && !s.TakesData() {
		if len(f.Data) == 0 {
			return nil, usagef("%s: no test takes rows of a file", given)
		}
		return nil, usagef("%s: no test takes anything of it", given)
	}
	files := map[string]string{}
	var names []string
	for _, d := range s.Data {
		if d.Of == "" {
			files[d.Name] = d.File
			names = append(names, d.Name)
		}
	}
	for _, file := range f.Data {
		if file.name == "" && len(names) == 1 {
			file.name = names[0]
		}
		if _, declared := files[file.name]; !declared {
			return nil, &usageError{
				problem: fmt.Errorf("--data %s: the suite does not say what this file is for", file.path),
				hint:    "its data are called " + strings.Join(names, ", ") + ": write as --data " + names[0] + "=FILE",
			}
		}
		files[file.name] = file.path
	}
	return files, nil
}

// openSuite opens the files that the tests of a suite take rows of.
func (f *dataFlags) openSuite(ctx context.Context, s *suite.Suite) (opened, error) {
	files, err := f.suiteFiles(s)
	if err != nil || !s.TakesData() {
		return nil, err
	}
	shared := map[string]bool{} // taken in a second order, too
	for _, d := range s.Data {
		shared[d.Of] = true
	}
	var list opened
	room, pipes := data.NewRoom(), pipes{}
	for _, d := range s.Data {
		name := d.Name
		if d.Of != "" {
			name = d.Of
		}
		switch {
		case files[name] == "":
			return list, &usageError{
				problem: fmt.Errorf("suite %q: no file is given for its data %q", s.Name, name),
				hint:    "name one: --data " + name + "=FILE",
			}
		case files[name] == "-" && shared[name]:
			return list, usagef("--data %s=-: the suite reads the file twice, and standard input can be read once", name)
		}
		if err := pipes.add(files[name]); err != nil {
			return list, err
		}
		order := f.DataOrder
		if shared[d.Name] {
			order = nil // the flag is that of the second order
		}
		one, err := f.openOne(ctx, dataFile{d.Name, files[name]}, room, d.Order, order)
		if err != nil {
			return list, err
		}
		list = append(list, one)
	}
	return list, nil
}
