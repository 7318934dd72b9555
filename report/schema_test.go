package report

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

const schemaFile = "../docs/result.schema.json"

// TestSchema: every result in JSON is valid by the published schema.
func TestSchema(t *testing.T) {
	t.Parallel()
	schema, err := jsonschema.NewCompiler().Compile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) < 8 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSchemaRefuses: the schema is not one that takes anything.
func TestSchemaRefuses(t *testing.T) {
	t.Parallel()
	schema, err := jsonschema.NewCompiler().Compile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"a list":        `[]`,
		"no fields":     `{}`,
		"other schema":  strings.Replace(string(asJSON(t, fullRun())), Schema, "respbench/2", 1),
		"text":          strings.Replace(string(asJSON(t, fullRun())), `"sent": 2847541`, `"sent": "many"`, 1),
		"a run as such": strings.Replace(string(asJSON(t, fullRun())), `"kind": "run"`, `"kind": "suite"`, 1),
	} {
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if schema.Validate(value) == nil {
			t.Errorf("%s is valid", name)
		}
	}
}

// TestSchemaKnowsEveryField compares the schema's properties with the fields.
func TestSchemaKnowsEveryField(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Defs map[string]node `json:"$defs"`
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	for name, kind := range map[string]reflect.Type{
		"run": reflect.TypeFor[Result](), "suite": reflect.TypeFor[SuiteResult](), "target": reflect.TypeFor[Target](), "sweep": reflect.TypeFor[SweepResult](),
	} {
		fields := fieldsOf(kind, "")
		if name == "run" { // whose target has a definition of its own
			fields = slices.DeleteFunc(fields, func(f string) bool { return strings.HasPrefix(f, "target.") })
		}
		slices.Sort(fields)
		described := schema.Defs[name].paths("")
		slices.Sort(described)
		if !slices.Equal(fields, described) {
			t.Errorf("%s: the schema has\n%q\nthe fields are\n%q", name, described, fields)
		}
	}
}

// node is a part of a schema.
type node struct {
	Properties map[string]node `json:"properties"`
	Items      *node           `json:"items"`
}

// paths lists the fields below a node.
func (n node) paths(path string) []string {
	var list []string
	if n.Items != nil {
		list = append(list, n.Items.paths(path+"[]")...)
	}
	for name, p := range n.Properties {
		if path != "" {
			name = path + "." + name
		}
		list = append(append(list, name), p.paths(name)...)
	}
	return list
}
