package conn

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/respbench/respbench/internal/redistest"
	"github.com/respbench/respbench/internal/resp"
)

// sampled makes the samples of a command: words, a '|' between samples.
func sampled(text string) [][]byte {
	var samples [][]byte
	for s := range strings.SplitSeq(text, "|") {
		samples = append(samples, resp.AppendCommand(nil, strings.Fields(s)...))
	}
	return samples
}

func TestKeyPositions(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	c := client(t, Dialer{Address: s.Addr})
	for _, tt := range []struct {
		samples string
		want    []int
	}{
		{"GET a", []int{1}},
		{"get a | get b", []int{1}},
		{"PING", nil},
		{"PING x", nil},
		{"ECHO x", nil},
		{"MULTI", nil},
		{"INFO server", nil},
		{"PUBLISH c m", nil},
		{"SPUBLISH c m", []int{1}},
		{"SSUBSCRIBE c d", []int{1, 2}},
		{"SET a v", []int{1}},
		{"SET a a", []int{1}},
		{"SET a a | SET b a | SET c b", []int{1}},
		{"SET respbench respbench", []int{1}},
		{"SET a a EX a", []int{1}},
		{"MSET a 1 b 2", []int{1, 3}},
		{"MSET a a a a", []int{1, 3}},
		{"MGET a a b", []int{1, 2, 3}},
		{"BLPOP 0 0", []int{1}},
		{"EVAL x 0", nil},
		{"EVAL x 0 a b", nil},
		{"EVAL x 2 a b c", []int{3, 4}},
		{"EVAL 2 2 2 2 2", []int{3, 4}},
		{"EVAL x 1 a b | EVAL x 2 a b", []int{3}},
		{"XREAD COUNT 1 STREAMS a b 0 0", []int{4, 5}},
		{"XREAD STREAMS STREAMS 0", []int{2}},
		{"ZUNIONSTORE d 2 a b WEIGHTS 2 2", []int{1, 3, 4}},
		{"ZUNIONSTORE 2 2 2 2", []int{1, 3, 4}},
		{"SORT k BY x STORE d", []int{1, 5}},
		{"OBJECT ENCODING k", []int{2}},
		{"BITOP AND d a b", []int{2, 3, 4}},
		{"GEORADIUS k 1 1 1 m STORE d", []int{1, 7}},
		{"MEMORY USAGE k", []int{2}},
		// The server refuses these; what is known of them remains.
		{"SETT a b", []int{1}},
		{"NOSUCH", nil},
		{"SET a", []int{1}},
		{"XREAD COUNT 1", nil},
	} {
		got, err := KeyPositions(t.Context(), c, sampled(tt.samples))
		if err != nil {
			t.Errorf("%s: %v", tt.samples, err)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: keys at %v, want %v", tt.samples, got, tt.want)
		}
	}
	_, err := KeyPositions(t.Context(), c, sampled("EVAL x 0 a b | EVAL x 2 a b"))
	if want := "no argument of EVAL is a key every time; keep the number of its keys the same"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	c.Close()
	if _, err := KeyPositions(t.Context(), c, sampled("GET a")); err == nil {
		t.Error("no error from a closed connection")
	}
}

// TestKeyPositionsOfAnyBytes: keys are compared as bytes.
func TestKeyPositionsOfAnyBytes(t *testing.T) {
	t.Parallel()
	c := client(t, Dialer{Address: redistest.Start(t).Addr})
	for _, key := range []string{"", "\x00\xff\r\n", strings.Repeat("k", 1<<20)} {
		got, err := KeyPositions(t.Context(), c, [][]byte{resp.AppendCommand(nil, "HSET", key, "f", key)})
		if err != nil || !slices.Equal(got, []int{1}) {
			t.Errorf("key %.10q: keys at %v, %v", key, got, err)
		}
	}
}

// usual are commands and where their keys are, for servers that do not tell.
var usual = []struct {
	command string
	want    []int
}{
	{"GET a", []int{1}},
	{"SET a a", []int{1}},
	{"JSON.SET doc $ 1", []int{1}},
	{"ping", nil},
	{"ECHO x", nil},
	{"MULTI", nil},
	{"TIME", nil},
	{"INFO all", nil},
	{"NOSUCH", nil},
	{"EVAL x 2 a b c", []int{3, 4}},
	{"FCALL f 1 a b", []int{3}},
	{"EVAL x no a", nil},
	{"EVAL", nil},
	{"LMPOP 2 a b LEFT", []int{2, 3}},
	{"BLMPOP 0 1 a LEFT", []int{3}},
	{"SINTERCARD 2 a b", []int{2, 3}},
	{"ZUNIONSTORE d 2 a b", []int{1, 3, 4}},
	{"DEL a b c", []int{1, 2, 3}},
	{"MSET a 1 b 2", []int{1, 3}},
	{"BLPOP a b 0", []int{1, 2}},
	{"LMOVE a b LEFT LEFT", []int{1, 2}},
	{"BITOP AND d a b", []int{2, 3, 4}},
	{"OBJECT ENCODING k", []int{2}},
	{"XGROUP CREATE k g 0", []int{2}},
	{"XREAD COUNT 1 STREAMS a b 0 0", []int{4, 5}},
	{"XREADGROUP GROUP g c STREAMS a >", []int{5}},
}

func TestKeyPositionsWhereServersDoNotTell(t *testing.T) {
	t.Parallel()
	real := redistest.Start(t)
	real.Do(t, "ACL", "SETUSER", "few", "on", ">x", "~*", "+@all", "-command|getkeys")
	real.Do(t, "ACL", "SETUSER", "fewer", "on", ">x", "~*", "+@all", "-command")
	for name, d := range map[string]Dialer{
		"GETKEYS not permitted": {Address: real.Addr, User: "few", Password: "x"},
		"COMMAND not permitted": {Address: real.Addr, User: "fewer", Password: "x"},
		"COMMAND not known":     {Address: refusing(t, "-ERR unknown command 'COMMAND'\r\n")},
		"subcommand not known":  {Address: refusing(t, "-ERR Unknown subcommand or wrong number of arguments for 'GETKEYS'\r\n")},
		"odd answers":           {Address: refusing(t, "+OK\r\n")},
		"empty answers":         {Address: refusing(t, "*1\r\n*-1\r\n")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := client(t, d)
			for _, tt := range usual {
				got, err := usualPositions(t.Context(), c, strings.Fields(tt.command))
				if err != nil || !slices.Equal(got, tt.want) {
					t.Errorf("%s: keys at %v, want %v; %v", tt.command, got, tt.want, err)
				}
				if name == "empty answers" {
					continue // of COMMAND GETKEYS they would mean no keys
				}
				got, err = KeyPositions(t.Context(), c, sampled(tt.command))
				if err != nil || !slices.Equal(got, tt.want) {
					t.Errorf("%s: keys at %v, want %v; %v", tt.command, got, tt.want, err)
				}
			}
		})
	}
}

// refusing is a server that answers whatever begins with COMMAND alike.
func refusing(t *testing.T, reply string) (address string) {
	t.Helper()
	replies := make(map[string]string)
	for _, tt := range usual {
		replies["COMMAND GETKEYS "+tt.command] = reply
		replies["COMMAND INFO "+strings.Fields(tt.command)[0]] = reply
	}
	return scripted(t, replies)
}

// TestKeyPositionsByInfo: where only COMMAND INFO is to be had, it is used.
func TestKeyPositionsByInfo(t *testing.T) {
	t.Parallel()
	c := client(t, Dialer{Address: scripted(t, map[string]string{
		"COMMAND GETKEYS THREE a b c d e": unknownSub,
		"COMMAND INFO THREE":              asReply(list{list{"three", -3, list{"write"}, 1, -2, 2}}),
		"COMMAND GETKEYS NONE a":          unknownSub,
		"COMMAND INFO NONE":               asReply(list{list{"none", 2, list{"fast"}, 0, 0, 0}}),
		"COMMAND GETKEYS MOVING a":        unknownSub,
		"COMMAND INFO MOVING":             asReply(list{list{"moving", 2, list{"movablekeys"}, 0, 0, 0}}),
	})})
	for command, want := range map[string][]int{"THREE a b c d e": {1, 3}, "NONE a": nil, "MOVING a": {1}} {
		got, err := KeyPositions(t.Context(), c, sampled(command))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: keys at %v, want %v; %v", command, got, want, err)
		}
	}
}

// TestKnownCommands holds what is known of commands to what a server says.
func TestKnownCommands(t *testing.T) {
	t.Parallel()
	c := client(t, Dialer{Address: redistest.Start(t).Addr})
	for _, tt := range usual {
		args := strings.Fields(tt.command)
		keys, err := getKeys(t.Context(), c, args)
		if err != nil {
			continue // for it, the server has no such command, or no keys of it
		}
		var want []string
		for _, p := range tt.want {
			want = append(want, args[p])
		}
		if diff := cmp.Diff(want, keys); diff != "" {
			t.Errorf("%s (-known +server):\n%s", tt.command, diff)
		}
	}
	everything, err := c.Do(t.Context(), "COMMAND")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range everything.Elems {
		d := newDescription(v)
		if listed(keyless, d.fullName) && (d.first > 0 || d.movable) {
			t.Errorf("%s is no command without keys: %+v", d.fullName, d)
		}
		if listed(readers, d.fullName) && !slices.Contains(d.flags, "readonly") {
			t.Errorf("%s does not only read: %v", d.fullName, d.flags)
		}
		positions, known := knownPositions([]string{d.fullName, "1", "1", "1", "1", "1"})
		if known && d.first > 0 && !d.movable && fmt.Sprint(positions) != fmt.Sprint(d.positions(6)) {
			t.Errorf("%s: keys known at %v, by the server at %v", d.fullName, positions, d.positions(6))
		}
	}
}

func TestReadOnlyCommand(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	s.Do(t, "ACL", "SETUSER", "fewer", "on", ">x", "~*", "+@all", "-command")
	for _, d := range []Dialer{
		{Address: s.Addr}, {Address: s.Addr, RESP3: true}, {Address: s.Addr, User: "fewer", Password: "x"},
		{Address: scripted(t, map[string]string{})},
	} {
		c := client(t, d)
		for command, want := range map[string]bool{
			"GET a": true, "get a": true, "SET a b": false, "MGET a b": true, "HGETALL h": true, "EVAL x 0": false, "EVAL_RO x 0": true,
			"GETEX a": false, "SORT a": false, "XREAD STREAMS a 0": true, "INCR a": false, "NOSUCH a": false,
		} {
			got, err := ReadOnlyCommand(t.Context(), c, sampled(command)[0])
			if err != nil || got != want {
				t.Errorf("%s as %q: reads only %v, want %v; %v", command, d.User, got, want, err)
			}
		}
	}
	c := client(t, Dialer{Address: s.Addr})
	if got, err := ReadOnlyCommand(t.Context(), c, sampled("OBJECT ENCODING a")[0]); err != nil || !got {
		t.Errorf("a subcommand that reads: %v, %v", got, err)
	}
	c.Close()
	if _, err := ReadOnlyCommand(t.Context(), c, sampled("GET a")[0]); err == nil {
		t.Error("no error from a closed connection")
	}
}
