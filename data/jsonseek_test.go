package data

import (
	"fmt"
	"strings"
	"testing"
)

// TestArraySkip: of an array, too, the elements with a fault are left out, and
// those around them are read. Where an element ends cannot always be known.
func TestArraySkip(t *testing.T) {
	t.Parallel()
	const unknown = ", and where this element of the array ends cannot be known"
	for _, tt := range []struct {
		text, ids  string
		bad        int64
		flaw, fail string
	}{
		{`[{"id":1},{"id":x},{"id":2}]`, "1 2", 1, "", ""},
		{"[{\"id\":1},{\"id\":\"a\tb\"},{\"id\":2}]", "1 2", 1, "", ""},
		{"[{\"id\":1},{\"id\":\"a\nb\"},{\"id\":2}]", "1 2", 1, "", ""},
		{"[{\"id\":1},\n5,\n{\"id\":x},\n{\"id\":2}]", "1 2", 2, "", ""},
		{`[{"id":1},null,[],"a",true,-1.5e3,{"id":2}]`, "1 2", 5, "", ""},
		{`[{"id":1},{"id":{"x":[1,"]}",{]},{"y":2}},{"id":2}]`, "1 2", 1, "", ""},
		{`[{"id":1},{"id":[1},{"id":2}]`, "1 2", 1, "", ""},
		{`[{"id":1},{"id":"\x]\\\""},{"id":2}]`, "1 2", 1, "", ""},
		{`[{"id":1},NaN,'a',{"id":2}]`, "1 2", 2, "", ""},
		{`[{"id":1,},{"id":2}]`, "2", 1, "", ""},
		{`[{"id":1},{"id":2},]`, "1 2", 0, `found "]" where a JSON value has to begin`, ""},
		{`[{"id":1},,{"id":2}]`, "1 2", 0, `found "," where a JSON value has to begin`, ""},
		{`[{"id":1}{"id":2}]`, "1 2", 0, `found "{" where a comma or ] has to stand`, ""},
		{`[{"id":1}},{"id":2}]`, "1 2", 0, `found "}" where a comma or ] has to stand`, ""},
		{`[{"id":1} x,{"id":2}]`, "1 2", 1, "", ""},
		{`[{"id":1},{"id":2}`, "1 2", 0, "the file ends before the array does", ""},
		{`[{"id":1},{"id":2},`, "1 2", 0, "the file ends within this element of the array", ""},
		{`[{"id":1},{"id":2},{"i`, "1 2", 1, "", ""},
		{`[{"id":1},{"id":2,"id":3},{"id":2}]`, "1 2", 1, "", ""},
		{`[{"id":1},{"id":{"x":1,{"id":2},{"id":3}]`, "", 0, "", `1:24: found "{" where the name of a field has to stand in quotes` + unknown},
		{"[{\"id\":1},\n{\"id\":\"a},\n{\"id\":\"b\"}]", "", 0, "", `2:11: control character '\n' in a JSON string; it is written \u000a there` + unknown},
		{`[{"id":1},{"id":"C:\"},{"id":"b"}]`, "", 0, "", `1:26: found "i" where a comma or } has to stand` + unknown},
		{`[{"id":1}] x`, "", 0, "", `1:12: found "x" after the array`},
	} {
		everySplit(t, func() format { return &jsonArray{objects: newObjects()} }, []byte(tt.text))
		s, err := Open(write(t, "a.json", tt.text), Options{SkipBad: true})
		if err == nil {
			t.Cleanup(func() { _ = s.Close() })
			s.Column(col(Text, "id"))
			err = s.Load(t.Context(), nil)
		}
		if tt.fail != "" {
			if err == nil || !strings.HasSuffix(err.Error(), "a.json:"+tt.fail) {
				t.Errorf("%s: %v, want %s", tt.text, err, tt.fail)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		var ids []string
		for _, row := range cells(t, s) {
			ids = append(ids, row[0])
		}
		bad, _ := s.Bad()
		flaw := ""
		if s.Flaw() != nil {
			flaw = s.Flaw().Error()
		}
		if strings.Join(ids, " ") != tt.ids || bad != tt.bad || !strings.HasSuffix(flaw, tt.flaw) || tt.flaw == "" && flaw != "" {
			t.Errorf("%s: %q, %d bad, %q; want %q, %d, %q", tt.text, ids, bad, flaw, tt.ids, tt.bad, tt.flaw)
		}
	}
}

// TestArraySkipFar: the fault is named by its place also where the end is looked
// for until the end of a large file.
func TestArraySkipFar(t *testing.T) {
	t.Parallel()
	rows := strings.ReplaceAll(strings.TrimSpace(sparse()), "\n", ",\n")
	for _, before := range []string{"", rows + ",\n"} {
		s, err := Open(write(t, "a.json", "[{\"id\":1},"+before+"{\"id\":\"a,\n"+rows+"]"), Options{SkipBad: true})
		if err == nil {
			s.Column(col(Text, "id"))
			err = s.Load(t.Context(), nil)
			_ = s.Close()
		}
		line := strings.Count(before, "\n") + 1
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("a.json:%d:", line)) || !strings.HasSuffix(err.Error(), "ends cannot be known") {
			t.Errorf("%v, want line %d", err, line)
		}
	}
}
