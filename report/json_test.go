package report

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

func asJSON(t *testing.T, r *Result) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := JSON(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestJSONRoundTrip(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]*Result{
		"full": fullRun(), "open": openRun(), "mix": mixRun(), "errors": errorsRun(), "load": loadRun(), "tuned": tunedRun(), "failed": failedRun(), "tiny": tinyRun(), "huge": hugeRun(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := asJSON(t, r)
			golden(t, name+".json", text)
			back, err := ReadJSON(bytes.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(r, back); diff != "" {
				t.Errorf("read back (-want +got):\n%s", diff)
			}
			if again := asJSON(t, back); !bytes.Equal(text, again) {
				t.Errorf("written again it differs:\n%s", cmp.Diff(string(text), string(again)))
			}
		})
	}
}

// TestJSONFillsEveryField writes a result in which no field is zero, so that
// none can be lost on the way without notice.
func TestJSONFillsEveryField(t *testing.T) {
	t.Parallel()
	r := fullRun()
	fillZeros(reflect.ValueOf(r).Elem())
	back, err := ReadJSON(bytes.NewReader(asJSON(t, r)))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r, back); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// fillZeros gives every zero field of v a value.
func fillZeros(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for _, field := range v.Fields() {
			if field.CanSet() {
				fillZeros(field)
			}
		}
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		fillZeros(v.Elem())
	case reflect.Slice:
		if v.Len() == 0 {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		}
		for i := range v.Len() {
			fillZeros(v.Index(i))
		}
	case reflect.String:
		if v.IsZero() {
			v.SetString("<text> & \"more\"\n\x1b")
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		if v.IsZero() {
			v.SetFloat(0.1)
		}
	case reflect.Int, reflect.Int64:
		if v.IsZero() {
			v.SetInt(math.MaxInt64)
		}
	case reflect.Uint64:
		v.SetUint(math.MaxUint64)
	}
}

func TestJSONOfAnEmptyResult(t *testing.T) {
	t.Parallel()
	text := asJSON(t, &Result{Latency: &Latency{}})
	for _, want := range []string{`"schema": "respbench/1"`, `"errors": []`, `"intervals": []`, `"warnings": []`, `"percentiles": []`} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	if !bytes.HasSuffix(text, []byte("\n}\n")) {
		t.Errorf("ends in %q", text[len(text)-3:])
	}
}

func TestJSONRefusesWhatIsNoNumber(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]*Result{
		"rate":       {RatePerSec: math.NaN()},
		"tuning":     {Tuning: []TuningStep{{RatePerSec: math.Inf(1)}}},
		"percentile": {Latency: &Latency{Percentiles: []Percentile{{Percent: math.Inf(-1)}}}},
	} {
		var b bytes.Buffer
		if err := JSON(&b, r); err == nil || b.Len() > 0 {
			t.Errorf("%s: error %v after %q", name, err, b.String())
		}
	}
}

func TestJSONWriterFails(t *testing.T) {
	t.Parallel()
	if err := JSON(full{}, fullRun()); err != errFull {
		t.Errorf("JSON: %v", err)
	}
	if err := Text(full{}, fullRun(), TextOptions{}); err != errFull {
		t.Errorf("Text: %v", err)
	}
}

func TestReadJSONSkipsUnknownFields(t *testing.T) {
	t.Parallel()
	r, err := ReadJSON(strings.NewReader("\ufeff" + `{"future": {"a": [1]}, "schema": "respbench/1", "workload": {}, "target": {}, "requests": {}, "rate_per_sec": 7}`))
	if err != nil || r.RatePerSec != 7 || r.Errors == nil {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestReadJSONErrors(t *testing.T) {
	t.Parallel()
	good := string(asJSON(t, fullRun()))
	for _, test := range []struct{ name, text, want string }{
		{"empty", " \n", "read result: it is empty"},
		{"not JSON", "requests: 3\n", "read result: line 1: not JSON"},
		{"cut short", good[:len(good)/2], "not JSON: unexpected end"},
		{"two results", good + good, "not JSON: invalid character '{' after top-level value"},
		{"a mistake on line 3", "{\n\"schema\": \"respbench/1\",\n\"window_ns\": ,}", "line 3: not JSON"},
		{"a list", "[]", "result is a JSON array"},
		{"no schema", `{"ops": 3}`, `no "schema": not a result of respbench`},
		{"another schema", strings.Replace(good, Schema, "respbench/2", 1), `schema "respbench/2" is not known, only "respbench/1"`},
		{"schema is a number", `{"schema": 1}`, "schema is a JSON number"},
		{"text for a number", "{\"schema\": \"respbench/1\",\n\"requests\": {\"sent\": \"many\"}}", "line 2: requests.sent is a JSON string"},
		{"fraction", `{"schema": "respbench/1", "window_ns": 1.5}`, "window_ns is a JSON number 1.5"},
		{"nothing else", `{"schema": "respbench/1"}`, `no "workload": not a result file`},
		{"no target", `{"schema": "respbench/1", "workload": {}, "target": null, "requests": {}}`, `no "target": not a result file`},
		{"no tests", `{"schema": "respbench/1", "kind": "suite", "suite": {}, "targets": []}`, `no "tests": not a result file`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r, err := ReadJSON(strings.NewReader(test.text))
			if err == nil || !strings.Contains(err.Error(), test.want) || r != nil {
				t.Errorf("got %v, %v; want an error with %q", r, err, test.want)
			}
		})
	}
	if _, err := ReadJSON(iotest.ErrReader(io.ErrUnexpectedEOF)); err == nil {
		t.Error("a failing reader is no error")
	}
}

// FuzzReadJSON: what can be read can be shown and written, and what was
// written reads the same.
func FuzzReadJSON(f *testing.F) {
	for _, name := range []string{"full", "errors", "tuned", "failed"} {
		text, err := os.ReadFile("testdata/" + name + ".json")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add(`{"schema":"respbench/1","workload":{},"target":{},"requests":{}}`)
	f.Add(`{"schema":"respbench/1","workload":{},"target":{},"requests":{"succeeded":-1},"window_ns":-9223372036854775808,"latency":{"avg_ns":-5,"percentiles":[{"percent":-1e308,"ns":9223372036854775807}]},"rate_per_sec":1e308,"errors":[{}],"tuning":[{"rate_per_sec":1e308}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ReadJSON(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, o := range []TextOptions{{}, {Quiet: true}} {
			var b bytes.Buffer
			if err := Text(&b, r, o); err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(b.String()) {
				if strings.ContainsFunc(strings.TrimSuffix(line, "\n"), unprintable) {
					t.Errorf("control characters: %q", line)
				}
			}
		}
		first := asJSON(t, r)
		if !json.Valid(first) {
			t.Fatalf("not JSON: %s", first)
		}
		back, err := ReadJSON(bytes.NewReader(first))
		if err != nil {
			t.Fatal(err)
		}
		if second := asJSON(t, back); !bytes.Equal(first, second) {
			t.Errorf("written again it differs:\n%s", cmp.Diff(string(first), string(second)))
		}
	})
}
