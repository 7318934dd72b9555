package main

import (
	"testing"

	"github.com/respbench/respbench/internal/resp"
)

// Wherever the stream is cut, the same commands are counted.
func TestCounterAtEverySplit(t *testing.T) {
	t.Parallel()
	var stream []byte
	for _, args := range [][]string{{"PING"}, {"SET", "key", "*3\r\n$1\r\n"}, {"SET", "k", ""}, {"MGET", "a", "b", "c"}} {
		stream = resp.AppendCommand(stream, args...)
	}
	for i := range stream {
		for j := i; j <= len(stream); j++ {
			var c counter
			got := c.count(stream[:i]) + c.count(stream[i:j]) + c.count(stream[j:])
			if got != 4 {
				t.Fatalf("cut at %d and %d: %d commands, want 4", i, j, got)
			}
		}
	}
}
