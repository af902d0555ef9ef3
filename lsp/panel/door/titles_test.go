package door_test

import (
	"slices"
	"testing"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// TestTitles: a mail thread goes by the words that it begins with, wherever it is shown
// and looked for, and its name finds it too.
func TestTitles(t *testing.T) {
	d := newTestDoor(t, panel.Settings{Alias: "bob"}, map[string][]samp.Record{
		"log-alice.jsonl": {
			rec(1000, "alice", "bob", "pr-412", "## Review of the *retry* policy\n\nPlease look."),
			rec(1001, "alice", "bob", "table", "| a | b |\n|---|---|\n| 1 | 2 |\n\nWhich **column** goes?"),
			rec(1003, "alice", "bob", "x", "Retry the nightly"),
		},
		"log-carol.jsonl": {rec(1002, "carol", "bob", "pr-412", "Done.")},
	})
	const title = "Review of the retry policy"
	for _, sort := range []panel.Sort{panel.SortNewest, panel.SortOldest, panel.SortUnread, panel.SortSender} {
		for text, want := range map[string][]string{
			"RETRY": {"Retry the nightly", title}, "pr-4": {title}, "column goes": {"Which column goes?"}, "carol": {title}, "a | b": nil,
		} {
			var got []string
			q := panel.InboxParams{Filter: panel.InboxFilter{Text: text}, Sort: sort, Limit: 1}
			for more := true; more; more = q.Cursor != "" {
				page, err := d.Inbox(t.Context(), q)
				if err != nil {
					t.Fatal(err)
				}
				for _, it := range page.Threads {
					got = append(got, it.Title)
				}
				q.Cursor = page.NextCursor
			}
			slices.Sort(got)
			if slices.Sort(want); !slices.Equal(got, want) {
				t.Errorf("%s, %q: %q", sort, text, got)
			}
		}
	}
	hits, err := d.Search(t.Context(), panel.SearchParams{Query: "done"})
	if err != nil || len(hits.Hits) != 1 || hits.Hits[0].Title != title || hits.Hits[0].Name != "pr-412" {
		t.Errorf("%+v, %v", hits.Hits, err)
	}
	if page := d.thread(panel.ThreadParams{Ref: hits.Hits[0].Thread}); page.Thread.Title != title || page.Thread.Name != "pr-412" {
		t.Errorf("%+v", page.Thread)
	}
	links, err := d.Resolve(t.Context(), []string{"pr-412"})
	if err != nil || links[0].Title != title {
		t.Errorf("%+v, %v", links, err)
	}
	symbols, err := d.Symbols(t.Context(), "policy retry", 0)
	if err != nil || len(symbols) != 1 || symbols[0].Name != title+" (pr-412)" {
		t.Errorf("%+v, %v", symbols, err)
	}
}

// TestCompleteTitle: threads are completed by name and title, and those with the chosen
// recipient come first.
func TestCompleteTitle(t *testing.T) {
	d := newTestDoor(t, panel.Settings{Alias: "bob"}, map[string][]samp.Record{
		"log-alice.jsonl": {rec(1000, "alice", "bob", "old", "Is it ready?"), rec(3000, "alice", "bob", "new", "Ready when you are")},
		"log-carol.jsonl": {rec(2000, "carol", "bob", "carols", "Already there")},
	})
	for _, c := range []struct {
		to, prefix string
		want       []string
	}{
		{"", "", []string{"new", "carols", "old"}},
		{"", "READY", []string{"new", "carols", "old"}},
		{"carol", "", []string{"carols", "new", "old"}},
		{"alice", "ready", []string{"new", "old", "carols"}},
		{"nobody", "carol", []string{"carols"}},
	} {
		got, err := d.Complete(t.Context(), panel.CompleteParams{Kind: panel.CompleteThread, Prefix: c.prefix, To: c.to})
		var names []string
		for _, it := range got.Items {
			names = append(names, it.Text)
		}
		if err != nil || !slices.Equal(names, c.want) {
			t.Errorf("%+v: %q, %v", c, names, err)
		}
	}
	draft, err := d.ComposeContext(t.Context(), panel.ComposeParams{})
	if err != nil || len(draft.Threads) != 3 || draft.Threads[1].Title != "Already there" || !slices.Contains(draft.Threads[1].With, "carol") {
		t.Errorf("%+v, %v", draft.Threads, err)
	}
}
