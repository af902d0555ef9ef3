package task

import (
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// TestYAML gives the JSON that a document means, or says which line does not
// mean any.
func TestYAML(t *testing.T) {
	for _, c := range []struct{ name, yaml, want string }{
		{"order and kinds", "b: 1\na: [true, ~, -2.5, x, '7', 1e3]\n", `{"b":1,"a":[true,null,-2.5,"x","7",1000]}`},
		{"numbers of other bases", "a: 0x28\nb: 0o17\nc: +5\n", `{"a":40,"b":15,"c":5}`},
		{"a time stays a text", "a: 2026-01-01\nb: 2026-01-01T00:00:00Z\n", `{"a":"2026-01-01","b":"2026-01-01T00:00:00Z"}`},
		{"words of old YAML", "a: yes\nb: off\n", `{"a":"yes","b":"off"}`},
		{"names that look like values", "1: a\ntrue: b\n", `{"1":"a","true":"b"}`},
		{"twice, for the rules to see", "a: 1\na: 2\n", `{"a":1,"a":2}`},
		{"block text", "a: |\n  one\n  two\n", `{"a":"one\ntwo\n"}`},
		{"not escaped more than needed", "a: <b> & \"c\"\n", `{"a":"<b> & \"c\""}`},
		{"empty", "", "error: the document is empty"},
		{"nothing but a comment", "# x\n", "error: the document is empty"},
		{"a list", "- a\n", "error: the document is no mapping"},
		{"two documents", "a: 1\n---\nb: 2\n", "error: there is more than one document"},
		{"alias", "a: &x 1\nb: *x\n", "error: line 1: anchors and aliases are not read: write the value out"},
		{"anchor of a name", "&x a: 1\n", "error: line 1: a name must be a plain text"},
		{"merge", "<<: {a: 1}\n", "error: line 1: a name must be a plain text"},
		{"a list as a name", "? [a]\n: 1\n", "error: line 1: a name must be a plain text"},
		{"infinite", "a: .inf\n", `error: line 1: ".inf" is no !!float that JSON has`},
		{"too large", "\na: 99999999999999999999\n", `{"a":100000000000000000000}`},
		{"binary", "a: !!binary aGk=\n", `error: line 1: "aGk=" is no !!binary that JSON has`},
		{"own tag", "a: !x b\n", `error: line 1: "b" is no !x that JSON has`},
		{"deep", "a: " + strings.Repeat("[", 70) + strings.Repeat("]", 70) + "\n", "error: line 1: nested too deep"},
		{"garbage", "a: [", "error: yaml: line 1: did not find expected node content"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := yamlToJSON([]byte(c.yaml))
			text := string(got)
			if err != nil {
				text = "error: " + err.Error()
			}
			if text != c.want {
				t.Errorf("got  %s\nwant %s", text, c.want)
			}
		})
	}
}

// FuzzYAML gives JSON or an error, whatever it is given.
func FuzzYAML(f *testing.F) {
	for _, s := range []string{
		"a: 1\nb: [x, ~]\n", "a: &x [*x]\n", "<<: {a: 1}\n", "a: |\n  b\n---\n", "? [a]\n: {b: .nan}\n", "a: \"\\uD800\"\n", "\xff", "!!str a: !!int x\n", "a: 0b1\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<12 {
			return
		}
		got, err := yamlToJSON(data)
		if err == nil && canon.Valid(got) != nil {
			t.Fatalf("%q: %s: %v", data, got, canon.Valid(got))
		}
	})
}
