package generator

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/respbench/respbench/report"
)

// leastStall is how long nothing must be answered, in nanoseconds, to be told.
const leastStall = int64(time.Second)

// muchLonger is how many times longer than the median latency that must be:
// there are commands that wait.
const muchLonger = 10

// stall is a time in which no reply came, although requests were in flight, in
// clock times; the zero value is none. Its end is known up to a tick, and not
// too late.
type stall struct{ from, to int64 }

func (s stall) length() int64 { return s.to - s.from }

// silence follows, from tick to tick, whether replies come.
type silence struct {
	repliedAt int64 // clock time of the last reply that a tick saw; 0 = none yet
	again     int64 // replies until then that said to ask again
	from      int64 // since when nothing came although something was in flight
	tickAt    int64 // clock time of the last tick
	quiet     bool  // the last tick saw it
	longest   stall
}

// tick takes note of what has come so far, and whether something is in flight
// that has not been answered.
func (s *silence) tick(now int64, total *ledger, inFlight bool) {
	repliedAt, again := total.LastReplyNs, total.again.sum()
	switch {
	case repliedAt != s.repliedAt:
		s.end()
		s.repliedAt, s.from = repliedAt, repliedAt
	case inFlight && repliedAt > 0 && again == s.again:
		s.quiet = true
	default: // nothing was waited for
		s.end()
		s.from = now
	}
	s.tickAt, s.again = now, again
}

// end ends a silence, if there is one, at the last tick.
func (s *silence) end() {
	if one := (stall{s.from, s.tickAt}); s.quiet && one.length() > s.longest.length() {
		s.longest = one
	}
	s.quiet = false
}

// common is the time that two stalls have in common.
func (s stall) common(o stall) stall {
	both := stall{max(s.from, o.from), min(s.to, o.to)}
	if both.to <= both.from {
		return stall{}
	}
	return both
}

// stalled says when nothing was answered; "" where that was not for long, as
// such requests go, or an outage says it. Times are those of a window.
func (o *outcome) stalled(from int64) string {
	s := o.stall
	if s.length() < leastStall || s.length() < muchLonger*o.total.Percentile(50) {
		return ""
	}
	for _, out := range o.outages {
		if s.common(stall{out.from, out.to}).length() > 0 {
			return ""
		}
	}
	hidden := ""
	if o.total.service == nil {
		hidden = "Percentiles of a closed loop hide that; "
	}
	return fmt.Sprintf("For at least %s s, from %s s on, nothing was answered, and no connection broke: the server, or the way to it, stood still. "+
		"%s--timeout makes it an error.", tenths(s.length()), tenths(max(0, s.from-from)), hidden)
}

// tenths is nanoseconds as seconds with one digit.
func tenths(ns int64) string { return fmt.Sprintf("%.1f", float64(ns)/1e9) }

// notBack says why connections were not back when a phase ended; "" if they
// were, or if they were given up, which says why.
func (o *outcome) notBack() string {
	if o.remakeErr == nil || o.ended > 0 || len(o.outages) == 0 || !o.outages[len(o.outages)-1].open {
		return ""
	}
	return fmt.Sprintf("At the end connections were not back: %v.", o.remakeErr)
}

// broke says that clients could not go on, and why; "" if all could.
func (o *outcome) broke() string {
	if o.ended == 0 {
		return ""
	}
	lost := "nothing was in flight on them"
	if o.total.Lost > 0 {
		lost = counted(o.total.Lost, "request") + " in flight on them got lost"
	}
	return fmt.Sprintf("%s of %s connections broke (%s); %s.",
		report.Thousands(int64(o.broken)), report.Thousands(int64(o.connections)), breakage(o.brokeErr), lost)
}

// breakage is how a connection broke, in the user's words.
func breakage(err error) string {
	if errors.Is(err, io.EOF) {
		return "the server closed them"
	}
	return err.Error()
}
