package generator

import "github.com/respbench/respbench/report"

// ledger is what one worker, or all, recorded. Latency runs from the time at
// which a request was due; in a closed loop that is when it is sent, and the
// other two recorders are not used.
type ledger struct {
	*report.Recorder
	service *report.Recorder // from the write to the reply
	lag     *report.Recorder // from the due time to the write: how late sends were

	parts []*report.Recorder // by class; nil where there is one alone
	nodes nodeLedgers        // of a cluster; nil of a single server

	again      redirects
	repeated   int64            // requests that were sent again as their connection broke or the cluster was down
	reconnects int64            // connections that were made again
	connect    *report.Recorder // how long that took; nil where none are
}

// nodeLedgers is what came of the requests to each node, by its number.
type nodeLedgers []*report.Recorder

// node is the Recorder of a node.
func (l *ledger) node(number int) *report.Recorder {
	for number >= len(l.nodes) {
		l.nodes = append(l.nodes, report.NewRecorder())
	}
	return l.nodes[number]
}

// maxParts bounds the templates that figures are kept of one by one, each of
// which takes a histogram of 270 kB for every event loop.
const maxParts = 64

// newLedger makes one for the load of cfg.
func newLedger(cfg *Config) *ledger {
	l := &ledger{Recorder: report.NewRecorder()}
	if n := len(cfg.Templates); n > 1 && n <= maxParts {
		for range cfg.Templates {
			l.parts = append(l.parts, report.NewRecorder())
		}
	}
	if cfg.Rate > 0 {
		l.service, l.lag = report.NewRecorder(), report.NewRecorder()
	}
	if cfg.Cluster {
		l.nodes = nodeLedgers{}
	}
	if cfg.remakes() {
		l.connect = report.NewRecorder()
	}
	return l
}

// reconnected notes a connection that was made again, in ns nanoseconds.
func (l *ledger) reconnected(ns int64) {
	l.reconnects++
	if l.connect != nil {
		l.connect.Record(ns, 1)
	}
}

// Merge adds what o recorded, as far as l keeps it.
func (l *ledger) Merge(o *ledger) {
	l.Recorder.Merge(o.Recorder)
	if l.service != nil {
		l.service.Merge(o.service)
		l.lag.Merge(o.lag)
	}
	for k, part := range l.parts {
		part.Merge(o.parts[k])
	}
	if l.nodes != nil {
		for k, node := range o.nodes {
			l.node(k).Merge(node)
		}
	}
	l.again.add(&o.again)
	l.repeated += o.repeated
	l.reconnects += o.reconnects
	if l.connect != nil {
		l.connect.Merge(o.connect)
	}
}

// Reset forgets everything.
func (l *ledger) Reset() {
	l.Recorder.Reset()
	if l.service != nil {
		l.service.Reset()
		l.lag.Reset()
	}
	for _, part := range l.parts {
		part.Reset()
	}
	for _, node := range l.nodes {
		node.Reset()
	}
	l.again, l.repeated, l.reconnects = redirects{}, 0, 0
	if l.connect != nil {
		l.connect.Reset()
	}
}
