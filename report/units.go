package report

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Everything inside is in base units (ns, bytes, counts); this file turns
// them into words for people: commas between thousands, decimal points, SI
// prefixes, whatever the locale.

// finite replaces what has no place in a report by 0.
func finite(f float64) float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0
	}
	return f
}

// Thousands writes n with commas: 2,847,520.
func Thousands(n int64) string { return commas(strconv.FormatInt(n, 10)) }

// counted writes n and the noun it counts: "1 error", "1,204 errors".
func counted(n int64, noun string) string { return countedAs(n, noun, noun+"s") }

// countedAs is counted for a noun whose plural is not regular.
func countedAs(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Thousands(n) + " " + many
}

// commas puts a comma between the thousands of a decimal number.
func commas(number string) string {
	whole, fraction, found := strings.Cut(number, ".")
	digits := strings.TrimPrefix(whole, "-")
	var b strings.Builder
	b.WriteString(whole[:len(whole)-len(digits)])
	for i, digit := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(digit)
	}
	if found {
		b.WriteString("." + fraction)
	}
	return b.String()
}

// fixed writes f with a fixed number of decimals.
func fixed(f float64, decimals int) string {
	return commas(strconv.FormatFloat(finite(f), 'f', decimals, 64))
}

// threeDigits writes f with the decimals that make about three digits.
func threeDigits(f float64) string { return fixed(f, decimalsOf(f)) }

func decimalsOf(f float64) int {
	switch f = math.Abs(f); {
	case f >= 99.95:
		return 0
	case f >= 9.995:
		return 1
	default:
		return 2
	}
}

// rate writes a number per second: 142,376 or, when it is small, 7.02.
func rate(perSecond float64) string {
	switch f := finite(perSecond); {
	case f == 0:
		return "0"
	case f < 0.001: // two digits, wherever they stand
		return fixed(f, min(int(math.Ceil(-math.Log10(f)))+1, 15))
	case f < 0.0995:
		return fixed(f, 3)
	default:
		return threeDigits(f)
	}
}

// prefix is a thousandfold step of a unit.
type prefix struct {
	size float64
	name string
}

// scaled writes n in the largest of the prefixes that keeps it at 1 or more.
// Prefixes stand from large to small, the last with size 1.
func scaled(n float64, prefixes []prefix) (string, string) {
	n = finite(n)
	for _, p := range prefixes[:len(prefixes)-1] {
		// What would be rounded up to 1,000 belongs to the larger prefix.
		if math.Abs(n) >= p.size*0.9995 {
			return threeDigits(n / p.size), p.name
		}
	}
	return fixed(n, 0), prefixes[len(prefixes)-1].name
}

func bytePrefixes() []prefix {
	return []prefix{{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "B"}}
}

// bytesText writes a number of bytes: "64 B", "1.21 GB".
func bytesText(n int64) string {
	number, unit := scaled(float64(n), bytePrefixes())
	return number + " " + unit
}

// byteRates writes two rates in bytes per second: with one unit, so that they
// compare at a glance, unless the smaller would vanish in it.
func byteRates(a, b float64) (string, string) {
	a, b = finite(a), finite(b)
	_, unit := scaled(max(a, b), bytePrefixes())
	for _, p := range bytePrefixes() {
		if small := min(a, b) / p.size; p.name == unit && (small == 0 || small >= 0.1) {
			return threeDigits(a / p.size), threeDigits(b/p.size) + " " + unit + "/s"
		}
	}
	return bytesText(int64(a)) + "/s", bytesText(int64(b)) + "/s"
}

// about writes a count in a few characters: 999,999 as it is, then "8.1 M".
func about(n int64) string {
	switch {
	case n >= 999_950_000:
		return fixed(float64(n)/1e9, 1) + " G"
	case n >= 1_000_000:
		return fixed(float64(n)/1e6, 1) + " M"
	}
	return Thousands(n)
}

// aboutCounted is about with the noun it counts.
func aboutCounted(n int64, noun string) string {
	if n == 1 {
		return counted(n, noun)
	}
	return about(n) + " " + noun + "s"
}

// shortRate writes a rate in five characters or so: "950", "21k", "1.2M".
func shortRate(perSecond float64) string {
	switch f := finite(perSecond); {
	case f >= 999_500:
		return fixed(f/1e6, 1) + "M"
	case f >= 9_950:
		return fixed(f/1e3, 0) + "k"
	case f >= 1_000:
		return fixed(f/1e3, 1) + "k"
	default:
		return rate(f)
	}
}

// percent writes part of whole in percent, with one decimal and, close to the
// ends, two. Only what is whole is "100 %", and only nothing is "0 %".
func percent(part, whole int64) string {
	switch share := 100 * float64(part) / float64(whole); {
	case whole <= 0 || part <= 0:
		return "0 %"
	case part >= whole:
		return "100 %"
	case share < 0.005:
		return "< 0.01 %"
	case share >= 99.995:
		return "> 99.99 %"
	case share < 0.095 || share > 99.9:
		return fixed(share, 2) + " %"
	default:
		return fixed(share, 1) + " %"
	}
}

// duration writes a length of time with the accuracy that a reader needs.
func duration(ns int64) string {
	const minute = int64(time.Minute)
	const hour = int64(time.Hour)
	switch seconds := float64(ns) / 1e9; {
	case ns <= 0:
		return "0 s"
	case ns < 999_500_000:
		return millis(ns)
	case ns < 2*minute:
		return fixed(seconds, 1) + " s"
	case ns < 2*hour:
		return Thousands(ns/minute) + " min " + Thousands(ns%minute/int64(time.Second)) + " s"
	default:
		return Thousands(ns/hour) + " h " + Thousands(ns%hour/minute) + " min"
	}
}

// millis writes one time in milliseconds with its unit, in two digits or
// three.
func millis(ns int64) string {
	scale := msScale{0}
	switch {
	case ns < 100_000:
		scale.decimals = 3
	case ns < 1_000_000:
		scale.decimals = 2
	case ns < 100_000_000:
		scale.decimals = 1
	}
	return scale.text(ns) + " ms"
}

// seconds writes a place in the window.
func seconds(ns int64) string { return fixed(float64(ns)/1e9, 1) }

// msScale writes times in milliseconds, all with the same decimals.
type msScale struct{ decimals int }

// scaleFor chooses the decimals, at most three, by which the smallest of the
// times shows two digits or more. Times of 0 have no say.
func scaleFor(ns ...int64) msScale {
	smallest := int64(math.MaxInt64)
	for _, v := range ns {
		if v > 0 {
			smallest = min(smallest, v)
		}
	}
	switch {
	case smallest < 100_000:
		return msScale{3}
	case smallest < 10_000_000:
		return msScale{2}
	case smallest < 1_000_000_000:
		return msScale{1}
	case smallest < math.MaxInt64:
		return msScale{0}
	default:
		return msScale{2}
	}
}

// text writes a time in milliseconds without the unit. What is not nothing
// is never shown as 0.
func (s msScale) text(ns int64) string {
	if s.decimals == 3 && ns > 0 && ns < 500 {
		return "<0.001"
	}
	return fixed(float64(ns)/1e6, s.decimals)
}
