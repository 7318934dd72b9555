package main

import (
	"math"
	"testing"
)

func TestRateList(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]float64{
		"7": {7}, "0.5": {0.5}, "50k": {50_000}, "1e6": {1e6}, "1k,2k,4k": {1000, 2000, 4000},
		"1k..16k/5": {1000, 2000, 4000, 8000, 16_000}, "10..1/2,5": {10, 1, 5},
	} {
		var l rateList
		if err := l.UnmarshalText([]byte(text)); err != nil || len(l) != len(want) {
			t.Errorf("%s: %v, %v", text, l, err)
			continue
		}
		for i := range want {
			if math.Abs(l[i]-want[i]) > 1e-9*want[i] {
				t.Errorf("%s: rate %d is %v, want %v", text, i, l[i], want[i])
			}
		}
	}
	for _, text := range []string{"", "0", "-1", "nan", "inf", "1,", "1..2", "1..2/1", "1..2/x", "0..2/3", "2e9", "1..2/9999"} {
		if err := new(rateList).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q was accepted", text)
		}
	}
}
