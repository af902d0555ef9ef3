package panel

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store"
	"github.com/signalbox-dev/signalbox/lsp/store/mailbox"
	"github.com/signalbox-dev/signalbox/lsp/store/shelf"
)

// mailGroup is the [Group.ID] of mail.
const mailGroup = MailGroup

// MailGroup is the [Group.ID] of the mail of all formats. The ids of other groups are
// longer.
const MailGroup = "mail"

// row is a thread of an inbox: of a view or, where that is nil, of mail or signed mail.
type row struct {
	Head
	view   *view
	store  *store.Live
	thread store.Thread
	amp    *mailbox.Thread
	away   Shelved
}

// Inbox gives one page of threads, the freshest first or as the params say.
func (p *Panels) Inbox(ctx context.Context, q InboxParams) (InboxPage, error) {
	revision := p.revised() // before what is read: a page is never older than it says
	stores, _, alias := p.snapshot()
	signed := p.mailNow(ctx)
	away := signed.shelf
	views := p.views(ctx, away)
	page := InboxPage{Threads: []ThreadItem{}, Groups: groups(stores, &signed, views, &q.Filter), Warnings: []Warning{}, Revision: revision}
	for _, s := range stores {
		stats := s.live.Stats()
		page.Suspicious += stats.Suspicious
		page.Warnings = append(page.Warnings, problems(stats)...)
	}
	left := tallyAll(stores, &signed, views)
	page.Unread, page.NeedsReply = left.Unread, left.NeedsReply
	page.Warnings = append(page.Warnings, away.problems()...)
	page.Warnings = append(page.Warnings, signed.problems()...)
	for _, v := range views {
		page.Warnings = append(page.Warnings, v.Problems()...)
	}
	o, err := parseOrder(q.Sort)
	if err != nil {
		return page, err
	}
	limit := PageSize(q.Limit)
	if q.Filter.Suspicious {
		if q.Filter.shows(mail.SAMP) && q.Filter.holds(mailGroup) {
			page.Threads = suspiciousThreads(stores, alias.Value, q.Filter.Mine, limit)
		}
		return page, nil
	}
	after, err := placeAfter(&q, o, stores)
	if err != nil {
		return page, err
	}
	rows, more := away.mailRows(stores, &q.Filter, o, after, limit)
	letters, others := p.ampRows(&signed, &HeadQuery{&q.Filter, o, after, limit})
	rows, more = append(rows, letters...), more || others
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
	page.Threads = items(rows, &signed, p.now())
	if more {
		page.NextCursor = cursor{Head: rows[len(rows)-1].Head, Order: o}.sent()
	}
	return page, nil
}

// groups lists what threads stand under: the mail, then the others as the views have
// them.
func groups(stores []opened, signed *mailNow, views []view, q *InboxFilter) []Group {
	post := Group{ID: mailGroup, Kind: GroupMail, Title: "Mail"}
	tallies := signed.tallyMail()
	total := tallies.Of(q)
	for _, s := range stores {
		stats := s.live.Stats()
		tallies = signed.shelf.tallyStore(s.live, &stats)
		total = total.With(tallies.Of(q))
		if stats.Threads > 0 {
			post.LastTime = max(post.LastTime, millis(stats.Newest))
		}
	}
	post.Threads, post.Unread = total.Threads, total.Unread
	if len(signed.Threads) > 0 {
		post.LastTime = max(post.LastTime, clampTime(signed.Threads[0].Last))
	}
	list := []Group{post}
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

// shows reports whether threads of a format are asked for.
func (f *InboxFilter) shows(p mail.Protocol) bool { return f.Protocol == "" || f.Protocol == string(p) }

// holds reports whether the threads of a group are asked for.
func (f *InboxFilter) holds(group string) bool { return f.Group == "" || f.Group == group }

// PageSize returns how many items a page has for the limit of a request.
func PageSize(limit int) int {
	if limit <= 0 {
		return pageDefault
	}
	return min(limit, MaxPage)
}

// mailRows gives the threads of all message directories behind a place.
func (s *Shelf) mailRows(stores []opened, f *InboxFilter, o Sort, after *Head, limit int) (rows []row, more bool) {
	if !f.shows(mail.SAMP) || !f.holds(mailGroup) {
		return nil, false
	}
	for _, in := range stores {
		id := in.live.Stats().ID
		q := store.Listing{Filter: s.shelfFilter(in.live, id, f), Sort: o.inStore(), Limit: limit}
		if after != nil {
			q.After = after.inStore(id, o)
		}
		list, rest := in.live.List(q)
		more = more || rest
		part := s.samp(id)
		for _, t := range list {
			r := row{store: in.live, thread: t, away: part.At(t.Name, t.Mail, s.Now)}
			r.Head = Head{At: At{TS: t.Last}, Name: t.Name, Store: id}
			switch o {
			case SortUnread:
				r.Rest = t.Unread == 0 && r.away.State != shelf.Due
			case SortSender:
				r.From = store.SenderKey(t.From)
			}
			rows = append(rows, r)
		}
	}
	return rows, more
}

// items reads the newest message of each row, and the one it begins with, a store
// at a time.
func items(rows []row, signed *mailNow, now int64) []ThreadItem {
	list := make([]ThreadItem, len(rows))
	byStore, byView := make(map[*store.Live][]int), make(map[*view][]int)
	for i, r := range rows {
		if r.view != nil {
			byView[r.view] = append(byView[r.view], i)
			continue
		}
		if r.amp != nil {
			list[i] = signed.ampItem(r.amp, now)
			continue
		}
		list[i] = item(r.Store, &r.thread)
		list[i].PutAway(r.away)
		byStore[r.store] = append(byStore[r.store], i)
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
	for live, places := range byStore {
		batch := make([]store.Thread, len(places))
		index := make(map[string]int, len(places))
		for j, i := range places {
			batch[j] = rows[i].thread
			index[rows[i].thread.Name] = i
		}
		newest, openings := live.Ends(batch)
		for _, m := range newest {
			i := index[m.Thread]
			if m.Err == nil {
				list[i].Preview, _ = render.Line(m.Body, previewChars)
			}
			list[i].Marks = marks(&m)
		}
		for _, m := range openings {
			if m.Err == nil {
				list[index[m.Thread]].Subject = subject(m.Body)
			}
		}
	}
	return list
}

// subject is what a text without one is about: its first line, without the signs
// that Markdown begins a heading, a quotation or a list with, and without those of
// strong text and of code.
func subject(body string) string {
	for line := range strings.Lines(body) {
		line, _ = render.Line(strings.TrimLeft(line, "#>*-+ \t"), titleChars)
		if line = plainSigns.Replace(line); line != "" {
			return line
		}
	}
	return ""
}

var plainSigns = strings.NewReplacer("**", "", "`", "")

// PutAway says where a thread is.
func (i *ThreadItem) PutAway(s Shelved) {
	switch s.State {
	case shelf.Archived:
		i.Archived = true
	case shelf.Snoozed:
		i.Snoozed = s.Until
	case shelf.Due:
		i.Returned, i.NeedsReply = true, true
	case shelf.Out:
	}
}

func item(id string, t *store.Thread) ThreadItem {
	title, _ := render.Line(t.Name, titleChars)
	i := ThreadItem{
		Ref: threadRef(id, t.Name), Protocol: string(mail.SAMP), Title: title, Name: linkName(t.Name),
		Participants: []string{}, LastFrom: safe(t.From), LastTo: safe(t.To),
		LastTime: millis(t.Last), FirstTime: millis(t.First),
		Count: t.Count, Unread: t.Unread, NeedsReply: t.Unread > 0, Mine: t.Mine, Marks: []string{},
		Group: mailGroup,
	}
	for _, a := range t.Participants[:min(len(t.Participants), participantsShown)] {
		i.Participants = append(i.Participants, safe(a))
	}
	if n := len(t.Participants) - participantsShown; n > 0 {
		i.Participants = append(i.Participants, count(n, "more", "more"))
	}
	return i
}

// suspiciousThreads shows the records that may be forged as threads of their
// own, apart from those they claim to belong to.
func suspiciousThreads(stores []opened, me string, mine bool, limit int) []ThreadItem {
	list := []ThreadItem{}
	for _, s := range stores {
		id := s.live.Stats().ID
		for _, m := range s.live.Suspicious(limit - len(list)) {
			if mine && m.To != me {
				continue
			}
			list = append(list, suspiciousItem(id, &m, me))
		}
	}
	return list
}

func suspiciousItem(id string, m *store.Message, me string) ThreadItem {
	title, _ := render.Line(m.File+" claims to be from "+samp.ShowAlias(m.From), titleChars)
	preview, _ := render.Line(m.Body, previewChars)
	return ThreadItem{
		Ref: mail.Ref{Protocol: mail.SAMP, Store: id, ID: suspectRef(m)}, Protocol: string(mail.SAMP), Title: title,
		Participants: []string{safe(m.From), safe(m.To)}, LastFrom: safe(m.From), LastTo: safe(m.To),
		LastTime: millis(m.TS), FirstTime: millis(m.TS), Count: 1, Mine: m.To == me, Preview: preview, Marks: marks(m),
		Group: mailGroup,
	}
}

const suspectMark = "s/"

// suspectRef names a suspicious record by its place: its id proves nothing.
func suspectRef(m *store.Message) string {
	return suspectMark + m.File + ":" + strconv.Itoa(m.Line)
}

// keyOf gives the key of a message's ref.
func keyOf(r Ref) (store.Key, bool) {
	from, id, ok := r.Message()
	return store.Key{From: from, ID: id}, ok
}
