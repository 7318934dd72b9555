package generator

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Arrivals is how the requests of an open loop are spread in time.
type Arrivals uint8

const (
	// Constant is evenly spaced requests.
	Constant Arrivals = iota
	// Poisson is requests that come independently of each other: the gaps
	// between them follow an exponential distribution.
	Poisson
	// Recorded is requests at the times of a Timetable.
	Recorded
)

// UnmarshalText implements encoding.TextUnmarshaler.
func (a *Arrivals) UnmarshalText(text []byte) error {
	switch string(text) {
	case "constant":
		*a = Constant
	case "poisson":
		*a = Poisson
	default:
		return fmt.Errorf("%q is neither constant nor poisson", text)
	}
	return nil
}

func (a Arrivals) String() string {
	return [...]string{"constant", "poisson", "recorded"}[min(a, Recorded)]
}

// Pacer is the timetable of one worker of several that make a rate together.
// Its due times follow from the rate alone and are never bent by lateness.
type Pacer struct {
	start float64 // clock time, in nanoseconds
	gap   float64 // mean time between units of this worker, in nanoseconds
	n     float64 // units before the one that is due
	late  float64 // of a Poisson process: how far beyond n gaps, negative too
	dice  *rand.Rand
	due   int64

	recorded *recorded // where the due times are those of a Timetable
}

// newPacer makes the timetable of worker number i of n, from clock time start
// on, for perSec units a second of all workers together. Constant arrivals of
// the workers interleave evenly; Poisson arrivals need nothing of the kind,
// since independent Poisson processes add up to one.
func newPacer(start int64, perSec float64, i, n int, arrivals Arrivals, seed uint64) *Pacer {
	p := &Pacer{start: float64(start), gap: float64(n) / perSec * 1e9}
	if arrivals == Constant {
		p.start += p.gap * float64(i) / float64(n)
		p.due = int64(math.Round(p.start))
		return p
	}
	p.dice = rand.New(rand.NewPCG(seed, uint64(i)))
	p.late = p.dice.ExpFloat64() * p.gap
	p.due = int64(p.start + p.late)
	return p
}

// advance goes on to the next unit.
func (p *Pacer) advance() {
	if p.recorded != nil {
		p.due = p.recorded.advance(p.due)
		return
	}
	p.n++
	if p.dice != nil {
		p.late += (p.dice.ExpFloat64() - 1) * p.gap
	}
	p.due = int64(math.Round(math.Min(p.start+p.n*p.gap+p.late, math.MaxInt64/2)))
}

// mostOverdue bounds what overdue tells, so that it can be added to and is an int
// on 32-bit machines, too.
const mostOverdue = math.MaxInt / 2

// overdue is about how many units have become due up to clock time now.
func (p *Pacer) overdue(now int64) int {
	if now < p.due {
		return 0
	}
	if p.recorded != nil {
		return p.recorded.overdue(now)
	}
	return 1 + int(min(float64(now-p.due)/p.gap, mostOverdue))
}
