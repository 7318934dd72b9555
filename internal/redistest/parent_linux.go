package redistest

import (
	"os/exec"
	"syscall"
)

// dieWithParent lets no server outlive a test binary that crashes or is
// killed, whose cleanup never runs.
func dieWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
