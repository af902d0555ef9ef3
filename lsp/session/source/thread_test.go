package source

import (
	"encoding/base64"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/door"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// sessionFixture opens panels on a session with these records in a new folder.
func sessionFixture(t *testing.T, settings panel.Settings, records func(work string) []record) (*door.Panels, []panel.ThreadItem) {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	work := filepath.Join(home, "work")
	if err := os.Mkdir(work, 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, work, 1, records(work))
	p := door.Open(panel.Options{
		Env:      environ.Env{Getenv: func(string) string { return "" }, Home: home, Work: work},
		Settings: settings, Folders: []string{work}, Now: time.Now, Log: slog.New(slog.DiscardHandler), Sources: []panel.NewSource{New},
		Changed: func(panel.Change) {}, StatusChanged: func(panel.Status) {},
	})
	t.Cleanup(func() { _ = p.Close() })
	if err := p.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	page, err := p.Inbox(t.Context(), panel.InboxParams{})
	if err != nil {
		t.Fatal(err)
	}
	return p, page.Threads
}

// TestImage holds that an image in a transcript is shown by what the page names it.
func TestImage(t *testing.T) {
	png := append([]byte("\x89PNG\r\n\x1a\n"), 1, 2, 3)
	data := base64.StdEncoding.EncodeToString(png)
	p, list := sessionFixture(t, panel.Settings{}, func(work string) []record {
		return append(talk(work, "word", 1), entry(begun, "response_item", record{
			"type": "message", "role": "user", "id": "msg_i",
			"content": []record{{"type": "input_text", "text": "See this."}, {"type": "input_image", "image_url": "data:image/png;base64," + data}},
		}))
	})
	page, err := p.Thread(t.Context(), panel.ThreadParams{Ref: list[0].Ref})
	if err != nil {
		t.Fatal(err)
	}
	parts := page.Messages[len(page.Messages)-1].Turn.Parts
	i := slices.IndexFunc(parts, func(p panel.Part) bool { return p.Kind == panel.PartImage })
	if i < 0 {
		t.Fatalf("%+v", parts)
	}
	got, err := p.Asset(t.Context(), panel.AssetParams{Ref: list[0].Ref, Asset: parts[i].Asset})
	if err != nil || got.Base64 != data || got.MimeType != "image/png" {
		t.Errorf("%+v, %v", got, err)
	}
	for _, name := range []string{"", ".", "0", "0.9", "-1.0", parts[i].Asset + "9", "9" + parts[i].Asset} {
		if got, err := p.Asset(t.Context(), panel.AssetParams{Ref: list[0].Ref, Asset: name}); err == nil {
			t.Errorf("%q is %+v", name, got)
		}
	}
}

// TestMasked holds that keys are shown on request alone, and in no list and no hit.
func TestMasked(t *testing.T) {
	key := "sk-" + "ant-" + strings.Repeat("a1B2", 8)
	p, list := sessionFixture(t, panel.Settings{}, func(work string) []record { return talk(work, "The key is "+key, 1) })
	hits, err := p.Search(t.Context(), panel.SearchParams{Query: "key"})
	if err != nil || len(hits.Hits) == 0 {
		t.Fatalf("%+v, %v", hits, err)
	}
	hidden := []string{list[0].Title, list[0].Preview, hits.Hits[0].Snippet, hits.Hits[0].Title}
	for _, secrets := range []bool{false, true} {
		page, err := p.Thread(t.Context(), panel.ThreadParams{Ref: list[0].Ref, Secrets: secrets})
		if err != nil {
			t.Fatal(err)
		}
		m := &page.Messages[0]
		if strings.Contains(m.Text+m.Turn.Parts[0].HTML, key) != secrets || slices.Contains(m.Marks, "masked") == secrets {
			t.Errorf("secrets %v: %+v", secrets, m)
		}
		around, err := p.Thread(t.Context(), panel.ThreadParams{Ref: m.Ref, Side: panel.SideAround, Secrets: secrets})
		if err != nil || strings.Contains(around.Messages[0].Text, key) != secrets {
			t.Errorf("around a message, secrets %v: %+v, %v", secrets, around.Messages, err)
		}
		hidden = append(hidden, page.Thread.Title)
	}
	for _, s := range hidden {
		if strings.Contains(s, key) {
			t.Errorf("%q holds the key", s)
		}
	}
}

// TestOff holds that no session is read if the person says so, or in a workspace that is
// not trusted.
func TestOff(t *testing.T) {
	no := false
	for name, settings := range map[string]panel.Settings{"the setting": {Sessions: &no}, "not trusted": {ReadOnly: true}} {
		if _, list := sessionFixture(t, settings, func(work string) []record { return talk(work, "word", 1) }); len(list) > 0 {
			t.Errorf("%s: %+v", name, list)
		}
	}
}

// TestRememberedOff holds that nothing of sessions is kept between processes if the person
// says so, or for a workspace that is not trusted.
func TestRememberedOff(t *testing.T) {
	work := ""
	many := func(at string) []record {
		work = at
		for i := 2; i < 30; i++ {
			write(t, work, i, talk(work, "word", i))
			if err := os.Chtimes(file(work, i), begun, begun); err != nil {
				t.Fatal(err)
			}
		}
		return talk(work, "word", 1)
	}
	kept := func() bool {
		found, err := filepath.Glob(filepath.Join(filepath.Dir(work), ".local/state/signalbox/transcripts*"))
		return err == nil && len(found) > 0
	}
	sessionFixture(t, panel.Settings{ReadOnly: true}, many)
	if kept() {
		t.Error("something is kept of a workspace that is not trusted")
	}
	p, _ := sessionFixture(t, panel.Settings{}, many)
	if !kept() {
		t.Error("nothing is kept")
	}
	no := false
	if err := p.Configure(t.Context(), panel.Settings{Sessions: &no}, []string{work}); err != nil {
		t.Fatal(err)
	}
	if kept() {
		t.Error("something is kept although sessions were turned off")
	}
}

// TestPatchOfSeveralFiles shows each file's change, opens it, and finds it in the code.
func TestPatchOfSeveralFiles(t *testing.T) {
	work := ""
	p, list := sessionFixture(t, panel.Settings{}, func(at string) []record {
		work = at
		return append(talk(work, "word", 1),
			entry(begun, "response_item", record{"type": "custom_tool_call", "name": "apply_patch", "call_id": "p1", "input": "*** Begin Patch\n*** Add File: b.go\n+x\n*** Add File: a.go\n+y\n*** End Patch\n"}),
			entry(begun, "event_msg", record{"type": "patch_apply_end", "call_id": "p1", "success": true, "changes": record{
				work + "/a.go": record{"type": "add", "content": "var answerOfA = 1\n"}, work + "/b.go": record{"type": "add", "content": "var answerOfB = 2\n"},
			}}),
		)
	})
	page, err := p.Thread(t.Context(), panel.ThreadParams{Ref: list[0].Ref})
	if err != nil {
		t.Fatal(err)
	}
	m := page.Messages[len(page.Messages)-1]
	var shown []string
	for _, part := range m.Turn.Parts {
		if part.Tool == nil {
			continue // what the agent said before
		}
		d, err := p.Diff(t.Context(), panel.DiffParams{Ref: m.Ref, Tool: part.Tool.Index})
		if err != nil {
			t.Fatal(err)
		}
		shown = append(shown, part.Tool.Title+" | "+part.Tool.Diff.Path+" "+part.Tool.Diff.Hunks+d.New)
	}
	if want := []string{"b.go, a.go | b.go @@ -0,0 +1,1 @@\n+var answerOfB = 2\nvar answerOfB = 2\n", "a.go | a.go @@ -0,0 +1,1 @@\n+var answerOfA = 1\nvar answerOfA = 1\n"}; !slices.Equal(shown, want) {
		t.Errorf("%q", shown)
	}
	edits, err := p.FileEdits(t.Context(), panel.EditsParams{Path: filepath.Join(work, "a.go"), Text: "package a\n\nvar answerOfA = 1\n"})
	if err != nil || len(edits.Edits) != 1 || edits.Edits[0].Line != 2 {
		t.Errorf("%+v, %v", edits, err)
	}
}

// TestMaskedDiff holds that a change shows its keys on request alone.
func TestMaskedDiff(t *testing.T) {
	key := "sk-" + "ant-" + strings.Repeat("a1B2", 8)
	p, list := sessionFixture(t, panel.Settings{}, func(work string) []record {
		return append(talk(work, "word", 1),
			entry(begun, "response_item", record{"type": "custom_tool_call", "name": "apply_patch", "call_id": "p1", "input": "*** Begin Patch\n*** Add File: a.env\n+x\n*** End Patch\n"}),
			entry(begun, "event_msg", record{"type": "patch_apply_end", "call_id": "p1", "success": true, "changes": record{
				work + "/a.env": record{"type": "add", "content": key + "\n"},
			}}),
		)
	})
	page, err := p.Thread(t.Context(), panel.ThreadParams{Ref: list[0].Ref})
	if err != nil {
		t.Fatal(err)
	}
	m := page.Messages[len(page.Messages)-1]
	tools := slices.DeleteFunc(m.Turn.Parts, func(part panel.Part) bool { return part.Tool == nil })
	if len(tools) != 1 || strings.Contains(tools[0].Tool.Diff.Hunks, key) {
		t.Fatalf("%+v", tools)
	}
	for _, secrets := range []bool{false, true} {
		d, err := p.Diff(t.Context(), panel.DiffParams{Ref: m.Ref, Tool: tools[0].Tool.Index, Secrets: secrets})
		if err != nil || strings.Contains(d.New, key) != secrets {
			t.Errorf("secrets %v: %+v, %v", secrets, d, err)
		}
	}
}

// TestFirstList holds that lists right after a start wait for the sessions: without that a
// few of them find none.
func TestFirstList(t *testing.T) {
	work := ""
	p, _ := sessionFixture(t, panel.Settings{}, func(at string) []record {
		work = at
		return talk(at, "word", 1)
	})
	no := false
	for _, settings := range []panel.Settings{{Sessions: &no}, {}} {
		if err := p.Configure(t.Context(), settings, []string{work}); err != nil {
			t.Fatal(err)
		}
	}
	for range 8 {
		page, err := p.Inbox(t.Context(), panel.InboxParams{})
		if err != nil {
			t.Fatal(err)
		}
		if len(page.Threads) > 0 {
			return
		}
	}
	t.Error("no list has the session")
}
