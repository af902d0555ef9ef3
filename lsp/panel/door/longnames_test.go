package door_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// TestLongNames walks, opens, answers and marks threads whose names, ids and
// recipients are as long as a stranger likes, all in one second. What goes to
// the client stays small.
func TestLongNames(t *testing.T) {
	const threads = 30
	long := strings.Repeat("x", 100_000)
	var log []samp.Record
	for i := range threads {
		r := samp.Record{TS: 5, From: "alice", To: "bob", Thread: fmt.Sprint(long, i), Body: "hello"}
		if i%2 == 0 {
			r.ID = fmt.Sprint(long, "id", i)
		}
		log = append(log, r)
	}
	log = append(log, rec(4, "alice", "bob", "short", "hello"), samp.Record{TS: 3, From: "alice", To: long, Thread: "to", Body: "hello"})
	d := newTestDoor(t, panel.Settings{Alias: "bob"}, map[string][]samp.Record{"log-alice.jsonl": log})
	small := func(what string, v any, most int) {
		t.Helper()
		if data, err := json.Marshal(v); err != nil || len(data) > most {
			t.Errorf("%s has %d bytes, %v", what, len(data), err)
		}
	}
	var items []panel.ThreadItem
	for q := (panel.InboxParams{Limit: 7}); ; {
		page, err := d.Inbox(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		small("a page", page, 20_000)
		items = append(items, page.Threads...)
		if q.Cursor = page.NextCursor; q.Cursor == "" {
			break
		}
	}
	seen := make(map[panel.Ref]bool)
	for _, it := range items {
		seen[it.Ref] = true
	}
	if len(items) != threads+2 || len(seen) != len(items) {
		t.Fatalf("%d threads, %d of them different, want %d", len(items), len(seen), threads+2)
	}
	page, err := d.Thread(t.Context(), panel.ThreadParams{Ref: items[3].Ref})
	if err != nil || len(page.Messages) != 1 {
		t.Fatalf("%d messages, %v", len(page.Messages), err)
	}
	small("a thread", page, 20_000)
	message := page.Messages[0].Ref
	c, err := d.ComposeContext(t.Context(), panel.ComposeParams{Ref: &message})
	if err != nil || c.Draft == nil {
		t.Fatal(err)
	}
	small("a context", c, 20_000)
	c.Draft.Body = "answer"
	if _, err := d.Send(t.Context(), panel.SendParams{Draft: *c.Draft, ClientToken: "1"}); err != nil {
		t.Fatal(err)
	}
	if page, err = d.Thread(t.Context(), panel.ThreadParams{Ref: items[3].Ref}); err != nil || len(page.Messages) != 2 {
		t.Errorf("the reply is not in its thread: %d messages, %v", len(page.Messages), err)
	}
	for _, ref := range []panel.Ref{items[2].Ref, message} {
		before, _ := d.Inbox(t.Context(), panel.InboxParams{})
		if got, err := d.SetRead(t.Context(), panel.ReadParams{Refs: []panel.Ref{ref}, Read: true}); err != nil || got.Unread != before.Unread-1 {
			t.Errorf("unread %d after one of %d was read, %v", got.Unread, before.Unread, err)
		}
	}
}
