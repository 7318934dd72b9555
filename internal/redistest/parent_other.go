//go:build !linux

package redistest

import "os/exec"

// dieWithParent does nothing where the system has no such signal.
func dieWithParent(*exec.Cmd) {}
