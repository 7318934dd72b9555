package template

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestArguments splits templates without placeholders, or with such that
// always write the same.
func TestArguments(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		src  string
		want []string
	}{
		{"PING", []string{"PING"}},
		{"  SET \t k\r\nv \n", []string{"SET", "k", "v"}},
		{"\ufeffSET k v", []string{"SET", "k", "v"}},
		{" \ufeff\r\n\ufeff SET k v", []string{"SET", "k", "v"}},
		{"SET k \ufeff", []string{"SET", "k", "\ufeff"}},

		// Quotes.
		{`SET k "two words"`, []string{"SET", "k", "two words"}},
		{`SET k ""`, []string{"SET", "k", ""}},
		{`SET k ''`, []string{"SET", "k", ""}},
		{`SET k '  '`, []string{"SET", "k", "  "}},
		{`SET bin "a\x00b\xff"`, []string{"SET", "bin", "a\x00b\xff"}},
		{`ECHO "\n\r\t\a\b\\\"\q\x4a\x4A\xg1\x4"`, []string{"ECHO", "\n\r\t\a\b\\\"qJJxg1x4"}},
		{"ECHO \"\\x\x11\x11\"", []string{"ECHO", "x\x11\x11"}},
		{`ECHO '\n \' \\ \" "'`, []string{"ECHO", `\n ' \ \" "`}},
		{`ECHO a"b c"'d e'f`, []string{"ECHO", "ab cd ef"}},
		{`ECHO a""`, []string{"ECHO", "a"}},
		{`ECHO "a'b" 'a"b'`, []string{"ECHO", "a'b", `a"b`}},
		{`"SET" 'k' v`, []string{"SET", "k", "v"}},
		{"ECHO 'é\xff\x00'", []string{"ECHO", "é\xff\x00"}},

		// Backslashes outside of quotes.
		{`ECHO \n \\ a\b \`, []string{"ECHO", `\n`, `\\`, `a\b`, `\`}},
		{`ECHO \< \{ \<key \{key}`, []string{"ECHO", "<", "{", "<key", "{key}"}},
		{`ECHO \\<`, []string{"ECHO", `\<`}},
		{`ECHO "\{key uniform 10}" '\<key uniform 10>'`, []string{"ECHO", "{key uniform 10}", "<key uniform 10>"}},

		// Brackets that are text.
		{`SET {account} {} <> v`, []string{"SET", "{account}", "{}", "<>", "v"}},
		{`SET {user1} {0 1} {}}`, []string{"SET", "{user1}", "{0", "1}", "{}}"}},
		{`JSON.SET d $ '{"a":{"b":1}}'`, []string{"JSON.SET", "d", "$", `{"a":{"b":1}}`}},
		{`JSON.SET d $ {"a":{"b":1}}`, []string{"JSON.SET", "d", "$", `{"a":{"b":1}}`}},
		{`JSON.SET d $ {"a": "two words", "b{": [{"c": "}\""}, {rand 1}]} x`, []string{"JSON.SET", "d", "$", `{"a": "two words", "b{": [{"c": "}\""}, 0]}`, "x"}},
		{`SET k x{"a":1}y"z"`, []string{"SET", "k", `x{"a":1}yz`}},
		{`SET k {"a":"\{b\n"}`, []string{"SET", "k", `{"a":"{b\n"}`}},
		{`SET k {"<rand 1>":{"it's":1}}`, []string{"SET", "k", `{"0":{"it's":1}}`}},
		{`EVAL "return a < 5 and b <= 7 or c > 1" 0`, []string{"EVAL", "return a < 5 and b <= 7 or c > 1", "0"}},
		{`ECHO a < 5 <= 6 } >`, []string{"ECHO", "a", "<", "5", "<=", "6", "}", ">"}},
		{`ECHO "if a <b then" '<b>hi</b>'`, []string{"ECHO", "if a <b then", "<b>hi</b>"}},
		{`ECHO {key:1} {keys} <index: {uuid,1}`, []string{"ECHO", "{key:1}", "{keys}", "<index:", "{uuid,1}"}},
		{`ECHO '{ hello world }' "a < key and"`, []string{"ECHO", "{ hello world }", "a < key and"}},
		{`ECHO '(n {name "x"})'`, []string{"ECHO", `(n {name "x"})`}},
		{"ECHO {key\x00}", []string{"ECHO", "{key\x00}"}},

		// Placeholders of one value, in every position.
		{`GET {rand 1} <rand 1> x{rand 1}y<rand 1>z`, []string{"GET", "0", "0", "x0y0z"}},
		{"GET {\trand\r\n1 } < rand 1 >", []string{"GET", "0", "0"}},
		{`SET "a:{key uniform 1}:z" "id=({rand 1})"`, []string{"SET", "a:key_0000000000:z", "id=(0)"}},
		{`SET '<key zipfian 1>' {{rand 1}} <<rand 1>>`, []string{"SET", "key_0000000000", "{0}", "<0>"}},
		{`JSON.SET d $ '{"n":<rand 1>,"tags":{"a":1}}'`, []string{"JSON.SET", "d", "$", `{"n":0,"tags":{"a":1}}`}},
		{`GET {int gaussian 7..7} {int latest 7..7} {int sequence 7..7}`, []string{"GET", "7", "7", "7"}},
		{`GET {key uniform 9223372036854775807..9223372036854775807}`, []string{"GET", "key_9223372036854775807"}},
		{`GET {key uniform 10000000000..10000000000}`, []string{"GET", "key_10000000000"}},
		{`SET k <value 0> x<bytes 0>`, []string{"SET", "k", "", "x"}},

		// Ranges are two arguments when they stand alone.
		{`ZRANGE z {range 51 50}`, []string{"ZRANGE", "z", "0", "50"}},
		{`ZRANGE z {range 1 0}`, []string{"ZRANGE", "z", "0", "0"}},
		{`ZRANGE z "{range 51 50}" [{range 7..9 2}]`, []string{"ZRANGE", "z", "0 50", "[7 9]"}},
		{`ZRANGE {range 10..12 2 as r} <r> (<r>) '<r>'`, []string{"ZRANGE", "10", "12", "10", "12", "(10 12)", "10 12"}},
		{`{range 10..12 2}`, []string{"10", "12"}},

		// Separators that separate nothing.
		{`ECHO ";" ';' ;; a; ;b`, []string{"ECHO", ";", ";", ";;", "a;", ";b"}},
	} {
		got := unit(t, mustParse(t, test.src), 1, 0)
		if diff := cmp.Diff([][]string{test.want}, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.src, diff)
		}
	}
}

func TestCommands(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		src   string
		want  [][]string
		names []string
	}{
		{"PING", [][]string{{"PING"}}, []string{"PING"}},
		{"MULTI ; set a 1\n;\nEXEC", [][]string{{"MULTI"}, {"set", "a", "1"}, {"EXEC"}}, []string{"MULTI", "SET", "EXEC"}},
		{"c{rand 1} a ; '' ", nil, nil}, // an empty name
		{"c{rand 1} a ; 'x'\"y\"", [][]string{{"c0", "a"}, {"xy"}}, []string{"", "XY"}},
		{"SET {int uniform 3..3 as k} <k> ; GET k<k>", [][]string{{"SET", "3", "3"}, {"GET", "k3"}}, []string{"SET", "GET"}},
	} {
		p, err := Parse(test.src)
		if err != nil {
			if test.want != nil {
				t.Errorf("%q: %v", test.src, err)
			}
			continue
		}
		if diff := cmp.Diff(test.want, unit(t, p, 1, 0)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.src, diff)
		}
		if diff := cmp.Diff(test.names, p.Names()); diff != "" {
			t.Errorf("%q, names (-want +got):\n%s", test.src, diff)
		}
		if p.Commands() != len(test.want) || p.Source() != test.src {
			t.Errorf("%q: Commands() = %d, Source() = %q", test.src, p.Commands(), p.Source())
		}
	}
}

// TestLargeTemplate holds that reading takes linear time and memory, also for
// texts that look ahead much.
func TestLargeTemplate(t *testing.T) {
	t.Parallel()
	const size = 20_000_000
	big := strings.Repeat("x", size)
	p := mustParse(t, "SET k "+big)
	if got := unit(t, p, 1, 0)[0][2]; got != big {
		t.Errorf("a value of %d bytes came out with %d", size, len(got))
	}
	for _, piece := range []string{"{", "<key", "{ab ", "{a}", "< ", `"`, "'<a b"} {
		if _, err := Parse("ECHO " + strings.Repeat(piece, size/8/len(piece)) + "{"); err == nil {
			t.Errorf("%d times %q and an open bracket: no error", size/8/len(piece), piece)
		} else if caret := err.(*Error).Caret(); len(caret) > 500 {
			t.Errorf("%q: the caret lines have %d bytes", piece, len(caret))
		}
	}
}
