package template

import "sort"

// weighted draws sizes in proportion to their weights. The probabilities are
// rounded to multiples of 2^-53.
type weighted struct {
	sizes []uint64
	below []uint64 // word < below[k] chooses sizes[k] or one before it
}

func newWeighted(weights []weight) *weighted {
	sum := 0.0
	for _, w := range weights {
		sum += w.share
	}
	var t weighted
	part := 0.0
	for _, w := range weights {
		part += w.share
		t.sizes = append(t.sizes, w.size)
		t.below = append(t.below, uint64(min(part/sum, 1-0x1p-53)*0x1p64))
	}
	return &t
}

// choose returns the size that a random word stands for.
func (t *weighted) choose(word uint64) uint64 {
	last := len(t.sizes) - 1
	return t.sizes[sort.Search(last, func(k int) bool { return word < t.below[k] })]
}

// share returns the probability of sizes[k].
func (t *weighted) share(k int) float64 {
	low, high := 0.0, 1.0
	if k > 0 {
		low = float64(t.below[k-1]) * 0x1p-64
	}
	if k < len(t.sizes)-1 {
		high = float64(t.below[k]) * 0x1p-64
	}
	return high - low
}
