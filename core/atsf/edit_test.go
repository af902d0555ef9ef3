package atsf_test

import (
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/atsf"
)

func change(path, value string) atsf.Change {
	return atsf.Change{Path: strings.Split(path, "."), Value: []byte(value)}
}

// TestEdit changes only the bytes of the named member, and new members look like the file's
// own.
func TestEdit(t *testing.T) {
	const pretty = "{\n  \"specVersion\": \"1.1\",\n  \"title\" :  \"a\",\n  \"x\": [ 1,2 ],\n  \"metadata\": {},\n  \"stats\": {\n    \"messageCount\": 1.0\n  }\n}\n"
	swap := func(old, now string) string { return strings.Replace(pretty, old, now, 1) }
	for _, c := range []struct {
		name, text string
		changes    []atsf.Change
		want       string
	}{
		{"none", pretty, nil, pretty},
		{"title", pretty, []atsf.Change{atsf.SetTitle("b \"ü\"\u2028\n")}, swap(`"a"`, `"b \"ü\"`+"\u2028"+`\n"`)},
		{"twice", pretty, []atsf.Change{atsf.SetTitle("b"), atsf.SetTitle("c")}, swap(`"a"`, `"c"`)},
		{"updatedAt", pretty, []atsf.Change{change("updatedAt", `"1970-01-01T00:00:00.000Z"`)}, swap("\n  }\n}", "\n  },\n  \"updatedAt\": \"1970-01-01T00:00:00.000Z\"\n}")},
		{"nested", pretty, []atsf.Change{change("stats.messageCount", "2")}, swap("1.0", "2")},
		{"nested and new", pretty, []atsf.Change{change("stats.toolCallCount", "2")}, swap("1.0", "1.0,\n    \"toolCallCount\": 2")},
		{
			"in an empty object", pretty,
			[]atsf.Change{{Path: []string{"metadata", "k"}, Value: []byte(`{"a":[1,{}],"b":[]}`)}},
			swap("{},", "{\n    \"k\": {\n      \"a\": [\n        1,\n        {}\n      ],\n      \"b\": []\n    }\n  },"),
		},
		{"objects on the way", pretty, []atsf.Change{change("a.b.c", "1")}, swap("\n  }\n}", "\n  },\n  \"a\": {\n    \"b\": {\n      \"c\": 1\n    }\n  }\n}")},
		{"array in the place of an object", pretty, []atsf.Change{change("stats", "[1 , 2]")}, swap("{\n    \"messageCount\": 1.0\n  }", "[\n    1,\n    2\n  ]")},
		{"compact", `{"specVersion":"1.1","a":{"b":1}}`, []atsf.Change{change("a.c", `{"d": 1, "e": 2}`), change("f", "1")}, `{"specVersion":"1.1","a":{"b":1,"c":{"d":1,"e":2}},"f":1}`},
		{"python's", `{"specVersion": "1.1", "a": {"b": 1}}`, []atsf.Change{change("a.c", `{"d":1,"e":[1,2]}`), change("f", "1")}, `{"specVersion": "1.1", "a": {"b": 1, "c": {"d": 1, "e": [1, 2]}}, "f": 1}`},
		{"python's with one member", `{"specVersion": "1.1"}`, []atsf.Change{change("f", "1")}, `{"specVersion": "1.1", "f": 1}`},
		{"tabs and CRLF", "{\r\n\t\"specVersion\": \"1.1\"\r\n}\r\n", []atsf.Change{change("a.b", "1")}, "{\r\n\t\"specVersion\": \"1.1\",\r\n\t\"a\": {\r\n\t\t\"b\": 1\r\n\t}\r\n}\r\n"},
		{"braces with space", `{ "specVersion" : "1.1", "a" : { } }`, []atsf.Change{change("a.b", "1"), change("c", "2")}, `{ "specVersion" : "1.1", "a" : {"b" : 1}, "c" : 2 }`},
		{"null becomes an object", `{"specVersion":"1.1","metadata":null}`, []atsf.Change{{Path: []string{"metadata", "k"}, Value: []byte("1")}}, `{"specVersion":"1.1","metadata":{"k":1}}`},
		{"name with escapes", `{"specVersion":"1.1","\u0074itle":"a"}`, []atsf.Change{atsf.SetTitle("b")}, `{"specVersion":"1.1","\u0074itle":"b"}`},
		{"name with a colon", `{"a:\",:":0,"specVersion":"1.1"}`, []atsf.Change{change(`a:",:`, "1")}, `{"a:\",:":1,"specVersion":"1.1"}`},
		{"twice, but another member", `{"specVersion":"1.1","x":1,"x":2,"title":"a"}`, []atsf.Change{atsf.SetTitle("b")}, `{"specVersion":"1.1","x":1,"x":2,"title":"b"}`},
	} {
		t.Run("X4 T5/"+c.name, func(t *testing.T) {
			before := c.text
			got, err := atsf.Edit([]byte(c.text), c.changes...)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			if c.text != before {
				t.Error("the input was changed")
			}
		})
	}
}

// TestEditRefused makes changes that are not written.
func TestEditRefused(t *testing.T) {
	const text = `{"specVersion":"1.1","title":"a","x":1,"x":2,"y":{"z":1,"z":2}}`
	for _, c := range []struct {
		name, text string
		change     atsf.Change
		rule       string
	}{
		{"no JSON", `{"specVersion":"1.1"`, atsf.SetTitle("b"), "T1"},
		{"not UTF-8", "{\"specVersion\":\"1.1\",\"x\":\"\xff\"}", atsf.SetTitle("b"), "X1"},
		{"later major", `{"specVersion":"2.0"}`, atsf.SetTitle("b"), "V2"},
		{"no version", `{"title":"a"}`, atsf.SetTitle("b"), "V1"},
		{"two versions", `{"specVersion":"1.1","specVersion":"1.1"}`, atsf.SetTitle("b"), "V1"},
		{"no path", text, atsf.Change{Value: []byte("1")}, "X4"},
		{"path too long", text, change(strings.Repeat("a.", 70)+"b", "1"), "X4"},
		{"through a text", text, change("title.b", "1"), "X4"},
		{"member twice", text, change("x", "1"), "X4"},
		{"nested member twice", text, change("y.z", "1"), "X4"},
		{"value is no JSON", text, change("title", "b"), "X4"},
		{"two values", text, change("title", "1,2"), "X4"},
		{"no value", text, change("title", ""), "X4"},
		{"value not UTF-8", text, change("title", "\"\xff\""), "X4"},
		{"name not UTF-8", text, change("\xff", "1"), "X4"},
		{"value too deep", text, change("a.b", strings.Repeat("[", 63)+strings.Repeat("]", 63)), "X4"},
	} {
		t.Run("X4/"+c.name, func(t *testing.T) {
			out, err := atsf.Edit([]byte(c.text), c.change)
			if f := fault(t, err); f.Rule != c.rule || out != nil {
				t.Errorf("%+v, %q", f, out)
			}
		})
	}
}

// TestSetStats leaves other counts.
func TestSetStats(t *testing.T) {
	got, err := atsf.Edit([]byte(`{"specVersion":"1.1","stats":{"systemMessageCount":1,"toolCallCount":0}}`), atsf.SetStats(atsf.Stats{Messages: 3, User: 1, Agent: 2, ToolCalls: 4})...)
	if want := `{"specVersion":"1.1","stats":{"systemMessageCount":1,"toolCallCount":4,"messageCount":3,"userMessageCount":1,"agentMessageCount":2}}`; err != nil || string(got) != want {
		t.Errorf("X4: %s, %v", got, err)
	}
}
