package panel

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// inbox is what one request sees of the threads.
type inbox struct {
	revision int64
	away     *Shelf
	views    []view
	agents   *agents
	// uncounted is set if there was no time to count the lines that some agents changed.
	uncounted bool
}

// firstLook is how long the first list after a start waits at most for mail to be found.
const firstLook = time.Second

// look returns what there is now. The revision comes first: the rest is as new, or newer.
func (p *Panels) look(ctx context.Context) *inbox {
	i := &inbox{revision: p.revised(), away: p.shelfNow()}
	i.views = p.views(ctx, i.away)
	i.agents = p.agentsNow(i.views)
	return i
}

// inboxNow is look, but right after a start it waits until the stores were looked at: an
// empty list would say that there is no mail.
func (p *Panels) inboxNow(ctx context.Context) *inbox {
	soon, cancel := context.WithTimeout(ctx, firstLook)
	defer cancel()
	starting := having[Starting](p.viewsNow(ctx))
	if p.opt.Browser {
		return p.someNow(ctx, soon, starting)
	}
	for _, v := range starting {
		v.Begun(soon)
	}
	return p.look(ctx)
}

// Inbox returns one page of threads, newest first or in the order that the params name.
func (p *Panels) Inbox(ctx context.Context, q InboxParams) (InboxPage, error) {
	i := p.inboxNow(ctx)
	page := i.head(&q.Filter)
	err := i.list(&page, &q)
	return page, err
}

// head returns a page without threads: the counts, the groups and the warnings.
func (i *inbox) head(f *InboxFilter) InboxPage {
	left := countAll(i.views)
	page := InboxPage{
		Threads: []ThreadItem{}, Groups: groups(i.views, f), Warnings: []Warning{},
		Unread: left.Unread, NeedsReply: left.NeedsReply, Revision: i.revision,
	}
	for _, v := range i.views {
		page.Warnings = append(page.Warnings, v.Problems()...)
	}
	for _, v := range having[Suspecting](i.views) {
		page.Suspicious += v.Suspects()
	}
	page.Warnings = append(page.Warnings, i.away.problems()...)
	for k := range page.Groups {
		i.describe(&page.Groups[k])
	}
	slices.SortStableFunc(page.Groups, compareGroups)
	page.Groups = slices.DeleteFunc(page.Groups, func(g Group) bool { return g.Bare })
	return page
}

// list adds the threads that a request asks for to a page.
func (i *inbox) list(page *InboxPage, q *InboxParams) error {
	o, err := parseOrder(q.Sort)
	if err != nil {
		return err
	}
	limit := PageSize(q.Limit)
	if q.Filter.Suspicious {
		page.Threads = append(page.Threads, suspicious(i.views, &q.Filter, limit)...)
		return nil
	}
	after, err := placeAfter(q, o, i.views)
	if err != nil {
		return err
	}
	rows, more := i.rows(&HeadQuery{&q.Filter, o, after, limit})
	page.Threads = items(rows)
	if more {
		page.NextCursor = cursor{Head: rows[len(rows)-1], Order: o}.sent()
	}
	return nil
}

// rows returns the threads of all views that a query asks for, and reports whether
// there are more.
func (i *inbox) rows(q *HeadQuery) (rows []Head, more bool) {
	for k := range i.views {
		v := &i.views[k]
		f := q.Filter
		left := v.Counts()
		if !f.shows(v.Protocol) || f.Asks && left.Asks == 0 || f.NeedsReply && left.NeedsReply == 0 ||
			f.Section == SectionQuestions && left.Questions == 0 || f.Section == SectionUnanswered && left.NeedsReply == left.Questions {
			continue
		}
		heads, rest := v.Heads(q)
		for k := range heads {
			heads[k].view = v
		}
		rows, more = append(rows, heads...), more || rest
	}
	slices.SortFunc(rows, func(a, b Head) int { return q.Order.Compare(&a, &b) })
	if len(rows) > q.Limit {
		rows, more = rows[:q.Limit], true
	}
	return rows, more
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

// compareGroups sorts the opened folders first, then the worktrees by what changed last,
// then the removed ones, and the mail at the end.
func compareGroups(a, b Group) int {
	return cmp.Or(
		rank(a.Kind == GroupMail)-rank(b.Kind == GroupMail), rank(a.Gone)-rank(b.Gone),
		rank(b.Opened)-rank(a.Opened), cmp.Compare(b.LastTime, a.LastTime),
	)
}

// describe adds whether a group is open, and when an agent there wrote last: a log may be
// further on than its thread says.
func (i *inbox) describe(g *Group) {
	if g.Kind == GroupMail {
		return
	}
	g.Opened = slices.Contains(i.agents.opened, g.Path)
	for _, t := range i.agents.recent() {
		if t.Group == g.ID {
			g.LastTime = max(g.LastTime, t.LastTime)
		}
	}
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
			o.Bare, o.Tree = o.Bare && g.Bare, o.Tree || g.Tree
		}
	}
	return list
}

// items returns the list items of threads, in their order. It asks each view once for all
// of its threads.
func items(rows []Head) []ThreadItem {
	list := make([]ThreadItem, len(rows))
	places := make(map[*view][]int)
	heads := make(map[*view][]Head)
	for i, h := range rows {
		places[h.view], heads[h.view] = append(places[h.view], i), append(heads[h.view], h)
	}
	for v, own := range heads {
		for j, it := range v.Items(own) {
			list[places[v][j]] = it
		}
	}
	return list
}

// InboxLists returns the first page of each of several lists.
func (p *Panels) InboxLists(ctx context.Context, q InboxListsParams) (InboxLists, error) {
	wishes := q.Lists
	if len(wishes) == 0 {
		wishes = []ListWish{{Group: q.Filter.Group, Limit: 1}}
	}
	now := p.inboxNow(ctx)
	head := now.head(&q.Filter)
	var lists InboxLists
	for i, w := range wishes {
		one := InboxParams{Filter: q.Filter, Sort: q.Sort, Limit: w.Limit}
		if w.Group != "" {
			one.Filter.Group = w.Group
		}
		page := head
		if i > 0 {
			page.Groups, page.Warnings = []Group{}, []Warning{}
		}
		if err := now.list(&page, &one); err != nil {
			return InboxLists{}, err
		}
		lists.Pages = append(lists.Pages, page)
	}
	if len(q.Lists) == 0 {
		lists.Pages[0].Threads, lists.Pages[0].NextCursor = []ThreadItem{}, ""
	}
	return lists, nil
}
