package data

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"
)

func jsonSamples() []string {
	return []string{
		`{}`, ` { } `, `{"a":1}`, `{"a":"b"}`, `{"a":null,"b":true,"c":false}`, `{"a":[1,2,[3,{"x":"]}"}]],"b":{}}`,
		`{"a":"\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00"}`, `{"a":"\ud800"}`, `{"a":"\ud800\u0041"}`, `{"a":"\udc00\ud800\udc00"}`,
		`{"\u0061":1}`, `{"a":1,"a":2}`, `{"a":"é漢字😀"}`, "{\"a\":\"\xff\xc3\"}", `{"a":-0.5e+10,"b":0,"c":1E5,"d":-0}`,
		`{"a":01}`, `{"a":1.}`, `{"a":.5}`, `{"a":-}`, `{"a":+1}`, `{"a":1e}`, `{"a":0x1}`, `{"a":NaN}`, `{"a":tru}`, `{"a":truex}`, `{"a":nulll}`,
		`{"a"}`, `{"a":}`, `{"a":1,}`, `{,}`, `{a:1}`, `{"a":1 "b":2}`, `{"a":[1,]}`, `{"a":[,1]}`, `{"a":[1 2]}`, `{"a":{"b"}}`, `{"a":{"b":1,}}`, `{"a":[}`, `{"a":{]}`,
		`{"a":"\x"}`, `{"a":"\u12g4"}`, `{"a":"\u12"}`, "{\"a\":\"\n\"}", "{\"a\":\"\x1f\"}", "{\"a\":\"\x7f\"}", `{"a":"`, `{"a":"\`, `{"a`, `{`, `}`, `[]`, `1`, `"a"`, `null`, ``,
		`{"a":1}x`, `{"a":1}{"b":2}`, "{\"a\":1}\x00", "\ufeff{}", `{"a": [ { } , [ ] ] }`, `{"":""}`, "{\"a\":\t1\r\n}",
		`{"long key of more than eight":"a long text of more than eight bytes with \u00e9 in it"}`,
		`{"a":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`,
	}
}

// agreeJSON checks one object against encoding/json: whether it is one, and
// what its fields hold.
func agreeJSON(t *testing.T, text []byte) {
	t.Helper()
	o := newObjects()
	var r row
	at := space(text, 0)
	err := errMore
	if at < len(text) && text[at] == '{' {
		var end int
		if end, err = o.read(text, at, &r); err == nil && space(text, end) < len(text) {
			err = errMore
		}
	}
	var members map[string]json.RawMessage
	wrong := json.Unmarshal(text, &members)
	if wrong == nil && members == nil {
		return // null, which is no object
	}
	if (err == nil) != (wrong == nil) {
		if err != nil && strings.HasSuffix(err.Error(), "stands twice") {
			return
		}
		t.Fatalf("%q: %v, encoding/json has: %v", text, err, wrong)
	}
	if err != nil {
		return
	}
	for number, name := range o.names {
		// Their keys are made valid.
		raw, known := members[string(appendValid(nil, []byte(name)))]
		if !known {
			t.Fatalf("%q: field %q, encoding/json has %q", text, name, members)
		}
		v := r.fields[number]
		if got := r.appendText(nil, v); !bytes.Equal(appendValid(nil, got), jsonText(raw)) && utf8.ValidString(name) {
			t.Fatalf("%q: field %q is %q, encoding/json has %q", text, name, got, raw)
		}
		agreeMeaning(t, raw, r.appendJSON(nil, v), utf8.ValidString(name))
	}
	if valid := appendValid(nil, r.object); !json.Valid(valid) || !utf8.Valid(valid) {
		t.Fatalf("%q is not JSON", valid)
	}
}

// jsonText is what Text has to be of a value.
func jsonText(raw json.RawMessage) []byte {
	var s string
	switch {
	case string(raw) == "null":
		return nil
	case raw[0] == '"':
		if err := json.Unmarshal(raw, &s); err != nil {
			return nil
		}
		return []byte(s)
	}
	return appendValid(nil, raw)
}

// agreeMeaning checks that two texts of JSON mean the same.
func agreeMeaning(t *testing.T, want, got []byte, unique bool) {
	t.Helper()
	var a, b any
	da, db := json.NewDecoder(bytes.NewReader(want)), json.NewDecoder(bytes.NewReader(got))
	da.UseNumber()
	db.UseNumber()
	if err := errors.Join(da.Decode(&a), db.Decode(&b)); err != nil {
		t.Fatalf("%q: %v", got, err)
	}
	if unique && fmt.Sprintf("%q", a) != fmt.Sprintf("%q", b) {
		t.Fatalf("%q means other than %q", got, want)
	}
}

func TestJSONAgrees(t *testing.T) {
	t.Parallel()
	for _, text := range jsonSamples() {
		agreeJSON(t, []byte(text))
		everySplit(t, func() format { return &jsonLines{newObjects()} }, []byte(text))
		everySplit(t, func() format { return &jsonArray{objects: newObjects()} }, []byte("["+text+","+text+"]"))
	}
}

func FuzzJSON(f *testing.F) {
	for _, text := range jsonSamples() {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 2000 {
			return
		}
		agreeJSON(t, text)
		if len(text) < 300 {
			everySplit(t, func() format { return &jsonLines{newObjects()} }, text)
		}
	})
}

// agreeArray checks an array of objects against a json.Decoder.
func agreeArray(t *testing.T, text []byte) {
	t.Helper()
	if space(text, 0) == len(text) {
		return // no rows, which Open says
	}
	got := scanAll(t, &jsonArray{objects: newObjects()}, text)
	var want []json.RawMessage
	wrong := json.Unmarshal(text, &want)
	if wrong != nil || len(want) == 0 && text[space(text, 0)] != '[' {
		if len(got.faults) == 0 && wrong != nil {
			t.Fatalf("%q has no fault, encoding/json has: %v", text, wrong)
		}
		return
	}
	objects := 0
	for _, raw := range want {
		if raw[0] == '{' && objects < len(got.json) && string(raw) == got.json[objects] {
			objects++
		}
	}
	if objects != len(got.json) || len(got.json)+len(got.faults) != len(want) {
		t.Fatalf("%q: objects %q, faults %q, encoding/json has %q", text, got.json, got.faults, want)
	}
}

func FuzzJSONArray(f *testing.F) {
	for _, text := range jsonSamples() {
		f.Add([]byte("[" + text + "]"))
		f.Add([]byte(" [ " + text + " , " + text + " ] "))
		f.Add([]byte(text))
	}
	f.Add([]byte(`[{"a":1},2,{"a":3},{"a":1,"a":2},"x",[{}]]`))
	f.Add([]byte(`[{"a":1}`))
	f.Add([]byte(`[{"a":1},`))
	f.Add([]byte(`[]]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 300 {
			return
		}
		agreeArray(t, text)
		everySplit(t, func() format { return &jsonArray{objects: newObjects()} }, text)
	})
}

// FuzzString: any text, written as JSON, says the same.
func FuzzString(f *testing.F) {
	for _, text := range []string{"", "a", "\"\\\n\r\t\b\f\x00\x1f\x7f", "é漢字😀", "\xff\xc3(", "</script>\u2028", strings.Repeat("a\"", 20)} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var said string
		if err := json.Unmarshal(appendString(nil, text), &said); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if said != string(appendValid(nil, text)) {
			t.Fatalf("%q says %q", text, said)
		}
	})
}

// FuzzNumber: what is written as a number is one that encoding/json knows.
func FuzzNumber(f *testing.F) {
	for _, text := range []string{"0", "-1", "1e5", "007", "+5", "1_000", ".5", "5.", "-", "", "1.5E-3", " 1", "1 "} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		var n any
		err := d.Decode(&n)
		number, ok := n.(json.Number)
		_, rest := d.Token()
		want := err == nil && rest == io.EOF && ok && string(number) == string(text)
		if got := isNumber(text); got != want {
			t.Fatalf("%q is a number: %v, encoding/json: %v", text, got, want)
		}
	})
}
