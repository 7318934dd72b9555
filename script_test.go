package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/respbench/respbench/internal/redistest"
	"github.com/respbench/respbench/internal/resp"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"respbench": main, "respbench-measured": measured})
}

// TestScript runs the scripts of testdata/script: the command line as a user
// meets it, against real servers. $SCRIPTS is the folder of shell scripts.
// Beside testscript's own commands they have
//
//	redis ARG…            start a server; sets PORT and SOCKET
//	tls ARG…              start one that speaks TLS and wants a client certificate
//	                      unless told otherwise; also sets CA, CERT, KEY and OTHERCA
//	cluster P R ARG…      start a cluster of P primaries with R replicas each; sets
//	                      PORT, that of the first, which is also "the server" below,
//	                      and PORT2, PORT3 …; with "tls" in front of P it speaks TLS
//	                      alone, to the user a@b, and CA is set too
//	silent                listen on PORT, and never answer
//	cli ARG…              send the server a command; its reply is the standard output
//	total PREFIX KEYS     the sum of the numbers in the cluster's keys
//	                      PREFIXkey_0000000000 … is the standard output
//	underway COMMAND      wait until it has executed the command once more
//	move N FROM TO        move N slots of the cluster from one node to another
//	crash, pause, resume  the server; "crash N" that node of the cluster
//	restart               the server, after crash
//	failover N            wait until a replica has taken over from a killed node
//	calls N COMMAND       it must have executed the command N times
//	status N PROGRAM ARG… run a program that must exit with status N
//	memory MB ARG…        run respbench, which must succeed within so much memory
func TestScript(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts", err)
	}
	scripts, err := filepath.Abs("scripts")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			s := &scripted{t: t}
			testscript.Run(t, testscript.Params{
				Files:               []string{file},
				RequireExplicitExec: true,
				Setup: func(env *testscript.Env) error {
					env.Setenv("SCRIPTS", scripts)
					return nil
				},
				Cmds: map[string]func(*testscript.TestScript, bool, []string){
					"redis": s.redis, "tls": s.tls, "cli": s.cli, "calls": s.calls, "status": status, "memory": memory,
					"cluster": s.startCluster, "silent": s.silent, "total": s.total, "underway": s.underway, "move": s.move,
					"crash": s.crash, "restart": s.restart, "pause": s.pause, "resume": s.resume, "failover": s.failover,
				},
			})
		})
	}
}

// scripted is the server of one script.
type scripted struct {
	t       *testing.T
	server  *redistest.Server
	cluster *redistest.Cluster
}

func (s *scripted) redis(ts *testscript.TestScript, _ bool, args []string) {
	s.server = redistest.Start(s.t, args...)
	ts.Setenv("PORT", strconv.Itoa(s.server.Port))
	ts.Setenv("SOCKET", s.server.Socket)
}

func (s *scripted) tls(ts *testscript.TestScript, _ bool, args []string) {
	ca := redistest.NewCA(s.t)
	s.server = redistest.StartTLS(s.t, ca, append([]string{"--tls-auth-clients", "yes"}, args...)...)
	client := ca.Client(s.t, "script")
	for name, value := range map[string]string{
		"PORT": strconv.Itoa(s.server.Port), "SOCKET": s.server.Socket,
		"CA": ca.File, "CERT": client.Cert, "KEY": client.Key, "OTHERCA": redistest.NewCA(s.t).File,
	} {
		ts.Setenv(name, value)
	}
}

func (s *scripted) cli(ts *testscript.TestScript, _ bool, args []string) {
	printValue(ts, s.server.Do(s.t, args...))
}

func printValue(ts *testscript.TestScript, v resp.Value) {
	switch {
	case v.Kind == ':':
		fmt.Fprintln(ts.Stdout(), v.Int)
	case v.Null:
		fmt.Fprintln(ts.Stdout(), "(nil)")
	case v.Kind == '*':
		for _, e := range v.Elems {
			printValue(ts, e)
		}
	default:
		fmt.Fprintln(ts.Stdout(), v.Str)
	}
}

func (s *scripted) calls(ts *testscript.TestScript, _ bool, args []string) {
	if got := strconv.FormatInt(s.server.Calls(s.t, args[1]), 10); got != args[0] {
		ts.Fatalf("the server executed %s %s times, want %s", args[1], got, args[0])
	}
}

func status(ts *testscript.TestScript, _ bool, args []string) {
	err := ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit status %d, want %s", got, args[0])
	}
}

func memory(ts *testscript.TestScript, _ bool, args []string) {
	limit, err := strconv.ParseInt(args[0], 10, 64)
	ts.Check(err)
	path, err := exec.LookPath("respbench-measured")
	ts.Check(err)
	cmd := exec.Command(path, args[1:]...)
	cmd.Dir = ts.Getenv("WORK")
	peak := filepath.Join(cmd.Dir, "peak")
	cmd.Env = append(os.Environ(), peakFile+"="+peak)
	out, err := cmd.CombinedOutput()
	fmt.Fprintf(ts.Stdout(), "%s", out)
	ts.Check(err)
	text, err := os.ReadFile(peak)
	ts.Check(err)
	used, _ := strconv.ParseInt(string(text), 10, 64)
	if used > limit*1e6 {
		ts.Fatalf("used %d MB of memory, allowed are %d", used/1e6, limit)
	}
}

// peakFile names the file that measured writes.
const peakFile = "RESPBENCH_TEST_PEAK"

// measured is main, and then writes how much memory it had at most. The process
// tells that itself: what its parent is told counts the parent's memory too,
// which it shares for a moment at the start.
func measured() {
	status := run(context.Background(), os.Args[1:], os.Stdout, os.Stderr)
	if err := os.WriteFile(os.Getenv(peakFile), strconv.AppendInt(nil, peakBytes(), 10), 0o600); err != nil {
		fmt.Fprintln(os.Stderr, err)
		status = exitFailed
	}
	os.Exit(status)
}

// peakBytes is the most memory that this process has had, 0 where the system
// does not tell.
func peakBytes() (n int64) {
	text, _ := os.ReadFile("/proc/self/status")
	if _, after, ok := strings.Cut(string(text), "VmHWM:"); ok {
		fmt.Sscanf(after, "%d kB", &n)
	}
	return n * 1024
}
