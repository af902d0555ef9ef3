package server

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestTokensAt(t *testing.T) {
	// The pointer stands before the ^, which is not part of the line.
	tests := []struct {
		name, line string
		want       []string
	}{
		{"id", "see 01234567^89abcdef.", []string{"0123456789abcdef", "0123456789abcdef."}},
		{"id at its start", "^0123456789abcdef", []string{"0123456789abcdef"}},
		{"id at its end", "0123456789abcdef^ x", []string{"0123456789abcdef"}},
		{"id in a URL-like word", "from:01234567^89abcdef", []string{"0123456789abcdef", "from:0123456789abcdef"}},
		{"longer hex", "01234567^89abcdef0", []string{"0123456789abcdef0"}},
		{"within a word", "x0123456^789abcdef", []string{"x0123456789abcdef"}},
		{"joined by underscore", "a_01234567^89abcdef", []string{"a_0123456789abcdef"}},
		{"beside a letter beyond ASCII", "é01234567^89abcdef", []string{"é0123456789abcdef"}},
		{"capitals are not the written form", "0123456789ABC^DEF", []string{"0123456789ABCDEF"}},
		{"thread name", "in 2026-04-25-alice-^fix now", []string{"2026-04-25-alice-fix"}},
		{"quoted name", `"my-thre^ad",`, []string{`"my-thread",`, "my-thread"}},
		{"code span", "`my-thre^ad`", []string{"`my-thread`", "my-thread"}},
		{"override", "[thread:my-^thread]", []string{"[thread:my-thread]", "thread:my-thread", "my-thread"}},
		{"override of one with a colon", "[thread:a:^b]", []string{"[thread:a:b]", "thread:a:b", "a:b", "b"}},
		{"name in a call", "open(my-thr^ead)", []string{"open(my-thread)", "open(my-thread", "my-thread"}},
		{"end of a path", "a/b/my-thr^ead", []string{"a/b/my-thread", "my-thread"}},
		{"AGN task", "see T-2026^-007.", []string{"T-2026-007.", "T-2026-007"}},
		{"AGN task in JSON", `"task_id":"T-2026-^007",`, []string{`"task_id":"T-2026-007",`, `task_id":"T-2026-007`, "T-2026-007"}},
		{"AGN task in a file's name", "tasks/T-2026^-007.json", []string{"tasks/T-2026-007.json", "T-2026-007.json", "T-2026-007"}},
		{"AGN subtask", "T-2026-^044-S1", []string{"T-2026-044-S1", "T-2026-044"}},
		{"AGN subtask, past its task", "T-2026-044-S^1", []string{"T-2026-044-S1"}},
		{"AGN message", "re task_dispatch-T-2026-^007-1772107200000: x", []string{"task_dispatch-T-2026-007-1772107200000:", "task_dispatch-T-2026-007-1772107200000"}},
		{"between words", "a ^ b", nil},
		{"empty line", "^", nil},
		{"too long", strings.Repeat("x", maxToken) + "^x", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before, after, _ := strings.Cut(tt.line, "^")
			var got []string
			for _, token := range tokensAt(before+after, len(before)) {
				got = append(got, token.text)
				if (before + after)[token.start:token.end] != token.text {
					t.Errorf("%q is not at %d to %d", token.text, token.start, token.end)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// FuzzTokensAt: any line and offset gives few tokens that cover the offset.
func FuzzTokensAt(f *testing.F) {
	for _, line := range []string{"", "a 0123456789abcdef b", "[thread:é]", "(((", "😀:/", strings.Repeat("é", 600)} {
		for _, at := range []uint32{0, 1, 5, 600} {
			f.Add(line, at)
		}
	}
	f.Fuzz(func(t *testing.T, line string, column uint32) {
		line = cutLine(strings.ToValidUTF8(line, "?"))
		offset := columnOffset(line, column, utf16Encoding)
		tokens := tokensAt(line, offset)
		if len(tokens) > 9 {
			t.Errorf("%d tokens", len(tokens))
		}
		for _, token := range tokens {
			if token.start > offset || token.end < offset || token.text != line[token.start:token.end] || !utf8.ValidString(token.text) {
				t.Errorf("token %+v of %q at %d", token, line, offset)
			}
		}
	})
}

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
	s := &session{Options: Options{}, encoding: utf16Encoding, panel: &fakePanel{}}
	doc := &document{text: strings.Repeat(strings.Repeat("x", 79)+"\n", 6000) + knownID + "\n" + strings.Repeat("y\n", 250_000)}
	for b.Loop() {
		if got, err := s.hover(context.Background(), doc, position{6000, 4}); got == nil || err != nil {
			b.Fatal(got, err)
		}
	}
}
