package panel

import (
	"context"
	"slices"
)

// row is a thread of an inbox, with its view.
type row struct {
	Head
	view *view
}

// Inbox returns one page of threads, newest first or in the order that the params name.
func (p *Panels) Inbox(ctx context.Context, q InboxParams) (InboxPage, error) {
	revision := p.revised() // taken first, so that the page holds at least this revision
	away := p.shelfNow()
	views := p.views(ctx, away)
	page := InboxPage{Threads: []ThreadItem{}, Groups: groups(views, &q.Filter), Warnings: []Warning{}, Revision: revision}
	left := countAll(views)
	page.Unread, page.NeedsReply = left.Unread, left.NeedsReply
	for _, v := range views {
		page.Warnings = append(page.Warnings, v.Problems()...)
		if s, ok := v.View.(Suspecting); ok {
			page.Suspicious += s.Suspects()
		}
	}
	page.Warnings = append(page.Warnings, away.problems()...)
	o, err := parseOrder(q.Sort)
	if err != nil {
		return page, err
	}
	limit := PageSize(q.Limit)
	if q.Filter.Suspicious {
		page.Threads = append(page.Threads, suspicious(views, &q.Filter, limit)...)
		return page, nil
	}
	after, err := placeAfter(&q, o, views)
	if err != nil {
		return page, err
	}
	rows, more := []row(nil), false
	for i := range views {
		if !q.Filter.shows(views[i].Protocol) {
			continue
		}
		heads, rest := views[i].Heads(&HeadQuery{&q.Filter, o, after, limit})
		for _, h := range heads {
			rows = append(rows, row{Head: h, view: &views[i]})
		}
		more = more || rest
	}
	slices.SortFunc(rows, func(a, b row) int { return o.Compare(&a.Head, &b.Head) })
	if len(rows) > limit {
		rows, more = rows[:limit], true
	}
	page.Threads = items(rows)
	if more {
		page.NextCursor = cursor{Head: rows[len(rows)-1].Head, Order: o}.sent()
	}
	return page, nil
}

// suspicious returns at most limit messages that may be forged. Each is a thread of its
// own, apart from the thread that it claims to belong to.
func suspicious(views []view, f *InboxFilter, limit int) (list []ThreadItem) {
	for _, v := range views {
		if s, ok := v.View.(Suspecting); ok && f.shows(v.Protocol) {
			list = append(list, s.Suspicious(f, limit-len(list))...)
		}
	}
	return list
}

// groups returns the groups of threads: mail first, then the others in the order of the
// views. Groups with the same id are added up.
func groups(views []view, q *InboxFilter) []Group {
	list := []Group{{ID: MailGroup, Kind: GroupMail, Title: "Mail"}}
	for _, v := range views {
		for _, g := range v.Groups(q) {
			same := slices.IndexFunc(list, func(o Group) bool { return o.ID == g.ID })
			if same < 0 {
				list = append(list, g)
				continue
			}
			o := &list[same]
			o.Threads, o.Unread, o.LastTime = o.Threads+g.Threads, o.Unread+g.Unread, max(o.LastTime, g.LastTime)
		}
	}
	return list
}

// PageSize returns the most items of a page for the limit of a request: the default if
// the limit is not positive, and never more than [MaxPage].
func PageSize(limit int) int {
	if limit <= 0 {
		return pageDefault
	}
	return min(limit, MaxPage)
}

// items returns the list items of rows, in their order. It asks each view once for all
// of its rows.
func items(rows []row) []ThreadItem {
	list := make([]ThreadItem, len(rows))
	byView := make(map[*view][]int)
	for i, r := range rows {
		byView[r.view] = append(byView[r.view], i)
	}
	for v, places := range byView {
		heads := make([]Head, len(places))
		for j, i := range places {
			heads[j] = rows[i].Head
		}
		for j, it := range v.Items(heads) {
			list[places[j]] = it
		}
	}
	return list
}

// InboxListsParams are the params of signalbox/inbox/lists: those of signalbox/inbox/list
// for several lists at once, each the beginning of one group's threads.
type InboxListsParams struct {
	Filter InboxFilter `json:"filter,omitzero"`
	Sort   Sort        `json:"sort,omitempty"`
	Lists  []ListWish  `json:"lists"`
}

// ListWish asks for the threads of a group, or of all where Group is empty. Limit 0
// means the default.
type ListWish struct {
	Group string `json:"group,omitempty"`
	Limit int    `json:"limit,omitempty"`
}

// InboxLists is the result of signalbox/inbox/lists: one page for each list, in their
// order, or where none was asked for, one page without threads. Groups and Warnings
// stand in the first page alone.
type InboxLists struct {
	Pages []InboxPage `json:"pages"`
}

// MaxLists is the most lists that one request may ask for.
const MaxLists = 200

// InboxLists returns the first page of each of several lists.
func (p *Panels) InboxLists(ctx context.Context, q InboxListsParams) (InboxLists, error) {
	wishes := q.Lists
	if len(wishes) == 0 {
		wishes = []ListWish{{Group: q.Filter.Group, Limit: 1}}
	}
	var lists InboxLists
	for i, w := range wishes {
		one := InboxParams{Filter: q.Filter, Sort: q.Sort, Limit: w.Limit}
		if w.Group != "" {
			one.Filter.Group = w.Group
		}
		page, err := p.Inbox(ctx, one)
		if err != nil {
			return InboxLists{}, err
		}
		if i > 0 {
			page.Groups, page.Warnings = []Group{}, []Warning{}
		}
		lists.Pages = append(lists.Pages, page)
	}
	if len(q.Lists) == 0 {
		lists.Pages[0].Threads, lists.Pages[0].NextCursor = []ThreadItem{}, ""
	}
	return lists, nil
}
