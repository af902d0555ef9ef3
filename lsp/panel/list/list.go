// Package list answers requests for lists of threads: the inbox in its orders, its groups, and the
// sessions of all repositories. Start with [Lists].
package list

import (
	"cmp"
	"context"
	"slices"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/view"
)

// Lists answers requests for lists of threads.
type Lists struct{ *view.Sources }

// Inbox returns one page of threads, newest first or in the order that the params name.
func (l Lists) Inbox(ctx context.Context, q panel.InboxParams) (panel.InboxPage, error) {
	look := l.Look(ctx)
	page := emptyPage(look, &q.Filter)
	threads, next, err := Threads(look, &q)
	if err == nil {
		page.Threads, page.NextCursor = threads, next
	}
	return page, err
}

// emptyPage returns a page without threads: the counts, the groups and the warnings.
func emptyPage(look *view.Look, f *panel.InboxFilter) panel.InboxPage {
	counts := look.Views.Counts()
	page := panel.InboxPage{
		Threads: []panel.ThreadItem{}, Groups: Groups(look.Views, f), Warnings: []panel.Warning{},
		Unread: counts.Unread, NeedsReply: counts.NeedsReply, Revision: look.Revision,
	}
	for _, v := range look.Views {
		page.Warnings = append(page.Warnings, v.Problems()...)
	}
	for _, v := range view.Having[panel.Suspecting](look.Views) {
		page.Suspicious += v.SuspiciousCount()
	}
	page.Warnings = append(page.Warnings, look.Shelf.Problems()...)
	for k := range page.Groups {
		describe(look, &page.Groups[k])
	}
	slices.SortStableFunc(page.Groups, compareGroups)
	page.Groups = slices.DeleteFunc(page.Groups, func(g panel.Group) bool { return g.Bare })
	return page
}

// Threads returns one page of threads, and the cursor of the next.
func Threads(look *view.Look, q *panel.InboxParams) (threads []panel.ThreadItem, next string, err error) {
	order, err := panel.ParseSort(q.Sort)
	if err != nil {
		return nil, "", err
	}
	limit := panel.PageSize(q.Limit)
	if q.Filter.Suspicious {
		return append([]panel.ThreadItem{}, suspicious(look.Views, &q.Filter, limit)...), "", nil
	}
	after, err := headOf(q, order, look.Views)
	if err != nil {
		return nil, "", err
	}
	found, more := rows(look.Views, &panel.HeadQuery{Filter: &q.Filter, Order: order, After: after, Limit: limit})
	if more {
		next = panel.Cursor{Head: found[len(found)-1].Head, Order: order}.Sent()
	}
	return items(found), next, nil
}

// row is a thread's head with the view that returned it.
type row struct {
	panel.Head
	view *view.Served
}

// Items returns the threads that a query asks for.
func Items(views view.Views, q *panel.HeadQuery) []panel.ThreadItem {
	found, _ := rows(views, q)
	return items(found)
}

// rows returns the threads of all views that a query asks for, and reports whether
// there are more.
func rows(views view.Views, q *panel.HeadQuery) (list []row, more bool) {
	for k := range views {
		v := &views[k]
		f := q.Filter
		counts := v.Counts()
		if !f.Wants(v.Protocol) || f.Asks && counts.Asks == 0 || f.NeedsReply && counts.NeedsReply == 0 ||
			f.Section == panel.SectionQuestions && counts.Questions == 0 || f.Section == panel.SectionUnanswered && counts.NeedsReply == counts.Questions {
			continue
		}
		heads, rest := v.Heads(q)
		for _, h := range heads {
			list = append(list, row{h, v})
		}
		more = more || rest
	}
	slices.SortFunc(list, func(a, b row) int { return q.Order.Compare(&a.Head, &b.Head) })
	if len(list) > q.Limit {
		list, more = list[:q.Limit], true
	}
	return list, more
}

// suspicious returns at most limit messages that may be forged. Each is a thread of its
// own, apart from the thread that it claims to belong to.
func suspicious(views view.Views, f *panel.InboxFilter, limit int) (list []panel.ThreadItem) {
	for _, v := range views {
		if s, ok := v.View.(panel.Suspecting); ok && f.Wants(v.Protocol) {
			list = append(list, s.Suspicious(f, limit-len(list))...)
		}
	}
	return list
}

// compareGroups sorts the opened folders first, then the other worktrees, newest first, then
// removed worktrees, and the mail last.
func compareGroups(a, b panel.Group) int {
	return cmp.Or(
		panel.Rank(a.Kind == panel.GroupMail)-panel.Rank(b.Kind == panel.GroupMail), panel.Rank(a.Gone)-panel.Rank(b.Gone),
		panel.Rank(b.Opened)-panel.Rank(a.Opened), cmp.Compare(b.LastTime, a.LastTime),
	)
}

// describe sets whether a group is open, and when an agent last wrote in it: a log may be newer
// than its thread's description.
func describe(look *view.Look, g *panel.Group) {
	if g.Kind == panel.GroupMail {
		return
	}
	g.Opened = slices.Contains(look.Opened, g.Path)
	for _, t := range look.Recent() {
		if t.Group == g.ID {
			g.LastTime = max(g.LastTime, t.LastTime)
		}
	}
}

// Groups returns the groups of threads: mail first, then the others in the order of the
// views. Groups with the same id are added up.
func Groups(views view.Views, q *panel.InboxFilter) []panel.Group {
	list := []panel.Group{{ID: panel.MailGroup, Kind: panel.GroupMail, Title: "Mail"}}
	for _, v := range views {
		for _, g := range v.Groups(q) {
			same := slices.IndexFunc(list, func(o panel.Group) bool { return o.ID == g.ID })
			if same < 0 {
				list = append(list, g)
				continue
			}
			o := &list[same]
			o.Threads, o.Unread, o.LastTime = o.Threads+g.Threads, o.Unread+g.Unread, max(o.LastTime, g.LastTime)
			o.Bare, o.Tree = o.Bare && g.Bare, o.Tree || g.Tree
		}
	}
	return list
}

// items returns the list items of threads, in their order. It asks each view once for all
// of its threads.
func items(rows []row) []panel.ThreadItem {
	list := make([]panel.ThreadItem, len(rows))
	places := make(map[*view.Served][]int)
	heads := make(map[*view.Served][]panel.Head)
	for i, r := range rows {
		places[r.view], heads[r.view] = append(places[r.view], i), append(heads[r.view], r.Head)
	}
	for v, own := range heads {
		for j, it := range v.Items(own) {
			list[places[v][j]] = it
		}
	}
	return list
}

// InboxLists returns the first page of each of several lists.
func (l Lists) InboxLists(ctx context.Context, q panel.InboxListsParams) (panel.InboxLists, error) {
	wishes := q.Lists
	if len(wishes) == 0 {
		wishes = []panel.ListWish{{Group: q.Filter.Group, Limit: 1}}
	}
	look := l.Look(ctx)
	first := emptyPage(look, &q.Filter)
	var lists panel.InboxLists
	for i, w := range wishes {
		one := panel.InboxParams{Filter: q.Filter, Sort: q.Sort, Limit: w.Limit}
		if w.Group != "" {
			one.Filter.Group = w.Group
		}
		page := first
		if i > 0 {
			page.Groups, page.Warnings = []panel.Group{}, []panel.Warning{}
		}
		var err error
		if page.Threads, page.NextCursor, err = Threads(look, &one); err != nil {
			return panel.InboxLists{}, err
		}
		lists.Pages = append(lists.Pages, page)
	}
	if len(q.Lists) == 0 {
		lists.Pages[0].Threads, lists.Pages[0].NextCursor = []panel.ThreadItem{}, ""
	}
	return lists, nil
}
