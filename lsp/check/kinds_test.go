package check_test

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/lsp/check"
)

// fits tells what a client finds out about a document that goes by the kinds.
func fits(t *testing.T, file, text string) bool {
	t.Helper()
	return slices.ContainsFunc(check.DocumentKinds(), func(k check.DocumentKind) bool {
		if len(text) > k.MaxBytes || !matches(t, k.Pattern, file) {
			return false
		}
		seen := text
		if k.Within > 0 {
			seen = text[:min(len(text), k.Within)]
		}
		return len(k.Marks) == 0 || slices.ContainsFunc(k.Marks, func(mark []string) bool {
			return !slices.ContainsFunc(mark, func(part string) bool { return !strings.Contains(seen, part) })
		})
	})
}

// matches is a glob of LSP: ** for any folders, and braces.
func matches(t *testing.T, pattern, file string) bool {
	t.Helper()
	if open := strings.IndexByte(pattern, '{'); open >= 0 {
		end := strings.IndexByte(pattern, '}')
		return slices.ContainsFunc(strings.Split(pattern[open+1:end], ","), func(one string) bool {
			return matches(t, pattern[:open]+one+pattern[end+1:], file)
		})
	}
	rest := strings.TrimPrefix(pattern, "**/")
	parts := strings.Split(strings.TrimPrefix(file, "/"), "/")
	n := strings.Count(rest, "/") + 1
	if len(parts) < n {
		return false
	}
	ok, err := path.Match(rest, strings.Join(parts[len(parts)-n:], "/"))
	if err != nil {
		t.Fatal(err)
	}
	return ok
}

// TestDocumentKinds holds that a client which sends no other documents than the
// kinds say misses none that is known, and sends few that are none.
func TestDocumentKinds(t *testing.T) {
	ack, err := agn.BuildAck(agn.Ack{MsgID: "escalation-T-2026-044-1772120327001", By: agn.Admin})
	if err != nil {
		t.Fatal(err)
	}
	type doc struct{ file, text string }
	const record = `{"from": "a", "thread": "t", "body": "b"}`
	docs := []doc{
		{"/x.json", string(ack)},
		{"/x.json", strings.Replace(string(ack), "ack/1", "ack/9", 1)},
		{"/x.json", "{\"other\": 1}"},
		{"/x.json", `{"protocol_version": "2025-01-01"}`},
		{"/x.json", ""},
		{"/x.json", `{"envelope": {"version": "amp/0.1"}, "payload": {}}`},
		{"/x.json", `{"envelope": {}, "payload": {}}`},
		{"/m/log-bob.jsonl", record},
		{"/m/log-2026.jsonl", `{"level": "info", "msg": "x"}`},
		{"/m/log-2026.jsonl", strings.Repeat(" ", 70_000) + record},
		{"/h/.message/log-bob.jsonl", "garbage"},
		{"/h/.message/bob.jsonl", record},
		{"/h/x/.seen-bob", "garbage"},
		{"/h/x/.seen-bob", ""},
		{"/h/x/seen-bob", "{}"},
		{"/p/.agent/threads/t/messages.jsonl", "garbage"},
		{"/p/threads/t/messages.jsonl", "{}"},
		{"/p/.agent/threads/t/thread.json", "garbage"},
		{"/p/.agent/config.json", ""},
		{"/p/config.json", ""},
		{"/a/agents/bob/messages/inbox/alice/msg_1_a.json", "garbage"},
		{"/a/messages/sent/alice/msg-1-a.json", ""},
		{"/a/messages/sent/msg-1-a.json", ""},
		{"/a/messages/inbox/de/strings.json", "{}"},
	}
	seen := 0
	for pattern, least := range map[string]int{"agn/*/*.json": 50, "amp/*/*.json": 40} {
		files, err := filepath.Glob(filepath.Join("..", "..", "testdata", filepath.FromSlash(pattern)))
		if err != nil || len(files) < least {
			t.Fatalf("%d files, %v", len(files), err)
		}
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			docs = append(docs, doc{"/x.json", string(data)})
		}
	}
	for _, d := range docs {
		_, known := diagnosed(t, check.Document{File: d.file, Text: d.text}, check.NoStores{})
		if known {
			seen++
		}
		if known != fits(t, d.file, d.text) {
			t.Errorf("%s: known is %v, and it fits: %v: %.80s", d.file, known, fits(t, d.file, d.text), d.text)
		}
	}
	if seen < 70 {
		t.Errorf("%d are known", seen)
	}
}
