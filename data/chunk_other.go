//go:build !linux

package data

// newChunk returns an empty chunk that can hold n bytes.
func newChunk(n int) []byte { return make([]byte, 0, n) }
