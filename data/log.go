package data

import "context"

// Log is what a MONITOR log holds, as the rows of a Source: row i is the i-th
// command to send, in the one column of the form Command. Where the log uses
// several databases there is a SELECT between the commands, and one behind the
// last that goes back to the database of the first.
type Log struct {
	*Source
	monitor *monitor
}

// OpenLog opens the log at path, "-" for standard input. Of the options, Order
// and Format have no meaning. The error is an *Error.
func OpenLog(path string, o Options) (*Log, error) {
	o.Format, o.Order = formatMonitor, Sequence
	s, err := openAs(path, o)
	if err != nil {
		return nil, err
	}
	s.Column(Column{Form: Command})
	return &Log{s, s.format.(*monitor)}, nil
}

// OneDatabase leaves out the switches between databases: all commands go to
// one. Call it before Load.
func (l *Log) OneDatabase() { l.monitor.oneDB = true }

// Load is that of Source.
func (l *Log) Load(ctx context.Context, progress func(read, total int64)) error {
	err := l.Source.Load(ctx, progress)
	if wrong, ok := err.(*Error); ok && wrong.Line == 0 && l.Rows() == 0 && l.bad == 0 {
		wrong.Problem = "has no command of MONITOR that could be replayed"
	}
	return err
}

// Facts is what became of the lines, after Load.
func (l *Log) Facts() LogFacts { return l.monitor.facts }

// Database is the one of the first command, after Load.
func (l *Log) Database() int { return l.monitor.firstDB }

// Requests is how many rows it takes to send all commands once: all but a
// switch back to the first database.
func (l *Log) Requests() int64 {
	rows := int64(l.Rows())
	if l.monitor.trailing {
		rows--
	}
	return rows
}

// Times is when each row was recorded.
func (l *Log) Times() *Times { return &l.monitor.times }

// Ordered tells whether the commands only make sense on one connection, as there
// are transactions, or switches of the database.
func (l *Log) Ordered() bool { return l.monitor.facts.Multi+l.monitor.facts.Switches > 0 }
