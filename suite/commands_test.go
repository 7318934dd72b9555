package suite

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/respbench/respbench/conn"
	"github.com/respbench/respbench/internal/redistest"
)

// A test with a command that the server does not have is not begun, and the
// others are run.
func TestRunSkipsMissingCommands(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	r, err := Run(t.Context(), briefly(Config{
		Suite: suiteOf(
			Test{
				Name: "lacking", Prepare: []string{"SET ${prefix}made v", "FT.CREATE ${prefix}i"}, Cleanup: []string{"ft.dropindex ${prefix}i"},
				Preload: []Preload{{"SET ${prefix}k v", "1"}}, Template: "GET ${prefix}k ; FT.SEARCH ${prefix}i x",
			},
			Test{Name: "fine", Template: "SET ${prefix}k v"},
		),
		Targets: []Target{at("", s)}, Repeat: 2,
	}))
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range r.Tests[0].Cells[0].Runs {
		if want := "the server has no FT.CREATE, FT.DROPINDEX, FT.SEARCH"; run.Problem != want || run.Measured != nil || run.Prefix != "" {
			t.Errorf("%q, want %q; %+v", run.Problem, want, run)
		}
	}
	if n := s.Do(t, "DBSIZE").Int; n != 2 {
		t.Errorf("%d keys; only the two rounds of %q make one each", n, "fine")
	}
	if n := len(r.Tests[0].Cells[0].Runs); n != 2 || !r.Failed() || r.Tests[1].Cells[0].Median() == nil {
		t.Errorf("%d runs, failed %v, %+v", n, r.Failed(), r.Tests[1])
	}
}

// A suite of which no test can run on some target is refused before anything
// is written or deleted anywhere.
func TestRunRefusesServerWithoutItsCommands(t *testing.T) {
	t.Parallel()
	plain, s := redistest.Start(t), newRecorder(t, func([]string) string { return "" })
	plain.Do(t, "SET", "mine", "v")
	for _, flush := range []Flush{FlushNo, FlushYes, FlushForce} {
		r, err := Run(t.Context(), briefly(Config{
			Suite:   suiteOf(Test{Name: "x", Template: "JSON.GET ${prefix}k"}, Test{Name: "y", Template: "JSON.SET ${prefix}k $ 1"}),
			Targets: []Target{{Name: "a", Dialer: conn.Dialer{Address: s.addr}}, at("b", plain)}, Flush: flush,
		}))
		var missing *MissingCommandsError
		if r != nil || !errors.As(err, &missing) || !slices.Equal(missing.Commands, []string{"JSON.GET", "JSON.SET"}) {
			t.Fatalf("%v: %v", flush, err)
		}
		if want := plain.Addr + `: the server has no JSON.GET, JSON.SET; no test of suite "own" can run there`; err.Error() != want {
			t.Errorf("%q, want %q", err, want)
		}
	}
	written := s.got(func(name string) bool { return !slices.Contains([]string{"CLIENT", "COMMAND", "DBSIZE"}, name) })
	// Asked for, without arguments.
	written = slices.DeleteFunc(written, func(args []string) bool { return len(args) == 1 && strings.HasPrefix(args[0], "JSON.") })
	if len(written) > 0 || plain.Do(t, "GET", "mine").Str != "v" {
		t.Errorf("%q was sent, or a key was deleted", written)
	}
}

// What a server does not tell is not held against it.
func TestLacks(t *testing.T) {
	t.Parallel()
	known := "*1\r\n+x\r\n"
	unknown := func(args []string) string { return fmt.Sprintf("-ERR unknown command '%s', with args\r\n", args[0]) }
	for name, c := range map[string]struct {
		info  string // to COMMAND INFO PING FLUSHALL TFT.SEARCH
		reply func(args []string) string
		want  []string
	}{
		"all there":     {"*3\r\n" + known + known + known, unknown, nil},
		"null arrays":   {"*3\r\n" + known + "*-1\r\n*-1\r\n", unknown, []string{"FLUSHALL", "TFT.SEARCH"}},
		"nulls":         {"*3\r\n" + known + known + "$-1\r\n", unknown, []string{"TFT.SEARCH"}},
		"no COMMAND":    {"-ERR unknown command 'COMMAND'\r\n", unknown, []string{"TFT.SEARCH"}},
		"not permitted": {"-NOPERM no permissions\r\n", unknown, []string{"TFT.SEARCH"}},
		"knows nothing": {"*3\r\n*-1\r\n*-1\r\n*-1\r\n", unknown, []string{"TFT.SEARCH"}},
		"another reply": {"+OK\r\n", unknown, []string{"TFT.SEARCH"}},
		"not told": {"-NOPERM no permissions\r\n", func([]string) string {
			return "-NOPERM no permissions\r\n"
		}, nil},
		"passed on": {"*3\r\n" + known + "*-1\r\n*-1\r\n", func([]string) string {
			return "-ERR wrong number of arguments for 'tft.search' command\r\n"
		}, []string{"FLUSHALL"}},
	} {
		s := newRecorder(t, func(args []string) string {
			if args[0] == "COMMAND" {
				return c.info
			}
			return c.reply(args)
		})
		got, err := (&site{dialer: conn.Dialer{Address: s.addr}}).lacks(t.Context(), []string{"FLUSHALL", "TFT.SEARCH"})
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, %v; want %q", name, got, err, c.want)
		}
		if tried := s.got(func(name string) bool { return strings.HasPrefix(name, "FLUSH") }); len(tried) > 0 {
			t.Errorf("%s: %q was sent", name, tried)
		}
	}
}

// A name that a placeholder makes cannot be asked for.
func TestRunWithUnknownNames(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	r, err := Run(t.Context(), briefly(Config{
		Suite: suiteOf(Test{Name: "x", Template: "<uuid> y"}), Targets: []Target{at("", s)},
	}))
	if err != nil {
		t.Fatal(err)
	}
	if problem := r.Tests[0].Cells[0].Runs[0].Problem; !strings.Contains(problem, "unknown command") {
		t.Errorf("%q", problem)
	}
}
