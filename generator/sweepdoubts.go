package generator

import (
	"fmt"
	"slices"

	"github.com/respbench/respbench/report"
)

// conclude says what the steps amount to.
func (s *sweep) conclude() {
	if held, missed, ok := s.search.highest(s.probes); ok && s.search.narrow {
		h := &report.SweepHighest{At: held}
		h.Step = slices.IndexFunc(s.probes, func(p probe) bool { return p.at == held && p.held })
		if missed > 0 {
			h.Fails = &missed
		}
		s.result.Highest = h
	}
	if i, ok := knee(s.probes); ok {
		s.result.Knee = &report.SweepKnee{At: s.probes[i].at, Step: i}
	}
	if len(s.probes) > 0 {
		s.doubt()
	}
}

// doubt adds what to think of the curve as a whole.
func (s *sweep) doubt() {
	top := s.top()
	for _, doubt := range [...]func(*report.Result) string{doubtServer, doubtHits, doubtEvictions} {
		s.warn(doubt(top))
	}
	s.warn(doubtTop(top))
	s.warn(s.doubtSamples())
	switch ended := s.result.Interrupted != "" || s.result.Problem != ""; {
	case ended:
	case len(s.probes) >= maxProbes:
		s.warn(fmt.Sprintf("The search ended after %d steps, unfinished: the server's figures vary too much from step to step. Make them longer (-s).", maxProbes))
	case !s.search.full(levelsOf(s.probes)):
		s.warn("The server was not full at the last step: there is more above, look for it with --to.")
	}
}

func (s *sweep) warn(text string) {
	if text != "" {
		s.result.Warnings = append(s.result.Warnings, text)
	}
}

// top is the Result of the highest step.
func (s *sweep) top() *report.Result {
	at := 0
	for i, p := range s.probes {
		if p.at > s.probes[at].at {
			at = i
		}
	}
	return s.result.Steps[at].Result
}

// doubtTop warns of a curve whose end is the client's.
func doubtTop(top *report.Result) string {
	if top.Limit.Who != "client" {
		return ""
	}
	return "At the highest step the client was the limit, so the end of the curve is its own and not the server's: give it more event loops (--threads) or more CPUs."
}

// doubtSamples warns of a p99 that rests on few requests.
func (s *sweep) doubtSamples() string {
	const enough = 1000
	fewest := int64(enough)
	for i := range s.probes {
		if l := s.result.Steps[i].Result.Latency; l != nil {
			fewest = min(fewest, l.Count)
		}
	}
	if fewest == enough {
		return ""
	}
	return fmt.Sprintf("A step had only %s requests, so its p99 rests on less than 10 of them: make steps longer (-s) or start higher (--from).", report.Thousands(fewest))
}
