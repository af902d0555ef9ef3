package door_test

import (
	"fmt"
	"testing"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// However many threads wait, one request marks them all, and only those.
func TestMarkMatching(t *testing.T) {
	var list []samp.Record
	for i := range 2500 {
		list = append(list, rec(int64(1000+i), "alice", "bob", fmt.Sprintf("nightly-%04d", i), "It is red."))
	}
	list = append(list, rec(9000, "alice", "bob", "release", "Is it ready?"), rec(9001, "alice", "carol", "other", "Not for bob."))
	d := newTestDoor(t, panel.Settings{Alias: "bob"}, map[string][]samp.Record{"log-alice.jsonl": list})
	for _, c := range []struct {
		filter         panel.InboxFilter
		marked, unread int
	}{
		{panel.InboxFilter{Suspicious: true}, 0, 2501},
		{panel.InboxFilter{Protocol: "amp"}, 0, 2501},
		{panel.InboxFilter{Text: "nightly"}, 2500, 1},
		{panel.InboxFilter{Text: "nightly"}, 0, 1},
		{panel.InboxFilter{}, 1, 0},
	} {
		got, err := d.MarkMatching(t.Context(), panel.MarkParams{Filter: c.filter})
		if err != nil {
			t.Fatal(err)
		}
		if got.Threads != c.marked || got.Unread != c.unread || got.NeedsReply != 1 { // the question
			t.Errorf("%+v: %+v, want %d marked and %d left", c.filter, got, c.marked, c.unread)
		}
	}
	untrusted := newTestDoor(t, panel.Settings{Alias: "bob", ReadOnly: true}, sample())
	if _, err := untrusted.MarkMatching(t.Context(), panel.MarkParams{}); err == nil {
		t.Error("marked in a workspace that is not trusted")
	}
}

// A thread that came back from being snoozed leaves the unread ones too, although
// nothing in it is unread.
func TestMarkMatchingReturned(t *testing.T) {
	o := openOffice(t, t.TempDir())
	o.write(rec(1000, "alice", "bob", "login", "Fix it."))
	login := threadIn(o, "login")
	if _, err := o.SetRead(t.Context(), panel.ReadParams{Refs: []panel.Ref{login}, Read: true}); err != nil {
		t.Fatal(err)
	}
	o.snooze(now.UnixMilli()+1000, login)
	o.at.Add(2000)
	o.shows("once it came back", panel.InboxFilter{Unread: true}, "login returned")
	got, err := o.MarkMatching(t.Context(), panel.MarkParams{})
	if err != nil || got.Threads != 1 || got.NeedsReply != 0 {
		t.Fatalf("%+v, %v", got, err)
	}
	o.shows("once it was marked", panel.InboxFilter{Unread: true})
	o.shows("once it was marked, all", panel.InboxFilter{}, "login")
}
