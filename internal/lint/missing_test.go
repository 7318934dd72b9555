package lint

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// bareMachine returns a PATH on which there are only the named programs of
// this machine and the stubs: name -> what the shell does for it.
func bareMachine(t *testing.T, programs []string, stubs map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range programs {
		p, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(p, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for name, body := range stubs {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+body+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestTestScript runs scripts/test.sh on machines where things are missing.
//
// It is not parallel to other tests, and writes all programs before it starts
// one: a process that another test forks at the wrong moment would hold a
// program open for writing, which then cannot be run.
func TestTestScript(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the scripts are for Unix")
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Fatal(err)
	}
	const goStub = `if [ "$1" = env ]; then echo go1.99.0; else echo "go $* cgo=$CGO_ENABLED"; fi`
	const present = "echo present"
	for _, tt := range []struct {
		name  string
		stubs map[string]string
		args  []string
		fails bool
		want  []string // in the output
	}{
		{"nothing", nil, nil, true, []string{"test.sh: go not found; install Go 1."}},
		{"old Go", map[string]string{"go": `echo go1.25.9`}, nil, true,
			[]string{"test.sh: go1.25.9 is too old; install Go 1."}},
		{"old Go that refuses the module", map[string]string{"go": `[ "$PWD" = / ] && echo go1.20`}, nil, true,
			[]string{"test.sh: go1.20 is too old; install Go 1."}},
		{"no servers, unknown system", map[string]string{"go": goStub}, nil, true,
			[]string{"test.sh: install these first, by whatever name they have here: redis-server shellcheck"}},
		{"Debian", map[string]string{"go": goStub, "shellcheck": present, "id": "echo 0", "env": `shift; "$@"`, "apt-get": `echo "apt-get $*"`}, nil, false,
			[]string{"apt-get -q update\n", "apt-get -q install -y --no-install-recommends redis-server\n", "go test ./... cgo=\n"}},
		{"Debian without root", map[string]string{"go": goStub, "shellcheck": present, "id": "echo 7", "sudo": `echo "sudo $*"`, "apt-get": "false"}, nil, false,
			[]string{"sudo apt-get -q update\n", "sudo env DEBIAN_FRONTEND=noninteractive apt-get -q install"}},
		{"Debian without root and sudo", map[string]string{"go": goStub, "id": "echo 7", "apt-get": "false"}, nil, true,
			[]string{"test.sh: needs root, and there is no sudo, for:"}},
		{"Debian without lists", map[string]string{"go": goStub, "shellcheck": present, "id": "echo 0", "env": `shift; "$@"`, "apt-get": `[ "$2" = install ]`}, nil, false,
			[]string{"test.sh: going on with the package lists at hand", "go test ./..."}},
		{"macOS", map[string]string{"go": goStub, "brew": `echo "brew $*"`}, nil, false,
			[]string{"brew install redis shellcheck\n", "go test ./... cgo=\n"}},
		{"race without gcc", map[string]string{"go": goStub, "shellcheck": present, "redis-server": present, "uname": "echo Linux"}, []string{"-race"}, true,
			[]string{"by whatever name they have here: gcc libc6-dev\n"}},
		{"all there", map[string]string{"go": goStub, "shellcheck": present, "redis-server": present, "gcc": present}, []string{"-race", "-run", "a b"}, false,
			[]string{"go test ./... -race -run a b cgo=1\n"}},
	} {
		programs := []string{"awk", "dirname"}
		if tt.stubs["uname"] == "" {
			programs = append(programs, "uname")
		}
		path := bareMachine(t, programs, tt.stubs)
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(bash, "../../scripts/test.sh")
			cmd.Args = append(cmd.Args, tt.args...)
			cmd.Env = []string{"PATH=" + path}
			out, err := cmd.CombinedOutput()
			if (err != nil) != tt.fails {
				t.Errorf("%v, want failure: %v", err, tt.fails)
			}
			for _, want := range tt.want {
				if !strings.Contains(string(out), want) {
					t.Errorf("no %q in its output", want)
				}
			}
			if t.Failed() {
				t.Logf("output:\n%s", out)
			}
		})
	}
}
