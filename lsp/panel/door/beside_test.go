package door_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/door"
)

// threadReader reads pages of the thread that ref names.
type threadReader struct {
	panels *door.Panels
	ref    panel.Ref
}

func (r threadReader) refs(t *testing.T, q panel.ThreadParams) []panel.Ref {
	t.Helper()
	page, err := r.panels.Thread(t.Context(), q)
	if err != nil {
		t.Fatalf("%+v: %v", q, err)
	}
	list := []panel.Ref{}
	for i := range page.Messages {
		list = append(list, page.Messages[i].Ref)
	}
	return list
}

// TestBesideMessage: pages at a message, in each format, without a cursor.
func TestBesideMessage(t *testing.T) {
	for name, r := range longThreads(t) {
		t.Run(name, func(t *testing.T) {
			all := r.refs(t, panel.ThreadParams{Ref: r.ref, Limit: panel.MaxPage})
			if len(all) < 3 {
				t.Fatalf("%d messages", len(all))
			}
			for at, ref := range all {
				before := r.refs(t, panel.ThreadParams{Ref: ref, Side: panel.SideBefore, Limit: 2})
				if diff := cmp.Diff(all[max(0, at-2):at], before); diff != "" {
					t.Errorf("before %d: %s", at, diff)
				}
				after := r.refs(t, panel.ThreadParams{Ref: ref, Side: panel.SideAfter, Limit: 2})
				if diff := cmp.Diff(all[at+1:min(len(all), at+3)], after); diff != "" {
					t.Errorf("after %d: %s", at, diff)
				}
				around(t, r, all, at)
			}
		})
	}
}

// around checks that a page has the message, that it joins the two sides without a gap, and that
// its cursors continue.
func around(t *testing.T, r threadReader, all []panel.Ref, at int) {
	t.Helper()
	q := panel.ThreadParams{Ref: all[at], Side: panel.SideAround, Limit: 4}
	page, err := r.panels.Thread(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	var got []panel.Ref
	for i := range page.Messages {
		got = append(got, page.Messages[i].Ref)
	}
	from := 0
	for from < len(all) && all[from] != got[0] {
		from++
	}
	to := min(len(all), from+len(got))
	if diff := cmp.Diff(all[from:to], got); diff != "" || at < from || at >= to || len(got) > 4 {
		t.Fatalf("around %d: %d to %d: %s", at, from, to, diff)
	}
	if (page.Before == "") != (from == 0) || (page.After == "") != (to == len(all)) {
		t.Errorf("around %d: cursors %q and %q of %d to %d", at, page.Before, page.After, from, to)
	}
	if page.Before != "" {
		if diff := cmp.Diff(all[:from], r.refs(t, panel.ThreadParams{Ref: r.ref, Before: page.Before, Limit: panel.MaxPage})); diff != "" {
			t.Error(diff)
		}
	}
	if page.After != "" {
		if diff := cmp.Diff(all[to:], r.refs(t, panel.ThreadParams{Ref: r.ref, After: page.After, Limit: panel.MaxPage})); diff != "" {
			t.Error(diff)
		}
	}
}

// longThreads gives a thread of each format.
func longThreads(t *testing.T) map[string]threadReader {
	t.Helper()
	logs := map[string][]samp.Record{}
	for i := range 9 {
		r := rec(int64(100+i), "alice", "bob", "talk", fmt.Sprintf("Step %d.", i))
		logs["log-alice.jsonl"] = append(logs["log-alice.jsonl"], r)
	}
	testDoor := newTestDoor(t, panel.Settings{Alias: "bob"}, logs)
	var talk panel.Ref
	for _, it := range testDoor.inbox(panel.InboxFilter{}).Threads {
		talk = it.Ref
	}
	c := newCheckout(t)
	for i := range 6 {
		c.append(mainThread, fmt.Sprintf(`{"id":"h%d","role":"user","timestamp":"2026-02-21T09:00:00.000Z","content":[{"type":"text","text":"More."}]}`, i))
	}
	agents := c.open(t, nil)
	post := newPost(t, panel.Settings{Alias: "bob"})
	return map[string]threadReader{
		"SAMP":    {testDoor.Panels, talk},
		"ATSF":    {agents.Panels, agents.find(mainThread).Ref},
		"amp/0.1": {post.Panels, post.thread("Question about the API").Thread.Ref},
	}
}

// TestAroundHeavy: what a frame cannot hold is cut at the newer end, and the
// message that was asked for stays.
func TestAroundHeavy(t *testing.T) {
	c := newCheckout(t)
	body := strings.Repeat("word ", 13_000)
	for i := range 80 {
		c.append(mainThread, fmt.Sprintf(`{"id":"h%d","role":"user","timestamp":"2026-02-21T09:00:00.000Z","content":[{"type":"text","text":%q}]}`, i, body))
	}
	d := c.open(t, nil)
	last := d.thread(panel.ThreadParams{Ref: d.find(mainThread).Ref, Limit: panel.MaxPage})
	older := d.thread(panel.ThreadParams{Ref: last.Thread.Ref, Before: last.Before, Limit: panel.MaxPage})
	wanted := older.Messages[len(older.Messages)-1].Ref
	page := d.thread(panel.ThreadParams{Ref: wanted, Side: panel.SideAround, Limit: panel.MaxPage})
	found := false
	for i := range page.Messages {
		found = found || page.Messages[i].Ref == wanted
	}
	if !found || len(page.Messages) > 40 || page.Before == "" || page.After == "" {
		t.Errorf("%d messages, found %v, cursors %q and %q", len(page.Messages), found, page.Before, page.After)
	}
	next := d.thread(panel.ThreadParams{Ref: last.Thread.Ref, After: page.After, Limit: 1})
	if len(next.Messages) != 1 || next.Messages[0].Ref == page.Messages[len(page.Messages)-1].Ref {
		t.Errorf("%+v", next.Messages)
	}
}

// TestBesideNothing: a side is one of a message, and there are three.
func TestBesideNothing(t *testing.T) {
	d := newTestDoor(t, panel.Settings{Alias: "bob"}, sample())
	page := d.thread(panel.ThreadParams{Ref: d.inbox(panel.InboxFilter{}).Threads[0].Ref})
	message, thread := page.Messages[0].Ref, page.Thread.Ref
	gone := panel.Ref{Protocol: mail.SAMP, Store: message.Store, ID: message.ID + "0"}
	for name, tt := range map[string]struct {
		q    panel.ThreadParams
		want panel.Kind
	}{
		"of a thread":       {panel.ThreadParams{Ref: thread, Side: panel.SideAfter}, panel.Malformed},
		"with a cursor":     {panel.ThreadParams{Ref: message, Side: panel.SideAfter, Before: message.ID}, panel.Malformed},
		"two cursors":       {panel.ThreadParams{Ref: message, Before: message.ID, After: message.ID}, panel.Malformed},
		"a fourth":          {panel.ThreadParams{Ref: message, Side: "above"}, panel.Malformed},
		"of what is gone":   {panel.ThreadParams{Ref: gone, Side: panel.SideAround}, panel.NotFound},
		"of another format": {panel.ThreadParams{Ref: panel.Ref{Protocol: "agn", ID: message.ID}, Side: panel.SideAround}, panel.Unsupported},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := d.Thread(t.Context(), tt.q); kind(err) != tt.want {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}
