package generator

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What lanes did in the same time is added up, also where the slices of one are
// late, longer or fewer than those of the other; nothing gets lost.
func TestAddSeries(t *testing.T) {
	t.Parallel()
	const base = int64(1e12) // the clock does not begin with the run
	series := func(counts ...[2]int64) outcome {
		var o outcome
		for _, c := range counts {
			o.series = append(o.series, slice{base + c[0], figures{succeeded: c[1], max: c[1], p50: 1, p99: 1}})
		}
		return o
	}
	tests := []struct {
		name string
		outs []outcome
		want [][2]int64 // ends and successes
	}{
		{"in step", []outcome{series([2]int64{10, 1}, [2]int64{20, 2}), series([2]int64{11, 4}, [2]int64{19, 8})}, [][2]int64{{10, 5}, {20, 10}}},
		{"one is longer", []outcome{series([2]int64{10, 1}, [2]int64{20, 2}), series([2]int64{9, 4}, [2]int64{21, 8}, [2]int64{23, 16})}, [][2]int64{{9, 5}, {21, 10}, {23, 16}}},
		{"one missed a tick", []outcome{series([2]int64{10, 1}, [2]int64{20, 2}, [2]int64{30, 4}), series([2]int64{10, 8}, [2]int64{30, 16})}, [][2]int64{{10, 9}, {20, 2}, {30, 20}}},
		{"one has none", []outcome{series(), series([2]int64{10, 1})}, [][2]int64{{10, 1}}},
		{"none has any", []outcome{series(), series()}, nil},
	}
	for _, test := range tests {
		var got [][2]int64
		for _, s := range addSeries(test.outs) {
			got = append(got, [2]int64{s.end - base, s.rec.succeeded})
			if !s.rec.mixed || s.rec.p50 != 0 || s.rec.max == 0 {
				t.Errorf("%s: %+v", test.name, s.rec)
			}
		}
		if d := cmp.Diff(test.want, got); d != "" {
			t.Errorf("%s: %s", test.name, d)
		}
	}
}
