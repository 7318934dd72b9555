package generator

import (
	"cmp"
	"math"
	"slices"

	"github.com/respbench/respbench/report"
)

const (
	// maxProbes bounds a search, whatever the server does.
	maxProbes = 40
	// maxLevels bounds its climb.
	maxLevels = 24
	// narrowed is how close the lowest value that fails is to the highest that
	// holds when a search ends.
	narrowed = 1.03
)

// probe is one measured step as a search sees it.
type probe struct {
	at   float64 // what was asked for: requests a second, or connections
	rate float64 // successes a second
	p99  int64   // ns; 0 when nothing succeeded
	full bool    // the server could not keep up
	held bool    // it kept up, and the objective, if there is one, was held
}

// search decides which step is worth measuring next. It is a pure function of
// the steps that were measured; running them is somebody else's work.
//
// It climbs until the server is full and the objective is missed, measures a
// step that missed again, so that a hiccup decides nothing, and narrows what
// lies between the highest step that held and the lowest that did not.
type search struct {
	from, to float64
	lowest   float64 // where a search goes that misses at from; from itself = nowhere
	grow     float64 // factor between two steps of the climb, above 1
	whole    bool    // connections, whose plateau is what fills a server
	narrow   bool    // look for the highest that holds
}

// level is all probes at one value.
type level struct {
	at                 float64
	held, missed, full int
	rate               float64 // the best
	doubted            bool    // a higher level held
}

// levelsOf sorts probes by value.
func levelsOf(probes []probe) []level {
	var levels []level
	for _, p := range probes {
		i, found := slices.BinarySearchFunc(levels, p.at, func(l level, at float64) int { return cmp.Compare(l.at, at) })
		if !found {
			levels = slices.Insert(levels, i, level{at: p.at})
		}
		levels[i].add(p)
	}
	above := false
	for i := len(levels) - 1; i >= 0; i-- {
		levels[i].doubted = above
		above = above || levels[i].held > levels[i].missed
	}
	return levels
}

func (l *level) add(p probe) {
	l.rate = max(l.rate, p.rate)
	if p.held {
		l.held++
	} else {
		l.missed++
	}
	if p.full {
		l.full++
	}
}

// misses tells whether a level missed; it is not sure after a first miss. Two
// of three probes decide, or where a higher level held, three of five.
func (l *level) misses() (missed, sure bool) {
	most := 2
	if l.doubted {
		most = 3
	}
	return l.missed > 0 && l.missed >= l.held, l.missed == 0 || l.missed >= most || l.held >= most
}

// frontier is the index of the lowest level that missed, or may have.
func frontier(levels []level) int {
	i := slices.IndexFunc(levels, func(l level) bool {
		missed, sure := l.misses()
		return missed || !sure
	})
	if i < 0 {
		return len(levels)
	}
	return i
}

// next is the value of the step to measure after probes; ok is false when
// there is nothing more to find out.
func (s search) next(probes []probe) (at float64, ok bool) {
	if len(probes) == 0 {
		return s.from, true
	}
	if len(probes) >= maxProbes {
		return 0, false
	}
	levels := levelsOf(probes)
	low := frontier(levels)
	if s.narrow && low < len(levels) {
		if _, sure := levels[low].misses(); !sure {
			return levels[low].at, true
		}
	}
	if at, ok := s.climb(levels, low); ok {
		return at, true
	}
	if !s.narrow || low == len(levels) {
		return 0, false
	}
	if low == 0 {
		return s.descend(levels[0].at)
	}
	return s.between(levels[low-1].at, levels[low].at)
}

// climb is the step above the highest; ok is false when it is high enough.
func (s search) climb(levels []level, low int) (at float64, ok bool) {
	top := levels[len(levels)-1]
	if top.at >= s.to || len(levels) >= maxLevels {
		return 0, false
	}
	if s.full(levels) && (!s.narrow || low < len(levels)) {
		return 0, false
	}
	at = s.round(top.at * s.grow)
	if at <= top.at {
		at = math.Floor(top.at + 1)
	}
	return min(at, s.to), true
}

// full tells whether more would bring nothing.
func (s search) full(levels []level) bool {
	if !s.whole {
		top := levels[len(levels)-1]
		return top.full > top.held
	}
	steps := make([]report.TuningStep, len(levels))
	for i, l := range levels {
		steps[i].RatePerSec = l.rate
	}
	return plateau(steps)
}

// descend is a step below at, which missed and is the lowest so far.
func (s search) descend(at float64) (float64, bool) {
	if at <= s.lowest*narrowed {
		return 0, false
	}
	return max(s.round(at/4), s.lowest), true
}

// between halves what lies between a value that held and one that missed.
func (s search) between(held, missed float64) (float64, bool) {
	if missed <= held*narrowed {
		return 0, false
	}
	at := s.round(math.Sqrt(held * missed))
	return at, at > held && at < missed
}

// round keeps values readable: whole, or of three digits.
func (s search) round(at float64) float64 {
	if s.whole {
		return math.Round(at)
	}
	unit := math.Pow(10, math.Floor(math.Log10(at))-2)
	if unit < 1 { // dividing keeps 2.51 from becoming 2.5100000000000002
		return math.Round(at/unit) / math.Round(1/unit)
	}
	return math.Round(at/unit) * unit
}

// highest is what a search found: the highest value that held with all below
// it, and the lowest that missed, 0 if none did. ok is false if none held.
func (s search) highest(probes []probe) (held, missed float64, ok bool) {
	levels := levelsOf(probes)
	low := frontier(levels)
	if low < len(levels) {
		missed = levels[low].at
	}
	if low == 0 {
		return 0, missed, false
	}
	return levels[low-1].at, missed, true
}
