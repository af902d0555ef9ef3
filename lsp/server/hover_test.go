package server

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/lsp/server/documents"
)

func TestHover(t *testing.T) {
	const doc = "// 😀 " + knownID + ": see [thread:" + knownThread + "]\r\nlogin! \"both\" nothing"
	tests := []struct {
		name       string
		caps       string
		line, char int
		want       string
	}{
		{"id", `{}`, 0, 8, `{"contents":{"kind":"markdown","value":"**alice**: login fails"},"range":{"start":{"line":0,"character":6},"end":{"line":0,"character":22}}}`},
		{"id in UTF-8", `{"general":{"positionEncodings":["utf-7","utf-8","utf-16"]}}`, 0, 8, `{"contents":{"kind":"markdown","value":"**alice**: login fails"},"range":{"start":{"line":0,"character":8},"end":{"line":0,"character":24}}}`},
		{"id in UTF-32", `{"general":{"positionEncodings":["utf-32"]}}`, 0, 8, `{"contents":{"kind":"markdown","value":"**alice**: login fails"},"range":{"start":{"line":0,"character":5},"end":{"line":0,"character":21}}}`},
		{"plain text client", `{"textDocument":{"hover":{"contentFormat":["plaintext"]}}}`, 0, 8, `{"contents":{"kind":"plaintext","value":"**alice**: login fails"},"range":{"start":{"line":0,"character":6},"end":{"line":0,"character":22}}}`},
		{"thread", `{}`, 0, 50, fmt.Sprintf(`{"contents":{"kind":"markdown","value":"thread %s"},"range":{"start":{"line":0,"character":36},"end":{"line":0,"character":70}}}`, knownThread)},
		{"word with a mark", `{}`, 1, 2, `{"contents":{"kind":"markdown","value":"thread login"},"range":{"start":{"line":1,"character":0},"end":{"line":1,"character":5}}}`},
		{"ambiguous without a preview", `{}`, 1, 9, `null`},
		{"unknown", `{}`, 1, 16, `null`},
		{"past the end", `{}`, 9, 9, `null`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := dial(t)
				c.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":`+tt.caps+`}}`,
					fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"u","version":1,"text":%q}}}`, doc))
				c.take()
				got := c.ask("textDocument/hover", fmt.Sprintf(`{"textDocument":{"uri":"u"},"position":{"line":%d,"character":%d}}`, tt.line, tt.char))
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
				c.send(`{"jsonrpc":"2.0","method":"textDocument/didClose","params":{"textDocument":{"uri":"u"}}}`)
				if got := c.ask("textDocument/hover", `{"textDocument":{"uri":"u"},"position":{"line":0,"character":8}}`); got != "null" {
					t.Errorf("closed document: %s", got)
				}
			})
		})
	}
}

// BenchmarkHover is a hover in the middle of a document of 1 MB, without what
// the panel takes.
func BenchmarkHover(b *testing.B) {
	s := &session{Options: Options{}, encoding: documents.UTF16, panel: &fakePanel{}}
	doc := &documents.Document{Text: strings.Repeat(strings.Repeat("x", 79)+"\n", 6000) + knownID + "\n" + strings.Repeat("y\n", 250_000)}
	for b.Loop() {
		if got, err := s.hover(context.Background(), doc, placeParams{Position: documents.Position{Line: 6000, Character: 4}}); got == nil || err != nil {
			b.Fatal(got, err)
		}
	}
}
