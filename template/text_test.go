package template

import (
	"strings"
	"testing"
)

// AppendText writes what Parse would read as the same arguments, where there is
// a ; between commands.
func TestAppendText(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		`SET k v`:                             "SET k v\n",
		`SET "a b" ""`:                        "SET \"a b\" \"\"\n",
		`SET "a\x00\n\r\t\\\"b"`:              "SET \"a\\x00\\n\\r\\t\\\\\\\"b\"\n",
		`ECHO 三十 "a\xe4\xb8" "\xe2\x80\xae"`:  "ECHO \"三十\" \"a\\xe4\\xb8\" \"\\xe2\\x80\\xae\"\n",
		`ECHO "it's" "\xff"`:                  "ECHO \"it's\" \"\\xff\"\n",
		`MULTI ; GET {rand 1 as k}{k} ; EXEC`: "MULTI\nGET 00\nEXEC\n",
	} {
		p, err := Parse(src)
		if err != nil {
			t.Errorf("%s: %v", src, err)
			continue
		}
		got := string(NewAppender(p, 0).AppendText(nil, 0))
		if got != want {
			t.Errorf("%s: %q, want %q", src, got, want)
		}
		text := got[:len(got)-1]
		if len(p.Names()) > 1 {
			text = strings.ReplaceAll(text, "\n", " ; ")
		}
		again, err := Parse(text)
		if err != nil {
			t.Errorf("%q cannot be read again: %v", got, err)
		} else if string(NewAppender(again, 0).Append(nil, 0)) != string(NewAppender(p, 0).Append(nil, 0)) {
			t.Errorf("%q is read as something else", got)
		}
	}
}
