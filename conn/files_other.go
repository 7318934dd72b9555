//go:build !unix

package conn

// NeedFiles makes sure that n connections can be open at once; this system
// has no such limit to check.
func NeedFiles(int) error { return nil }
