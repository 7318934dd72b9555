package template

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

func TestParseNumber(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text string
		want uint64
	}{
		{"0", 0}, {"7", 7}, {"007", 7}, {"10000000", 1e7}, {"10_000_000", 1e7}, {"1_0", 10},
		{"1k", 1e3}, {"10m", 1e7}, {"10M", 1e7}, {"2g", 2e9}, {"3t", 3e12}, {"0k", 0}, {"1_000k", 1e6},
		{"64ki", 64 << 10}, {"64Ki", 64 << 10}, {"64KI", 64 << 10}, {"4mi", 4 << 20}, {"1gi", 1 << 30}, {"1ti", 1 << 40},
		{"1e6", 1e6}, {"1E6", 1e6}, {"1e+6", 1e6}, {"1e0", 1}, {"12e-0", 12}, {"1000e-3", 1}, {"0e400", 0},
		{"1.5m", 1.5e6}, {"1.5e6", 1.5e6}, {"1.50e1", 15}, {"0.5ki", 512}, {"1.0k", 1000}, {"1.0e0", 1}, {"0.000001m", 1},
		{"9223372036854775807", math.MaxInt64}, {"9_223_372_036_854_775_807", math.MaxInt64}, {"9.223372036854775807e18", math.MaxInt64},
		{"9007199254740993", 1<<53 + 1}, {strings.Repeat("0", 300) + "1", 1},
	} {
		got, err := ParseNumber(test.text)
		if err != nil || got != test.want {
			t.Errorf("ParseNumber(%q) = %d, %v, want %d", test.text, got, err, test.want)
		}
	}
}

func TestParseNumberMistakes(t *testing.T) {
	t.Parallel()
	const notWhole, below, larger = "is not a whole number", "is below 0", "is larger than 9223372036854775807 (2^63-1)"
	for _, test := range []struct{ text, want string }{
		{"", notWhole}, {" ", notWhole}, {" 1", notWhole}, {"1 ", notWhole}, {"+1", notWhole}, {"ten", notWhole}, {"0x10", notWhole},
		{"1.0", notWhole}, {"1.5", notWhole}, {"1.", notWhole}, {"1.k", notWhole}, {".5m", notWhole}, {"1.5e0", notWhole}, {"1.2345k", notWhole},
		{"1e-1", notWhole}, {"1.1.1k", notWhole}, {"_1", notWhole}, {"1_", notWhole}, {"1__0", notWhole}, {"1_k", notWhole}, {"1e1_0", notWhole},
		{"k", notWhole}, {"ki", notWhole}, {"i", notWhole}, {"10i", notWhole}, {"10kb", notWhole}, {"10kk", notWhole}, {"1e6k", notWhole}, {"1e", notWhole}, {"e6", notWhole},
		{"1e99999999999999999999", notWhole}, {"1e-401", notWhole}, {"١", notWhole}, {"nan", notWhole}, {"inf", notWhole}, {"1\n", notWhole},
		{"-1", below}, {"-1k", below}, {"-0", notWhole}, {"--1", notWhole}, {"-x", notWhole},
		{"9223372036854775808", larger}, {"18446744073709551615", larger}, {"18446744073709551616", larger}, {"18446744073709551617", larger},
		{"1e19", larger}, {"1e400", larger}, {"9223372036854775807k", larger}, {strings.Repeat("9", 300), larger}, {strings.Repeat("9", 1e6), notWhole},
	} {
		got, err := ParseNumber(test.text)
		if err == nil {
			t.Errorf("ParseNumber(%.60q) = %d, want an error", test.text, got)
			continue
		}
		if !strings.HasSuffix(err.Error(), test.want) || len(err.Error()) > 120 || strings.Contains(err.Error(), "\n") {
			t.Errorf("ParseNumber(%.60q): %v, want one line that ends in %q", test.text, err, test.want)
		}
	}
}

func TestParseReal(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text string
		want float64
	}{
		{"1.03", 1.03}, {"1.0", 1}, {"1", 1}, {"2.5e-3", 2.5e-3}, {"-4.5", -4.5}, {"5m", 5e6}, {"64ki", 65536}, {"1e300", 1e300},
	} {
		if got, ok := parseReal(test.text); !ok || got != test.want {
			t.Errorf("parseReal(%q) = %v, %v, want %v", test.text, got, ok, test.want)
		}
	}
	for _, text := range []string{"", "nan", "NaN", "inf", "-Inf", "infinity", "1e999", "0x1p3", "1.5.5", "1-", "e", "1_0.5"} {
		if got, ok := parseReal(text); ok {
			t.Errorf("parseReal(%q) = %v, want none", text, got)
		}
	}
}

func FuzzParseNumber(f *testing.F) {
	for _, seed := range []string{"10000000", "10_000_000", "10m", "64ki", "1.5e6", "-1", "1e400", "9223372036854775808"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := ParseNumber(text)
		if err == nil && got > maxNumber {
			t.Errorf("ParseNumber(%q) = %d, above 2^63-1", text, got)
		}
		plain, plainErr := strconv.ParseUint(text, 10, 63)
		if plainErr == nil && (err != nil || got != plain) {
			t.Errorf("ParseNumber(%q) = %d, %v; strconv says %d", text, got, err, plain)
		}
		real, realErr := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
		if err == nil && realErr == nil && math.Abs(real-float64(got)) > 1e-9*real {
			t.Errorf("ParseNumber(%q) = %d; strconv says %v", text, got, real)
		}
	})
}
