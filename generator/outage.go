package generator

import (
	"cmp"
	"slices"
	"time"

	"github.com/respbench/respbench/internal/clock"
	"github.com/respbench/respbench/report"
)

// calmTime is how long everything must be well again, in nanoseconds, for
// what comes next to be another outage.
const calmTime = int64(time.Second)

// outage is a time in which connections were lost or a cluster was down, up to
// the moment when all connections are back and the last of the requests that
// it caught has been answered.
type outage struct {
	from, to int64 // clock times; to 0 = it goes on
	caught   int64 // requests
	open     bool  // it went on when the phase ended, or when its connections were given up, which is when to is then
}

// trouble is what is out of order for a worker at the moment.
type trouble struct {
	down    int // links that are being made again
	caught  int // requests that a fault caught and that are not answered yet
	outages []outage
}

// ongoing is the outage that is not over, or nil.
func (t *trouble) ongoing() *outage {
	if n := len(t.outages); n > 0 && t.outages[n-1].to == 0 {
		return &t.outages[n-1]
	}
	return nil
}

// begin notes that something is out of order.
func (t *trouble) begin(now int64) *outage {
	if o := t.ongoing(); o != nil {
		return o
	}
	t.outages = append(t.outages, outage{from: now})
	return &t.outages[len(t.outages)-1]
}

// end notes that something is well again; the outage is over when all is.
func (t *trouble) end(now int64) {
	if o := t.ongoing(); o != nil && t.down == 0 && t.caught == 0 {
		o.to = now
	}
}

// markCaught notes that a fault has met a unit, if none had before.
func (w *worker) markCaught(u *unit) {
	o := w.trouble.begin(clock.Now())
	if u.flags&flagCaught == 0 {
		u.flags |= flagCaught
		w.trouble.caught += u.n
		o.caught += int64(u.n)
	}
}

// catch keeps a unit that was in flight on a connection that broke.
func (w *worker) catch(cl *client, u unit) {
	w.markCaught(&u)
	u.flags |= flagSent | flagLost
	w.hold(cl, u)
}

// uncatch notes that n requests are no longer waited for.
func (w *worker) uncatch(flags uint8, n int) {
	if flags&flagCaught != 0 {
		w.trouble.caught -= n
		w.trouble.end(clock.Now())
	}
}

// mergeOutages is the outages of several workers as one list, in clock times:
// those that overlap, or that follow on each other at once, are one.
func mergeOutages(all []outage, end int64) []outage {
	slices.SortFunc(all, func(a, b outage) int { return cmp.Compare(a.from, b.from) })
	var list []outage
	for _, o := range all {
		if o.to == 0 {
			o.to, o.open = max(o.from, end), true
		}
		if last := len(list) - 1; last >= 0 && o.from-list[last].to < calmTime {
			list[last].to = max(list[last].to, o.to)
			list[last].open = list[last].open || o.open
			list[last].caught += o.caught
			continue
		}
		list = append(list, o)
	}
	return list
}

// reportOutages puts outages on the time scale of a window.
func reportOutages(list []outage, from int64) []report.Outage {
	out := []report.Outage{} // never null in a file
	for _, o := range list {
		out = append(out, report.Outage{StartNs: max(0, o.from-from), LengthNs: o.to - o.from, Over: !o.open, Caught: o.caught})
	}
	return out
}
