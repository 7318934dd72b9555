package report

import (
	"math"
	"testing"
)

func TestUnits(t *testing.T) {
	t.Parallel()
	nan, inf := math.NaN(), math.Inf(1)
	for _, test := range []struct{ got, want string }{
		{Thousands(0), "0"}, {Thousands(999), "999"}, {Thousands(1000), "1,000"}, {Thousands(2_847_520), "2,847,520"}, {Thousands(-1234567), "-1,234,567"},
		{Thousands(math.MinInt64), "-9,223,372,036,854,775,808"},
		{counted(1, "error"), "1 error"}, {counted(0, "error"), "0 errors"}, {countedAs(2, "reply", "replies"), "2 replies"},

		{rate(0), "0"}, {rate(0.0215), "0.021"}, {rate(0.001), "0.001"}, {rate(0.00048), "0.00048"}, {rate(1e-6), "0.0000010"}, {rate(0.5), "0.50"}, {rate(7.023), "7.02"}, {rate(12.34), "12.3"},
		{rate(99.96), "100"}, {rate(142_376.3), "142,376"}, {rate(nan), "0"}, {rate(inf), "0"},

		{shortRate(0), "0"}, {shortRate(950), "950"}, {shortRate(1_234), "1.2k"}, {shortRate(9_949), "9.9k"}, {shortRate(9_960), "10k"},
		{shortRate(142_400), "142k"}, {shortRate(999_499), "999k"}, {shortRate(999_500), "1.0M"}, {shortRate(inf), "0"},

		{bytesText(0), "0 B"}, {bytesText(999), "999 B"}, {bytesText(1000), "1.00 kB"}, {bytesText(999_499), "999 kB"},
		{bytesText(999_500), "1.00 MB"}, {bytesText(1_210_000_000), "1.21 GB"}, {bytesText(15_200_000_000), "15.2 GB"},
		{bytesText(3e15), "3,000 TB"}, {bytesText(-2500), "-2.50 kB"},

		{about(999_999), "999,999"}, {about(8_102_331), "8.1 M"}, {about(999_949_999), "999.9 M"}, {about(1_234_000_000), "1.2 G"},

		{percent(0, 10), "0 %"}, {percent(10, 10), "100 %"}, {percent(1204, 301_000), "0.4 %"}, {percent(1204, 2_848_873), "0.04 %"},
		{percent(1, 1_000_000), "< 0.01 %"}, {percent(999_999, 1_000_000), "> 99.99 %"}, {percent(9_995, 10_000), "99.95 %"},
		{percent(1, 0), "0 %"}, {percent(2, 3), "66.7 %"}, {percent(-1, 3), "0 %"},

		{duration(0), "0 s"}, {duration(-1), "0 s"}, {duration(93_000), "0.093 ms"}, {duration(412_000_000), "412 ms"},
		{duration(999_499_999), "999 ms"}, {duration(999_500_000), "1.0 s"}, {duration(20_000_104_512), "20.0 s"},
		{duration(119_900_000_000), "119.9 s"}, {duration(723_000_000_000), "12 min 3 s"}, {duration(11_520_000_000_000), "3 h 12 min"},

		{millis(300), "<0.001 ms"}, {millis(61_000), "0.061 ms"}, {millis(410_000), "0.41 ms"}, {millis(3_140_000), "3.1 ms"}, {millis(412_400_000), "412 ms"},
		{seconds(3_140_000_000), "3.1"},
	} {
		if test.got != test.want {
			t.Errorf("got %q, want %q", test.got, test.want)
		}
	}
}

func TestScaleFor(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		of   []int64
		ns   int64
		want string
	}{
		{[]int64{41_300, 2_000_000_000}, 2_000_000_000, "2,000.000"},
		{[]int64{41_300}, 41_300, "0.041"},
		{[]int64{410_000, 8_120_000}, 410_000, "0.41"},
		{[]int64{8_120_000, 93_000_000}, 93_000_000, "93.00"},
		{[]int64{17_791_000}, 17_791_000, "17.8"},
		{[]int64{2_000_123_000}, 2_000_123_000, "2,000"},
		{[]int64{0, 410_000}, 0, "0.00"}, // 0 has no say
		{[]int64{300}, 300, "<0.001"},
		{[]int64{501}, 501, "0.001"},
		{nil, 1_000_000, "1.00"},
	} {
		if got := scaleFor(test.of...).text(test.ns); got != test.want {
			t.Errorf("%d among %v: %q, want %q", test.ns, test.of, got, test.want)
		}
	}
}

func TestByteRates(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b         float64
		wantA, wantB string
	}{
		{18_200_000, 712_000, "18.2", "0.71 MB/s"},
		{712_000, 18_200_000, "0.71", "18.2 MB/s"},
		{18_200_000, 30, "18.2 MB/s", "30 B/s"},
		{0, 0, "0.00", "0.00 B/s"},
		{2_000_000_000, 0, "2.00", "0.00 GB/s"},
		{math.NaN(), math.Inf(1), "0.00", "0.00 B/s"},
	} {
		if a, b := byteRates(test.a, test.b); a != test.wantA || b != test.wantB {
			t.Errorf("%v, %v: %q, %q; want %q, %q", test.a, test.b, a, b, test.wantA, test.wantB)
		}
	}
}
