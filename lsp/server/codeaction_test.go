package server

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/check"
	"github.com/signalbox-dev/signalbox/lsp/server/codec"
	"github.com/signalbox-dev/signalbox/lsp/server/documents"
)

// editor is a client that has one document open.
type editor struct {
	*client
	version int
}

func open(t *testing.T, enc documents.Encoding, text string) *editor {
	e := &editor{client: dial(t), version: 1}
	e.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"general":{"positionEncodings":[%q]},`+
		`"textDocument":{"codeAction":{"codeActionLiteralSupport":{}}},"workspace":{"workspaceEdit":{"documentChanges":true}}}}}`, enc))
	e.take()
	quoted, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	e.send(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///x.json","languageId":"json","version":1,"text":` + string(quoted) + `}}}`)
	return e
}

// published gives the diagnostics that came since the last take.
func (e *editor) published() []diagnostic {
	e.t.Helper()
	got := e.take()
	if len(got) != 1 {
		e.t.Fatalf("got %q", got)
	}
	var n struct{ Params diagnosticsParams }
	if err := json.Unmarshal([]byte(got[0]), &n); err != nil || int(*n.Params.Version) != e.version {
		e.t.Fatalf("%v: %s", err, got[0])
	}
	return n.Params.Diagnostics
}

// fix takes the first fix there is and tells the server of it, as editors do.
func (e *editor) fix() (title string) {
	e.t.Helper()
	var actions []codeAction
	answer := e.ask("textDocument/codeAction", `{"textDocument":{"uri":"file:///x.json"},"range":{"start":{"line":0,"character":0},"end":{"line":9999,"character":0}},"context":{"diagnostics":[]}}`)
	if err := json.Unmarshal([]byte(answer), &actions); err != nil {
		e.t.Fatalf("%v: %s", err, answer)
	}
	if len(actions) == 0 {
		return ""
	}
	edit := actions[0].Edit.Documents[0]
	if edit.TextDocument.URI != "file:///x.json" || int(edit.TextDocument.Version) != e.version {
		e.t.Errorf("%+v", edit.TextDocument)
	}
	changes := []documents.ContentChange{}
	for _, c := range slices.Backward(edit.Edits) { // each change sees the one before
		changes = append(changes, documents.ContentChange{Range: &c.Range, Text: c.NewText})
	}
	data, err := json.Marshal(changes)
	if err != nil {
		e.t.Fatal(err)
	}
	e.version++
	e.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///x.json","version":%d},"contentChanges":%s}}`, e.version, data))
	return actions[0].Title
}

// TestDiagnosticPlaces: a place is right in every encoding, with wide characters
// and tabs before it in its line and other line ends above.
func TestDiagnosticPlaces(t *testing.T) {
	const text = "{\r\n\"protocol_version\": \"AMP/1.0\", \"é𝄞\": 1,\n\t\"type\": 7}"
	for enc, want := range map[documents.Encoding]string{
		documents.UTF8: "E3 2:9-2:10 C17 1:31-1:39", documents.UTF16: "E3 2:9-2:10 C17 1:31-1:36", documents.UTF32: "E3 2:9-2:10 C17 1:31-1:35",
	} {
		t.Run(string(enc), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var got []string
				for _, d := range open(t, enc, text).published() {
					if d.Code == "E3" || d.Code == "C17" {
						got = append(got, fmt.Sprintf("%s %d:%d-%d:%d", d.Code, d.Range.Start.Line, d.Range.Start.Character, d.Range.End.Line, d.Range.End.Character))
					}
				}
				if strings.Join(got, " ") != want {
					t.Errorf("%q, want %q", got, want)
				}
			})
		})
	}
}

// TestFixesMend: a client that takes fixes as long as there are any, and tells the
// server of the changes, is left without the faults that they are for.
func TestFixesMend(t *testing.T) {
	sound, err := os.ReadFile(filepath.Join("..", "..", "testdata", "agn", "amp-chain", "02-task_result.json"))
	if err != nil {
		t.Fatal(err)
	}
	broken := strings.NewReplacer(
		"{\n  \"msg_id\"", "{ \"é𝄞\\\"\": \"é𝄞\", \"msg_id\"", "  \"from\": \"executor\",\n  \"to\": \"coordinator\",\n", "",
		`"requires_ack": true`, `"requires_ack": "yes"`, `_sec": 120`, `_sec": 0`, `"a3f8d21"`, "null",
		"\"task_id\": \"T-2026-044\",\n ", "\"task_id\": \"T-2026-044\", \"task_id\": \"T-2026-044\",",
	).Replace(string(sound))
	for _, enc := range []documents.Encoding{documents.UTF8, documents.UTF16, documents.UTF32} {
		for name, lineEnd := range map[string]string{"LF": "\n", "CRLF": "\r\n"} {
			t.Run(string(enc)+" "+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					e := open(t, enc, strings.ReplaceAll(broken, "\n", lineEnd))
					left := e.published()
					for range 10 {
						title := e.fix()
						if title == "" {
							break
						}
						now := e.published()
						if len(now) >= len(left) {
							t.Fatalf("%s: %+v", title, now)
						}
						left = now
					}
					if len(left) != 1 || left[0].Code != "C17" {
						t.Errorf("%d versions; what is left: %+v", e.version, left)
					}
				})
			})
		}
	}
}

// BenchmarkDiagnostics is a change in a message of a megabyte that lists as much
// as one may, without what the client takes to read it.
func BenchmarkDiagnostics(b *testing.B) {
	var rows strings.Builder
	for i := range 3600 {
		fmt.Fprintf(&rows, "\n      {\"subtask_id\": \"S%d\", \"description\": \"%s\", \"estimated_lines\": -1, \"é\": {}},", i, strings.Repeat("é", 100))
	}
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "agn", "amp-chain", "01-task_dispatch.json"))
	if err != nil {
		b.Fatal(err)
	}
	s := &session{encoding: documents.UTF16, panel: &fakePanel{}}
	for name, space := range map[string]string{"lines": "\n", "one line": " "} {
		b.Run(name, func(b *testing.B) {
			doc := &documents.Document{URI: "u", Language: "json", Text: strings.ReplaceAll(strings.Replace(string(text), `"subtasks": [`, `"subtasks": [`+rows.String(), 1), "\n", space)}
			b.SetBytes(int64(len(doc.Text)))
			for b.Loop() {
				c, err := check.Check(b.Context(), shownTo(doc), s.panel, nil)
				if err != nil || c == nil {
					b.Fatal(c, err)
				}
				if list := s.diagnostics(doc, c.Found); len(list) != 2*canon.MaxFindings {
					b.Fatal(len(list))
				}
			}
		})
	}
}

// TestCodeActionCancelled: a cancelled request is answered as such, and no fix is tried.
func TestCodeActionCancelled(t *testing.T) {
	s := &session{encoding: documents.UTF16, panel: &fakePanel{}, actions: true, docs: documents.New()}
	if err := s.docs.Put(&documents.Document{URI: "file:///x.json", Text: `{"protocol_version":"AMP/1.0","type":"task_result","requires_ack":false}`}); err != nil {
		t.Fatal(err)
	}
	run, err := inDocument(s, nil, s.codeActions).Prepare(json.RawMessage(`{"textDocument":{"uri":"file:///x.json"},"range":{"end":{"line":9,"character":0}}}`))
	if err != nil {
		t.Fatal(err)
	}
	list, err := run(t.Context(), nil)
	if actions, ok := list.([]codeAction); err != nil || !ok || len(actions) != 1 {
		t.Errorf("%+v, %v", list, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := run(ctx, nil); codec.ErrorOf(ctx, err).Code != codec.CodeCancelled {
		t.Errorf("%v", err)
	}
}
