package door_test

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	diff "github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// rows returns all agents, as a person reads their rows.
func (d *testDoor) rows() (list []string) {
	d.t.Helper()
	page, err := d.Agents(d.t.Context(), panel.AgentsParams{All: true})
	if err != nil {
		d.t.Fatal(err)
	}
	for _, a := range page.Agents {
		name := a.Alias
		if name == "" {
			name = a.Client
		}
		list = append(list, strings.TrimSpace(fmt.Sprintf("%s in %s: %s %s", name, filepath.Base(cmp.Or(a.Worktree, a.Folder)), a.State, a.For)))
	}
	return list
}

// agent returns the row of a thread.
func (d *testDoor) agent(ref panel.Ref) panel.AgentItem {
	d.t.Helper()
	page, err := d.Agents(d.t.Context(), panel.AgentsParams{All: true})
	if err != nil {
		d.t.Fatal(err)
	}
	for _, a := range page.Agents {
		if a.Thread != nil && *a.Thread == ref {
			return a
		}
	}
	return panel.AgentItem{}
}

// TestAgentRows lists each agent once, the opened folder first and then by name, whatever they
// are doing, and the worktrees without one.
func TestAgentRows(t *testing.T) {
	c := newCheckout(t)
	c.git("worktree", "add", "-q", "-b", "empty", filepath.Join(c.home, "trees", "empty"))
	c.git("worktree", "add", "-q", "-b", "left", filepath.Join(c.home, "trees", "left"))
	d := c.open(t, nil)
	d.session("zoe", activity.Working, "", c.main, time.Minute)
	d.session("bob", activity.Waiting, "Bash", filepath.Join(c.home, "trees", "empty"), time.Hour)
	d.session("amy", activity.Ended, "", filepath.Join(c.home, "trees", "empty"), time.Minute)
	d.session("far", activity.Idle, "", c.home, time.Minute)
	d.ready()
	// The threads of the fixture are a day old and more: the newest of a worktree is its row.
	want := []string{
		"zoe in shop: working", "amy in empty: ended", "bob in empty: waiting Bash", "Claude Code in audio: ended",
		"far in " + filepath.Base(c.home) + ": idle", "left in left: none",
	}
	got := d.rows()
	for i, row := range got {
		if strings.HasPrefix(row, "in left") {
			got[i] = "left " + row
		}
	}
	if lines := diff.Diff(want, got); lines != "" {
		t.Error(lines)
	}
	d.session("bob", activity.Working, "", filepath.Join(c.home, "trees", "empty"), 0)
	d.ready()
	if got := d.rows(); len(got) != len(want) || got[2] != "bob in empty: working" {
		t.Errorf("a row moved: %q", got)
	}
}

// TestEndedAgentsOnce lists the newest run of a program in a worktree, not all of a day.
func TestEndedAgentsOnce(t *testing.T) {
	c := newCheckout(t)
	d := c.open(t, nil)
	for i := range 5 {
		id := fmt.Sprintf("run%d", i)
		if err := d.sessions().Change(t.Context(), "claude", id, func(s *activity.Session) bool {
			s.Alias, s.Folder = "runner", c.main
			s.Become(activity.Ended, "", now.Add(time.Duration(i)*time.Minute-time.Hour).UnixMilli())
			return true
		}); err != nil {
			t.Fatal(err)
		}
	}
	d.ready()
	page, err := d.Agents(t.Context(), panel.AgentsParams{All: true})
	if err != nil || page.Agents[0].Key != "claude-run4" || len(page.Agents) != 2 {
		t.Errorf("%+v, %v", page.Agents, err)
	}
}

// TestOneAgent: a row says what an agent said last and how much it changed, and the open row
// in which files.
func TestOneAgent(t *testing.T) {
	t.Parallel()
	c := newCheckout(t)
	c.append(mainThread, `{"id":"s1","role":"agent","timestamp":"2026-02-20T10:00:00.000Z","content":[{"type":"text","text":"Next: **session.ts**.<script>"}],"toolCalls":[`+
		`{"toolCallId":"t1","name":"Edit","status":"completed","diff":{"path":"a.ts","oldText":"a\n","newText":"b\nc\n"}},`+
		`{"toolCallId":"t2","name":"Edit","status":"failed","diff":{"path":"a.ts","oldText":"","newText":"x\n"}}]}`)
	o := openOffice(t, c.home, c.main)
	at := time.Date(2026, 2, 20, 10, 0, 0, 0, time.UTC)
	o.at.Store(at.Add(time.Minute).UnixMilli())
	a := o.agent(o.find(mainThread).Ref)
	// The fixture has an edit of one line, too.
	if a.State != panel.AgentWorking || a.Added != 3 || a.Removed != 2 || !strings.HasPrefix(a.Said, "Next: ") || a.Since != at.UnixMilli() || !a.Opened || a.Worktree != c.main {
		t.Errorf("%+v", a)
	}
	if a.Files != nil || a.SaidHTML != "" {
		t.Errorf("a list holds more than rows show: %+v", a)
	}
	page, err := o.Agents(t.Context(), panel.AgentsParams{Key: a.Key})
	if err != nil || len(page.Agents) != 1 {
		t.Fatal(page, err)
	}
	type file struct {
		Path           string
		Added, Removed int
		Edits          int
	}
	var got []file
	for _, f := range page.Agents[0].Files {
		got = append(got, file{f.Path, f.Added, f.Removed, len(f.Edits)})
	}
	if lines := diff.Diff([]file{{"a.ts", 2, 1, 1}, {"src/auth.ts", 1, 1, 1}}, got); lines != "" {
		t.Error(lines)
	}
	if html := page.Agents[0].SaidHTML; !strings.Contains(html, "<strong>session.ts</strong>") || strings.Contains(html, "<script") {
		t.Error(html)
	}
	if _, err := o.Agents(t.Context(), panel.AgentsParams{Key: "none"}); kind(err) != panel.NotFound {
		t.Error(err)
	}
	o.at.Store(at.Add(25 * time.Hour).UnixMilli())
	if a := o.agent(o.find(mainThread).Ref); a.State != panel.AgentEnded {
		t.Errorf("a day later: %+v", a)
	}
}

// TestChanges lists files that differ from the main branch, files that are not committed, and files
// that an agent edited and that git ignores or that are elsewhere.
func TestChanges(t *testing.T) {
	c := newCheckout(t)
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(c.main, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("kept.txt", "same\n")
	write(".gitignore", "*.log\n.agent\n")
	c.git("add", "kept.txt", ".gitignore")
	c.git("commit", "-q", "-m", "more")
	write("kept.txt", "other\n")
	write("new.txt", "new\n")
	write("picture.bin", "\x00\x01")
	write("made.log", "log\n")
	outside := filepath.Join(c.home, "notes.md")
	c.append(mainThread, fmt.Sprintf(`{"id":"s1","role":"agent","timestamp":"2026-02-20T10:00:00.000Z","content":[],"toolCalls":[`+
		`{"toolCallId":"t1","name":"Edit","status":"completed","diff":{"path":"made.log","oldText":"","newText":"log\n"}},`+
		`{"toolCallId":"t2","name":"Edit","status":"completed","diff":{"path":"kept.txt","oldText":"same","newText":"other"}},`+
		`{"toolCallId":"t3","name":"Write","status":"completed","diff":{"path":%q,"oldText":"","newText":"a\nb\n"}}]}`, outside))
	o := openOffice(t, c.home, c.main)
	o.at.Store(time.Date(2026, 2, 20, 10, 1, 0, 0, time.UTC).UnixMilli())
	page, err := o.Changes(t.Context(), panel.ChangesParams{Folder: c.main})
	if err != nil {
		t.Fatal(err)
	}
	list := func(page panel.ChangesPage) (list []string) {
		for _, f := range page.Files {
			list = append(list, strings.TrimSpace(fmt.Sprintf("%s %s %s", f.Path, f.Status, f.Unshown)))
		}
		return list
	}
	if lines := diff.Diff([]string{"kept.txt modified", "made.log", "new.txt added", "picture.bin added binary", outside}, list(page)); lines != "" {
		t.Error(lines)
	}
	if page.Root != c.main || page.Main != "main" || len(page.Branches) != 2 {
		t.Errorf("%+v", page)
	}
	text, err := o.ChangeText(t.Context(), panel.ChangeTextParams{Folder: c.main, Name: page.Files[0].Before})
	if err != nil || text.Text != "same\n" {
		t.Errorf("%+v, %v", text, err)
	}
	ref := o.find(mainThread).Ref
	thread, err := o.Changes(t.Context(), panel.ChangesParams{Thread: &ref})
	if err != nil {
		t.Fatal(err)
	}
	if lines := diff.Diff([]string{"kept.txt", "made.log", "src/auth.ts", outside}, list(thread)); lines != "" {
		t.Error(lines)
	}
	edit := thread.Files[0].Edits[0]
	if d, err := o.Diff(t.Context(), panel.DiffParams{Ref: edit.Message, Tool: edit.Tool}); err != nil || d.New != "other" {
		t.Errorf("%+v, %v", d, err)
	}
	for _, q := range []panel.ChangesParams{{Folder: c.home}, {Folder: "/"}, {}} {
		if _, err := o.Changes(t.Context(), q); kind(err) != panel.NotFound {
			t.Errorf("%+v: %v", q, err)
		}
	}
	if _, err := o.ChangeText(t.Context(), panel.ChangeTextParams{Folder: c.main, Name: "--help"}); kind(err) != panel.Malformed {
		t.Error(err)
	}
	if err := o.Configure(t.Context(), panel.Settings{ReadOnly: true}, []string{c.main}); err != nil {
		t.Fatal(err)
	}
	if _, err := o.Changes(t.Context(), panel.ChangesParams{Folder: c.main}); kind(err) != panel.Untrusted {
		t.Errorf("a workspace that is not trusted: %v", err)
	}
}
