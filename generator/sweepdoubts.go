package generator

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/respbench/respbench/report"
)

// conclude says what the steps amount to.
func (s *sweep) conclude() {
	if held, missed, ok := s.search.highest(s.probes); ok && s.search.narrow {
		h := &report.SweepHighest{At: held, Step: middleHeld(s.probes, held)}
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

// middleHeld is the index of the probe that held at a value, and of several
// the one with the middle p99; 0 if there is none.
func middleHeld(probes []probe, at float64) int {
	var held []int
	for i, p := range probes {
		if p.at == at && p.held {
			held = append(held, i)
		}
	}
	if len(held) == 0 {
		return 0
	}
	slices.SortFunc(held, func(a, b int) int { return cmp.Compare(probes[a].p99, probes[b].p99) })
	return held[len(held)/2]
}

// doubt adds what to think of the curve as a whole.
func (s *sweep) doubt() {
	top := s.top()
	for _, doubt := range [...]func(*report.Result, advice) string{doubtServer, doubtHits, doubtEvictions} {
		s.warn(doubt(top, advice{}))
	}
	s.warn(doubtTop(top))
	s.warn(s.doubtSamples())
	s.warn(s.doubtOrder())
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

// doubtOrder warns of steps that held above one that did not.
func (s *sweep) doubtOrder() string {
	levels := levelsOf(s.probes)
	low := frontier(levels)
	if !s.search.narrow || low == len(levels) || !levels[low].doubted {
		return ""
	}
	return fmt.Sprintf("Steps above %s held, too, so the figures vary more from step to step than with the load. Longer steps (-s) and a quieter machine make a firmer answer.", s.value(levels[low].at))
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
