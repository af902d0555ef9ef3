package sourcetest

import (
	"slices"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// nothing checks that an empty folder has no threads, links or hits, and causes no
// error.
func nothing(d *fixture) {
	if err := d.Configure(d.Context(), panel.Settings{}, []string{d.TempDir()}); err != nil {
		d.Fatal(err)
	}
	d.sync()
	if page := d.inbox(panel.InboxParams{}); len(page.Threads) > 0 || page.Threads == nil || page.NextCursor != "" || page.Unread != 0 {
		d.Errorf("%+v", page)
	}
	if link := d.resolve("nothing"); link.Status != panel.LinkMissing {
		d.Errorf("%+v", link)
	}
	page, err := d.Search(d.Context(), panel.SearchParams{Query: d.c.Word})
	if err != nil || len(page.Hits) > 0 || page.NextCursor != "" {
		d.Errorf("%+v, %v", page, err)
	}
}

// lists checks that every order lists each thread once, whatever the size of the pages, and that
// the orders by time and sender are sorted.
func lists(d *fixture) {
	refs := func(list []panel.ThreadItem) (refs []panel.Ref) {
		for i := range list {
			refs = append(refs, list[i].Ref)
		}
		return refs
	}
	whole := refs(d.all(panel.InboxParams{}))
	if len(whole) < 4 {
		d.Fatalf("only %d threads are listed", len(whole))
	}
	for _, order := range panel.Sorts {
		list := refs(d.all(panel.InboxParams{Sort: order}))
		for _, limit := range []int{1, 2, 3, len(whole)} {
			if paged := refs(d.all(panel.InboxParams{Sort: order, Limit: limit})); !slices.Equal(paged, list) {
				d.Errorf("%s by %d: %v\nand not %v", order, limit, paged, list)
			}
		}
		if len(list) != len(whole) {
			d.Errorf("%s lists %d threads of %d", order, len(list), len(whole))
		}
		for _, r := range whole {
			if !slices.Contains(list, r) {
				d.Errorf("%s has no %v", order, r)
			}
		}
	}
	newest := d.all(panel.InboxParams{})
	if !slices.IsSortedFunc(newest, func(a, b panel.ThreadItem) int { return int(b.LastTime - a.LastTime) }) {
		d.Error("the newest threads do not come first")
	}
	oldest := refs(d.all(panel.InboxParams{Sort: panel.SortOldest}))
	slices.Reverse(oldest)
	if !slices.Equal(oldest, whole) {
		d.Errorf("the oldest first is not the reverse: %v", oldest)
	}
	senders := d.all(panel.InboxParams{Sort: panel.SortSender})
	if !slices.IsSortedFunc(senders, func(a, b panel.ThreadItem) int {
		return strings.Compare(strings.ToLower(a.LastFrom), strings.ToLower(b.LastFrom))
	}) {
		d.Error("the order by sender is none")
	}
}

// unlisted checks that threads which no inbox lists change nothing in an inbox.
func unlisted(d *fixture) {
	page := d.inbox(panel.InboxParams{})
	if len(page.Threads) > 0 || page.Unread != 0 || page.NeedsReply != 0 || len(page.Groups) != 1 || page.Groups[0].Threads != 0 {
		d.Errorf("%+v", page)
	}
}

// filters checks that a list has the threads that its filter selects, and that groups count
// theirs.
func filters(d *fixture) {
	page := d.inbox(panel.InboxParams{Limit: panel.MaxPage})
	if other := d.all(panel.InboxParams{Filter: panel.InboxFilter{Protocol: "other"}}); len(other) > 0 {
		d.Errorf("another protocol has %+v", other)
	}
	if own := d.all(panel.InboxParams{Filter: panel.InboxFilter{Protocol: string(d.protocol)}}); len(own) != len(page.Threads) {
		d.Errorf("of the protocol there are %d threads of %d", len(own), len(page.Threads))
	}
	for _, g := range page.Groups {
		list := d.all(panel.InboxParams{Filter: panel.InboxFilter{Group: g.ID}})
		if len(list) != g.Threads {
			d.Errorf("group %s counts %d threads and lists %d", g.ID, g.Threads, len(list))
		}
		for i := range list {
			if list[i].Group != g.ID {
				d.Errorf("%s is in %s and listed in %s", list[i].Title, list[i].Group, g.ID)
			}
		}
	}
	unread := 0
	for i := range page.Threads {
		it := &page.Threads[i]
		unread += it.Unread
		if it.Ref.Protocol != d.protocol || it.Protocol != string(d.protocol) {
			d.Errorf("%+v is of another protocol", it)
		}
		if !slices.ContainsFunc(page.Groups, func(g panel.Group) bool { return g.ID == it.Group }) {
			d.Errorf("there is no group %s", it.Group)
		}
		title, _, _ := strings.Cut(it.Title, "⟨") // an invisible character is shown as a number
		found := d.all(panel.InboxParams{Filter: panel.InboxFilter{Text: strings.ToUpper(title)}})
		if !slices.ContainsFunc(found, func(o panel.ThreadItem) bool { return o.Ref == it.Ref }) {
			d.Errorf("no filter for %q finds it", title)
		}
	}
	if unread != page.Unread {
		d.Errorf("%d are unread in the threads, and %d in the inbox", unread, page.Unread)
	}
}

// shelves checks that a thread that was put away leaves the inbox and the counts, is
// listed with the archived or snoozed threads, and comes back.
func shelves(d *fixture) {
	before := d.inbox(panel.InboxParams{Limit: panel.MaxPage})
	away := before.Threads[1]
	message := d.thread(panel.ThreadParams{Ref: away.Ref}).Messages[0].Ref
	yes, no, later := true, false, time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC).UnixMilli()
	for _, q := range []struct {
		put    panel.ShelveParams
		filter panel.InboxFilter
	}{
		{panel.ShelveParams{Refs: []panel.Ref{message}, Archived: &yes}, panel.InboxFilter{Archived: true}},
		{panel.ShelveParams{Refs: []panel.Ref{away.Ref}, SnoozeUntil: &later}, panel.InboxFilter{Snoozed: true}},
	} {
		if _, err := d.Shelve(d.Context(), q.put); err != nil {
			d.Fatal(err)
		}
		left := d.inbox(panel.InboxParams{Limit: panel.MaxPage})
		if len(left.Threads) != len(before.Threads)-1 || slices.ContainsFunc(left.Threads, func(o panel.ThreadItem) bool { return o.Ref == away.Ref }) {
			d.Errorf("%d threads are left of %d", len(left.Threads), len(before.Threads))
		}
		for i, g := range left.Groups {
			if want := before.Groups[i].Threads - len(d.all(panel.InboxParams{Filter: panel.InboxFilter{Archived: true, Snoozed: true, Group: g.ID}})); g.Threads != want {
				d.Errorf("group %s counts %d threads, and %d are left", g.ID, g.Threads, want)
			}
		}
		shown := d.inbox(panel.InboxParams{Filter: q.filter})
		if len(shown.Threads) != 1 || shown.Threads[0].Ref != away.Ref || !shown.Threads[0].Archived && shown.Threads[0].Snoozed == 0 {
			d.Errorf("put away are %+v", shown.Threads)
		}
		if page := d.thread(panel.ThreadParams{Ref: away.Ref}); page.Thread.Archived != shown.Threads[0].Archived || page.Thread.Snoozed != shown.Threads[0].Snoozed {
			d.Errorf("its page says otherwise: %+v", page.Thread)
		}
		if _, err := d.Shelve(d.Context(), panel.ShelveParams{Refs: []panel.Ref{away.Ref}, Archived: &no}); err != nil {
			d.Fatal(err)
		}
		if back := d.inbox(panel.InboxParams{Limit: panel.MaxPage}); len(back.Threads) != len(before.Threads) {
			d.Errorf("%d threads of %d came back", len(back.Threads), len(before.Threads))
		}
	}
}
