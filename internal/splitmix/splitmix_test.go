package splitmix

import "testing"

// TestMix: a counter from 1234567 on makes the words that other implementations
// of SplitMix64 make.
func TestMix(t *testing.T) {
	t.Parallel()
	for i, want := range []uint64{
		6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821,
	} {
		if got := Mix(1234567 + uint64(i+1)*Gamma); got != want {
			t.Errorf("word %d is %d, want %d", i, got, want)
		}
	}
}
