//go:build unix

package main

import "unsafe"

// overwrite writes x over the memory of s, which must be memory that may be
// written to, as the arguments of a process are.
func overwrite(s string) {
	b := unsafe.Slice(unsafe.StringData(s), len(s))
	for i := range b {
		b[i] = 'x'
	}
}
