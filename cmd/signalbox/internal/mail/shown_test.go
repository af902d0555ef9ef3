package mail

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// TestNumbered holds which list a number is of, and for how long.
func TestNumbered(t *testing.T) {
	now, state := time.Now(), t.TempDir()
	o := &commands{&cli.Options{Program: &cli.Program{
		Env: environ.Env{Getenv: func(name string) string { return map[string]string{"SIGNALBOX_STATE_DIR": state}[name] }},
		Now: func() time.Time { return now },
	}, Dir: t.TempDir()}}
	d, err := o.Box().Open()
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for i := range maxShown + 5 {
		o.remember(t.Context(), "other", fmt.Sprint("as", i), []shownMessage{{"x", "y"}})
	}
	o.remember(t.Context(), d.ID(), "bob", []shownMessage{{"old", "alice"}})
	o.remember(t.Context(), d.ID(), "bob", []shownMessage{{"aaaa", "alice"}, {}, {"bbbb", "carol"}})
	for _, c := range []struct {
		as, number, id, fault string
		later                 time.Duration
	}{
		{as: "bob", number: "1", id: "aaaa"},
		{as: "bob", number: "3", id: "bbbb", later: 59 * time.Minute},
		{as: "bob", number: "2", fault: "is no mail of"},
		{as: "bob", number: "4", fault: "has 3 messages"},
		{as: "bob", number: "1", later: time.Hour, fault: "was shown 1h ago, and its numbers last an hour"},
		{as: "carol", number: "1", fault: "none was shown"},
	} {
		shown := now
		now = now.Add(c.later)
		m, err := o.numbered(d, c.as, c.number)
		now = shown
		if m.ID != c.id || (err != nil) != (c.fault != "") || err != nil && !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%s as %s after %v: %+v, %v", c.number, c.as, c.later, m, err)
		}
	}
	f := o.shownFile()
	if err := f.Look(); err != nil || len(f.lists) != maxShown {
		t.Errorf("%d lists, %v", len(f.lists), err)
	}
}

func TestIsNumber(t *testing.T) {
	for s, want := range map[string]bool{"1": true, "999": true, "1000": false, "0": false, "03": false, "+3": false, "-3": false, "3a": false, "": false, "٣": false} {
		if isNumber(s) != want {
			t.Errorf("%q: %v", s, !want)
		}
	}
}

func TestThreadTitle(t *testing.T) {
	for thread, want := range map[string]string{
		"2026-04-25-alice-one": "alice-one", "release": "release", "2026-04-25": "2026-04-25", "2026-04-25-": "2026-04-25-",
		"2026-13-25-x": "2026-13-25-x", "2026-04-25x-y": "2026-04-25x-y",
	} {
		if got := threadTitle(thread); got != want {
			t.Errorf("%q: %q, want %q", thread, got, want)
		}
	}
}
