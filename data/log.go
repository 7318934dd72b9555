package data

import "context"

// Log is what a MONITOR log holds, as the rows of a Source: row i is the i-th
// command to send, in the one column of the form Command. What it takes to send
// it on one connection with those before it are its Ties.
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

// OneDatabase forgets the databases: all commands go to one. Call it before
// Load.
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
func (l *Log) Database() int { return l.monitor.ties.first.db }

// Ties is what ties the rows to each other, after Load.
func (l *Log) Ties() *Ties { return &l.monitor.ties }

// Times is when each row was recorded.
func (l *Log) Times() *Times { return &l.monitor.times }

// Tied tells whether the commands only make sense on one connection, as there
// are transactions, or several databases.
func (l *Log) Tied() bool { return l.monitor.facts.Multi+l.monitor.facts.Switches > 0 }
