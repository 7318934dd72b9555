package generator

import (
	"fmt"
	"math/bits"

	"github.com/respbench/respbench/data"
	"github.com/respbench/respbench/internal/splitmix"
	"github.com/respbench/respbench/template"
)

// Order is how several templates take turns. In every order, of as many units
// in a row as the weights add up to, counted from 0, each template has as many
// as its weight.
type Order uint8

const (
	// Spread distributes the units of each template evenly.
	Spread Order = iota
	// InTurn is all of the first template, then all of the second, and so on to
	// the last and from the first again.
	InTurn
	// Shuffled is an order that is drawn anew each time all have had their turn.
	Shuffled
)

// UnmarshalText implements encoding.TextUnmarshaler: "sequence" or "random".
func (o *Order) UnmarshalText(text []byte) error {
	switch string(text) {
	case "sequence":
		*o = InTurn
	case "random":
		*o = Shuffled
	default:
		return fmt.Errorf("%q is no order of commands; use sequence or random", text)
	}
	return nil
}

// rowsOf is how many units there are of a template of whole rows, 1 of any
// other.
func rowsOf(p *template.Program) uint64 {
	if !p.IsWhole() {
		return 1
	}
	units, _ := p.Period()
	return max(1, units)
}

// wholeSource is where the rows of a template of whole rows come from; nil of
// any others.
func wholeSource(templates []Template) *data.Source {
	if !templates[0].Program.IsWhole() {
		return nil
	}
	return templates[0].Program.Sources()[0]
}

// onceRound is how many units it takes for all templates to have their turn
// once; ok is false where that is not the load of a file: they are those of the
// command line, or one has a sequence, which would not be covered.
func (c *Config) onceRound() (units uint64, ok bool) {
	if c.Order == Spread {
		return 0, false
	}
	for _, t := range c.Templates {
		if n, _ := t.Program.Period(); n > 0 {
			return 0, false
		}
	}
	for _, n := range weights(c.Templates, c.Order) {
		units += n
	}
	return units, true
}

// lookedThrough is how many classes are looked through rather than indexed.
const lookedThrough = 8

// index prepares owner.
func (m *mix) index() {
	if len(m.classes) <= lookedThrough {
		return
	}
	m.owners = make([]int32, m.total)
	for k, c := range m.classes {
		for slot := range c.weight {
			m.owners[c.first+slot] = int32(k)
		}
	}
}

// owner is the class that a slot belongs to.
func (m *mix) owner(slot uint64) (class int) {
	if m.owners != nil {
		return int(m.owners[slot])
	}
	for slot >= m.classes[class].first+m.classes[class].weight {
		class++
	}
	return class
}

// shuffled is where a slot comes in a block: a permutation of the slots that
// follows from the key and the block. It is a Feistel network on as many bits
// as the slots take, the result of which goes through it again as long as it is
// no slot (Black and Rogaway, "Ciphers with Arbitrary Finite Domains", 2002).
func (m *mix) shuffled(block, slot uint64) uint64 {
	const rounds = 4
	half := uint(max(1, (bits.Len64(m.total-1)+1)/2))
	mask := uint64(1)<<half - 1
	key := splitmix.Mix(m.key ^ splitmix.Mix(block))
	for {
		left, right := slot>>half, slot&mask
		for round := range uint64(rounds) {
			left, right = right, left^splitmix.Mix(key+round*splitmix.Gamma+right)&mask
		}
		if slot = left<<half | right; slot < m.total {
			return slot
		}
	}
}

// largestUnit is the most requests that a unit of some templates has.
func largestUnit(templates []Template) (most int) {
	for _, t := range templates {
		most = max(most, t.Program.Commands())
	}
	return most
}

// sameSize tells whether all units have the same number of requests.
func sameSize(templates []Template) bool {
	for _, t := range templates {
		if t.Program.Commands() != templates[0].Program.Commands() {
			return false
		}
	}
	return true
}

// Units renders the units of a run for reading, in the order in which they are
// started.
type Units struct {
	mix       *mix
	appenders []*template.Appender
	ties      *data.TieReader // of a log; nil of anything else
}

// NewUnits prepares the units of templates, whose data have been loaded. log is
// the one that they send, or nil.
func NewUnits(templates []Template, order Order, seed uint64, log *data.Log) *Units {
	u := &Units{mix: newMix(templates, order, seed)}
	if log != nil {
		u.ties = log.Ties().Reader()
	}
	for _, c := range u.mix.classes {
		u.appenders = append(u.appenders, template.NewAppender(c.program, c.seed))
	}
	return u
}

// AppendText appends unit i, one after another from 0 on, as a person would type
// it, one command a line, and returns how many commands it has. The SELECT
// between commands of a log for several databases is none of them.
func (u *Units) AppendText(dst []byte, i uint64) (_ []byte, commands int) {
	if u.ties != nil {
		if db, ok := u.ties.Next(); ok {
			dst = fmt.Appendf(dst, "SELECT %d\n", db)
		}
	}
	class, index := u.mix.choose(i)
	return u.appenders[class].AppendText(dst, index), u.mix.classes[class].perUnit
}
