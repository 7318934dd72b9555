package report

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseOutput(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		spec string
		want Output
		err  string
	}{
		{"x.json", Output{Path: "x.json", Format: "json"}, ""},
		{"a.b/x.y.TXT", Output{Path: "a.b/x.y.TXT", Format: "txt"}, ""},
		{"-.json", Output{Stdout: true, Format: "json"}, ""},
		{"-.md", Output{Stdout: true, Format: "md"}, ""},
		{"-.txt", Output{Stdout: true, Format: "txt"}, ""},
		{"./-.json", Output{Path: "./-.json", Format: "json"}, ""},
		{"x.yaml", Output{}, `output "x.yaml": unknown format ".yaml", known are .json, .csv, .md, .txt, .hgrm, .bench`},
		{"x", Output{}, `output "x": no extension to tell the format, known are .json, .csv, .md, .txt, .hgrm, .bench`},
		{"-", Output{}, `output "-": no extension to tell the format, known are .json, .csv, .md, .txt, .hgrm, .bench`},
		{"", Output{}, `output "": no extension to tell the format, known are .json, .csv, .md, .txt, .hgrm, .bench`},
		{"x.", Output{}, `output "x.": no extension to tell the format, known are .json, .csv, .md, .txt, .hgrm, .bench`},
		{".json", Output{}, `output ".json": there is no name before the extension`},
		{"a/.json", Output{}, `output "a/.json": there is no name before the extension`},
	} {
		got, err := ParseOutput(test.spec)
		if diff := cmp.Diff(test.want, got); diff != "" || errorText(err) != test.err {
			t.Errorf("%q: error %v\n%s", test.spec, err, diff)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// folder lists what a folder holds.
func folder(t *testing.T, path string) []string {
	t.Helper()
	entries, err := os.ReadDir(path)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

func writeFile(t *testing.T, path, content string, mode fs.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func TestOutputWritesWhatTheFormatSays(t *testing.T) {
	t.Parallel()
	var asText, asJSON bytes.Buffer
	if err := errors.Join(Text(&asText, fullRun(), TextOptions{}), JSON(&asJSON, fullRun())); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"x.json": asJSON.String(), "x.txt": asText.String()} {
		dir := t.TempDir()
		o, err := ParseOutput(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := o.Check(); err != nil {
			t.Fatal(err)
		}
		if names := folder(t, dir); len(names) != 0 {
			t.Errorf("Check left %q", names)
		}
		if err := o.Write(nil, fullRun()); err != nil {
			t.Fatal(err)
		}
		if names := folder(t, dir); len(names) != 1 {
			t.Errorf("Write left %q", names)
		}
		content, err := os.ReadFile(o.Path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(content)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestOutputToStdout(t *testing.T) {
	t.Parallel()
	o := Output{Stdout: true, Format: "json"}
	var b bytes.Buffer
	if err := o.Check(); err != nil {
		t.Fatal(err)
	}
	if err := o.Write(&b, fullRun()); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadJSON(&b); err != nil {
		t.Error(err)
	}
	if err := o.Write(full{}, fullRun()); errorText(err) != "standard output: no space left" {
		t.Errorf("full: %v", err)
	}
}

func TestOutputReplacesInOneStep(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "x.json")
	writeFile(t, path, "former", 0o640)
	before, err := os.Open(path) // a reader of the former file
	if err != nil {
		t.Fatal(err)
	}
	defer before.Close()
	o := Output{Path: path, Format: "json"}
	if err := o.Check(); err != nil {
		t.Fatal(err)
	}
	if err := o.Write(nil, fullRun()); err != nil {
		t.Fatal(err)
	}
	content := make([]byte, 100)
	if n, _ := before.Read(content); string(content[:n]) != "former" {
		t.Errorf("who had it open reads %q: it was written in place", content[:n])
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
		t.Errorf("permissions %v, want those of the former file", info.Mode())
	}
}

func TestOutputKeepsFormerFileOnError(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "x.json")
	writeFile(t, path, "former", 0o644)
	bad := fullRun()
	bad.RatePerSec /= 0 * bad.RatePerSec // infinite
	for name, err := range map[string]error{
		"infinite rate":  Output{Path: path, Format: "json"}.Write(nil, bad),
		"unknown format": Output{Path: path, Format: "xml"}.Write(nil, fullRun()),
		"a folder":       Output{Path: dir, Format: "json"}.Write(nil, fullRun()),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
		if err != nil && strings.Contains(err.Error(), ".tmp") {
			t.Errorf("%s: names the temporary file: %v", name, err)
		}
	}
	if names := folder(t, dir); len(names) != 1 || names[0] != "x.json" {
		t.Errorf("left behind: %q", names)
	}
	if names := folder(t, filepath.Dir(dir)); len(names) != 1 {
		t.Errorf("left behind: %q", names)
	}
	if content, _ := os.ReadFile(path); string(content) != "former" {
		t.Errorf("former file: %q", content)
	}
}

func TestOutputFollowsLink(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"here", "there"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	target, link := filepath.Join(dir, "there", "x.json"), filepath.Join(dir, "here", "x.json")
	writeFile(t, target, "former", 0o644)
	if err := os.Symlink(target, link); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	if err := (Output{Path: link, Format: "json"}).Write(nil, fullRun()); err != nil {
		t.Fatal(err)
	}
	if got, err := os.Readlink(link); err != nil || got != target {
		t.Errorf("the link is gone: %q, %v", got, err)
	}
	if content, _ := os.ReadFile(target); string(content) == "former" {
		t.Error("the link's target was not written")
	}
}

func TestOutputCheckErrors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "folder.json"), 0o755); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "readonly.json"), "former", 0o444)
	writeFile(t, filepath.Join(dir, "file"), "", 0o644)
	tests := []struct{ path, want string }{
		{"missing/x.json", "no such file or directory"},
		{"file/x.json", "not a directory"},
		{"folder.json", "is a folder"},
		{"readonly.json", "is read-only"},
	}
	if runtime.GOOS == "linux" {
		// Nobody can make a file there, not even root.
		tests = append(tests, struct{ path, want string }{"/proc/x.json", "no such file or directory"})
	}
	for _, test := range tests {
		path := test.path
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		err := Output{Path: path, Format: "json"}.Check()
		want := "output \"" + path + "\": "
		if err == nil || !strings.HasPrefix(err.Error(), want) || runtime.GOOS == "linux" && err.Error() != want+test.want {
			t.Errorf("%s: %v, want %q", test.path, err, want+test.want)
		}
	}
	if names := folder(t, dir); len(names) != 3 {
		t.Errorf("Check left %q", names)
	}
}
