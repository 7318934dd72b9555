package redistest

import (
	"bufio"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/respbench/respbench/internal/resp"
)

// process is the operating system's side of a Server: a command line and the
// process that runs it, if one does.
type process struct {
	path   string
	args   []string
	dir    string
	socket string

	cmd  *exec.Cmd
	gone chan struct{} // closed when the process has ended
}

// Pid returns the id of the process that Start or Restart started last.
func (p *process) Pid() int { return p.cmd.Process.Pid }

// start runs the command line and waits until the server answers. If it does
// not by the deadline, or ends before, start returns why.
func (p *process) start(deadline time.Time) error {
	logFile, err := os.Create(p.logPath())
	if err != nil {
		return err
	}
	defer logFile.Close()
	p.cmd = exec.Command(p.path, p.args...)
	p.cmd.Dir = p.dir
	p.cmd.Stdout, p.cmd.Stderr = logFile, logFile
	p.gone = make(chan struct{})
	if err := run(p.cmd, p.gone); err != nil {
		return err
	}
	for !p.answers(deadline) {
		select {
		case <-p.gone:
			return errors.New("ended instead of answering")
		case <-time.After(startBackoff):
		}
		if time.Now().After(deadline) {
			p.kill()
			return errors.New("does not answer")
		}
	}
	return nil
}

// run starts cmd and closes gone when it has ended.
func run(cmd *exec.Cmd, gone chan<- struct{}) error {
	dieWithParent(cmd)
	started := make(chan error)
	go func() {
		// On Linux the process is to die with the thread that started it, so
		// that thread has to live as long.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer close(gone)
		err := cmd.Start()
		started <- err
		if err == nil {
			cmd.Wait() // how it ended is told by its log
		}
	}()
	return <-started
}

// answers reports whether the server answers a PING. It asks through the unix
// socket: nobody else can listen there, as somebody might on the port, and the
// server opens it after its ports.
func (p *process) answers(deadline time.Time) bool {
	c, err := net.Dial("unix", p.socket)
	if err != nil {
		return false
	}
	defer c.Close()
	c.SetDeadline(deadline)
	if _, err := c.Write(resp.AppendCommand(nil, "PING")); err != nil {
		return false
	}
	v, err := resp.ReadValue(bufio.NewReader(c))
	// NOAUTH is an answer; LOADING asks to wait.
	return err == nil && !strings.HasPrefix(v.Str, "LOADING")
}

// kill ends the process, if there is one, and waits for its end.
func (p *process) kill() {
	if p.cmd == nil || p.cmd.Process == nil {
		return
	}
	p.cmd.Process.Kill() // fails only if it has ended already
	<-p.gone
}

func (p *process) logPath() string { return filepath.Join(p.dir, "redis.log") }

// log returns what the server has printed since it was started.
func (p *process) log() string {
	text, err := os.ReadFile(p.logPath())
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// addressInUse reports whether the server ended because a port was taken.
func (p *process) addressInUse() bool {
	return strings.Contains(p.log(), "Address already in use")
}
