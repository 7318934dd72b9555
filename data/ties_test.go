package data

import (
	"math/rand/v2"
	"testing"
)

// TestTies reads ties of any kind as they were added, in each of three passes,
// and finds what is nearest as one does by looking.
func TestTies(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		dice := rand.New(rand.NewPCG(seed, 1))
		var ties Ties
		var list []tie
		next := tie{db: dice.IntN(3)}
		for range 1 + dice.IntN(30) {
			ties.add(next)
			list = append(list, next)
			if dice.IntN(3) == 0 {
				next.db = dice.IntN(1<<31 - 1)
			}
			next.inside = dice.IntN(2) == 0
		}
		r := ties.Reader()
		db := list[0].db
		for i := range 3 * len(list) {
			want := list[i%len(list)]
			if r.Inside() != want.inside {
				t.Fatalf("seed %d, row %d: inside is %v", seed, i, r.Inside())
			}
			if got, ok := r.Next(); got != want.db || ok != (want.db != db) {
				t.Fatalf("seed %d, row %d: database %d, %v after %d, want %d", seed, i, got, ok, db, want.db)
			}
			db = want.db
		}
		for n := range 2*len(list) + 1 {
			below, above := n, n
			for list[below%len(list)].inside {
				below--
			}
			for list[above%len(list)].inside {
				above++
			}
			if b, a := ties.Nearest(int64(n)); b != int64(below) || a != int64(above) {
				t.Fatalf("seed %d: nearest to %d are %d and %d, want %d and %d", seed, n, b, a, below, above)
			}
		}
	}
}

// TestTiesOfMany holds that the ties of a usual log take little memory.
func TestTiesOfMany(t *testing.T) {
	t.Parallel()
	var ties Ties
	for row := range 1_000_000 {
		ties.add(tie{db: row / 1000 % 2, inside: row%4 != 0})
	}
	if size := len(ties.changes); size > 3_000_000/2+10_000 {
		t.Errorf("the ties of a million rows take %d bytes", size)
	}
	if n := len(ties.Databases()); n != 2 {
		t.Errorf("%d databases", n)
	}
}
