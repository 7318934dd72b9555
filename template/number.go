package template

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// maxNumber is the largest number a template or a count may hold, 2^63-1.
const maxNumber = math.MaxInt64

// numberHint shows the ways to write a number.
const numberHint = "numbers look like 1000, 10_000_000, 10m, 64ki or 1e6, up to 2^63-1"

// ParseNumber reads a whole number in 0..2^63-1, never wrapped: digits that
// single underscores may group (10_000_000), then at most one of an exponent
// of ten (1e6, 1.5e6) or a suffix in either case: k m g t are powers of 1000,
// ki mi gi ti powers of 1024 (10m, 1.5m, 64ki). A decimal point needs an
// exponent or a suffix. The error is one line that quotes s.
func ParseNumber(s string) (uint64, error) {
	n, err := exact(s)
	if err != nil {
		return 0, err
	}
	if !n.IsInt64() {
		return 0, fmt.Errorf("%s is larger than %d (2^63-1)", quoted(s), int64(maxNumber))
	}
	return n.Uint64(), nil
}

// maxNumberText bounds the text of a number, in bytes, and maxTenPower its
// exponent, so that no text costs more than microseconds.
const (
	maxNumberText = 400
	maxTenPower   = 400
)

// exact evaluates s without rounding.
func exact(s string) (*big.Int, error) {
	notWhole := func() (*big.Int, error) { return nil, fmt.Errorf("%s is not a whole number", quoted(s)) }
	if len(s) > maxNumberText {
		return notWhole()
	}
	if rest, minus := strings.CutPrefix(s, "-"); minus {
		if n, err := exact(rest); err == nil && n.Sign() > 0 {
			return nil, fmt.Errorf("%s is below 0", quoted(s))
		}
		return notWhole()
	}
	mantissa, unit, power, ok := cutScale(strings.ToLower(s))
	if !ok {
		return notWhole()
	}
	whole, fraction, point := strings.Cut(mantissa, ".")
	digits, ok := ungroup(whole)
	if point {
		more, okMore := ungroup(fraction)
		digits, ok = digits+more, ok && okMore && len(mantissa) < len(s)
		power -= len(more)
	}
	if !ok {
		return notWhole()
	}
	n, _ := new(big.Int).SetString(digits, 10)
	n.Mul(n, unit)
	ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(power, -power))), nil)
	if power >= 0 {
		return n.Mul(n, ten), nil
	}
	n, remainder := n.QuoRem(n, ten, new(big.Int))
	if remainder.Sign() != 0 {
		return notWhole()
	}
	return n, nil
}

// cutScale splits a lower-case number into its mantissa and the factor
// unit * 10^power that its exponent or suffix stands for.
func cutScale(s string) (mantissa string, unit *big.Int, power int, ok bool) {
	unit = big.NewInt(1)
	if mantissa, exponent, found := strings.Cut(s, "e"); found {
		power, err := strconv.Atoi(exponent)
		return mantissa, unit, power, err == nil && max(power, -power) <= maxTenPower
	}
	base := int64(1000)
	s, binary := strings.CutSuffix(s, "i")
	if binary {
		base = 1024
	}
	if s == "" {
		return "", unit, 0, false
	}
	step := strings.IndexByte("kmgt", s[len(s)-1]) + 1
	if step == 0 {
		return s, unit, 0, !binary
	}
	unit.Exp(big.NewInt(base), big.NewInt(int64(step)), nil)
	return s[:len(s)-1], unit, 0, true
}

// ungroup drops single underscores between digits; ok is false when s is
// anything but digits and such underscores.
func ungroup(s string) (digits string, ok bool) {
	for part := range strings.SplitSeq(s, "_") {
		if part == "" || strings.Trim(part, "0123456789") != "" {
			return "", false
		}
	}
	return strings.ReplaceAll(s, "_", ""), true
}

// parseReal reads a finite real number: a whole number in any form that
// ParseNumber reads, or a plain decimal such as 1.03 or 2.5e-3.
func parseReal(s string) (float64, bool) {
	if n, err := ParseNumber(s); err == nil {
		return float64(n), true
	}
	if strings.Trim(s, "0123456789.eE+-") != "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil
}
