package generator

import (
	"fmt"
	"time"

	"github.com/respbench/respbench/data"
)

// Timetable is when the units of a run are due, as it was recorded: unit i
// at the time of row i, from the start again after the last.
type Timetable struct {
	Times *data.Times
	Speed float64 // 2 is twice as fast as recorded; above 0
}

// maxSpeed bounds how much faster, and slower, than recorded.
const maxSpeed = 1e6

// passLength is the time from the first row to the first again, as recorded:
// behind the last one there is a gap of the mean length.
func (t *Timetable) passLength() time.Duration {
	span, rows := t.Times.Span(), t.Times.Rows()
	if rows < 2 || span == 0 {
		return time.Second // all at once, and once a second
	}
	return span + span/time.Duration(rows-1)
}

// rate is the mean number of units a second.
func (t *Timetable) rate() float64 {
	return float64(max(1, t.Times.Rows())) / t.passLength().Seconds() * t.Speed
}

// checkTimetable explains what is wrong with a Config with recorded times.
func (c *Config) checkTimetable() error {
	t := c.Timetable
	switch {
	case t == nil:
		return nil
	case !(t.Speed >= 1/maxSpeed && t.Speed <= maxSpeed):
		return fmt.Errorf("pace: %v times the recorded one is not in 1e-6..1e6", t.Speed)
	case c.Rate > 0 || len(c.Stages) > 0 || c.Arrivals != Constant:
		return fmt.Errorf("pace: recorded times and a rate contradict each other; leave one of them out")
	case c.Load:
		return fmt.Errorf("pace: load is as fast as replies come; leave one of them out")
	case c.Warmup > 0:
		return fmt.Errorf("warm-up: it would send commands of the recording twice; leave it out")
	case len(c.Templates) != 1:
		return fmt.Errorf("pace: recorded times are of one template")
	case c.Threads > 1 || len(c.Cores) > 1:
		return fmt.Errorf("pace: one event loop keeps the recorded times; leave out --threads, and give one CPU")
	}
	return nil
}

// newRecordedPacer makes the timetable of the only worker from clock time start
// on. After units units nothing waits for its time any more.
func newRecordedPacer(start int64, t *Timetable, units uint64) *Pacer {
	p := &Pacer{recorded: &recorded{
		start: start, speed: t.Speed, units: units,
		now: cursorOf(t), ahead: cursorOf(t),
	}}
	p.recorded.ahead.due = p.recorded.ahead.next()
	p.due = p.recorded.dueAt(p.recorded.now.next())
	return p
}

// recorded is the state of a Pacer that has its due times from a Timetable.
type recorded struct {
	start int64   // clock time, in nanoseconds
	speed float64 //
	units uint64  // that are to be sent
	n     uint64  // units before the one that is due
	seen  uint64  // units that were due when overdue looked last
	now   cursor  // behind the unit that is due
	ahead cursor  // behind the first unit that was not due then
}

// cursor reads the times of a Timetable, again and again.
type cursor struct {
	table  *Timetable
	reader data.TimeReader
	passed time.Duration // in the passes before
	due    time.Duration // of ahead: of the unit before it
}

func cursorOf(t *Timetable) cursor { return cursor{table: t, reader: t.Times.Reader()} }

// next is the recorded time of the next unit, after that of the first.
func (c *cursor) next() time.Duration {
	at, ok := c.reader.Next()
	if !ok {
		c.passed += c.table.passLength()
		c.reader = c.table.Times.Reader()
		at, _ = c.reader.Next()
	}
	return c.passed + at
}

// dueAt turns a recorded time into clock time.
func (r *recorded) dueAt(after time.Duration) int64 {
	return r.start + int64(min(float64(after)/r.speed, 1<<62))
}

// advance goes on to the next unit, and returns when it is due. Behind the last
// one there is nothing to wait for.
func (r *recorded) advance(due int64) int64 {
	if r.n++; r.n >= r.units {
		return due
	}
	return r.dueAt(r.now.next())
}

// overdue is how many units have become due up to clock time now, and are not
// sent. It is asked with ever later times.
func (r *recorded) overdue(now int64) int {
	for r.seen < r.units && r.dueAt(r.ahead.due) <= now {
		r.seen++
		r.ahead.due = r.ahead.next()
	}
	return int(min(max(r.seen, r.n)-r.n, mostOverdue))
}
