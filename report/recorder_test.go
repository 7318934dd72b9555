package report

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/google/go-cmp/cmp"
)

var somePercentiles = []float64{0, 1, 25, 50, 75, 90, 99, 99.9, 99.99, 99.991, 99.9999, 100}

// figures is everything a Recorder tells.
type figures struct {
	Sent, Empty, Lost, BytesOut, BytesIn int64
	FirstSentNs, LastReplyNs             int64
	Succeeded, Failed                    int64
	Latency                              *Latency
	Errors                               []ErrorClass
}

func figuresOf(r *Recorder) figures {
	return figures{
		r.Sent, r.Empty, r.Lost, r.BytesOut, r.BytesIn,
		r.FirstSentNs, r.LastReplyNs,
		r.Succeeded(), r.Failed(),
		r.Latency(somePercentiles), r.ErrorClasses(0),
	}
}

// randomRecorder records a share of a run; some writers had no work.
func randomRecorder(random *rand.Rand) *Recorder {
	r := NewRecorder()
	if random.IntN(5) == 0 {
		return r
	}
	r.Sent, r.Empty, r.Lost = random.Int64N(1e9), random.Int64N(1e6), random.Int64N(9)
	r.BytesOut, r.BytesIn = random.Int64N(1e12), random.Int64N(1e12)
	r.FirstSentNs, r.LastReplyNs = random.Int64N(1e6), random.Int64N(1e12)
	for range random.IntN(300) {
		r.Record(int64(math.Exp(random.Float64()*30)), 1)
	}
	for range random.IntN(100) {
		// Few times, so that many classes begin at the same one.
		text := fmt.Sprintf("E%d text %d", random.IntN(90), random.IntN(9))
		fail(r, []byte(text), random.Int64N(5))
	}
	return r
}

func TestMergeInAnyOrder(t *testing.T) {
	t.Parallel()
	for seed := range uint64(8) {
		random := rand.New(rand.NewPCG(seed, 1))
		parts := make([]*Recorder, 2+random.IntN(6))
		for i := range parts {
			parts[i] = randomRecorder(random)
		}
		straight := NewRecorder()
		for _, part := range parts {
			straight.Merge(part)
		}
		want := figuresOf(straight)
		for range 5 {
			random.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
			// Two sums first, then their sum.
			at := random.IntN(len(parts) + 1)
			left, right := NewRecorder(), NewRecorder()
			for _, part := range parts[:at] {
				left.Merge(part)
			}
			for _, part := range parts[at:] {
				right.Merge(part)
			}
			left.Merge(right)
			if diff := cmp.Diff(want, figuresOf(left)); diff != "" {
				t.Fatalf("seed %d: another order, other figures:\n%s", seed, diff)
			}
		}
	}
}

func TestMergeEqualsOneWriter(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(4, 2))
	all, sum := NewRecorder(), NewRecorder()
	parts := []*Recorder{NewRecorder(), NewRecorder(), NewRecorder()}
	for i := range 5000 {
		part := parts[random.IntN(len(parts))]
		ns := int64(math.Exp(random.Float64() * 30))
		all.Record(ns, 1)
		part.Record(ns, 1)
		if i%7 == 0 {
			text := fmt.Appendf(nil, "E%d at %d", i%5, i)
			fail(all, text, int64(i))
			fail(part, text, int64(i))
		}
	}
	for _, part := range parts {
		sum.Merge(part)
	}
	if diff := cmp.Diff(figuresOf(all), figuresOf(sum)); diff != "" {
		t.Errorf("one writer and three (-one +three):\n%s", diff)
	}
}

func TestMergeTimes(t *testing.T) {
	t.Parallel()
	sum := NewRecorder()
	for _, times := range [][2]int64{{0, 0}, {700, 900}, {500, 0}, {0, 0}, {600, 950}} {
		r := NewRecorder()
		r.FirstSentNs, r.LastReplyNs = times[0], times[1]
		sum.Merge(r)
	}
	if sum.FirstSentNs != 500 || sum.LastReplyNs != 950 {
		t.Errorf("%d..%d, want 500..950", sum.FirstSentNs, sum.LastReplyNs)
	}
}

func TestPercentilesAgainstSortedSamples(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 3, 10, 99, 100, 101, 160, 1000, 10_000} {
		random := rand.New(rand.NewPCG(uint64(n), 3))
		r := NewRecorder()
		samples := make([]int64, n)
		var sum float64
		for i := range samples {
			samples[i] = int64(math.Exp(random.Float64() * 28))
			sum += float64(samples[i])
			r.Record(samples[i], 1)
		}
		slices.Sort(samples)
		l := r.Latency(somePercentiles)
		if l.Count != int64(n) || l.MinNs != samples[0] || l.MaxNs != samples[n-1] {
			t.Errorf("n %d: count %d, min %d, max %d; want %d, %d, %d", n, l.Count, l.MinNs, l.MaxNs, n, samples[0], samples[n-1])
		}
		if want := sum / float64(n); math.Abs(float64(l.AvgNs)-want) > 1 {
			t.Errorf("n %d: average %d, want %.1f", n, l.AvgNs, want)
		}
		previous := int64(0)
		for _, p := range l.Percentiles {
			rank := max(int(math.Ceil(p.Percent*float64(n)/100-1e-9)), 1)
			want := samples[rank-1]
			if p.Ns < previous || p.Ns < l.MinNs || p.Ns > l.MaxNs {
				t.Errorf("n %d: p%v %d after %d, outside %d..%d", n, p.Percent, p.Ns, previous, l.MinNs, l.MaxNs)
			}
			if p.Ns < want || float64(p.Ns-want) > float64(want)/1000 {
				t.Errorf("n %d: p%v %d, want %d to three digits and not below", n, p.Percent, p.Ns, want)
			}
			previous = p.Ns
		}
	}
}

func TestNearestRank(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		p    float64
		n    int64
		want int64
	}{
		{99.9, 1000, 999}, {99, 100, 99}, {99, 160, 159}, {50, 1, 1}, {50, 2, 1}, {50, 3, 2},
		{0.001, 10, 1}, {99.9999, 10, 10}, {99.9999, 1_000_000, 999_999}, {99.9, 3_000_000_000, 2_997_000_000},
		{33.3, 1000, 333}, {math.Nextafter(100, 0), 7, 7},
	} {
		if got := nearestRank(test.p, test.n); got != test.want {
			t.Errorf("rank of p%v of %d is %d, want %d", test.p, test.n, got, test.want)
		}
	}
}

func TestPercentileOfOddRequests(t *testing.T) {
	t.Parallel()
	r := NewRecorder()
	if got := r.Percentile(50); got != 0 {
		t.Errorf("nothing recorded: %d, want 0", got)
	}
	r.Record(7, 1)
	r.Record(9_999_999, 1)
	for p, want := range map[float64]int64{-1: 7, 0: 7, 1e-300: 7, 100: 9_999_999, 200: 9_999_999, math.Inf(1): 9_999_999, math.Inf(-1): 7, math.NaN(): 7} {
		if got := r.Percentile(p); got != want {
			t.Errorf("percentile %v: %d, want %d", p, got, want)
		}
	}
}

func TestRecordOutsideRange(t *testing.T) {
	t.Parallel()
	r := NewRecorder()
	r.Record(-5, 1) // a clock that went backwards
	r.Record(0, 1)
	r.Record(highestNs, 1)
	r.Record(highestNs+1, 1)
	r.Record(math.MaxInt64, 1)
	r.Record(math.MaxInt64, 1)
	l := r.Latency([]float64{0, 50, 60, 99, 100})
	if l.OverRange != 3 || l.Count != 6 || l.MinNs != 0 || l.MaxNs != math.MaxInt64 {
		t.Errorf("over range %d of %d, %d..%d; want 3 of 6, 0..%d", l.OverRange, l.Count, l.MinNs, l.MaxNs, int64(math.MaxInt64))
	}
	// (2·(2^63-1) + 2·3.6e12 + 1) / 6, beyond 64 bits on the way.
	if want := int64(math.MaxInt64/3 + 1_200_000_000_000 + 1); l.AvgNs != want {
		t.Errorf("average %d, want %d", l.AvgNs, want)
	}
	for i := range l.Percentiles[1:] {
		if l.Percentiles[i].Ns > l.Percentiles[i+1].Ns {
			t.Errorf("percentiles fall: %v", l.Percentiles)
		}
	}
}

func TestHistogramDecodes(t *testing.T) {
	t.Parallel()
	r := NewRecorder()
	for i := range int64(1000) {
		r.Record(i*i, 1)
	}
	h, err := hdrhistogram.Decode([]byte(r.Latency(nil).Histogram))
	if err != nil {
		t.Fatal(err)
	}
	if h.TotalCount() != 1000 || h.SignificantFigures() != 3 || h.HighestTrackableValue() != highestNs {
		t.Errorf("decoded %d samples, %d digits, up to %d", h.TotalCount(), h.SignificantFigures(), h.HighestTrackableValue())
	}
	if got, want := h.ValueAtPercentile(50), r.Percentile(50); got != want {
		t.Errorf("decoded median %d, want %d", got, want)
	}
}

func TestResetThenReuse(t *testing.T) {
	t.Parallel()
	used := NewRecorder()
	first := rand.New(rand.NewPCG(1, 1))
	for range 3 {
		used.Merge(randomRecorder(first))
		used.Record(5e12, 1)
		fail(used, []byte("ERR before"), 3)
		used.Reset()
	}
	if diff := cmp.Diff(figuresOf(NewRecorder()), figuresOf(used)); diff != "" {
		t.Errorf("after Reset (-new +reset):\n%s", diff)
	}
	fresh := NewRecorder()
	for _, r := range []*Recorder{used, fresh} {
		r.Sent, r.FirstSentNs = 9, 17
		r.Record(1234, 1)
		fail(r, []byte("ERR after"), 99)
		fail(r, []byte("OOM after"), 98)
	}
	if diff := cmp.Diff(figuresOf(fresh), figuresOf(used)); diff != "" {
		t.Errorf("reused (-new +reused):\n%s", diff)
	}
	if used.Latency(nil) == nil || NewRecorder().Latency(somePercentiles) != nil {
		t.Error("Latency is nil exactly when nothing succeeded")
	}
}

func TestRecordDoesNotAllocate(t *testing.T) {
	r := NewRecorder()
	ns := int64(1)
	if n := testing.AllocsPerRun(1000, func() {
		r.Record(ns, 1)
		ns *= 3
	}); n != 0 {
		t.Errorf("Record allocates %v times", n)
	}
}

func BenchmarkRecord(b *testing.B) {
	r := NewRecorder()
	random := rand.New(rand.NewPCG(1, 2))
	samples := make([]int64, 4096)
	for i := range samples {
		samples[i] = 400_000 + random.Int64N(300_000)
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		r.Record(samples[i&4095], 1)
		i++
	}
}

// BenchmarkGather is what one interval costs per writer.
func BenchmarkGather(b *testing.B) {
	r, sum := NewRecorder(), NewRecorder()
	b.ReportAllocs()
	for b.Loop() {
		for ns := int64(400_000); ns < 700_000; ns += 1000 {
			r.Record(ns, 1)
		}
		sum.Merge(r)
		r.Reset()
	}
}

// Recording n at once is recording one n times.
func TestRecordMany(t *testing.T) {
	t.Parallel()
	once, often := NewRecorder(), NewRecorder()
	for i, ns := range []int64{-5, 0, 1, 999, 1_234_567, highestNs, highestNs + 1, math.MaxInt64} {
		n := int64(i + 1)
		once.Record(ns, n)
		for range n {
			often.Record(ns, 1)
		}
	}
	if diff := cmp.Diff(figuresOf(often), figuresOf(once)); diff != "" {
		t.Errorf("(-one by one +at once):\n%s", diff)
	}
}
