package edit_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tailscale/hujson"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/setup/edit"
)

type server struct {
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

var mail = edit.JSON{Path: []string{"mcpServers", "mail"}, Value: server{"sb", []string{"mcp"}}}

var hook = edit.JSON{
	Path: []string{"hooks", "Stop"}, Value: map[string]string{"command": "sb hook"},
	Item: func(e []byte) bool { return bytes.Contains(e, []byte("sb hook")) },
}

// has reports whether a text has a value, and whether it is as it is to be.
func has(e edit.JSON, text []byte) (there, equal bool, err error) {
	value, err := e.Find(text)
	if value == nil || err != nil {
		return false, false, err
	}
	again, err := e.Add(text)
	return true, bytes.Equal(again, text), err
}

// TestJSON adds a value to files as people and programs leave them, and takes it back.
func TestJSON(t *testing.T) {
	const made = "{\n  \"mcpServers\": {\n    \"mail\": {\n      \"command\": \"sb\",\n      \"args\": [\n        \"mcp\"\n      ]\n    }\n  }\n}"
	for _, c := range []struct {
		name           string
		edit           edit.JSON
		before, after  string
		withoutJournal string // what Remove leaves, where it is not before
	}{
		{"no file", mail, "", made + "\n", "{}\n"},
		{"blank", mail, " \n", made + "\n", "{}\n"},
		{"empty object", mail, "{}", made, ""},
		{"empty object over lines", mail, "{\n}\n", made + "\n", ""},
		{"another server", mail, "{\n\t\"mcpServers\": {\n\t\t\"x\": {}\n\t}\n}\n", "{\n\t\"mcpServers\": {\n\t\t\"x\": {},\n\t\t\"mail\": {\n\t\t\t\"command\": \"sb\",\n\t\t\t\"args\": [\n\t\t\t\t\"mcp\"\n\t\t\t]\n\t\t}\n\t}\n}\n", ""},
		{"one line", mail, `{"a":1}`, `{"a":1, "mcpServers": {"mail":{"command":"sb","args":["mcp"]}}}`, ""},
		{"comments", mail, "{\n  // first\n  \"a\": 1, // one\n  \"b\": 2 // two, last\n  // end\n}\n", "{\n  // first\n  \"a\": 1, // one\n  \"b\": 2, // two, last\n  // end\n" + strings.TrimSuffix(strings.TrimPrefix(made, "{\n"), "\n}") + "\n}\n", ""},
		{"trailing comma", hook, "{\n  \"hooks\": {\n    \"Stop\": [\n      {\"command\": \"other\"}, // keep\n    ],\n  },\n}\n", "{\n  \"hooks\": {\n    \"Stop\": [\n      {\"command\": \"other\"}, // keep\n      {\n        \"command\": \"sb hook\"\n      },\n    ],\n  },\n}\n", ""},
		{"Windows", hook, "{\r\n  \"hooks\": {}\r\n}\r\n", "{\r\n  \"hooks\": {\r\n    \"Stop\": [\r\n      {\r\n        \"command\": \"sb hook\"\r\n      }\r\n    ]\r\n  }\r\n}\r\n", "{}\r\n"},
		{"an older value", mail, `{"mcpServers": {"mail": {"command": "old"}, "x": {}}}`, `{"mcpServers": {"mail": {"command": "sb", "args": ["mcp"]}, "x": {}}}`, `{"mcpServers": { "x": {}}}`},
		{"there", mail, `{"mcpServers": {"mail": {"args": ["mcp"], "command": "sb",},},}`, `{"mcpServers": {"mail": {"args": ["mcp"], "command": "sb",},},}`, `{}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := []byte(c.before)
			after, err := c.edit.Add(before)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.after, string(after)); diff != "" {
				t.Errorf("added (-want +got):\n%s", diff)
			}
			if there, equal, err := has(c.edit, after); !there || !equal || err != nil {
				t.Errorf("it is there: %v, equal: %v, %v", there, equal, err)
			}
			if again, err := c.edit.Add(after); !bytes.Equal(again, after) || err != nil {
				t.Errorf("added twice: %s, %v", again, err)
			}
			if back := edit.Apply(after, invert(edit.Between(before, after))); !bytes.Equal(back, before) {
				t.Errorf("taken back: %q", back)
			}
			removed, err := c.edit.Remove(after)
			want := c.withoutJournal
			if want == "" {
				want = c.before
			}
			if err != nil || !equalJSON(t, string(removed), want) {
				t.Errorf("removed: %q, want %q, %v", removed, want, err)
			}
		})
	}
}

// TestWas gives members another value only where they are as they were written.
func TestWas(t *testing.T) {
	type value struct {
		A, B, C, D int
	}
	e := edit.JSON{Path: []string{"x"}, Value: value{2, 2, 2, 2}, Was: json.RawMessage(`{"A":1,"B":1,"C":1}`)}
	got, err := e.Add([]byte(`{"x": {"A": 1, "B": 7 /* mine */, "E": 8}}`))
	if want := `{"x": {"A": 2, "B": 7 /* mine */, "E": 8, "D": 2}}`; err != nil || string(got) != want {
		t.Errorf("%s, want %s, %v", got, want, err)
	}
}

func equalJSON(t *testing.T, a, b string) bool {
	t.Helper()
	var values [2]any
	for i, text := range []string{a, b} {
		standard, err := hujson.Standardize([]byte(text))
		if err == nil {
			err = json.Unmarshal(standard, &values[i])
		}
		if err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	return cmp.Equal(values[0], values[1])
}

// TestRefused leaves a text alone that it does not understand.
func TestRefused(t *testing.T) {
	for text, fault := range map[string]string{
		"{":                                    "is no JSON",
		"[]":                                   "is no JSON object",
		"\xef\xbb\xbf{}":                       "is no JSON",
		"\xff\xfe{\x00}\x00":                   "is no JSON",
		`{"mcpServers": []}`:                   "mcpServers.mail: it stands in what is no object",
		`{"mcpServers": {}, "mcpServers": {}}`: "mcpServers: the name stands there twice",
		`{"mcpServers": {"mail":1,"mail":2}}`:  "mcpServers.mail: the name stands there twice",
	} {
		for name, do := range map[string]func([]byte) ([]byte, error){"add": mail.Add, "remove": mail.Remove} {
			if got, err := do([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), fault) {
				t.Errorf("%s %q: %q, %v", name, text, got, err)
			}
		}
	}
	if _, err := hook.Add([]byte(`{"hooks": {"Stop": {}}}`)); err == nil || err.Error() != "hooks.Stop is no array" {
		t.Error(err)
	}
}

// TestBlock adds a section to a text and takes it back.
func TestBlock(t *testing.T) {
	b := edit.Block{Begin: "# >>> x", End: "# <<< x", Text: "a = 1\n"}
	for _, c := range []struct{ name, before, after, removed string }{
		{"no file", "", "# >>> x\na = 1\n# <<< x\n", ""},
		{"text", "b = 2\n", "b = 2\n\n# >>> x\na = 1\n# <<< x\n", "b = 2\n"},
		{"an empty line", "b = 2\n\n", "b = 2\n\n# >>> x\na = 1\n# <<< x\n", "b = 2\n"},
		{"no line end", "b = 2", "b = 2\n\n# >>> x\na = 1\n# <<< x\n", "b = 2\n"},
		{"Windows", "b = 2\r\n", "b = 2\r\n\r\n# >>> x\r\na = 1\r\n# <<< x\r\n", "b = 2\r\n"},
		{"an older one", "# >>> x\nold\n# <<< x\nc = 3\n", "# >>> x\na = 1\n# <<< x\nc = 3\n", "c = 3\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			after, err := b.Add([]byte(c.before))
			if string(after) != c.after || err != nil {
				t.Errorf("added: %q, %v", after, err)
			}
			if there, equal, err := b.Has(after); !there || !equal || err != nil {
				t.Errorf("it is there: %v, equal: %v, %v", there, equal, err)
			}
			if again, err := b.Add(after); string(again) != c.after || err != nil {
				t.Errorf("added twice: %q, %v", again, err)
			}
			if removed, err := b.Remove(after); string(removed) != c.removed || err != nil {
				t.Errorf("removed: %q, %v", removed, err)
			}
			if back := edit.Apply(after, invert(edit.Between([]byte(c.before), after))); string(back) != c.before {
				t.Errorf("taken back: %q", back)
			}
		})
	}
	for text, want := range map[string]string{
		"b = 2\n\n# >>> x\na = 1\nmine = 3\n# <<< x\n": "b = 2\n\nmine = 3\n", "# >>> x\r\nmine\r\na = 1\r\na = 1\r\n# <<< x": "mine\r\na = 1\r\n",
	} {
		if got, err := b.Remove([]byte(text)); string(got) != want || err != nil {
			t.Errorf("%q without the section is %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"# >>> x\na = 1\n", "a = 1\n# <<< x\n", "# <<< x\n# >>> x\n"} {
		if got, err := b.Add([]byte(text)); err == nil {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// FuzzJSON holds for any text that what is added is found, changes nothing else, and can
// be taken back.
func FuzzJSON(f *testing.F) {
	for _, seed := range []string{
		"{}", "{\n}", `{"a":1}`, "{\"hooks\": {\"Stop\": [1, // x,\n2 /* , */ ,]}}", "{/*,*/}", "{\"a\":[]//,\n}", "{\"hooks\":{\"Stop\":[//\n]}}", "{\"hooks\":{}/*x*/,}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, e := range []edit.JSON{mail, hook} {
			after, err := e.Add(text)
			if err != nil {
				continue
			}
			if there, equal, err := has(e, after); !there || !equal || err != nil {
				t.Fatalf("%q became %q: there %v, equal %v, %v", text, after, there, equal, err)
			}
			if back := edit.Apply(after, invert(edit.Between(text, after))); !bytes.Equal(back, text) {
				t.Fatalf("%q became %q and then %q", text, after, back)
			}
			removed, err := e.Remove(after)
			if err != nil {
				t.Fatalf("%q became %q: %v", text, after, err)
			}
			if there, _, err := has(e, removed); there || err != nil {
				t.Fatalf("%q became %q and then %q: %v", text, after, removed, err)
			}
		}
	})
}

// invert returns the splices that take splices back, in the text that they made.
func invert(splices []edit.Splice) []edit.Splice {
	back := make([]edit.Splice, len(splices))
	moved := 0
	for i, s := range splices {
		back[i] = edit.Splice{Offset: s.Offset + moved, Old: s.New, New: s.Old}
		moved += len(s.New) - len(s.Old)
	}
	return back
}
