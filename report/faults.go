package report

import (
	"fmt"
	"slices"
)

// Faults is what was out of order during a run, and what was done about it.
// None of its requests is counted twice: one that is sent again is still one.
type Faults struct {
	Reconnects int64 `json:"reconnects"` // connections that were made again, also on purpose
	Repeated   int64 `json:"repeated"`   // requests that were sent again as their connection had broken; the server may have done them twice

	// Replies that said to ask again, elsewhere or later.
	Moved       int64 `json:"moved"`
	Ask         int64 `json:"ask"`
	TryAgain    int64 `json:"try_again"`
	ClusterDown int64 `json:"cluster_down"`
	Loading     int64 `json:"loading"`   // LOADING and MASTERDOWN
	ReadOnly    int64 `json:"read_only"` // READONLY, after which the connection was made again

	Outages []Outage `json:"outages"`
}

// Outage is a time in which connections had broken, or a cluster was down, up
// to the moment when all connections were back and the last of the requests
// that were caught in it had been answered.
type Outage struct {
	StartNs  int64 `json:"start_ns"` // into the window
	LengthNs int64 `json:"length_ns"`
	Over     bool  `json:"over"`   // false = it went on when the run ended
	Caught   int64 `json:"caught"` // requests that were in flight, had to wait, or were refused as the cluster was down
}

// Node is what became of the requests to one node of a cluster. Shares are of
// all slots, 0 to 1.
type Node struct {
	Address    string       `json:"address"`
	Primary    bool         `json:"primary"` // at the end
	Slots      int          `json:"slots"`   // at the end
	SlotShare  float64      `json:"slot_share"`
	Sent       int64        `json:"sent"`
	Succeeded  int64        `json:"succeeded"`
	Failed     int64        `json:"failed"`
	RatePerSec float64      `json:"rate_per_sec"`
	Latency    *Latency     `json:"latency"` // null when none succeeded
	Errors     []ErrorClass `json:"errors"`
}

// Down tells whether an outage went on when the run ended.
func (r *Result) Down() bool {
	return r.Faults != nil && slices.ContainsFunc(r.Faults.Outages, func(o Outage) bool { return !o.Over })
}

// Failed tells whether the run went wrong: it ended because of its errors or in an
// outage, it lost connections for good, or requests of it have no reply, or an
// error that no objective allows; or nothing succeeded. An objective that was
// missed, and a condition of the user's own that ended the run, are no failures.
func (r *Result) Failed() bool {
	q := &r.Requests
	switch {
	case r.Aborted != nil && r.Aborted.Failure, r.Down(), r.Connect.Broken > 0 && !r.Workload.Reconnect:
		return true
	case r.Workload.Idle:
		return false
	}
	return q.Unanswered > 0 || q.Lost > 0 || q.Succeeded == 0 || q.Failed > 0 && !r.allowsErrors()
}

// Empty tells whether there is nothing to report.
func (f *Faults) Empty() bool {
	return f.Reconnects+f.Repeated+f.redirected() == 0 && len(f.Outages) == 0
}

func (f *Faults) redirected() int64 {
	return f.Moved + f.Ask + f.TryAgain + f.ClusterDown + f.Loading + f.ReadOnly
}

// nodes adds a table with a row for each node of a cluster.
func (p *page) nodes(r *Result) {
	if len(r.Nodes) > 0 {
		p.gap()
		p.table(nodesTable(r))
	}
}

// nodesTable is heads and figures of the nodes of a cluster, and of all.
func nodesTable(r *Result) [][]string {
	var times []int64
	for _, n := range r.Nodes {
		times = append(times, partTimes(n.Latency, nil)...)
	}
	scale := scaleFor(append(times, partTimes(r.Latency, nil)...)...)
	rows := [][]string{{"node", "slots", rateHead, "replies", "share", "errors", "p99 ms"}}
	for _, n := range r.Nodes {
		slots := fixed(100*n.SlotShare, 1) + " %"
		if !n.Primary {
			slots = "replica"
		}
		rows = append(rows, []string{
			Printable(cutMiddle(n.Address, templateColumns)), slots, rate(n.RatePerSec), Thousands(n.Succeeded + n.Failed),
			percent(n.Succeeded+n.Failed, r.Requests.Succeeded+r.Requests.Failed), Thousands(n.Failed), n.Latency.columns(scale)[1],
		})
	}
	return append(rows, []string{
		"all", "", rate(r.RatePerSec), Thousands(r.Requests.Succeeded + r.Requests.Failed), "", Thousands(r.Requests.Failed), r.Latency.columns(scale)[1],
	})
}

// held adds what became of connections that were held without load.
func (p *page) held(r *Result) {
	p.block(p.ink.bold(counted(int64(r.Workload.Connections), "connection")), p.holding(r), r)
}

// holding says for how long, and how many broke.
func (p *page) holding(r *Result) []string {
	broke := "none broke"
	if r.Connect.Broken > 0 {
		broke = p.ink.red(Thousands(r.Connect.Broken) + " broke")
	}
	return []string{"held for " + duration(r.WindowNs), broke}
}

// faults adds what was out of order.
func (p *page) faults(r *Result) {
	if r.Faults == nil {
		return
	}
	p.gap()
	for _, o := range r.Faults.Outages {
		p.row("outage", outageText(o))
	}
	p.row("faults", faultPieces(r.Faults)...)
	if again := r.Connect.Again; again != nil {
		p.row("connect", reconnectText(again))
	}
	if rows := timeline(r); len(rows) > 1 && !r.Workload.Idle {
		p.gap()
		p.table(rows)
	}
}

// timelineRows is how much of the interval series is shown around outages.
const timelineRows = 16

// timeline is the intervals in which outages lie, and those next to them.
func timeline(r *Result) [][]string {
	rows := [][]string{{"at s", rateHead, "errors", "lost", "repeated", "redirected", "max ms"}}
	var times []int64
	near := func(i Interval) bool {
		return slices.ContainsFunc(r.Faults.Outages, func(o Outage) bool {
			return i.StartNs <= o.StartNs+o.LengthNs+i.LengthNs && o.StartNs <= i.StartNs+2*i.LengthNs
		})
	}
	for _, i := range r.Intervals {
		if i.MaxNs != nil && near(i) {
			times = append(times, *i.MaxNs)
		}
	}
	scale := scaleFor(times...)
	for _, i := range r.Intervals {
		if !near(i) || i.LengthNs == 0 || len(rows) > timelineRows {
			continue
		}
		longest := "-"
		if i.MaxNs != nil {
			longest = scale.text(*i.MaxNs)
		}
		rows = append(rows, []string{
			seconds(i.StartNs), rate(float64(i.Succeeded) / (float64(i.LengthNs) / 1e9)), Thousands(i.Failed),
			Thousands(i.Lost), Thousands(i.Repeated), Thousands(i.Redirected), longest,
		})
	}
	return rows
}

// outageText says when an outage was, how long, and what it caught.
func outageText(o Outage) string {
	text := fmt.Sprintf("%s from %s on, %s caught in it", duration(o.LengthNs), duration(o.StartNs), counted(o.Caught, "request"))
	if !o.Over {
		text += ", not over at the end"
	}
	return text
}

// faultPieces says what was done again.
func faultPieces(f *Faults) []string {
	var pieces []string
	add := func(n int64, text string) {
		if n > 0 {
			pieces = append(pieces, text)
		}
	}
	add(f.Reconnects, counted(f.Reconnects, "connection")+" made again")
	add(f.Repeated, counted(f.Repeated, "request")+" sent again")
	add(f.Moved, Thousands(f.Moved)+" MOVED")
	add(f.Ask, Thousands(f.Ask)+" ASK")
	add(f.TryAgain, Thousands(f.TryAgain)+" TRYAGAIN")
	add(f.ClusterDown, Thousands(f.ClusterDown)+" CLUSTERDOWN")
	add(f.Loading, Thousands(f.Loading)+" LOADING")
	add(f.ReadOnly, Thousands(f.ReadOnly)+" READONLY")
	return pieces
}

// reconnectText says how long making connections again took.
func reconnectText(l *Latency) string {
	text := "connecting took " + millis(l.AvgNs) + " on average"
	if p99, ok := l.percentileNs(99); ok {
		text += ", p99 " + millis(p99)
	}
	return text + ", max " + millis(l.MaxNs)
}
