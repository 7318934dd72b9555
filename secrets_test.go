package main

import (
	"bytes"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/respbench/respbench/internal/redistest"
)

func TestHideSecrets(t *testing.T) {
	t.Parallel()
	tests := []struct{ args, shown []string }{
		{[]string{"-a", "secret", "PING"}, []string{"-a", "xxxxxx", "PING"}},
		{[]string{"-asecret"}, []string{"-axxxxxx"}},
		{[]string{"-3qasecret", "-3a", "secret"}, []string{"-3qaxxxxxx", "-3a", "xxxxxx"}},
		{[]string{"--pass", "-a", "-a", "secret"}, []string{"--pass", "xx", "xx", "xxxxxx"}},
		{[]string{"--pass=secret", "--pass="}, []string{"--pass=xxxxxx", "--pass="}},
		{[]string{"--uri", "redis://u:secret@h/1"}, []string{"--uri", "redis://u:xxxxxx@h/1"}},
		{[]string{"--uri=rediss://:s:e@c@h"}, []string{"--uri=rediss://:xxxxx@h"}},
		{[]string{"--target", "a=unix://u:secret@/s"}, []string{"--target", "a=unix://u:xxxxxx@/s"}},
		{[]string{"--uri", "redis://u@h:6379", "redis://h:6379"}, []string{"--uri", "redis://u@h:6379", "redis://h:6379"}},
		{[]string{"-u", "user", "-h", "::1", "--askpass", "-c", "50", "-a"}, []string{"-u", "user", "-h", "::1", "--askpass", "-c", "50", "-a"}},
		{nil, nil},
	}
	for _, test := range tests {
		args := make([]string, len(test.args))
		for i, arg := range test.args {
			args[i] = string([]byte(arg)) // of its own, so that it may be written to
		}
		kept := hideSecrets(args)
		if diff := cmp.Diff(test.args, kept, cmpEmpty); diff != "" {
			t.Errorf("the copy of %q (-want +got):\n%s", test.args, diff)
		}
		if diff := cmp.Diff(test.shown, args, cmpEmpty); diff != "" && runtime.GOOS != "windows" {
			t.Errorf("what %q shows (-want +got):\n%s", test.args, diff)
		}
	}
}

var cmpEmpty = cmp.Comparer(func(a, b []string) bool {
	return len(a) == len(b) && strings.Join(a, "\x00") == strings.Join(b, "\x00")
})

const (
	theSecret = "hunter2 é/%:@?#"
	theUser   = "load"
)

// While respbench runs, no list of processes shows the password, however it
// was given.
func TestProcessListHidesSecrets(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("looks into /proc")
	}
	server := redistest.Start(t, "--requirepass", theSecret)
	address := server.Addr
	uri := "redis://:" + url.QueryEscape(theSecret) + "@" + address
	uri = strings.ReplaceAll(uri, "+", "%20")
	for name, args := range map[string][]string{
		"-a":      {"-p", strconv.Itoa(server.Port), "-a", theSecret},
		"-aX":     {"-p", strconv.Itoa(server.Port), "-qa" + theSecret},
		"--pass":  {"-p", strconv.Itoa(server.Port), "--pass", theSecret},
		"--pass=": {"-p", strconv.Itoa(server.Port), "--pass=" + theSecret},
		"--uri":   {"--uri", uri},
		"--uri=":  {"--uri=" + uri},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := respbench(t, append(args, "-c", "1", "-s", "60", "--rate", "20", "SET q:"+name+" v")...)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer cmd.Wait()
			defer cmd.Process.Kill()
			waitFor(t, func() bool { return server.Do(t, "EXISTS", "q:"+name).Int > 0 })
			line, err := os.ReadFile("/proc/" + strconv.Itoa(cmd.Process.Pid) + "/cmdline")
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Contains(line, []byte("SET q:")) || shows(line) {
				t.Errorf("the list of processes shows %q", line)
			}
		})
	}
}

// respbench is the program itself, with these arguments.
func respbench(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	path, err := exec.LookPath("respbench")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, args...)
	cmd.Dir = t.TempDir()
	return cmd
}

func waitFor(t *testing.T, so func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !so(); {
		if time.Now().After(end) {
			t.Fatal("it did not come to that")
		}
		time.Sleep(time.Millisecond)
	}
}

// shows tells whether text has the secret in it, plain, escaped, or in parts.
func shows(text []byte) bool { return bytes.Contains(text, []byte("hunter2")) }

// No output of any kind holds the password, whether the run succeeds or fails.
func TestOutputHidesSecrets(t *testing.T) {
	t.Parallel()
	ca := redistest.NewCA(t)
	server := redistest.Start(t, ca.Args(ca.Server(t))...)
	server.AddUser(t, theUser, theSecret)
	port, tlsPort := strconv.Itoa(server.Port), strconv.Itoa(server.TLSPort)
	encoded := strings.ReplaceAll(url.QueryEscape(theSecret), "+", "%20")
	limited := redistest.Start(t, "--maxclients", "1", "--requirepass", theSecret)
	nameless := redistest.Start(t, "--rename-command", "AUTH", "")
	var outputs []string
	for _, extension := range []string{"json", "csv", "md", "hgrm", "txt", "bench"} {
		outputs = append(outputs, "-o", "out."+extension)
	}
	load := append([]string{"-u", theUser, "-a", theSecret, "-c", "2", "-n", "100"}, outputs...)
	for name, args := range map[string][]string{
		"success":          append(load, "-p", port, "SET k v"),
		"success, RESP3":   append(load, "-3", "-p", port, "SET k v"),
		"success, TLS":     append(load, "--cacert", ca.File, "-p", tlsPort, "SET k v"),
		"success, URI":     append(outputs[:len(outputs):len(outputs)], "--uri", "redis://"+theUser+":"+encoded+"@127.0.0.1:"+port, "-n", "10", "PING"),
		"progress":         {"-u", theUser, "-a", theSecret, "-p", port, "-s", "0.3", "--interval", "50ms", "PING"},
		"nothing succeeds": append(load, "-p", port, "SETT k v"),
		"wrong password":   {"-u", theUser, "-a", theSecret + "!", "-p", port, "PING"},
		"wrong user":       {"-u", "nobody", "-a", theSecret, "-3", "-p", port, "PING"},
		"no password":      {"-a", theSecret, "-p", strconv.Itoa(redistest.Start(t).Port), "PING"},
		"no AUTH":          {"-a", theSecret, "-p", strconv.Itoa(nameless.Port), "PING"},
		"no AUTH, user":    {"-u", "hunter2", "-a", theSecret, "-p", strconv.Itoa(nameless.Port), "PING"},
		"full":             {"-a", theSecret, "-p", strconv.Itoa(limited.Port), "-c", "5", "-n", "5", "PING"},
		"nobody listens":   {"-a", theSecret, "-p", "1", "PING"},
		"unknown host":     {"-a", theSecret, "-h", "no.such.host.invalid", "PING"},
		"untrusted":        {"-a", theSecret, "--tls", "-p", tlsPort, "PING"},
		"plain to TLS":     {"-a", theSecret, "-p", tlsPort, "PING"},
		"TLS to plain":     {"-a", theSecret, "--tls", "-p", port, "--connect-timeout", "50ms", "PING"},
		"bad URI":          {"--uri", "redis://:hunter2%@h", "PING"},
		"bad port in URI":  {"--uri", "redis://:hunter2@h:port", "PING"},
		"bad target":       {"suite", "--target", "a=redis://:hunter2%@h"},
		"nameless target":  {"suite", "--target", "redis://:hunter2@h"},
		"two passwords":    {"--uri", "redis://:hunter2@h", "-a", theSecret, "PING"},
		"misplaced":        {"-a", theSecret, "suite", "--only", "set"},
		"unknown flag":     {"-a", theSecret, "--nonsense", "PING"},
		"suite":            {"suite", "-u", theUser, "-a", theSecret, "-p", port, "-s", "0.1", "-c", "1", "--scale", "0.0001", "--only", "get", "-o", "out.json", "-o", "out.md"},
		"sweep":            {"sweep", "-u", theUser, "-a", theSecret, "-p", port, "-s", "0.1", "--by", "connections", "--to", "1", "-o", "out.json", "PING"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := respbench(t, args...)
			said, err := cmd.CombinedOutput()
			if (err == nil) != (strings.HasPrefix(name, "success") || name == "progress" || name == "suite" || name == "sweep") || len(said) == 0 {
				t.Errorf("%v:\n%s", err, said)
			}
			if name != "no AUTH, user" && shows(said) || strings.Contains(string(said), theSecret) {
				t.Errorf("the output shows the password:\n%s", said)
			}
			files, _ := filepath.Glob(filepath.Join(cmd.Dir, "*"))
			if strings.HasPrefix(name, "success") && len(files) != 6 {
				t.Errorf("files %v", files)
			}
			for _, file := range files {
				if text, err := os.ReadFile(file); err != nil || shows(text) {
					t.Errorf("%s, %v, shows the password:\n%s", file, err, text)
				}
			}
		})
	}
}
