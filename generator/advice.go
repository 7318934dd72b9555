package generator

import (
	"cmp"

	"github.com/respbench/respbench/report"
)

// advice is what a run could do otherwise: doubts name no remedy that it would
// refuse. The zero value is a run of templates.
type advice struct {
	log      bool // it sends a log
	rows     bool // it sends commands whose keys are not known, so no cluster is followed
	recorded bool // at recorded times, which one event loop keeps
	tied     bool // on one connection alone
}

func adviceFor(c *Config) advice {
	return advice{
		log: c.Log != nil, rows: len(c.Templates) > 0 && c.Templates[0].Program.IsWhole(),
		recorded: c.Timetable != nil, tied: c.ties() != nil,
	}
}

// cluster says how keys are reached that live on other nodes.
func (a advice) cluster() string {
	return cmp.Or(a.toNodes(), "add --cluster, which follows them")
}

// toNodes is cluster where a cluster cannot be followed, and "" where it can.
func (a advice) toNodes() string {
	switch {
	case a.log:
		return "replay the log of each node against that node"
	case a.rows:
		return "send each node a file with the commands for its own keys"
	}
	return ""
}

// missing says where keys come from that reads did not find.
func (a advice) missing() string {
	if a.log {
		return "begin with the data that the logged server had"
	}
	return "fill them first (--load)"
}

// client says what relieves a client that is the limit.
func (a advice) client(w *report.Workload) string {
	switch {
	case a.recorded:
		return "one event loop keeps recorded times, so replay slower (--pace), or on a faster CPU"
	case a.tied:
		return "a log with transactions or several databases goes over one connection, of one event loop; a deeper pipeline (-P) makes that cheaper"
	case w.Connections > 0 && w.Connections <= w.Threads:
		return "give it more connections (-c), which more event loops can share, or more CPUs"
	}
	return "give it more event loops (--threads) or more CPUs"
}

// less says how to ask for less.
func (a advice) less() string {
	if a.recorded {
		return "replay slower (--pace)"
	}
	return "ask for less"
}

// more says what may bring a higher rate, where nobody is the limit.
func (a advice) more() string {
	if a.tied {
		return "a deeper pipeline may bring more"
	}
	return "more connections or a deeper pipeline may bring more"
}
