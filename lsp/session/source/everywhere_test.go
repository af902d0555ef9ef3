package source

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/door"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// TestEverywhere lists the sessions of all folders, those that wait first, and opens one that
// no opened folder holds.
func TestEverywhere(t *testing.T) {
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	work, other := filepath.Join(home, "work"), filepath.Join(home, "other")
	for _, dir := range []string{work, other} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write(t, work, 1, talk(work, "here", 1))
	write(t, work, 2, talk(other, "elsewhere", 2))
	write(t, work, 3, talk(filepath.Join(home, "gone"), "long ago", 0))
	env := environ.Env{Getenv: func(string) string { return "" }, Home: home, Work: work}
	now := begun.Add(24 * time.Hour)
	options := panel.Options{
		Env: env, Folders: []string{work}, Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler),
		Sources: []panel.NewSource{New}, Changed: func(panel.Change) {}, StatusChanged: func(panel.Status) {},
	}
	p := door.Open(options)
	t.Cleanup(func() { _ = p.Close() })
	list := func(q panel.SessionsParams, want ...string) panel.SessionsPage {
		t.Helper()
		if err := p.Sync(t.Context()); err != nil {
			t.Fatal(err)
		}
		page, err := p.Sessions(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		titles := make(map[string]string)
		for _, g := range page.Groups {
			titles[g.ID] = g.Title
		}
		got := []string{}
		for _, i := range page.Threads {
			got = append(got, i.Title+" in "+titles[i.Group])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%+v: -want +got\n%s", q, diff)
		}
		return page
	}
	list(panel.SessionsParams{}, "elsewhere in other", "here in work", "long ago in gone")
	page := list(panel.SessionsParams{Text: "OTHER"}, "elsewhere in other")
	if page := list(panel.SessionsParams{Limit: 1}, "elsewhere in other"); !page.More || len(page.Groups) != 1 {
		t.Errorf("%+v", page)
	}
	thread, err := p.Thread(t.Context(), panel.ThreadParams{Ref: page.Threads[0].Ref})
	if err != nil || len(thread.Messages) != 4 || thread.Thread.Title != "elsewhere" {
		t.Errorf("%+v, %v", thread, err)
	}
	if inbox, err := p.Inbox(t.Context(), panel.InboxParams{}); err != nil || len(inbox.Threads) != 1 {
		t.Errorf("the inbox has sessions of the opened folders alone: %+v, %v", inbox.Threads, err)
	}
	err = activity.At(env.StateDir()).Change(t.Context(), "codex", id(0), func(s *activity.Session) bool {
		s.Become(activity.Waiting, "Bash", now.UnixMilli())
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.CountUnread(t.Context()); err != nil { // which sees what hooks told
		t.Fatal(err)
	}
	list(panel.SessionsParams{}, "long ago in gone", "elsewhere in other", "here in work")
	off := false
	if err := p.Configure(t.Context(), panel.Settings{Sessions: &off}, []string{work}); err != nil {
		t.Fatal(err)
	}
	if page, err := p.Sessions(t.Context(), panel.SessionsParams{}); err != nil || len(page.Threads) > 0 {
		t.Errorf("turned off: %+v, %v", page, err)
	}
}
