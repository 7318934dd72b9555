package main

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/respbench/respbench/internal/redistest"
)

// terminal is a pseudo-terminal: what a user types into and reads from, and
// what a program has in its place.
func terminal(t *testing.T) (user, program *os.File) {
	t.Helper()
	user, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo-terminals here:", err)
	}
	t.Cleanup(func() { user.Close() })
	if err := unix.IoctlSetPointerInt(int(user.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(user.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	program, err = os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { program.Close() })
	return user, program
}

func echoes(t *testing.T, f *os.File) bool {
	t.Helper()
	state, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	return state.Lflag&unix.ECHO != 0
}

// A password that is typed is not shown.
func TestAskPassOnATerminal(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, "--requirepass", theSecret)
	user, program := terminal(t)
	cmd := respbench(t, "-p", strconv.Itoa(server.Port), "--askpass", "-n", "10", "PING")
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = program, &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool { return !echoes(t, program) })
	if _, err := user.WriteString(theSecret + "\n"); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v:\n%s", err, errs.Bytes())
	}
	if !bytes.Contains(errs.Bytes(), []byte("Password: \n")) || shows(out.Bytes()) || shows(errs.Bytes()) {
		t.Errorf("%s\n%s", out.Bytes(), errs.Bytes())
	}
	// What the terminal shows, up to a mark of ours.
	program.WriteString("mark")
	shown := make([]byte, 1<<10)
	for n := 0; !bytes.Contains(shown[:n], []byte("mark")); {
		k, err := user.Read(shown[n:])
		if err != nil {
			t.Fatal(err)
		}
		if n += k; shows(shown[:n]) {
			t.Errorf("the terminal shows %q", shown[:n])
		}
	}
	if !echoes(t, program) {
		t.Error("the terminal does not show what is typed any more")
	}
}

// Ctrl-C instead of a password leaves the terminal as it was.
func TestAskPassInterrupted(t *testing.T) {
	t.Parallel()
	_, program := terminal(t)
	cmd := respbench(t, "-p", "1", "--askpass", "PING")
	var errs bytes.Buffer
	cmd.Stdin, cmd.Stderr = program, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool { return !echoes(t, program) })
	cmd.Process.Signal(os.Interrupt)
	cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); got != 130 || !echoes(t, program) {
		t.Errorf("status %d, echo %v:\n%s", got, echoes(t, program), errs.Bytes())
	}
}
