package report

import (
	"math"
	"math/bits"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// The histogram's range is 1 ns .. 1 h. An hour needs 270 kB of counters
// where a minute would need 221 kB, and spares a slow script from being
// counted as over range.
const (
	lowestNs          = 1
	highestNs         = int64(time.Hour)
	significantDigits = 3
)

// Recorder is the histogram and the counters of one writer. It has no lock:
// one goroutine writes at a time, and a reader takes it over between turns.
// The counters are bumped by the writer itself.
type Recorder struct {
	_ [64]byte // keeps two writers' counters off one cache line

	Sent     int64 // commands written to a socket
	Empty    int64 // successes whose reply was null or empty
	Lost     int64 // in flight on a connection that broke
	BytesOut int64 // written to the sockets
	BytesIn  int64 // read from the sockets

	FirstSentNs int64 // monotonic ns; 0 = nothing sent yet
	LastReplyNs int64 // monotonic ns; 0 = nothing answered yet

	histogram    *hdrhistogram.Histogram
	minNs, maxNs int64
	sumHi, sumLo uint64 // 128 bits: 64 overflow when a million requests wait for hours
	overRange    int64
	failed       int64
	classes      classTable

	_ [64]byte
}

// NewRecorder returns an empty Recorder.
func NewRecorder() *Recorder {
	return &Recorder{
		histogram: hdrhistogram.New(lowestNs, highestNs, significantDigits),
		minNs:     math.MaxInt64,
		classes:   newClassTable(),
	}
}

// Record counts n successes, 1 or more, that took ns nanoseconds each. A time
// above the histogram's range is counted at its top and as over range; a
// negative one counts as 0. It does not allocate.
func (r *Recorder) Record(ns, n int64) {
	ns = max(ns, 0)
	r.minNs = min(r.minNs, ns)
	r.maxNs = max(r.maxNs, ns)
	high, low := bits.Mul64(uint64(ns), uint64(n))
	var carry uint64
	r.sumLo, carry = bits.Add64(r.sumLo, low, 0)
	r.sumHi += high + carry
	if ns > highestNs {
		r.overRange += n
		ns = highestNs
	}
	// Within the range there is no error.
	_ = r.histogram.RecordValues(ns, n)
}

// Fail counts one error reply, whose text stands without the leading "-" or
// "!", read at atNs on the caller's monotonic clock. Its code is its first word,
// empty if it has none. Both are copied. A known class does not allocate.
func (r *Recorder) Fail(code, text []byte, atNs int64) {
	r.failed++
	r.classes.add(code, text, atNs)
}

// Merge adds what o recorded. Whatever the order of several merges, the
// figures are the same. o is only read.
func (r *Recorder) Merge(o *Recorder) {
	r.Sent += o.Sent
	r.Empty += o.Empty
	r.Lost += o.Lost
	r.BytesOut += o.BytesOut
	r.BytesIn += o.BytesIn
	r.FirstSentNs = earliest(r.FirstSentNs, o.FirstSentNs)
	r.LastReplyNs = max(r.LastReplyNs, o.LastReplyNs)

	if o.Succeeded() > 0 {
		// Equal ranges: nothing can be dropped.
		r.histogram.Merge(o.histogram)
		r.minNs = min(r.minNs, o.minNs)
		r.maxNs = max(r.maxNs, o.maxNs)
		var carry uint64
		r.sumLo, carry = bits.Add64(r.sumLo, o.sumLo, 0)
		r.sumHi += o.sumHi + carry
		r.overRange += o.overRange
	}
	r.failed += o.failed
	r.classes.merge(&o.classes)
}

// earliest is the smaller of two times, of which 0 means none.
func earliest(a, b int64) int64 {
	if a == 0 || b == 0 {
		return a + b
	}
	return min(a, b)
}

// Reset empties the Recorder for reuse. It remembers which error classes it
// has met, so that the writer stays free of allocations and the number of
// classes stays bounded however often it is reset.
func (r *Recorder) Reset() {
	if r.Succeeded() > 0 {
		r.histogram.Reset()
	}
	r.Sent, r.Empty, r.Lost, r.BytesOut, r.BytesIn = 0, 0, 0, 0, 0
	r.FirstSentNs, r.LastReplyNs = 0, 0
	r.minNs, r.maxNs = math.MaxInt64, 0
	r.sumHi, r.sumLo = 0, 0
	r.overRange, r.failed = 0, 0
	r.classes.reset()
}

// Succeeded is the number of recorded successes.
func (r *Recorder) Succeeded() int64 { return r.histogram.TotalCount() }

// Failed is the number of error replies.
func (r *Recorder) Failed() int64 { return r.failed }

// Errors is the number of error replies with a code, unless that is one of so
// many that they were put together.
func (r *Recorder) Errors(code string) int64 {
	if class := r.classes.byCode[code]; class != nil {
		return class.count
	}
	return 0
}

// Percentile returns the latency in nanoseconds that at least p percent of
// the successes did not exceed: the nearest-rank percentile, accurate to
// three significant digits, within the exact minimum and maximum. It never
// decreases as p grows; p <= 0 gives the minimum, p >= 100 the maximum. It is
// 0 when nothing succeeded.
func (r *Recorder) Percentile(p float64) int64 {
	n := r.Succeeded()
	switch {
	case n == 0:
		return 0
	case !(p > 0): // also not a number
		return r.minNs
	case p >= 100:
		return r.maxNs
	}
	// The histogram rounds p·n/100 to the nearest rank; asking for the middle
	// of the rank wanted makes it the exact one.
	rank := nearestRank(p, n)
	ns := r.histogram.ValueAtPercentile(100 * float64(rank) / float64(n))
	return min(max(ns, r.minNs), r.maxNs)
}

// nearestRank is ceil(p/100·n) within 1..n. The product is taken a few units
// in the last place lower, since 99.9 % of 1000 must be 999, although 99.9
// has no exact binary form.
func nearestRank(p float64, n int64) int64 {
	const slack = 1 - 1.0/(1<<50)
	rank := math.Ceil(p / 100 * float64(n) * slack)
	if rank >= float64(n) {
		return n
	}
	return max(int64(rank), 1)
}

// AverageNs is the exact average latency of the successes, rounded to the
// nearest nanosecond; 0 when nothing succeeded.
func (r *Recorder) AverageNs() int64 {
	n := uint64(r.Succeeded())
	if n == 0 {
		return 0
	}
	// The sum is at most n times the largest int64, so the high word is
	// below n and the division cannot overflow.
	quotient, rest := bits.Div64(r.sumHi, r.sumLo, n)
	if rest >= n-n/2 {
		quotient++
	}
	return int64(quotient)
}

// Latency describes the successes, with the percentiles asked for, in the
// order given. It is nil when nothing succeeded.
func (r *Recorder) Latency(percentiles []float64) *Latency {
	if r.Succeeded() == 0 {
		return nil
	}
	l := &Latency{
		Count:       r.Succeeded(),
		AvgNs:       r.AverageNs(),
		MinNs:       r.minNs,
		MaxNs:       r.maxNs,
		Percentiles: make([]Percentile, 0, len(percentiles)),
		OverRange:   r.overRange,
	}
	for _, p := range percentiles {
		l.Percentiles = append(l.Percentiles, Percentile{Percent: p, Ns: r.Percentile(p)})
	}
	// Encoding goes to memory and has no error but for an unknown version.
	encoded, _ := r.histogram.Encode(hdrhistogram.V2CompressedEncodingCookieBase)
	l.Histogram = string(encoded)
	return l
}

// ErrorClasses lists the error replies by class, most frequent first, at most
// 64 and one "(other)"; never nil. Times are counted from windowStartNs, the
// start of the window on the clock given to Fail, and never negative.
func (r *Recorder) ErrorClasses(windowStartNs int64) []ErrorClass {
	return r.classes.list(windowStartNs)
}
