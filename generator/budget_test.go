package generator

import (
	"sync"
	"testing"
)

// Every index is handed out exactly once, whatever the number of threads.
func TestBudgetHandsOutEveryIndexOnce(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		units          uint64
		threads, batch int
	}{{1, 1, 1}, {1, 8, 1000}, {7, 3, 2}, {100_003, 4, 1}, {100_003, 8, 64}, {1 << 20, 2, 5}} {
		b := newBudget(test.units, test.threads, test.batch)
		taken := make([]int, test.units)
		var mu sync.Mutex
		var wg sync.WaitGroup
		for range test.threads {
			wg.Go(func() {
				for l := b.take(); l.next != l.end; l = b.take() {
					mu.Lock()
					for i := l.next; i < l.end; i++ {
						taken[i]++
					}
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		for i, n := range taken {
			if n != 1 {
				t.Fatalf("%+v: index %d was handed out %d times", test, i, n)
			}
		}
		if l := b.take(); l != (lease{}) {
			t.Errorf("%+v: %v after the end", test, l)
		}
	}
}

func TestBudgetWithoutCountGoesOn(t *testing.T) {
	t.Parallel()
	b := newBudget(0, 2, 1)
	if l := b.take(); l != (lease{0, openLease}) {
		t.Errorf("first lease %v", l)
	}
	if l := b.take(); l != (lease{openLease, 2 * openLease}) {
		t.Errorf("second lease %v", l)
	}
}

// The last leases decide how evenly the threads finish.
func TestBudgetLeaseIsFair(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		units          uint64
		threads, batch int
		most           uint64
	}{{1000, 4, 1, 2}, {1000, 4, 10, 10}, {10_000_000, 4, 1, countedLease}} {
		if b := newBudget(test.units, test.threads, test.batch); b.lease > test.most || b.lease == 0 {
			t.Errorf("%+v: lease of %d", test, b.lease)
		}
	}
}
