package mcp

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestSchemas holds every tool to the strictest rules that are published for functions:
// those of Gemini's Schema, which knows no other keyword and refuses the whole request,
// and of OpenAI's and Anthropic's functions.
func TestSchemas(t *testing.T) {
	p := newPost(t)
	for _, name := range []string{".ssot", ".git"} {
		if err := os.Mkdir(filepath.Join(p.home, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	tools, err := p.connect("coder", nil).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(tools.Tools) != 17 {
		t.Errorf("%d tools", len(tools.Tools))
	}
	names := regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*$`)
	for _, tool := range tools.Tools {
		// Programs put the server's name before it, and 64 is the limit of the whole.
		if !names.MatchString(tool.Name) || len("mcp__signalbox__"+tool.Name) > 64 || tool.Description == "" || len(tool.Description) > 1024 {
			t.Errorf("%q, %q", tool.Name, tool.Description)
		}
		data, err := json.Marshal(tool.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		var schema map[string]any
		if err := json.Unmarshal(data, &schema); err != nil {
			t.Fatal(err)
		}
		if schema["type"] != "object" {
			t.Errorf("%s: %s", tool.Name, data)
		}
		for _, fault := range schemaFaults(tool.Name, schema, 1) {
			t.Error(fault)
		}
	}
}

// schemaFaults returns what breaks a published rule in a schema and those in it.
func schemaFaults(at string, s map[string]any, depth int) (faults []string) {
	fault := func(what string) { faults = append(faults, at+": "+what) }
	// The keywords that both Gemini's Schema and OpenAI's strict functions have.
	keywords := []string{"type", "description", "enum", "format", "items", "properties", "required", "minItems", "maxItems", "minimum", "maximum"}
	for key := range s {
		if !slices.Contains(keywords, key) {
			fault("has " + key)
		}
	}
	kind, one := s["type"].(string)
	if !one || !slices.Contains([]string{"string", "integer", "number", "boolean", "array", "object"}, kind) {
		fault("is of no one type")
	}
	if depth > 5 {
		fault("is nested too deep")
	}
	if text, _ := s["description"].(string); depth > 1 && text == "" {
		fault("is not described")
	}
	if format, has := s["format"].(string); has && !slices.Contains(map[string][]string{
		"string": {"enum", "date-time"}, "number": {"float", "double"}, "integer": {"int32", "int64"},
	}[kind], format) {
		fault("has the format " + format)
	}
	if values, has := s["enum"].([]any); has && (kind != "string" || len(values) == 0 || slices.ContainsFunc(values, func(v any) bool { return v == "" || reflect.TypeOf(v).Kind() != reflect.String })) {
		fault("has an enum of other things than words")
	}
	properties, has := s["properties"].(map[string]any)
	if (kind == "object") != has || has && len(properties) == 0 {
		fault("has no properties, or is no object and has some")
	}
	required, _ := s["required"].([]any)
	for i, name := range required {
		if _, known := properties[name.(string)]; !known || slices.Contains(required[:i], name) {
			fault("requires " + name.(string))
		}
	}
	for name, p := range properties {
		if !regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]{0,63}$`).MatchString(name) {
			fault("has the name " + name)
		}
		faults = append(faults, schemaFaults(at+"."+name, p.(map[string]any), depth+1)...)
	}
	items, has := s["items"].(map[string]any)
	if (kind == "array") != has {
		fault("has no items, or is no array and has some")
	}
	if has {
		items = maps.Clone(items)
		items["description"] = "one of them" // the list is described
		faults = append(faults, schemaFaults(at+"[]", items, depth+1)...)
	}
	return faults
}

// TestSchemaFaults finds each fault that programs were seen to send.
func TestSchemaFaults(t *testing.T) {
	for name, text := range map[string]string{
		"a list of types":        `{"type":["null","integer"],"description":"x"}`,
		"no type":                `{"description":"x"}`,
		"a choice":               `{"type":"string","description":"x","anyOf":[{"type":"string"}]}`,
		"no properties":          `{"type":"object","description":"x"}`,
		"empty properties":       `{"type":"object","description":"x","properties":{}}`,
		"additionalProperties":   `{"type":"object","description":"x","properties":{"a":{"type":"string","description":"x"}},"additionalProperties":false}`,
		"a name with a dash":     `{"type":"object","description":"x","properties":{"a-b":{"type":"string","description":"x"}}}`,
		"requires what is not":   `{"type":"object","description":"x","properties":{"a":{"type":"string","description":"x"}},"required":["b"]}`,
		"an array of anything":   `{"type":"array","description":"x"}`,
		"an array of types":      `{"type":"array","description":"x","items":{"type":["null","string"]}}`,
		"a format":               `{"type":"string","description":"x","format":"uri"}`,
		"an enum of numbers":     `{"type":"integer","description":"x","enum":[1]}`,
		"an empty enum":          `{"type":"string","description":"x","enum":[]}`,
		"properties of a string": `{"type":"string","description":"x","properties":{"a":{"type":"string","description":"x"}}}`,
	} {
		var s map[string]any
		if err := json.Unmarshal([]byte(text), &s); err != nil {
			t.Fatal(err)
		}
		if len(schemaFaults("x", s, 2)) == 0 {
			t.Errorf("%s: nothing is wrong with %s", name, text)
		}
	}
}

// TestArguments understands what models send in place of the types that were asked for.
func TestArguments(t *testing.T) {
	type in struct {
		Text    string   `json:"text" jsonschema:"x"`
		Limit   int      `json:"limit,omitempty" jsonschema:"x"`
		Wait    *int     `json:"wait_seconds,omitempty" jsonschema:"x"`
		Sure    float64  `json:"sure,omitempty" jsonschema:"x"`
		Urgent  bool     `json:"urgent,omitempty" jsonschema:"x"`
		Options []string `json:"options,omitempty" jsonschema:"x"`
	}
	three := 3
	schema := schemaOf[in]()
	for text, want := range map[string]in{
		`{"text":"a","limit":3,"wait_seconds":3,"sure":0.5,"urgent":true,"options":["a","b"]}`:               {"a", 3, &three, 0.5, true, []string{"a", "b"}},
		`{"text":"a","limit":"3","wait_seconds":"3","sure":"0.5","urgent":"true","options":"[\"a\",\"b\"]"}`: {"a", 3, &three, 0.5, true, []string{"a", "b"}},
		`"{\"text\":\"a\",\"limit\":\"3\"}"`:                       {Text: "a", Limit: 3},
		`"\"{\\\"text\\\":\\\"a\\\"}\""`:                           {Text: "a"},
		` {"text":"a","limit":null,"urgent":null,"options":null} `: {Text: "a"},
		`{"text":"a","limit":"","urgent":"","options":""}`:         {Text: "a"},
		`{"text":"a","limit":"null","options":"null"}`:             {Text: "a"},
		`{"text":"a","limit":3.0,"wait_seconds":" 3 "}`:            {Text: "a", Limit: 3, Wait: &three},
		`{"text":"a","urgent":"True"}`:                             {Text: "a", Urgent: true},
		`{"text":"a","urgent":"False"}`:                            {Text: "a"},
		`{"text":"a","options":"one alone"}`:                       {Text: "a", Options: []string{"one alone"}},
		`{"text":"a","options":"3"}`:                               {Text: "a", Options: []string{"3"}},
		`{"text":"a","options":[1,true,"b",null]}`:                 {Text: "a", Options: []string{"1", "true", "b"}},
		`{"text":"3"}`:                  {Text: "3"},
		`{"text":3.50}`:                 {Text: "3.50"},
		`{"text":"[\"a\"]"}`:            {Text: `["a"]`},
		`{"text":"\"quoted\""}`:         {Text: `"quoted"`},
		`{"text":true}`:                 {Text: "true"},
		`{"text":"a","wait-seconds":3}`: {Text: "a", Wait: &three},
	} {
		got, err := arguments[in](schema, json.RawMessage(text))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		``:                              "text is missing",
		`null`:                          "text is missing",
		`{}`:                            "text is missing",
		`"{}"`:                          "text is missing",
		`[1]`:                           "no object",
		`3`:                             "no object",
		`"hello"`:                       "no object",
		`{"text":null}`:                 "text is missing",
		`{"text":{"a":1}}`:              "text: \"{'a':1}\" is no string",
		`{"text":["a"]}`:                "is no string",
		`{"text":"a","limit":"many"}`:   "limit: \"'many'\" is no integer",
		`{"text":"a","limit":"[3]"}`:    "is no integer",
		`{"text":"a","limit":3.5}`:      "limit is number 3.5, which is no whole number",
		`{"text":"a","limit":1e99}`:     "which is no whole number",
		`{"text":"a","urgent":"maybe"}`: "is no boolean",
		`{"text":"a","urgent":1}`:       "is no boolean",
		`{"text":"a","options":[{}]}`:   "options: \"{}\" is no string",
		`{"text":"a","thead":"x"}`:      "there is no argument \"thead\": there is text, limit",
	} {
		if _, err := arguments[in](schema, json.RawMessage(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
