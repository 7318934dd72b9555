package lint

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// TestScripts has every shell script read by shellcheck.
func TestScripts(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the scripts are for Unix")
	}
	scripts, err := filepath.Glob("../../scripts/*.sh")
	if err != nil {
		t.Fatal(err)
	}
	scripts = append(scripts, "../../.ci/run")
	for _, s := range scripts {
		info, err := os.Stat(s)
		if err != nil {
			t.Error(err)
		} else if info.Mode()&0o111 == 0 {
			t.Errorf("%s is not executable", s)
		}
	}
	shellcheck, err := exec.LookPath("shellcheck")
	if err != nil {
		t.Fatal("shellcheck not found; run scripts/test.sh, which installs what the tests need")
	}
	// -x and -P let it follow a script that another one sources.
	args := append([]string{"-x", "-P", "SCRIPTDIR"}, scripts...)
	if out, err := exec.Command(shellcheck, args...).CombinedOutput(); err != nil {
		t.Errorf("shellcheck: %v\n%s", err, out)
	}
}
