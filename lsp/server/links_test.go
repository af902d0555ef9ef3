package server

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/server/documents"
)

// TestDefinitionEncodings: positions are counted as was agreed, in what is asked and
// in the answer.
func TestDefinitionEncodings(t *testing.T) {
	for enc, want := range map[documents.Encoding][3]int{documents.UTF8: {6, 20, 36}, documents.UTF16: {4, 17, 33}, documents.UTF32: {3, 16, 32}} {
		t.Run(string(enc), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := open(t, enc, "𝄞 "+knownID)
				e.take()
				answer := e.ask("textDocument/definition", fmt.Sprintf(`{"textDocument":{"uri":"file:///x.json"},"position":{"line":0,"character":%d}}`, want[0]))
				var list []documents.Location
				if err := json.Unmarshal([]byte(answer), &list); err != nil || len(list) != 1 {
					t.Fatalf("%v: %s", err, answer)
				}
				if diff := cmp.Diff(documents.Span{Start: documents.Position{Line: 2, Character: uint32(want[1])}, End: documents.Position{Line: 2, Character: uint32(want[2])}}, list[0].Range); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

func TestCompleting(t *testing.T) {
	for _, c := range []struct {
		name, before, language string
		typed                  bool // a character that triggers
		want                   string
	}{
		{"a recipient", "to: al", "markdown", false, "recipient al"},
		{"a header", "To: ", "gitcommit", true, "recipient "},
		{"JSON", `{"to": "al`, "json", false, "recipient al"},
		{"JSON without a space", `{"ts":1,"to":"`, "jsonl", true, "recipient "},
		{"an address", "To: alice@acme.ex", "plaintext", false, "recipient alice@acme.ex"},
		{"a thread", "see [thread:rel", "markdown", false, "thread rel]"},
		{"a thread with spaces", "[thread:fix the lo", "markdown", false, "thread fix the lo]"},
		{"a thread that ended", "[thread:x] a", "markdown", false, ""},
		{"a thread in JSON", `"thread": "2026-`, "json", true, "thread 2026-"},
		{"a thread's header", "Thread: ", "gitcommit", true, "thread "},
		{"signed mail", "see msg_17", "markdown", true, "id msg_17"},
		{"a task", "T-2026-", "markdown", true, "id T-2026-"},
		{"digits", "x 0123a", "markdown", false, "id 0123a"},
		{"digits, not asked", "x 0123a", "markdown", true, ""},
		{"few digits", "x 012", "markdown", false, ""},
		{"digits in a word", "x0123", "markdown", false, ""},
		{"a comment", "x() // to: al", "go", false, "recipient al"},
		{"a comment in Python", "# see T-2026-0", "python", false, "id T-2026-0"},
		{"a comment in Lua", "-- to: al", "lua", false, "recipient al"},
		{"a block's line", " * [thread:x", "java", false, "thread x]"},
		{"code", `x := map{"to": "al`, "go", false, ""},
		{"code with digits", "x = 0123", "go", false, ""},
		{"another word", "goto: al", "markdown", false, ""},
		{"nothing", "", "markdown", false, ""},
		{"a long line", strings.Repeat("x", 1<<20) + " to: al", "markdown", false, "recipient al"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ""
			if asked, ok := completing(c.before, c.language, !c.typed); ok {
				got = string(asked.kind) + " " + c.before[asked.start:]
				if asked.closed {
					got += "]"
				}
			}
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// FuzzCompleting: whatever is before the cursor, the completed word is the end of it.
func FuzzCompleting(f *testing.F) {
	f.Add("to: al", "markdown", true)
	f.Add(strings.Repeat("é", 1000)+"[thread:", "", false)
	f.Fuzz(func(t *testing.T, before, language string, asked bool) {
		if c, ok := completing(before, language, asked); ok && (c.start < 0 || c.start > len(before) || c.kind == "") {
			t.Errorf("%+v of %q", c, before)
		}
	})
}

// TestLensesBounded: a text with many addresses has few lenses, quickly.
func TestLensesBounded(t *testing.T) {
	s := &session{encoding: documents.UTF16, panel: &fakePanel{}, Options: Options{}}
	line := "[x](signalbox://message/" + knownID + ") [y](signalbox://message/" + knownID + ")\n"
	tokens, spans := s.addresses(&documents.Document{Text: strings.Repeat(line, 10_000)})
	if len(tokens) != maxLenses || len(spans) != maxLenses || spans[1].Start.Line != 1 {
		t.Errorf("%d lines", len(tokens))
	}
	if got := linkCommands(&panel.ResolvedLink{Status: "ambiguous"}, ""); got != nil {
		t.Errorf("%v", got)
	}
}
