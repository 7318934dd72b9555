package generator

import (
	"fmt"
	"strconv"

	"github.com/respbench/respbench/template"
)

// ParseRate reads a number of requests a second, above 0 and up to 1e9, as people
// write it: 7, 0.5, 1e6, 50k.
func ParseRate(text string) (float64, error) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		var n uint64
		n, err = template.ParseNumber(text)
		f = float64(n)
	}
	if err != nil || !(f > 0 && f <= maxRate) {
		return 0, fmt.Errorf("%q is not a rate above 0, up to 1e9 a second; write as 1000, 50k", text)
	}
	return f, nil
}
