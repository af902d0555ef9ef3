package sourcetest

import (
	"cmp"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// threads checks that a thread can be read in pages of any size, from both ends and
// around each of its messages.
func threads(d *fixture) {
	for _, it := range d.all(panel.InboxParams{}) {
		whole := d.thread(panel.ThreadParams{Ref: it.Ref, Limit: panel.MaxPage})
		if whole.Thread.Ref != it.Ref || whole.Before != "" || whole.After != "" || whole.Related == nil || whole.Warnings == nil {
			d.Errorf("%s: %+v", it.Title, whole)
		}
		for _, limit := range []int{1, 2, 5} {
			d.pages(it.Ref, limit, whole.Messages)
		}
		for _, m := range whole.Messages {
			around := d.thread(panel.ThreadParams{Ref: m.Ref, Side: panel.SideAround, Limit: 3})
			if !slices.ContainsFunc(around.Messages, func(o panel.MessageItem) bool { return o.Ref == m.Ref }) {
				d.Errorf("%s: the page around %v has %d other messages", it.Title, m.Ref, len(around.Messages))
			}
			if page := d.thread(panel.ThreadParams{Ref: m.Ref}); page.Thread.Ref != it.Ref {
				d.Errorf("%v opens %v", m.Ref, page.Thread.Ref)
			}
		}
	}
}

// pages checks that a thread has the messages of want when it is read backwards and
// forwards.
func (d *fixture) pages(ref panel.Ref, limit int, want []panel.MessageItem) {
	d.Helper()
	var list []panel.MessageItem
	page := d.thread(panel.ThreadParams{Ref: ref, Limit: limit})
	for list = page.Messages; page.Before != ""; list = append(slices.Clone(page.Messages), list...) {
		page = d.thread(panel.ThreadParams{Ref: ref, Limit: limit, Before: page.Before})
	}
	d.same("backwards", limit, list, want)
	list = slices.Clone(page.Messages)
	for page.After != "" {
		page = d.thread(panel.ThreadParams{Ref: ref, Limit: limit, After: page.After})
		list = append(list, page.Messages...)
	}
	d.same("forwards", limit, list, want)
}

func (d *fixture) same(how string, limit int, got, want []panel.MessageItem) {
	d.Helper()
	if !slices.EqualFunc(got, want, func(a, b panel.MessageItem) bool {
		return a.Ref == b.Ref && a.Asked == b.Asked && a.Answer == b.Answer
	}) {
		d.Errorf("%s by %d there are other messages, %d, than the %d in the whole", how, limit, len(got), len(want))
	}
}

// tokens checks that a thread's name finds the thread as a link, a place and a mention in a text,
// that a message found by its id has a thread, and that unknown words find nothing.
func tokens(d *fixture) {
	for _, name := range d.names() {
		address := mail.FormatLink(mail.LinkThread, name)
		for _, token := range []string{name, address} {
			link, at := d.resolve(token), d.locate(token)
			if link.Status != panel.LinkFound || link.Thread == nil || link.Token != token || link.Title == "" || link.Time <= 0 || link.Preview == "" || len(link.Preview) > 4096 {
				d.Errorf("%q: %+v", token, link)
				continue
			}
			if at.Status != link.Status || at.Kind != link.Kind || at.Thread == nil || *at.Thread != *link.Thread || at.Protocol != d.protocol {
				d.Errorf("%q is located otherwise: %+v", token, at)
			}
			for _, p := range at.Places {
				if !strings.HasPrefix(p.Path, d.home) {
					d.Errorf("%q lies in %s", token, p.Path)
				}
			}
		}
		links, err := d.Links(d.Context(), "see "+address+", please")
		if err != nil || len(links) != 1 || links[0].Token != address {
			d.Errorf("%q in a text: %+v, %v", address, links, err)
		}
	}
	for _, it := range d.all(panel.InboxParams{}) {
		for _, m := range d.thread(panel.ThreadParams{Ref: it.Ref}).Messages {
			if link := d.resolve(m.ID); link.Status == panel.LinkFound && link.Thread == nil {
				d.Errorf("%q: %+v", m.ID, link)
			}
		}
	}
	for _, token := range []string{"", "nothing-of-this-name", "signalbox://message/nothing", strings.Repeat("x", 1<<16), Hostile} {
		if link, at := d.resolve(token), d.locate(token); link.Status != panel.LinkMissing || at.Status != panel.LinkMissing {
			d.Errorf("%q: %+v %+v", token, link, at)
		}
	}
}

// completes checks that the first letters of a name are completed to the name.
func completes(d *fixture) {
	kind := cmp.Or(d.c.Completed, panel.CompleteThread)
	for _, name := range d.names() {
		if len(name) < 5 {
			continue
		}
		for _, limit := range []int{0, 1} {
			list, err := d.Complete(d.Context(), panel.CompleteParams{Kind: kind, Prefix: name[:5], Limit: limit})
			if err != nil || limit > 0 && len(list.Items) > limit {
				d.Errorf("%q: %+v, %v", name[:5], list, err)
			}
			has := slices.ContainsFunc(list.Items, func(c panel.Completion) bool { return c.Text == name && c.Protocol == string(d.protocol) })
			if !has && !list.Incomplete {
				d.Errorf("%q is not completed to %q: %+v", name[:5], name, list)
			}
		}
	}
}

// searches checks that each message with a word is found once, whatever the size of the
// pages, and can be opened.
func searches(d *fixture) {
	var whole []panel.Ref
	for _, limit := range []int{panel.MaxPage, 1, 2, 5} {
		var found []panel.Ref
		q, last := panel.SearchParams{Query: d.c.Word, Limit: limit}, int64(0)
		for pages := 0; ; pages++ {
			page, err := d.Search(d.Context(), q)
			if err != nil || pages > 1000 {
				d.Fatalf("%+v: %v", q, err)
			}
			for _, h := range page.Hits {
				if last != 0 && h.Time > last {
					d.Errorf("by %d: %v comes late", limit, h.Message)
				}
				last = h.Time
				if found = append(found, h.Message); len(h.Marks) == 0 || h.Snippet == "" || h.Protocol != string(d.protocol) {
					d.Errorf("%+v", h)
				}
			}
			if q.Cursor = page.NextCursor; q.Cursor == "" {
				break
			}
		}
		if whole == nil {
			whole = found
		}
		if !slices.Equal(found, whole) {
			d.Errorf("by %d: %d hits and not %d", limit, len(found), len(whole))
		}
	}
	if len(whole) < 7 {
		d.Errorf("%q finds %d messages", d.c.Word, len(whole))
	}
	for _, r := range whole {
		if d.c.Names != nil {
			break // no page of a thread has it
		}
		if page := d.thread(panel.ThreadParams{Ref: r, Side: panel.SideAround}); len(page.Messages) == 0 {
			d.Errorf("%v does not open", r)
		}
	}
	page, err := d.Search(d.Context(), panel.SearchParams{Query: d.c.Word + " in:nowhere-at-all"})
	if err != nil || len(page.Hits) > 0 {
		d.Errorf("%+v, %v", page, err)
	}
}
