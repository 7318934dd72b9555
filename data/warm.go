//go:build amd64 || arm64

package data

// warm asks the processor to have memory in its caches, so many lines of 64
// bytes from the first byte on, and does not wait for it. Go has no other way
// to say so: a load that nobody needs still holds up what comes after it.
//
//go:noescape
func warm(first *byte, lines int)
