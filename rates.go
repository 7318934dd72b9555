package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/respbench/respbench/generator"
)

// rateList is rates, in requests a second, that are run one after another:
// 1000 or 50k alone, 1k,2k,4k, or 1k..16k/5, which is five from the first to
// the second by equal factors.
type rateList []float64

// rate is one rate above 0, in requests a second.
type rate float64

// UnmarshalText implements encoding.TextUnmarshaler.
func (r *rate) UnmarshalText(text []byte) error {
	f, err := generator.ParseRate(string(text))
	*r = rate(f)
	return err
}

// maxStages bounds how many rates A..B/N stands for.
const maxStages = 1000

// UnmarshalText implements encoding.TextUnmarshaler.
func (l *rateList) UnmarshalText(text []byte) error {
	*l = nil
	for part := range strings.SplitSeq(string(text), ",") {
		rates, err := parseRates(part)
		if err != nil {
			return err
		}
		*l = append(*l, rates...)
	}
	return nil
}

func parseRates(text string) ([]float64, error) {
	first, rest, isSeries := strings.Cut(text, "..")
	if !isSeries {
		r, err := generator.ParseRate(text)
		return []float64{r}, err
	}
	last, count, ok := strings.Cut(rest, "/")
	n, err := strconv.Atoi(count)
	if !ok || err != nil || n < 2 || n > maxStages {
		return nil, fmt.Errorf("%q is not a series of rates; write as 1k..16k/5, for 2 to %d of them", text, maxStages)
	}
	from, err := generator.ParseRate(first)
	if err != nil {
		return nil, err
	}
	to, err := generator.ParseRate(last)
	if err != nil {
		return nil, err
	}
	rates := make([]float64, n)
	for i := range rates {
		rates[i] = from * math.Pow(to/from, float64(i)/float64(n-1))
	}
	rates[n-1] = to
	return rates, nil
}
