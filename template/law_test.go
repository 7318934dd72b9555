package template

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// chiSquareLimit returns about what a chi-square variate exceeds with a
// probability of 10^-6: the approximation of Wilson and Hilferty, 1931.
func chiSquareLimit(freedom int) float64 {
	const z = 4.753
	k := 2 / (9 * float64(freedom))
	return float64(freedom) * math.Pow(1-k+z*math.Sqrt(k), 3)
}

// fits compares counts with the probabilities they are drawn from. Cells
// with few expected counts are pooled with those after them.
func fits(counts []int, chance []float64) error {
	total := 0
	for _, n := range counts {
		total += n
	}
	chi, freedom, seen, expected := 0.0, -1, 0.0, 0.0
	for k, n := range counts {
		seen += float64(n)
		expected += chance[k] * float64(total)
		if chance[k] == 0 && n > 0 {
			return fmt.Errorf("%d drawn %d times, which is impossible", k, n)
		}
		if expected >= 10 || k == len(counts)-1 {
			if expected > 0 {
				chi += (seen - expected) * (seen - expected) / expected
			}
			freedom++
			seen, expected = 0, 0
		}
	}
	if limit := chiSquareLimit(max(freedom, 1)); chi > limit || math.IsNaN(chi) {
		return fmt.Errorf("chi-square is %.1f at %d degrees of freedom, the limit is %.1f", chi, freedom, limit)
	}
	return nil
}

// normalised scales weights to a sum of 1.
func normalised(size int, weight func(k int) float64) []float64 {
	chance := make([]float64, size)
	sum := 0.0
	for k := range chance {
		chance[k] = weight(k)
		sum += chance[k]
	}
	for k := range chance {
		chance[k] /= sum
	}
	return chance
}

func uniformChance(size int) []float64 { return normalised(size, func(int) float64 { return 1 }) }

func zipfChance(size int, exponent float64) []float64 {
	return normalised(size, func(k int) float64 { return math.Pow(float64(k+1), -exponent) })
}

func gaussChance(size int, mean, sd float64) []float64 {
	below := func(x float64) float64 { return math.Erfc((mean-x)/sd/math.Sqrt2) / 2 }
	return normalised(size, func(k int) float64 { return below(float64(k)+0.5) - below(float64(k)-0.5) })
}

// TestLaws holds each distribution to its exact probabilities.
func TestLaws(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		law    string
		base   int
		chance []float64
	}{
		{"uniform 1", 0, uniformChance(1)},
		{"uniform 2", 0, uniformChance(2)},
		{"uniform 10", 0, uniformChance(10)},
		{"uniform 1000", 0, uniformChance(1000)},
		{"uniform 1024", 0, uniformChance(1024)},
		{"uniform 7..13", 7, uniformChance(7)},
		{"sequence 10", 0, uniformChance(10)},
		{"sequence 5..11", 5, uniformChance(7)},
		{"zipfian 1", 0, zipfChance(1, 1.03)},
		{"zipfian 2", 0, zipfChance(2, 1.03)},
		{"zipfian 10", 0, zipfChance(10, 1.03)},
		{"zipfian 1000", 0, zipfChance(1000, 1.03)},
		{"zipfian 20..29", 20, zipfChance(10, 1.03)},
		{"zipfian 0.5 1", 0, zipfChance(1, 0.5)},
		{"zipfian 0.5 2", 0, zipfChance(2, 0.5)},
		{"zipfian 0.5 10", 0, zipfChance(10, 0.5)},
		{"zipfian 0.5 1000", 0, zipfChance(1000, 0.5)},
		{"zipfian 1 1", 0, zipfChance(1, 1)},
		{"zipfian 1 2", 0, zipfChance(2, 1)},
		{"zipfian 1.0 10", 0, zipfChance(10, 1)},
		{"zipfian 1.0 1000", 0, zipfChance(1000, 1)},
		{"zipfian 2 1", 0, zipfChance(1, 2)},
		{"zipfian 2 2", 0, zipfChance(2, 2)},
		{"zipfian 2 10", 0, zipfChance(10, 2)},
		{"zipfian 2 1000", 0, zipfChance(1000, 2)},
		{"zipfian 1.000000001 100", 0, zipfChance(100, 1.000000001)},
		{"zipfian 1e-9 100", 0, zipfChance(100, 1e-9)},
		{"zipfian 12 100", 0, zipfChance(100, 12)},
		{"zipfian 1e300 100", 0, zipfChance(100, 1e300)},
		{"gaussian 1", 0, gaussChance(1, 0, 1)},
		{"gaussian 2", 0, gaussChance(2, 0.5, 1./3)},
		{"gaussian 10", 0, gaussChance(10, 4.5, 10./6)},
		{"gaussian 1000", 0, gaussChance(1000, 499.5, 1000./6)},
		{"gaussian 500 100 1000", 0, gaussChance(1000, 500, 100)},
		{"gaussian 0 10 20", 0, gaussChance(20, 0, 10)},
		{"gaussian 19 3.5 20", 0, gaussChance(20, 19, 3.5)},
		{"gaussian 104 2 101..110", 101, gaussChance(10, 3, 2)},
		{"gaussian 2.25 0.5 5", 0, gaussChance(5, 2.25, 0.5)},
		{"gaussian 5 1e300 10", 0, uniformChance(10)},
		{"gaussian 5 1e-300 10", 0, []float64{5: 1, 9: 0}},
	} {
		t.Run(test.law, func(t *testing.T) {
			t.Parallel()
			counts := make([]int, len(test.chance))
			a := NewAppender(mustParse(t, "<int "+test.law+">"), 42)
			for i := range uint64(60_000) {
				a.Append(nil, i)
				k := int(a.numbers[0]) - test.base
				if k < 0 || k >= len(counts) {
					t.Fatalf("unit %d draws %d", i, a.numbers[0])
				}
				counts[k]++
			}
			if err := fits(counts, test.chance); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestLatest holds that the distance back from the index is zipfian, at every
// place of the index in the round.
func TestLatest(t *testing.T) {
	t.Parallel()
	const size = 50
	a := NewAppender(mustParse(t, "<int latest 100..149>"), 7)
	counts := make([]int, size)
	for i := range uint64(60_000) {
		a.Append(nil, i)
		counts[(i%size+size-(a.numbers[0]-100))%size]++
	}
	if err := fits(counts, zipfChance(size, 1.03)); err != nil {
		t.Error(err)
	}
}

// TestWeightedSizes counts sizes, drawn by weight and uniformly.
func TestWeightedSizes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		size   string
		chance []float64
	}{
		{"1:9,3:1", []float64{1: 0.9, 3: 0.1}},
		{"0:0.5,2:1.5,1:2", []float64{0.125, 0.5, 0.375}},
		{"3:1e-300,4:1", []float64{4: 1}},
		{"5:1,5:2", []float64{5: 1}},
		{"2..5", []float64{2: .25, 3: .25, 4: .25, 5: .25}},
	} {
		for _, kind := range []string{"value", "bytes"} {
			counts := make([]int, len(test.chance))
			for _, text := range arguments(t, "ECHO <"+kind+" "+test.size+">", 1, 20_000) {
				counts[len(text)]++
			}
			if err := fits(counts, test.chance); err != nil {
				t.Errorf("%s %s: %v", kind, test.size, err)
			}
		}
	}
}

// TestUniformWide holds that large ranges are filled evenly, and that numbers
// of every remainder are as likely, also where the count does not divide 2^64.
func TestUniformWide(t *testing.T) {
	t.Parallel()
	for _, last := range []uint64{1<<63 - 1, 1<<63 - 2, 1 << 62, 3<<61 - 1, 4294967295} {
		const cells = 12
		high, remainders := make([]int, cells), make([]int, 3)
		a := NewAppender(mustParse(t, fmt.Sprintf("<int uniform 0..%d>", last)), 3)
		for i := range uint64(60_000) {
			a.Append(nil, i)
			high[int(float64(a.numbers[0])/float64(last+1)*cells)]++
			remainders[a.numbers[0]%3]++
		}
		if err := fits(high, uniformChance(cells)); err != nil {
			t.Errorf("0..%d: %v", last, err)
		}
		if err := fits(remainders, uniformChance(3)); err != nil {
			t.Errorf("0..%d, modulo 3: %v", last, err)
		}
	}
}

// TestLetters holds that values are made of all letters and digits alike, in
// every place of a word and next to every letter.
func TestLetters(t *testing.T) {
	t.Parallel()
	places := make([][]int, 14) // beyond two words of six
	for k := range places {
		places[k] = make([]int, len(alphabet))
	}
	neighbours := make([][]int, len(places)-1)
	for k := range neighbours {
		neighbours[k] = make([]int, len(alphabet)*len(alphabet))
	}
	for _, text := range arguments(t, "ECHO <value 14>", 1, 60_000) {
		last := 0
		for k := range places {
			letter := strings.IndexByte(alphabet, text[k])
			if letter < 0 {
				t.Fatalf("%q holds %q", text, text[k])
			}
			places[k][letter]++
			if k > 0 {
				neighbours[k-1][last*len(alphabet)+letter]++
			}
			last = letter
		}
	}
	for k, counts := range places {
		if err := fits(counts, uniformChance(len(counts))); err != nil {
			t.Errorf("letter %d: %v", k, err)
		}
	}
	for k, counts := range neighbours {
		if err := fits(counts, uniformChance(len(counts))); err != nil {
			t.Errorf("letters %d and %d: %v", k, k+1, err)
		}
	}
}

// TestBytes is TestLetters for bytes.
func TestBytes(t *testing.T) {
	t.Parallel()
	places := make([][256]int, 13)
	for _, text := range arguments(t, "ECHO <bytes 13>", 1, 60_000) {
		for k := range places {
			places[k][text[k]]++
		}
	}
	for k := range places {
		if err := fits(places[k][:], uniformChance(256)); err != nil {
			t.Errorf("byte %d: %v", k, err)
		}
	}
}
