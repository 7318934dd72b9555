package generator

import (
	"strings"
	"testing"
)

// TestParseRate: rates are read as people write them.
func TestParseRate(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]float64{"7": 7, "0.5": 0.5, "1e6": 1e6, "50k": 50_000, "2ki": 2048, "1e9": 1e9} {
		if got, err := ParseRate(text); err != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "0", "-1", "nan", "inf", "2e9", "1e999", "2g", "fast"} {
		_, err := ParseRate(text)
		if err == nil || !strings.Contains(err.Error(), "write as 1000, 50k") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
