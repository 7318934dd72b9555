package generator

import (
	"fmt"
	"slices"

	"github.com/respbench/respbench/template"
)

// Template is one of the templates of a run, and its part in it.
type Template struct {
	Program *template.Program
	// Weight is how many of the units are of this template, in proportion to
	// the other weights. 0 is 1.
	Weight int
}

// Only is the Templates of a run that sends one template.
func Only(p *template.Program) []Template { return []Template{{Program: p}} }

// MaxWeights bounds the sum of the weights of a run, after dividing them by
// what they have in common.
const MaxWeights = 1 << 20

// mix decides which template each unit of a run is of. That follows from the
// seed and the unit's index alone, and is exact: of every total units in a
// row, counted from 0, each template has as many as its weight.
type mix struct {
	order   Order
	classes []class
	owners  []int32 // the class of each slot; nil where a few are quickly looked through
	total   uint64  // of the weights
	stride  uint64  // without a common divisor with total
	key     uint64
}

// class is one template of a mix.
type class struct {
	program *template.Program
	perUnit int    // requests in a unit
	joint   bool   // the commands of a unit belong together
	weight  uint64 //
	first   uint64 // of the slots, total in all, that are its own
	seed    uint64
}

// isJoint tells whether the commands of a unit are only sent together, also
// where one of them has to be sent again: a transaction is done as a whole, and
// what changes the connection holds for those behind it.
func isJoint(p *template.Program) bool {
	return p.Commands() > 1 && slices.ContainsFunc(p.Names(), func(name string) bool {
		switch name {
		case "MULTI", "WATCH", "SELECT", "AUTH", "HELLO", "CLIENT", "READONLY", "READWRITE", "ASKING", "RESET":
			return true
		}
		return false
	})
}

// newMix prepares the choice for a seed. The templates have been checked.
func newMix(templates []Template, order Order, seed uint64) *mix {
	m := &mix{order: order, key: seed}
	for k, weight := range weights(templates, order) {
		t := templates[k]
		m.classes = append(m.classes, class{
			program: t.Program, perUnit: t.Program.Commands(), joint: isJoint(t.Program), weight: weight, first: m.total,
			// The first template keeps the seed, so that a run of it alone
			// sends what preview shows.
			seed: seed + uint64(k)*0xd1342543de82ef95,
		})
		m.total += weight
	}
	// A stride of about total divided by the golden ratio spreads the units
	// of a template evenly over a block.
	for m.stride = max(1, m.total*1000/1618); gcd(m.stride, m.total) != 1; m.stride++ {
	}
	m.index()
	return m
}

// weights are how many units in a row there are of each template.
func weights(templates []Template, order Order) []uint64 {
	switch {
	case len(templates) == 1 && order == Shuffled:
		return []uint64{rowsOf(templates[0].Program)}
	case len(templates) == 1:
		return []uint64{1}
	}
	divisor := uint64(0)
	for _, t := range templates {
		divisor = gcd(divisor, uint64(max(1, t.Weight)))
	}
	if order == InTurn {
		divisor = 1 // each comes as often in a row as its weight
	}
	list := make([]uint64, len(templates))
	for k, t := range templates {
		list[k] = uint64(max(1, t.Weight)) / divisor
	}
	return list
}

// mix is that of the templates of a run, for a seed.
func (c *Config) mix(seed uint64) *mix { return newMix(c.Templates, c.Order, seed) }

// choose returns the class of unit i, and which unit of that class it is.
func (m *mix) choose(i uint64) (class int, index uint64) {
	if m.total == 1 {
		return 0, i
	}
	block, slot := i/m.total, i%m.total
	switch m.order {
	case Spread:
		slot = (slot*m.stride + scramble(m.key+block)) % m.total
	case Shuffled:
		slot = m.shuffled(block, slot)
	}
	class = m.owner(slot)
	c := &m.classes[class]
	return class, block*c.weight + slot - c.first
}

// scramble shifts each block by another amount, below 2^32. It is a
// multiplicative hash with the constant of Knuth's linear generator.
func scramble(block uint64) uint64 {
	return block * 6364136223846793005 >> 33
}

// largest is the most requests that a unit has.
func (m *mix) largest() (most int) {
	for _, c := range m.classes {
		most = max(most, c.perUnit)
	}
	return most
}

// mean is the mean number of requests in a unit.
func (m *mix) mean() float64 {
	sum := 0.0
	for _, c := range m.classes {
		sum += float64(c.perUnit) * float64(c.weight)
	}
	return sum / float64(m.total)
}

// checkTemplates refuses what cannot be mixed.
func checkTemplates(templates []Template, order Order) error {
	if len(templates) == 0 {
		return fmt.Errorf("no template to send")
	}
	divisor, sum := uint64(0), uint64(0)
	for _, t := range templates {
		if t.Program == nil {
			return fmt.Errorf("no template to send")
		}
		if err := t.Program.CheckData(); err != nil {
			return err
		}
		if t.Weight < 0 || t.Weight > MaxWeights {
			return fmt.Errorf("ratio: %d is not in 1..%d", t.Weight, MaxWeights)
		}
		divisor = gcd(divisor, uint64(max(1, t.Weight)))
		sum += uint64(max(1, t.Weight))
	}
	if order == InTurn {
		divisor = 1
	}
	if sum/divisor > MaxWeights {
		return fmt.Errorf("ratio: the weights add up to %d, more than %d; use rounder ones", sum/divisor, MaxWeights)
	}
	return nil
}

// gcd is the greatest common divisor of two numbers, 0 or more.
func gcd(a, b uint64) uint64 {
	for b > 0 {
		a, b = b, a%b
	}
	return a
}
