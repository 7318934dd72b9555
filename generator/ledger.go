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
}

// newLedger makes one for the load of cfg.
func newLedger(cfg *Config) *ledger {
	l := &ledger{Recorder: report.NewRecorder()}
	if len(cfg.Templates) > 1 {
		for range cfg.Templates {
			l.parts = append(l.parts, report.NewRecorder())
		}
	}
	if cfg.Rate > 0 {
		l.service, l.lag = report.NewRecorder(), report.NewRecorder()
	}
	return l
}

// Merge adds what o recorded.
func (l *ledger) Merge(o *ledger) {
	l.Recorder.Merge(o.Recorder)
	if l.service != nil {
		l.service.Merge(o.service)
		l.lag.Merge(o.lag)
	}
	for k, part := range l.parts {
		part.Merge(o.parts[k])
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
}
