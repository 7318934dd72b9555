package conn

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/respbench/respbench/internal/redistest"
)

func TestKeySlot(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		key  string
		want int
	}{
		{"123456789", 0x31C3}, // the specification's check value
		{"", 0},
		{"foo", 12182},
		{"{foo}", 12182},
		{"bar{foo}baz", 12182},
		{"{foo}{bar}", 12182},
		{"a}b{foo}", 12182},
		{"foo{}{bar}", 8363},    // an empty tag: the whole key
		{"foo{{bar}}zap", 4015}, // tag "{bar"
		{"foo{bar}{zap}", 5061}, // tag "bar"
		{"bar", 5061},
		{"{user1000}.following", 3443},
		{"{user1000}.followers", 3443},
	} {
		if got := KeySlot([]byte(tt.key)); got != tt.want {
			t.Errorf("slot of %q: %d, want %d", tt.key, got, tt.want)
		}
	}
}

// TestKeySlotAsTheServer asks a real server, about keys of every length up to
// 40 and with braces in every place.
func TestKeySlotAsTheServer(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t, "--cluster-enabled", "yes")
	d := &Dialer{Address: s.Addr}
	c, err := d.Client(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	rnd := rand.New(rand.NewPCG(1, 5))
	for i := range 3000 {
		key := make([]byte, i%41)
		for j := range key {
			key[j] = byte(rnd.Uint32())
			if r := rnd.IntN(12); r < 4 {
				key[j] = "{}{}"[r]
			}
		}
		v, err := c.Do(t.Context(), "CLUSTER", "KEYSLOT", string(key))
		if err != nil {
			t.Fatal(err)
		}
		if got := KeySlot(key); got != int(v.Int) {
			t.Fatalf("slot of %q: %d, the server says %d", key, got, v.Int)
		}
	}
}

func TestKeySlotAllocs(t *testing.T) {
	key := []byte("some:{tag}:key")
	if n := testing.AllocsPerRun(100, func() { KeySlot(key) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkKeySlot(b *testing.B) {
	for _, bb := range []struct {
		name string
		key  []byte
	}{
		{"16", []byte("key:000000001234")},
		{"tag", []byte("{user1000}.following")},
		{"256", bytes.Repeat([]byte("x"), 256)},
	} {
		b.Run(bb.name, func(b *testing.B) {
			sum := 0
			for b.Loop() {
				sum += KeySlot(bb.key)
			}
			if sum < 0 {
				b.Fatal(sum)
			}
		})
	}
}
