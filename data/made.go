package data

import "fmt"

// Made makes a Source of rows that are commands for the wire already, of the
// form Command.
type Made struct{ source *Source }

// Make begins a Source; name is that of the file that the rows come from.
func Make(name string) *Made {
	s := &Source{name: shown(name), loaded: true, built: &builder{columns: []column{{form: Command}}}}
	s.store.limit = memoryLimit
	s.Column(Column{Form: Command})
	return &Made{s}
}

// Add adds a row.
func (m *Made) Add(command []byte) error {
	b := m.source.built
	b.sizes = append(b.sizes[:0], len(command))
	if err := m.source.store.add(b.sizes, command); err != nil {
		return fmt.Errorf("%s: %w", m.source.name, err)
	}
	b.count()
	return nil
}

// Source ends the making. There must have been a row.
func (m *Made) Source() (*Source, error) { return m.source, m.source.store.finish() }

// LeftOut notes rows that the maker could not use, and why the first of them.
func (s *Source) LeftOut(n int64, first error) { s.bad, s.firstBad = n, first }

// Close frees the rows, where they are not wanted.
func (m *Made) Close() error { return m.source.Close() }
