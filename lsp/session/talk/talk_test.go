package talk_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/session/talk"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// TestThreads begins threads, finds them by what names them, and reads what was appended.
func TestThreads(t *testing.T) {
	home := t.TempDir()
	work := filepath.Join(home, "work")
	if err := os.Mkdir(work, 0o700); err != nil {
		t.Fatal(err)
	}
	p := &talk.Project{
		Env: environ.Env{Home: home, Work: work, Getenv: func(string) string { return "" }}, Folder: work,
		By: atsf.CreatedBy{Name: "test", Version: "1"}, Now: func() time.Time { return time.UnixMilli(1_800_000_000_000) }, Warn: t.Errorf,
	}
	for _, id := range []string{"ab-1", "ab-2"} {
		made, err := p.Begin(talk.NewThread{ID: id, Title: "Title of " + id})
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"one", "two", "three"} {
			m := atsf.Message{ID: talk.NewID(), Role: atsf.RoleUser, Content: []atsf.Block{{Type: atsf.TypeText, Text: text}}}
			if err := made.Append(t.Context(), made.Name, m); err != nil {
				t.Fatal(err)
			}
		}
		if err := made.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for ref, want := range map[string]string{"ab-1": "ab-1", "ab-2": "ab-2", ".agent/threads/ab-2": "ab-2"} {
		found, err := p.Open(t.Context(), ref)
		if err != nil || found.Name != want {
			t.Fatalf("%q: %v", ref, err)
		}
		var texts []string
		torn, err := found.Each(t.Context(), 2, func(*talk.Thread) {}, func(list []talk.Entry) {
			for i := range list {
				texts = append(texts, list[i].Message.Content[0].Text)
			}
		})
		if got := strings.Join(texts, " "); err != nil || torn || got != "two three" {
			t.Errorf("%q: the newest two are %q, %v", ref, got, err)
		}
		found.Close()
	}
	if _, err := p.Open(t.Context(), "ab"); err == nil || !strings.Contains(err.Error(), "\n  ab-1  ") || !strings.Contains(err.Error(), "\n  ab-2  ") {
		t.Errorf("two threads begin so: %v", err)
	}
	for _, ref := range []string{"ab-3", "", "../ab-1"} {
		if _, err := p.Open(t.Context(), ref); !errors.Is(err, talk.ErrNotFound) {
			t.Errorf("%q: %v", ref, err)
		}
	}
}

// TestPeek lists without a word to the state folder.
func TestPeek(t *testing.T) {
	home := t.TempDir()
	work := filepath.Join(home, "work")
	if err := os.Mkdir(work, 0o700); err != nil {
		t.Fatal(err)
	}
	p := &talk.Project{
		Env: environ.Env{Home: home, Work: work, Getenv: func(string) string { return "" }}, Folder: work, Chosen: true, Peek: true, Now: time.Now,
	}
	if l, err := p.Threads(t.Context()); err != nil || len(l.Talks) > 0 {
		t.Errorf("%v, %v", l, err)
	}
	if _, err := os.Stat(p.Env.StateDir()); !os.IsNotExist(err) {
		t.Errorf("the state folder: %v", err)
	}
	p.Folder = filepath.Join(work, "none")
	if _, err := p.Threads(t.Context()); !os.IsNotExist(errors.Unwrap(err)) {
		t.Errorf("a folder that is not there: %v", err)
	}
}
