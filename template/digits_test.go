package template

import (
	"fmt"
	"math"
	"strconv"
	"testing"
)

// numbers returns all powers of two and ten and their neighbours.
func numbers() []uint64 {
	list := []uint64{0, math.MaxUint64}
	for bit := range 64 {
		list = append(list, 1<<bit-1, 1<<bit, 1<<bit+1)
	}
	for n := range 20 {
		list = append(list, powerOfTen(n)-1, powerOfTen(n), powerOfTen(n)+1)
	}
	return list
}

func TestDecimalLen(t *testing.T) {
	t.Parallel()
	for _, v := range numbers() {
		if got, want := decimalLen(v), len(strconv.FormatUint(v, 10)); got != want {
			t.Errorf("decimalLen(%d) = %d, want %d", v, got, want)
		}
	}
}

func TestPadDigits(t *testing.T) {
	t.Parallel()
	for _, v := range numbers() {
		for width := decimalLen(v); width <= 24; width++ {
			b := make([]byte, width)
			padDigits(b, v)
			if want := fmt.Sprintf("%0*d", width, v); string(b) != want {
				t.Errorf("padDigits(%d bytes, %d) = %s, want %s", width, v, b, want)
			}
		}
	}
}
