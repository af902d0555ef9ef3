package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/check"
	"github.com/signalbox-dev/signalbox/lsp/server/documents"
	"golang.org/x/tools/txtar"
)

// TestDiagnosticFiles opens one file among others with the real panels and holds
// what is found, and what each fix makes of it, against the archive's last file,
// "want". Its comment says which one ("open: path"), how it is written ("crlf",
// "torn": without its last line end) and how the client counts ("encoding: utf-8").
func TestDiagnosticFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/diagnostics/*.txtar")
	if err != nil || len(files) < 7 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want := ""
			if last := len(archive.Files) - 1; archive.Files[last].Name == "want" {
				want, archive.Files = string(archive.Files[last].Data), archive.Files[:last]
			}
			got := diagnosed(t, archive)
			if *update {
				archive.Files = append(archive.Files, txtar.File{Name: "want", Data: []byte(got)})
				if err := os.WriteFile(file, txtar.Format(archive), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func diagnosed(t *testing.T, archive *txtar.Archive) string {
	d := newFixture(t)
	home := filepath.Dir(d.dir)
	said := map[string]string{"encoding": "utf-16"}
	for line := range strings.Lines(string(archive.Comment)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		said[key] = value
	}
	var doc []byte
	for _, f := range archive.Files {
		if f.Name == said["open"] {
			if _, ok := said["torn"]; ok {
				f.Data = bytes.TrimSuffix(f.Data, []byte("\n"))
			}
			if _, ok := said["crlf"]; ok {
				f.Data = bytes.ReplaceAll(f.Data, []byte("\n"), []byte("\r\n"))
			}
			doc = f.Data
		}
		name := filepath.Join(home, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d.ask("initialize", fmt.Sprintf(`{"initializationOptions":{"alias":"bob"},"capabilities":{"general":{"positionEncodings":[%q]},`+
		`"textDocument":{"codeAction":{"codeActionLiteralSupport":{}},"publishDiagnostics":{"codeDescriptionSupport":true}}}}`, said["encoding"]))
	if err := d.panels.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	path := filepath.ToSlash(filepath.Join(home, filepath.FromSlash(said["open"])))
	uri := "file://" + strings.TrimSuffix("/", path[:1]) + path
	d.send(fmt.Sprintf(`{"method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"languageId":"json","version":1,"text":%s}}}`, uri, jsonOf(t, string(doc))))
	var published struct{ Params diagnosticsParams }
	content := d.await(func(s string) bool { return strings.Contains(s, "publishDiagnostics") })
	if err := json.Unmarshal([]byte(content), &published); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, p := range published.Params.Diagnostics {
		r := p.Range
		page := p.About.Href[strings.LastIndexByte(p.About.Href, '/')+1:]
		fmt.Fprintf(&out, "%d:%d-%d:%d %d %s %s %s\n", r.Start.Line, r.Start.Character, r.End.Line, r.End.Character, p.Severity, p.Code, page, p.Message)
	}
	var answer struct{ Result []codeAction }
	content = d.ask("textDocument/codeAction", fmt.Sprintf(`{"textDocument":{"uri":%q},"range":{"start":{"line":0,"character":0},"end":{"line":999,"character":0}},"context":{"diagnostics":[]}}`, uri))
	if err := json.Unmarshal([]byte(content), &answer); err != nil {
		t.Fatal(err)
	}
	for _, a := range answer.Result {
		at := a.Diagnostics[0]
		fmt.Fprintf(&out, "fix of %s at %d:%d, preferred %v: %s\n", at.Code, at.Range.Start.Line, at.Range.Start.Character, a.Preferred, a.Title)
		for _, e := range a.Edit.Changes[uri] {
			fmt.Fprintf(&out, "    %d:%d-%d:%d %q\n", e.Range.Start.Line, e.Range.Start.Character, e.Range.End.Line, e.Range.End.Character, e.NewText)
		}
	}
	return out.String()
}

func jsonOf(t testing.TB, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

const turnsURI = "file:///p/.agent/threads/t/messages.jsonl"

func openTurns(t testing.TB, uri, text string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"languageId":"jsonl","version":1,"text":%s}}}`, uri, jsonOf(t, text))
}

func changeTurns(t testing.TB, version int, text string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":%q,"version":%d},"contentChanges":[{"text":%s}]}}`, turnsURI, version, jsonOf(t, text))
}

// checkAfter calls before with each document's text before it is checked.
func checkAfter(before func(ctx context.Context, text string)) func(*Options) {
	return func(o *Options) {
		o.Check = func(ctx context.Context, doc check.Document, stores check.Stores, last *check.Checked) (*check.Checked, error) {
			before(ctx, doc.Text)
			return check.Check(ctx, doc, stores, last)
		}
	}
}

// TestDiagnosticsBesideTheQueue: a long check blocks nothing, ends when there is a newer
// version, and only the newest of several versions is published.
func TestDiagnosticsBesideTheQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ended atomic.Int32
		c := dial(t, checkAfter(func(ctx context.Context, text string) {
			if strings.HasPrefix(text, "slow") {
				<-ctx.Done()
				ended.Add(1)
			}
		}))
		c.begin()
		for i := range maxChecking + 1 {
			c.send(openTurns(t, strings.Replace(turnsURI, "/t/", fmt.Sprint("/t", i, "/"), 1), "slow"))
		}
		c.send(openTurns(t, turnsURI, "slow"))
		if got := c.ask("signalbox/link/resolve", `{"refs":[]}`); got != "[]" {
			t.Errorf("while documents are checked: %s", got)
		}
		for i := range maxChecking + 1 {
			c.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didClose","params":{"textDocument":{"uri":%q}}}`, strings.Replace(turnsURI, "/t/", fmt.Sprint("/t", i, "/"), 1)))
		}
		c.send(changeTurns(t, 2, "slow again"), changeTurns(t, 3, "x\n"))
		got := c.take()
		if len(got) != 1 || !strings.Contains(got[0], `"version":3`) || !strings.Contains(got[0], "M1") {
			t.Errorf("%q", got)
		}
		if ended.Load() < maxChecking {
			t.Errorf("%d checks were ended", ended.Load())
		}
	})
}

// TestDiagnosticsPause: a large document is checked when editing pauses, and at once when
// it is opened.
func TestDiagnosticsPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t)
		c.begin()
		large := strings.Repeat(" ", largeText) + "\nx\n"
		c.send(openTurns(t, turnsURI, large))
		if got := c.take(); len(got) != 1 {
			t.Fatalf("%q", got)
		}
		for version := 2; version < 6; version++ {
			c.send(changeTurns(t, version, large+strings.Repeat("x\n", version)))
			if got := c.take(); len(got) != 0 {
				t.Fatalf("%q", got)
			}
			time.Sleep(editPause / 2) // in the bubble this takes no time
		}
		time.Sleep(editPause)
		if got := c.take(); len(got) != 1 || strings.Count(got[0], `"M1"`) != 6 || !strings.Contains(got[0], `"version":5`) {
			t.Errorf("%q", got)
		}
	})
}

// TestDiagnosticsOff: the setting takes back what was published, and brings it back.
func TestDiagnosticsOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t)
		c.begin()
		c.send(openTurns(t, turnsURI, "x\n"))
		if got := c.take(); len(got) != 1 || !strings.Contains(got[0], "M1") {
			t.Fatalf("%q", got)
		}
		for _, step := range []struct{ on, want string }{{"false", `"diagnostics":[]`}, {"true", "M1"}} {
			c.send(`{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":{"signalbox":{"diagnostics":` + step.on + `}}}}`)
			if got := c.take(); len(got) != 1 || !strings.Contains(got[0], step.want) {
				t.Errorf("%s: %q", step.on, got)
			}
		}
		c.send(`{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":{"signalbox":{"diagnostics":false}}}}`)
		c.take()
		c.send(changeTurns(t, 2, "y\n"))
		if got := c.take(); len(got) != 0 {
			t.Errorf("%q", got)
		}
	})
}

// TestDiagnosticsPanic: a broken check costs its document's diagnostics alone.
func TestDiagnosticsPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, checkAfter(func(_ context.Context, text string) {
			if text == "panic" {
				panic("a bug")
			}
		}))
		c.begin()
		c.send(openTurns(t, turnsURI, "panic"))
		if got := c.take(); len(got) != 0 || !strings.Contains(c.log.String(), "a bug") {
			t.Errorf("%q", got)
		}
		c.send(changeTurns(t, 2, "x\n"))
		if got := c.take(); len(got) != 1 {
			t.Errorf("%q", got)
		}
	})
}

// BenchmarkDiagnoseLog opens a log of 100,000 lines, and edits one line of it.
func BenchmarkDiagnoseLog(b *testing.B) {
	var log []byte
	for i := range 100_000 {
		r, err := samp.Build("bob", "al", "t", fmt.Sprint("b", i), 1777000000, samp.V1)
		if err != nil {
			b.Fatal(err)
		}
		log = r.Append(log)
	}
	text := string(log)
	at := strings.Index(text, `"b50000"`)
	doc := check.Document{File: "/m/log-bob.jsonl", Text: text}
	after := doc
	after.Text = text[:at] + `"é` + text[at+1:]
	first, err := check.Check(b.Context(), doc, check.NoStores{}, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("open", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			if _, err := check.Check(b.Context(), doc, check.NoStores{}, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("edit", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := check.Check(b.Context(), after, check.NoStores{}, first); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("places", func(b *testing.B) {
		s := &session{encoding: documents.UTF16}
		d := &documents.Document{Text: text}
		for b.Loop() {
			s.diagnostics(d, first.Found)
		}
	})
}
