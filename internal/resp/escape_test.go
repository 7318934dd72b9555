package resp

import "testing"

func TestUnescape(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text string
		c    byte
		size int
	}{
		{"nx", '\n', 1}, {"r", '\r', 1}, {"t", '\t', 1}, {"a", '\a', 1}, {"b", '\b', 1},
		{`\\`, '\\', 1}, {`"`, '"', 1}, {"x00", 0, 3}, {"xfF9", 0xff, 3},
		{"", 0, 0}, {"x", 0, 0}, {"x1", 0, 0}, {"x1g", 0, 0}, {"q", 0, 0}, {"'", 0, 0},
	} {
		c, size := Unescape(test.text)
		if bytes, n := Unescape([]byte(test.text)); c != test.c || size != test.size || bytes != c || n != size {
			t.Errorf("%q: %q of %d bytes, want %q of %d", test.text, c, size, test.c, test.size)
		}
	}
}
