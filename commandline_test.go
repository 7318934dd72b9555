package main

import (
	"strings"
	"testing"
)

// TestWeights: a number with an x before a template is its weight, and what is
// no weight is refused, not sent.
func TestWeights(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		line   string
		weight int // 0 is that it is refused
		column int // from 0
		want   string
	}{
		{"GET k", 1, 0, "GET k"},
		{"3x GET k", 3, 3, "GET k"},
		{" \t3x\t GET k", 3, 6, "GET k"},
		{"1_0x GET k", 10, 5, "GET k"},
		{"1kx GET k", 1000, 4, "GET k"},
		{"1e3x GET k", 1000, 5, "GET k"},
		{"1048576x GET k", 1 << 20, 9, "GET k"},
		{`"3x" GET k`, 1, 0, `"3x" GET k`},
		{"'-1x' GET k", 1, 0, "'-1x' GET k"},
		{"x GET k", 1, 0, "x GET k"},
		{"-x GET k", 1, 0, "-x GET k"},
		{"max GET k", 1, 0, "max GET k"},
		{"3xx GET k", 1, 0, "3xx GET k"},
		{"GET 3x", 1, 0, "GET 3x"},
		{"3 GET x", 1, 0, "3 GET x"},
		{"<rand 3>x GET k", 1, 0, "<rand 3>x GET k"},

		{"0x a", 0, 0, "the weight 0x is not a whole number in 1..1048576"},
		{"00x a", 0, 0, "the weight 00x is not a whole number"},
		{"  -1x GET k", 0, 2, "the weight -1x is not a whole number"},
		{"+1x GET k", 0, 0, "the weight +1x is not"},
		{"1.5x GET k", 0, 0, "the weight 1.5x is not"},
		{".5x GET k", 0, 0, "the weight .5x is not"},
		{"1,000x GET k", 0, 0, "the weight 1,000x is not"},
		{"1048577x GET k", 0, 0, "the weight 1048577x is not"},
		{"99999999999999999999x GET k", 0, 0, "the weight 99999999999999999999x is not"},
		{"1e-3x GET k", 0, 0, "the weight 1e-3x is not"},
		{"3X GET k", 0, 0, "the weight 3X is written as 3x"},
		{"3× GET k", 0, 0, "the weight 3× is written as 3x"},
		{" 3 x GET k", 0, 1, "the weight 3 x has blanks in it"},
		{"-1\t x", 0, 0, "the weight -1\t x has blanks in it"},
		{"3x", 0, 0, "the weight 3x has no template behind it"},
		{"3x \t", 0, 0, "the weight 3x has no template behind it"},
		{"3x # three", 0, 0, "the weight 3x has no template behind it"},
		{"3x 2x GET k", 0, 0, "two weights, 3x and 2x, before one template"},
	} {
		l, ok, err := readCommandLine(7, []byte(tt.line))
		if tt.weight > 0 {
			if err != nil || !ok || l != (commandLine{7, tt.column, tt.weight, tt.want}) {
				t.Errorf("%q: %+v, %v, %v", tt.line, l, ok, err)
			}
			continue
		}
		if err == nil || ok || l.column != tt.column || !strings.HasPrefix(err.Error(), tt.want) || usageHint(err) == "" {
			t.Errorf("%q: %+v, %v, %v; want %q", tt.line, l, ok, err, tt.want)
		}
	}
	for _, line := range []string{"", " \t", "# 3x", " #"} {
		if _, ok, err := readCommandLine(1, []byte(line)); ok || err != nil {
			t.Errorf("%q is not left out: %v", line, err)
		}
	}
}
