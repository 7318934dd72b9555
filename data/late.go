package data

import "strings"

// late is a field of JSON that no row had which was read before loading. It may
// be called a.b, or be field b of the object in field a; each row shows which.
type late struct {
	name   string
	places []located
	met    []bool // of each place, whether a row had the field that it begins with
	found  bool
}

// await looks for a field while the file is loaded. As long as there is one to
// look for, names are learned: the nearest may be among them.
func (s *Source) await(name string) *late {
	for _, l := range s.late {
		if l.name == name {
			return l
		}
	}
	o := s.objects
	o.learn = true
	l := &late{name: name}
	add := func(first string, path []string) {
		number, known := o.numbers[first]
		if !known {
			number = o.name(first)
		}
		l.places = append(l.places, located{number: number, path: path})
	}
	add(name, nil)
	for dot := range name {
		if name[dot] == '.' {
			add(name[:dot], strings.Split(name[dot+1:], "."))
		}
	}
	l.met = make([]bool, len(l.places))
	s.late = append(s.late, l)
	return l
}

// find returns the value of the field in a row.
func (l *late) find(r *row) value {
	for k, place := range l.places {
		if r.fields[place.number].kind == absent {
			continue
		}
		l.met[k] = true
		if v := place.find(r); v.kind != absent {
			l.found = true
			return v
		}
	}
	return value{}
}

// foundLate adds what loading has shown to the fields: names that were only
// asked for are none.
func (s *Source) foundLate() {
	s.partial = false
	if len(s.late) == 0 {
		return
	}
	asked := map[string]bool{} // names that were given numbers to look for them; whether there was one
	for _, l := range s.late {
		for k, place := range l.places {
			name := s.objects.names[place.number]
			asked[name] = asked[name] || l.met[k]
		}
	}
	have := map[string]bool{}
	for _, name := range s.fields {
		have[name] = true
	}
	add := func(name string) {
		if !have[name] {
			have[name] = true
			s.fields = append(s.fields, name)
		}
	}
	for _, name := range s.objects.names {
		if met, only := asked[name]; met || !only {
			add(name)
		}
	}
	for _, name := range s.objects.nested {
		add(name)
	}
	for _, l := range s.late {
		if l.found {
			add(l.name)
		}
	}
}
