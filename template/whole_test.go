package template

import (
	"strings"
	"testing"

	"github.com/respbench/respbench/data"
	"github.com/respbench/respbench/internal/resp"
)

// TestAppendLiteral: what it makes of a template is what the compiled template
// makes of it, or there is a placeholder.
func TestAppendLiteral(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		src      string
		commands int
	}{
		{"PING", 1},
		{`SET "a b" 'c d' "" "\x00\n"`, 1},
		{`SET \<key> {user1} {"a":{"b":1}}`, 1},
		{"MULTI ; INCR n ; EXEC", 3},
		{`ECHO ";" ; PING`, 2},
		{"SET <key uniform 10> v", 0},
		{"MULTI ; INCR n ; GET {rand 5}", 0},
		{"SET k <field title>", 0},
		{"SET k x<line>y", 0},
		{"ZRANGE z <range 1000 10>", 0},
	} {
		got, commands, err := AppendLiteral([]byte("before"), c.src)
		if err != nil || commands != c.commands {
			t.Errorf("%q: %d commands, %v", c.src, commands, err)
			continue
		}
		want := "before"
		if commands > 0 {
			p, err := Parse(c.src)
			if err != nil {
				t.Fatal(err)
			}
			want = string(NewAppender(p, 1).Append([]byte("before"), 7))
		}
		if string(got) != want {
			t.Errorf("%q became %q, want %q", c.src, got, want)
		}
	}
	for _, src := range []string{"", "SET \"open", "SET {kye uniform 5}", "; PING"} {
		_, wantErr := Parse(src)
		got, n, err := AppendLiteral([]byte("before"), src)
		if wantErr == nil || err == nil || err.Error() != wantErr.Error() || n != 0 || string(got) != "before" {
			t.Errorf("%q: %v, want %v", src, err, wantErr)
		}
	}
}

// TestWhole is not parallel, as it counts allocations.
func TestWhole(t *testing.T) {
	m := data.Make("commands.txt")
	rows := []string{"PING", "SET k " + strings.Repeat("x", 70_000), `ECHO "a b"`}
	sizes := 0
	var want [][]byte
	for _, src := range rows {
		row, _, err := AppendLiteral(nil, src)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, row)
		sizes += len(row)
		if err := m.Add(row); err != nil {
			t.Fatal(err)
		}
	}
	source, err := m.Source()
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	p := Whole("--commands commands.txt", source, 1)
	if err := p.CheckData(); err != nil {
		t.Error(err)
	}
	units, ok := p.Period()
	if !ok || units != 3 || p.Commands() != 1 || !p.IsWhole() || p.Source() != "--commands commands.txt" || !p.TakesData() {
		t.Errorf("%d, %v, %d commands, %q", units, ok, p.Commands(), p.Source())
	}
	if hint := p.SizeHint(); hint < sizes/3 || hint > sizes/3+64 {
		t.Errorf("about %d bytes, want %d", hint, sizes/3)
	}
	a := NewAppender(p, 1)
	buf := []byte("before")
	for i := range uint64(7) {
		buf = a.Append(buf[:len("before")], i)
		if got := string(buf[len("before"):]); got != string(want[i%3]) {
			t.Errorf("unit %d is %.60q", i, got)
		}
	}
	if n := testing.AllocsPerRun(100, func() { buf = a.Append(buf[:0], 0) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if got := string(a.AppendText(nil, 2)); got != "ECHO \"a b\"\n" || resp.ArgumentCount(want[2]) != 2 {
		t.Errorf("as text: %q", got)
	}
}
