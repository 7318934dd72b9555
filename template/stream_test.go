package template

import (
	"math"
	"math/bits"
	"testing"
)

// TestStreamIndependence holds that draws of neighbouring units, of nearby
// seeds and of neighbouring places tell nothing about each other: all pairs
// are as likely.
func TestStreamIndependence(t *testing.T) {
	t.Parallel()
	const (
		side    = 16
		samples = 60_000
	)
	first := func(seed, i uint64) uint64 {
		rng := newSeedKeys(seed).unit(i)
		return rng.next()
	}
	for _, test := range []struct {
		name string
		pair func(n uint64) (a, b uint64)
	}{
		{"next unit", func(n uint64) (a, b uint64) { return first(1, n), first(1, n+1) }},
		{"units a power of two apart", func(n uint64) (a, b uint64) { return first(1, n), first(1, n+1<<40) }},
		{"next seed", func(n uint64) (a, b uint64) { return first(7, n), first(8, n) }},
		{"one unit of many seeds", func(n uint64) (a, b uint64) { return first(n, 0), first(n+1, 0) }},
		{"seed and unit exchanged", func(n uint64) (a, b uint64) { return first(n, n+1), first(n+1, n) }},
		{"next place", func(n uint64) (a, b uint64) {
			rng := newSeedKeys(1).unit(n)
			return rng.next(), rng.next()
		}},
		{"next place of the unit before", func(n uint64) (a, b uint64) {
			rng := newSeedKeys(1).unit(n)
			rng.next()
			return rng.next(), first(1, n+1)
		}},
	} {
		for _, shift := range []int{60, 30, 0} { // the highest, some middle and the lowest bits
			counts := make([]int, side*side)
			for n := range uint64(samples) {
				a, b := test.pair(n)
				counts[a>>shift%side*side+b>>shift%side]++
			}
			if err := fits(counts, uniformChance(side*side)); err != nil {
				t.Errorf("%s, bits from %d: %v", test.name, shift, err)
			}
		}
	}
}

// TestStreamAvalanche holds that each bit of the seed and of the index flips
// about half of the bits of the words.
func TestStreamAvalanche(t *testing.T) {
	t.Parallel()
	const trials = 2000
	for bit := range 64 {
		seeds, units := 0, 0
		for n := range uint64(trials) {
			base := newSeedKeys(n).unit(n * 31)
			seed := newSeedKeys(n ^ 1<<bit).unit(n * 31)
			unit := newSeedKeys(n).unit(n*31 ^ 1<<bit)
			word := base.next()
			seeds += bits.OnesCount64(word ^ seed.next())
			units += bits.OnesCount64(word ^ unit.next())
		}
		for what, flips := range map[string]int{"seed": seeds, "index": units} {
			// The mean of trials*64 fair bits has a standard deviation of 4*sqrt(trials).
			if off := math.Abs(float64(flips - trials*32)); off > 5*4*math.Sqrt(trials) {
				t.Errorf("bit %d of the %s flips %.2f of 64 bits", bit, what, float64(flips)/trials)
			}
		}
	}
}

// TestStreamIsStable pins what a seed stands for: a change would make results
// that name their seed unrepeatable.
func TestStreamIsStable(t *testing.T) {
	t.Parallel()
	p := mustParse(t, "SET <key uniform 10000000> <value 20> <int uniform 9223372036854775807>")
	for _, test := range []struct {
		seed, i uint64
		want    string
	}{
		{0, 0, "*4\r\n$3\r\nSET\r\n$14\r\nkey_0000181967\r\n$20\r\n4ZKrFMNJKmgI1BeKN1Vc\r\n$19\r\n7486319436773204235\r\n"},
		{1, 3, "*4\r\n$3\r\nSET\r\n$14\r\nkey_0009932677\r\n$20\r\nqoPi54tpX3zXZ6hB7OOW\r\n$19\r\n7990754466561861776\r\n"},
		{math.MaxUint64, 1 << 63, "*4\r\n$3\r\nSET\r\n$14\r\nkey_0002969940\r\n$20\r\nAhprqMXJz5aF2U4AOR2Z\r\n$19\r\n3111932125192509378\r\n"},
	} {
		if got := string(NewAppender(p, test.seed).Append(nil, test.i)); got != test.want {
			t.Errorf("seed %d, unit %d: %q, want %q", test.seed, test.i, got, test.want)
		}
	}
}

// TestBelow draws from a count with a large surplus: without drawing again,
// half of the numbers would have the remainder 0.
func TestBelow(t *testing.T) {
	t.Parallel()
	const size = 3 << 62
	rng := newSeedKeys(5).unit(0)
	thirds, remainders := make([]int, 3), make([]int, 3)
	for range 60_000 {
		k := rng.below(size)
		thirds[k/(size/3)]++
		remainders[k%3]++
	}
	for what, counts := range map[string][]int{"thirds": thirds, "remainders": remainders} {
		if err := fits(counts, uniformChance(3)); err != nil {
			t.Errorf("%s %v: %v", what, counts, err)
		}
	}
	for _, n := range []uint64{1, 2, 3, 1 << 63, math.MaxUint64} {
		for range 100 {
			if k := rng.below(n); k >= n {
				t.Fatalf("below(%d) = %d", n, k)
			}
		}
	}
}

func TestUnitIntervalIsOpen(t *testing.T) {
	t.Parallel()
	for _, word := range []uint64{0, 1<<12 - 1, math.MaxUint64} {
		if u := unitInterval(word); u <= 0 || u >= 1 {
			t.Errorf("word %#x gives %v", word, u)
		}
	}
	rng := newSeedKeys(1).unit(0)
	sum := 0.0
	for range 10_000 {
		sum += unitInterval(rng.next())
	}
	if math.Abs(sum/10_000-0.5) > 0.015 {
		t.Errorf("the mean of 10000 is %v", sum/10_000)
	}
}
