package source

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	ampstore "github.com/signalbox-dev/signalbox/lsp/amp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/sourcetest"
)

const bob = "bob@acme.aimaestro.local"

// begun is when the first message was written.
var begun = time.Date(2026, 2, 20, 9, 0, 0, 0, time.UTC)

// TestSource runs the suite of all sources on this one.
func TestSource(t *testing.T) {
	sourcetest.Run(t, sourcetest.Case{
		New: New, Word: "word", Asks: 1, Completed: panel.CompleteID,
		Fill: func(t *testing.T, home string) {
			config := ampstore.InitConfig{Root: home, Name: "bob", Address: bob, Now: begun}
			if _, err := ampstore.Init(t.Context(), config); err != nil {
				t.Fatal(err)
			}
			for i := range 9 {
				letter := map[string]any{"subject": fmt.Sprint("thread ", i%3), "from": []string{"alice", "carol"}[i%2] + "@acme.aimaestro.local"}
				if i > 2 {
					letter["in_reply_to"], letter["thread_id"] = id(i-3), id(i%3)
				}
				deliver(t, home, i, letter, fmt.Sprint("word ", i))
			}
			deliver(t, home, 10, map[string]any{"subject": "unsigned", "from": "alice@acme.aimaestro.local"}, "which word?")
			ask(t, home, "which word?\n- [ ] this\n- [ ] that")
			deliver(t, home, 20, map[string]any{
				"subject": "about " + sourcetest.Hostile, "from": sourcetest.Hostile, "priority": sourcetest.Hostile,
				"in_reply_to": sourcetest.Hostile, "thread_id": sourcetest.Hostile,
			}, sourcetest.Hostile)
			// A file that cannot be read would be listed only after two seconds, in the
			// middle of a test.
		},
		Setting: func(home string) (panel.Settings, []string) {
			return panel.Settings{Alias: "bob", AmpDirectory: home}, nil
		},
		Grow: func(t *testing.T, home string) {
			deliver(t, home, 30, map[string]any{"subject": "new", "from": "alice@acme.aimaestro.local", "in_reply_to": id(8), "thread_id": id(2)}, "new")
		},
	})
}

func id(i int) string { return fmt.Sprintf("msg_%d_%08x", begun.UnixMilli()+int64(i)*60_000, i) }

// ask has dora send bob a signed message.
func ask(t *testing.T, home, text string) {
	t.Helper()
	at := begun.Add(15 * time.Minute)
	dora, err := ampstore.Init(t.Context(), ampstore.InitConfig{Root: home, Name: "dora", Address: "dora@acme.aimaestro.local", Now: begun})
	if err != nil {
		t.Fatal(err)
	}
	box, err := ampstore.Open(home, dora.Dir)
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	snap, err := ampstore.Scan(t.Context(), home)
	if err != nil {
		t.Fatal(err)
	}
	letter, err := box.Prepare(t.Context(), snap, ampstore.Letter{To: bob, Subject: "signed", Text: text}, ampstore.NewStamp(at))
	if err == nil {
		_, err = box.Send(t.Context(), letter, at)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// deliver puts an unsigned message into bob's inbox, as another client does.
func deliver(t *testing.T, home string, i int, envelope map[string]any, text string) {
	t.Helper()
	all := map[string]any{
		"version": "amp/0.1", "id": id(i), "to": bob, "priority": "normal", "thread_id": id(i),
		"timestamp": begun.Add(time.Duration(i) * time.Minute).Format(time.RFC3339),
	}
	for name, value := range envelope {
		all[name] = value
	}
	data, err := json.Marshal(map[string]any{
		"envelope": all, "payload": map[string]any{"type": "request", "message": text, "context": map[string]any{"note": text}},
		"local": map[string]any{"status": "unread", "received_at": all["timestamp"]},
	})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(home, "agents", "bob", "messages", "inbox", "peer", id(i)+".json")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
}
