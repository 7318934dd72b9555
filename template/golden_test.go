package template

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares got with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got; -update writes it anew):\n%s", path, diff)
	}
}

// programs are templates whose printouts are golden.
var programs = []string{
	"PING",
	"SET <key uniform 10000000> <value 64>",
	"ZADD {key uniform 1000} {rand 70000} {key uniform 10007}",
	"EVALSHA d8f2fad9f8e86a53d2a6ebd960b33c4972cacc37 1 <key uniform 100000> <value 64>",
	`FT.SEARCH idx "@title:hello @price:[<range 1000 50>]" LIMIT 0 10`,
	`JSON.SET doc:<rand 1000> $ '{"name":"<value 10>","n":<rand 100>,"tags":{"a":1}}'`,
	"MULTI ; INCR <key uniform 100 as k> ; EXPIRE <k> 60 ; EXEC",
	"GET <key zipfian 1.2 10000> <key zipfian 10k> <int latest 10..19> <int sequence 1..300>",
	"GET <int gaussian 500 100 1000> <int gaussian 11..20> <int gaussian 15 2 11..20>",
	"GET <key uniform 20g> <key uniform 10g..20g> <int uniform 100..999>",
	"ZRANGE z <range 1000 50 as r> <r> [<r>]",
	"SET <value 16..256 as v> <v> <value 64:9,4ki:1> <value 0> <bytes 5 as b>-<b>",
	"SET <bytes 4ki> <bytes 8ki as b> <b> <value 7:3>",
	"XADD s <time ms as t>-<index> <t> <time s> <time us> <uuid as u> <uuid> <u>",
}

func TestProgramString(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, src := range programs {
		p := mustParse(t, src)
		fmt.Fprintf(&b, "%s\n\n%s\nabout %d bytes, at most %d\n\n", src, p, p.SizeHint(), p.most)
	}
	golden(t, "programs.golden", b.String())
}

// mistakes are templates whose messages are golden, a few of a kind.
var mistakes = []string{
	`JSON.SET d $ {"a": {"b": 1}`,
	// Nothing, and quotes.
	"", " \r\n\t", "\ufeff", `SET "open`, `SET 'open "x"`, `SET k it's`, `SET "a\"`, `SET 'a\'`,
	// Brackets that are not closed.
	"SET {", "SET <", "SET a< \n", `ECHO "{`, "SET <key uniform 10", "SET <key uniform 10}", "SET {index",
	`SET "<key uniform 10" v`, "SET <key uniform <rand 5>>", "SET <rand 1 as k> <k", "SET {index> {index}",
	"SET {kye uniform 10 v", "SET {zzz uniform 10 v", "SET {rnad 10 v",
	// Unknown names.
	"SET {kye uniform 100} {value 64}", "GET {KEY uniform 10}", "GET <val 64>", "GET {random 10}", "GET {hello world}",
	"GET <rand 10 as in-dex> <in-dx 4>", "GET {kye2 uniform 10}", "ECHO '{hello world}'", "GET {abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz 1}",
	// Distributions.
	"GET {key}", "GET {key uniform}", "GET {key 1000}", "GET {key unifrom 10}", "GET {key zipf 10}", "GET {key normal 10}",
	"GET {key Uniform 10}", "GET {key uniform 10 extra}", "GET {key uniform 10 20}", "GET {key latest 1.2 10}",
	"GET {key zipfian}", "GET {key zipfian 1 2 3}", "GET {key zipfian 0 10}", "GET {key zipfian -1 10}", "GET {key zipfian nan 10}",
	"GET {key zipfian inf 10}", "GET {key zipfian 1e999 10}", "GET {key zipfian 0x1p3 10}", "GET {key zipfian 1000 1.5}", "GET {key zipfian 1.5 1.5}",
	"GET {key gaussian}", "GET {key gaussian 5 10}", "GET {key gaussian 20 10 20}", "GET {key gaussian 9 1 10..20}",
	"GET {key gaussian x 10 20}", "GET {key gaussian 5 x 20}", "GET {key gaussian 5 0 20}", "GET {key gaussian 5 -1 20}", "GET {key gaussian 5 inf 20}",
	"GET {key gaussian 1 2 3 4}",
	// Counts.
	"GET {rand}", "GET {rand 0}", "GET {rand -1}", "GET {rand 1.0}", "GET {rand 1.5}", "GET {rand ten}", "GET {rand 1 2}",
	"GET {key sequence 0}", "GET {key uniform 9223372036854775808}", "GET {key uniform 18446744073709551617}", "GET {rand 1e19}",
	"GET {int uniform 5..3}", "GET {int uniform -5..5}", "GET {int uniform 1..}", "GET {int uniform ..9}", "GET {int uniform 1...9}",
	"GET {int uniform 1..9223372036854775808}",
	// Sizes.
	"SET k {value}", "SET k {value -1}", "SET k {value 64 64}", "SET k {value 512mi1}", "SET k {value 536870913}", "SET k {value 1..1g}",
	"SET k {value 5..3}", "SET k {bytes 64:9,4ki}", "SET k {bytes 64:9,,4ki:1}", "SET k {bytes 64:9,}", "SET k {bytes :9}", "SET k {bytes 64:}",
	"SET k {bytes 64:0}", "SET k {bytes 64:-1}", "SET k {bytes 64:x}", "SET k {bytes 1g:1}", "SET k {bytes 1..2:3}", "SET k {bytes 64:9, 4ki:1}",
	"SET k {bytes 1:1e308,2:1e308}", "SET k <value 300mi><value 300mi>",
	// The other placeholders.
	"ZRANGE z {range 5 9}", "ZRANGE z {range 5 5}", "ZRANGE z {range 10..14 5}", "ZRANGE z {range 5}", "ZRANGE z {range}", "ZRANGE z {range 5 -1}", "ZRANGE z {range 0 0}",
	"ZRANGE z {range 5 1 2}", "GET {index 5}", "GET {uuid 4}", "GET <time>", "GET <time m>", "GET <time s ms>",
	// Names.
	"GET <rand 5 as>", "GET <rand 5 as a b>", "GET <rand 5 as 9>", "GET <rand 5 as a.b>", "GET <rand 5 as key>", "GET <rand 5 as uniform>", "GET <rand 5 as as>",
	"GET <rand 5 as k> <rand 5 as k>", "GET <k> <rand 5 as k>", "GET {k} ; SET <rand 5 as k>", "GET <rand 5 as k> <k 5>", "GET <rand 5 as k> <k as j>", "GET <as k>",
	// What leaves its connection without replies, or in a transaction.
	"MULTI", "multi ; INCR n", "MULTI ; MULTI ; EXEC", "EXEC", "PING ; discard", "MULTI ; EXEC ; EXEC", "MULTI ; <value 3> ; EXEC ; MULTI",
	"PING ; subscribe {rand 5}", "MONITOR", "CLIENT REPLY OFF", "SET k v ; client reply skip", "REPLCONF ACK 5", "PSYNC ? -1", "UNSUBSCRIBE",
	// Separators and command names.
	"PING ;", "; PING", "PING ; ; PING", ";", `"" k`, "\u00a0SET k", "S\ufeffET k", "SET\u00a0k v", "'S\nET' k", "PING ; \ufeffPING",
}

func TestMistakes(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, src := range mistakes {
		_, err := Parse(src)
		var mistake *Error
		if !errors.As(err, &mistake) {
			t.Errorf("Parse(%q): error %v, want an *Error", src, err)
			continue
		}
		if mistake.Hint == "" || strings.ContainsAny(mistake.Problem+mistake.Hint, "\r\n") {
			t.Errorf("Parse(%q): problem %q, hint %q: want one line each", src, mistake.Problem, mistake.Hint)
		}
		fmt.Fprintf(&b, "%q\n%v\n", src, err)
		if caret := mistake.Caret(); caret != "" {
			fmt.Fprintln(&b, caret)
		}
		fmt.Fprintf(&b, "hint: %s\n\n", mistake.Hint)
	}
	golden(t, "mistakes.golden", b.String())
}
