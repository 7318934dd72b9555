package generator

import (
	"math"
	"sync/atomic"
)

// Budget hands out each unit index exactly once, in leases, until the count is
// reached. It is all that the threads of a run share: one atomic addition per
// lease.
type Budget struct {
	next  atomic.Uint64
	units uint64
	lease uint64
}

// lease is a range of unit indexes, [next, end), that belongs to one thread.
type lease struct{ next, end uint64 }

const (
	// openLease is the lease of a run without a count: what is left of it at
	// the end is simply never sent.
	openLease = 1024
	// countedLease bounds the lease of a counted run, whose last leases decide
	// how evenly the threads finish.
	countedLease = 256
)

// newBudget hands out units indexes, to threads that each use batch of them
// at a time. units 0 is no limit.
func newBudget(units uint64, threads, batch int) *Budget {
	b := &Budget{units: units, lease: max(openLease, uint64(batch))}
	if units == 0 {
		b.units = math.MaxInt64
		return b
	}
	// A hundredth of each thread's share, so that no thread is left with much
	// more than the others at the end.
	fair := units / uint64(threads) / 100
	b.lease = max(uint64(batch), min(countedLease, fair))
	return b
}

// take returns the next lease; an empty one means that nothing is left.
func (b *Budget) take() lease {
	// The plain load keeps the counter from running on, and from overflowing,
	// when threads keep asking after the end.
	if b.next.Load() >= b.units {
		return lease{}
	}
	end := b.next.Add(b.lease)
	start := end - b.lease
	if start >= b.units {
		return lease{}
	}
	return lease{start, min(end, b.units)}
}
