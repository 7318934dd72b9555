package data

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/respbench/respbench/internal/resp"
)

// openText opens a log of the given text.
func openText(t testing.TB, text string, o Options) (*Log, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "monitor.log")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := OpenLog(path, o)
	if err == nil {
		t.Cleanup(func() { l.Close() })
	}
	return l, err
}

// loadLog is the rows of a log, each as a line of quoted arguments.
func loadLog(t testing.TB, text string, o Options, oneDB bool) (*Log, []string) {
	t.Helper()
	l, err := openText(t, text, o)
	if err != nil {
		t.Fatal(err)
	}
	if oneDB {
		l.OneDatabase()
	}
	if err := l.Load(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	return l, commandRows(l)
}

// commandRows is the commands, with the database before those that have to
// select it.
func commandRows(l *Log) (rows []string) {
	r, ties := l.NewReader(), l.Ties().Reader()
	for i := range l.Rows() {
		r.Seek(i)
		text := words(r.Bytes(0))
		if db, ok := ties.Next(); ok {
			text = fmt.Sprintf("[%d] %s", db, text)
		}
		rows = append(rows, text)
	}
	return rows
}

// words is a command with its arguments apart.
func words(command []byte) string {
	var list []string
	for k := range resp.ArgumentCount(command) {
		list = append(list, string(resp.Argument(command, k)))
	}
	if resp.CommandLen(command) != len(command) {
		list = append(list, "AND MORE")
	}
	return strings.Join(list, "|")
}

func TestMonitor(t *testing.T) {
	t.Parallel()
	const a, b = "127.0.0.1:1", "127.0.0.1:2"
	lines := func(entries ...string) string {
		var text strings.Builder
		for i := 0; i < len(entries); i += 2 {
			fmt.Fprintf(&text, "1339518083.%06d [%s] %s\n", i, entries[i], entries[i+1])
		}
		return text.String()
	}
	for _, c := range []struct {
		name, text string
		want       []string
		facts      LogFacts
	}{
		{"as the manual shows", "OK\n1339518083.107412 [0 127.0.0.1:60866] \"keys\" \"*\"\n", []string{"keys|*"}, LogFacts{Commands: 1}},
		{"addresses", lines("0 unix:/tmp/redis.sock", `"A"`, "0 [::1]:6379", `"B"`, "0 unix:/tmp/a b]:0", `"C"`), []string{"A", "B", "C"}, LogFacts{Commands: 3}},
		{"quoting", lines("0 "+a, `"set" "\\\"\n\r\t\a\b" "\x00\xff\xAb 'é" ""`), []string{"set|\\\"\n\r\t\a\b|\x00\xff\xab 'é|"}, LogFacts{Commands: 1}},
		{"carriage returns and noise", "\ufeff+OK\r\n\r\n+1339518083.107412 [0 x] \"A\"\r\n(error) ERR no\r\n127.0.0.1:6379[3]> monitor\r\nError: Server closed the connection\r\n1339518084.107412 [0 x] \"B\"", []string{"A", "B"}, LogFacts{Commands: 2}},
		{"scripts", lines("0 "+a, `"EVAL" "…" "0"`, "0 lua", `"set" "k" "v"`, "2 lua", `"select" "2"`), []string{"EVAL|…|0"}, LogFacts{Commands: 1, Scripted: 2}},
		{
			"databases", lines("3 "+a, `"A"`, "3 "+a, `"B"`, "0 "+b, `"SELECT" "0"`, "0 "+b, `"C"`, "12 "+a, `"D"`),
			[]string{"A", "B", "[0] C", "[12] D"},
			LogFacts{Commands: 4, Switches: 2, Skipped: map[string]int64{"SELECT": 1}},
		},
		{"one database that is not 0", lines("3 "+a, `"A"`, "3 "+a, `"B"`), []string{"A", "B"}, LogFacts{Commands: 2}},
		{
			"skipped", lines("0 "+a, `"auth" "(redacted)"`, "0 "+a, `"get" "k"`, "0 "+a, `"Client" "id"`, "0 "+b, `"AUTH" "(redacted)"`, "0 "+b, `"subscribe" "c"`, "0 "+b, `"monitor"`, "0 "+b, `"PUNSUBSCRIBE"`, "0 "+b, `"psync" "?" "-1"`, "0 "+b, `"REPLCONF" "ack" "0"`, "0 "+b, `"CLIENT" "REPLY" "OFF"`),
			[]string{"get|k"}, LogFacts{Commands: 1, Skipped: map[string]int64{"AUTH": 2, "CLIENT": 2, "SUBSCRIBE": 1, "MONITOR": 1, "PUNSUBSCRIBE": 1, "PSYNC": 1, "REPLCONF": 1}},
		},
		{
			"waiting", lines("0 "+a, `"blpop" "k" "0"`, "0 "+a, `"XREAD" "block" "0" "STREAMS" "s" "$"`, "0 "+a, `"XREAD" "STREAMS" "block" "$"`, "0 "+a, `"MULTI"`, "0 "+a, `"BLPOP" "k" "1"`, "0 "+a, `"EXEC"`),
			[]string{"blpop|k|0", "XREAD|block|0|STREAMS|s|$", "XREAD|STREAMS|block|$", "MULTI", "BLPOP|k|1", "EXEC"},
			LogFacts{Commands: 6, Multi: 1, Blocking: map[string]int64{"BLPOP": 1, "XREAD": 1}},
		},
		{
			"a transaction with others between", lines("0 "+a, `"MULTI"`, "0 "+b, `"MULTI"`, "0 "+b, `"SET" "y" "1"`, "0 "+b, `"EXEC"`, "0 "+b, `"SET" "y" "2"`, "0 "+a, `"SET" "x" "1"`, "0 lua", `"get" "x"`, "0 "+a, `"INCR" "x"`, "0 "+a, `"exec"`, "0 "+a, `"GET" "x"`),
			[]string{"MULTI", "SET|y|1", "EXEC", "SET|y|2", "MULTI", "SET|x|1", "INCR|x", "EXEC", "GET|x"}, LogFacts{Commands: 9, Multi: 2, Scripted: 1},
		},
		{
			"transactions that came to nothing", lines("0 "+a, `"WATCH" "x"`, "0 "+a, `"MULTI"`, "0 "+b, `"SET" "x" "1"`, "0 "+a, `"EXEC"`, "0 "+a, `"MULTI"`, "0 "+b, `"SET" "x" "2"`, "0 "+a, `"DISCARD"`),
			[]string{"SET|x|1", "MULTI", "EXEC", "SET|x|2", "MULTI", "DISCARD"}, LogFacts{Commands: 6, Multi: 2, Skipped: map[string]int64{"WATCH": 1}},
		},
		{
			"one that switches", lines("0 "+a, `"GET" "k"`, "0 "+a, `"MULTI"`, "0 "+a, `"SET" "k" "0"`, "3 "+a, `"SELECT" "3"`, "3 "+a, `"SET" "k" "3"`, "3 "+a, `"EXEC"`, "3 "+a, `"GET" "k"`),
			[]string{"GET|k", "MULTI", "SET|k|0", "[3] SET|k|3", "EXEC", "GET|k"}, LogFacts{Commands: 6, Switches: 1, Multi: 1, Skipped: map[string]int64{"SELECT": 1}},
		},
		{
			"begins in a transaction, ends in another", lines("0 "+a, `"SET" "x" "1"`, "0 "+a, `"EXEC"`, "0 "+a, `"MULTI"`, "0 "+a, `"SET" "x" "2"`),
			[]string{"SET|x|1", "MULTI", "SET|x|2", "EXEC"}, LogFacts{Commands: 4, Multi: 1, Skipped: map[string]int64{"EXEC": 1}},
		},
		{
			"one whose client went away", lines("0 "+a, `"MULTI"`, "0 "+a, `"QUIT"`, "0 "+a, `"SET" "x" "1"`, "0 "+a, `"MULTI"`, "0 "+a, `"MULTI"`, "0 "+a, `"SET" "x" "2"`, "0 "+b, `"SET" "x" "3"`),
			[]string{"SET|x|1", "MULTI", "SET|x|2", "EXEC", "SET|x|3"}, LogFacts{Commands: 5, Multi: 1, Skipped: map[string]int64{"QUIT": 1}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			l, got := loadLog(t, c.text, Options{}, false)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			facts := l.Facts()
			for _, m := range []*map[string]int64{&facts.Skipped, &facts.Blocking} {
				if len(*m) == 0 {
					*m = nil
				}
			}
			if diff := cmp.Diff(c.facts, facts); diff != "" {
				t.Error(diff)
			}
			if int64(l.Rows()) != l.Times().Rows() {
				t.Errorf("%d times of %d rows", l.Times().Rows(), l.Rows())
			}
		})
	}
}

// TestMonitorOneDatabase leaves the switches out.
func TestMonitorOneDatabase(t *testing.T) {
	t.Parallel()
	const text = "1.000000 [3 a:1] \"A\"\n1.000000 [0 a:1] \"B\"\n"
	l, got := loadLog(t, text, Options{}, true)
	if diff := cmp.Diff([]string{"A", "B"}, got); diff != "" || l.Tied() || l.Database() != 0 {
		t.Error(diff, l.Tied(), l.Database())
	}
	l, got = loadLog(t, text, Options{}, false)
	if diff := cmp.Diff([]string{"A", "[0] B"}, got); diff != "" || !l.Tied() || l.Database() != 3 {
		t.Error(diff, l.Tied(), l.Database())
	}
}

func TestMonitorTimes(t *testing.T) {
	t.Parallel()
	// The third comes before the second, as the clock was set back; the fourth
	// switches the database, and a bad line has a time of its own.
	l, _ := loadLog(t, "1339518083.999999 [0 a:1] \"A\"\n1339518084.000001 [0 a:1] \"B\"\n1339518083.999999 [0 a:1] \"C\"\n1339518090.000000 [1 a:1] \"D\"\n1999999999.999999 [\n", Options{SkipBad: true}, false)
	var got []time.Duration
	for r := l.Times().Reader(); ; {
		at, ok := r.Next()
		if !ok {
			break
		}
		got = append(got, at)
	}
	const last = 2*time.Microsecond + 6*time.Second + 1*time.Microsecond
	want := []time.Duration{0, 2 * time.Microsecond, 2 * time.Microsecond, last}
	if diff := cmp.Diff(want, got); diff != "" || l.Times().Span() != last {
		t.Error(diff, l.Times().Span())
	}
	if steps, all := l.Times().Backwards(); steps != 1 || all != 2*time.Microsecond {
		t.Errorf("%d steps backwards, by %v", steps, all)
	}
}

func TestMonitorErrors(t *testing.T) {
	t.Parallel()
	const start = "1339518083.107412 [0 127.0.0.1:1] "
	for _, c := range []struct{ text, want string }{
		{"", "is empty"},
		{"OK\n\n", "has no command of MONITOR that could be replayed"},
		{start + "\"AUTH\" \"(redacted)\"\n", "has no command of MONITOR that could be replayed"},
		{"OK\nSET k v\n", `:2:1: found "S" where a time has to be, as in 1339518083.107412`},
		{"1339518083.1074 [0 a] \"A\"\n", `:1:16: found " " where a time has to be, as in 1339518083.107412`},
		{"1339518083.107412 \"A\"\n", `:1:18: found " " after the time, where " [" has to follow`},
		{"1339518083.107412 [db a] \"A\"\n", `:1:20: found "d" where the number of a database has to be, and a blank after it`},
		{"1339518083.107412 [99999999999 a] \"A\"\n", `:1:20: found "9" where the number of a database has to be, and a blank after it`},
		{"1339518083.107412 [0 a]\n", `:1:22: no "] \"" after the client's address: the command is missing`},
		{start + "\"A\"  \"B\"\n", `:1:39: found " " where a quote has to begin an argument`},
		{start + "\"A\"\"B\"\n", `:1:38: found "\"" after an argument, where a blank or the end of the line has to follow`},
		{start + "\"A\" \n", `:1:39: found the end of the line where a quote has to begin an argument`},
		{start + "\"A\" \"\\q\"\n", `:1:40: a backslash, and "q" after it: MONITOR writes \\ \" \n \r \t \a \b and \xHH`},
		{start + "\"A\" \"\\x4\"\n", `:1:40: a backslash, and "x" after it: MONITOR writes \\ \" \n \r \t \a \b and \xHH`},
		{start + "\"A\"\n" + start + "\"B\" \"cut o", `:2:39: a quote that nothing closes`},
	} {
		l, err := openText(t, c.text, Options{})
		if err == nil {
			err = l.Load(context.Background(), nil)
		}
		if err == nil || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("%q: %v, want …%s", c.text, err, c.want)
		}
	}
	l, rows := loadLog(t, "nonsense\n"+start+"\"A\"\n"+start+"\"B\" \"cut o", Options{SkipBad: true}, false)
	if n, first := l.Bad(); n != 2 || !strings.Contains(first.Error(), ":1:1: ") || len(rows) != 1 {
		t.Errorf("%d, %v, %q", n, first, rows)
	}
}

// quotedAsRedis is what sdscatrepr of Redis makes of a text.
func quotedAsRedis(dst, text []byte) []byte {
	dst = append(dst, '"')
	for _, c := range text {
		switch {
		case c == '\\' || c == '"':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, `\n`...)
		case c == '\r':
			dst = append(dst, `\r`...)
		case c == '\t':
			dst = append(dst, `\t`...)
		case c == '\a':
			dst = append(dst, `\a`...)
		case c == '\b':
			dst = append(dst, `\b`...)
		case c >= ' ' && c <= '~':
			dst = append(dst, c)
		default:
			dst = fmt.Appendf(dst, `\x%02x`, c)
		}
	}
	return append(dst, '"')
}

// FuzzMonitor: what a server quotes is read as it was, and any other line is
// read or refused.
func FuzzMonitor(f *testing.F) {
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	f.Add([]byte("set"), every, "1339518083.107412 [0 a:1] \"A\" \"\\x00\"")
	f.Add([]byte(""), []byte(`\x00"`), "+1.000000 [0 lua] \"\\")
	f.Fuzz(func(t *testing.T, name, argument []byte, any string) {
		line := quotedAsRedis([]byte("1339518083.107412 [15 unix:/tmp/x] "), name)
		line = quotedAsRedis(append(line, ' '), argument)
		var l monitorLine
		if err := l.parse(line, 0); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if l.time != 1339518083107412 || l.db != 15 || string(l.client) != "unix:/tmp/x" {
			t.Errorf("%q: %+v", line, l)
		}
		command := l.appendCommand(nil)
		if !bytes.Equal(command, resp.AppendCommand(nil, string(name), string(argument))) {
			t.Errorf("%q became %q", line, command)
		}
		if err := l.parse([]byte(any), 7); err != nil {
			if wrong, ok := err.(*fault); !ok || wrong.at < 7 || wrong.at > 7+len(any) {
				t.Errorf("%q: %#v", any, err)
			}
		} else if len(l.ends) == 0 {
			t.Errorf("%q has no arguments", any)
		}
	})
}

// TestMade: rows that are made are read as they were added, and a large number
// of them moves to a file.
func TestMade(t *testing.T) {
	t.Parallel()
	m := Make("commands.txt")
	m.source.store.limit = 1 << 20
	const n = 100_000
	for i := range n {
		if err := m.Add(resp.AppendCommand(nil, "SET", fmt.Sprint("key", i), strings.Repeat("x", i%100))); err != nil {
			t.Fatal(err)
		}
	}
	s, err := m.Source()
	if err != nil {
		t.Fatal(err)
	}
	if s.Rows() != n || s.MaxSize(0) == 0 || s.File() != "commands.txt" || s.Column(Column{Form: Command}) != 0 {
		t.Errorf("%d rows, %d", s.Rows(), s.MaxSize(0))
	}
	r := s.NewReader()
	for _, i := range []uint64{0, 1, n / 2, n - 1, 7} {
		r.Seek(i)
		if got, want := words(r.Bytes(0)), fmt.Sprintf("SET|key%d|%s", i, strings.Repeat("x", int(i)%100)); got != want {
			t.Errorf("row %d: %q, want %q", i, got, want)
		}
	}
	if s.store.file == nil {
		t.Error("all of it stayed in memory")
	}
	if err := s.Close(); err != nil || s.store.file != nil {
		t.Error(err)
	}
}
