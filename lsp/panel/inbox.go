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
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
)

const (
	previewChars = 200
	titleChars   = 200
	// participantsShown bounds a list item; hostile threads have thousands.
	participantsShown = 12
)

// row is a thread of an inbox: of mail, signed mail, or an agent's own.
type row struct {
	cursor
	store  *store.Live
	thread store.Thread
	agent  *threads.Item
	amp    *mailbox.Thread
	away   shelved
}

// Inbox gives one page of threads, the freshest first or as the params say.
func (p *Panels) Inbox(ctx context.Context, q InboxParams) (InboxPage, error) {
	revision := p.revised() // before what is read: a page is never older than it says
	stores, _, alias := p.snapshot()
	agents, signed := p.agents(), p.mailNow(ctx)
	away := signed.shelf
	page := InboxPage{Threads: []ThreadItem{}, Groups: groups(stores, &signed, agents, &q.Filter), Warnings: []Warning{}, Revision: revision}
	for _, s := range stores {
		stats := s.live.Stats()
		page.Suspicious += stats.Suspicious
		page.Warnings = append(page.Warnings, problems(stats)...)
	}
	left := tallyAll(stores, &signed, agents, away)
	page.Unread, page.NeedsReply = left.Unread, left.NeedsReply
	page.Warnings = append(page.Warnings, away.problems()...)
	page.Warnings = append(page.Warnings, signed.problems()...)
	page.Warnings = append(page.Warnings, agentProblems(agents)...)
	o, err := parseOrder(q.Sort)
	if err != nil {
		return page, err
	}
	limit := pageSize(q.Limit)
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
	own, rest := p.agentRows(agents, away, &q.Filter, o, after, limit)
	letters, others := p.ampRows(&signed, &q.Filter, o, after, limit)
	rows = append(append(rows, own...), letters...)
	slices.SortFunc(rows, func(a, b row) int { return o.compare(&a.cursor, &b.cursor) })
	if more = more || rest || others; len(rows) > limit {
		rows, more = rows[:limit], true
	}
	page.Threads = items(rows, &signed, p.now())
	if more {
		page.NextCursor = rows[len(rows)-1].sent()
	}
	return page, nil
}

// shows reports whether threads of a format are asked for.
func (f *InboxFilter) shows(p mail.Protocol) bool { return f.Protocol == "" || f.Protocol == string(p) }

// holds reports whether the threads of a group are asked for.
func (f *InboxFilter) holds(group string) bool { return f.Group == "" || f.Group == group }

func pageSize(limit int) int {
	if limit <= 0 {
		return pageDefault
	}
	return min(limit, MaxPage)
}

// mailRows gives the threads of all message directories behind a place.
func (s *shelfNow) mailRows(stores []opened, f *InboxFilter, o Sort, after *cursor, limit int) (rows []row, more bool) {
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
			r := row{store: in.live, thread: t, away: part.shelved(t.Name, t.Mail, s.now)}
			r.cursor = cursor{at: at{TS: t.Last}, Name: t.Name, Store: id, Order: o}
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
	byStore := make(map[*store.Live][]int)
	for i, r := range rows {
		if r.agent != nil {
			list[i] = agentItem(r.agent)
			list[i].putAway(r.away)
			continue
		}
		if r.amp != nil {
			list[i] = signed.ampItem(r.amp, now)
			continue
		}
		list[i] = item(r.Store, &r.thread)
		list[i].putAway(r.away)
		byStore[r.store] = append(byStore[r.store], i)
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

// putAway says where a thread is.
func (i *ThreadItem) putAway(s shelved) {
	switch s.State {
	case shelf.Archived:
		i.Archived = true
	case shelf.Snoozed:
		i.Snoozed = s.until
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

// linkName is the name of a thread for a link, which is neither cut nor escaped.
func linkName(name string) string {
	if len(name) > mail.MaxName || safe(name) != name {
		return ""
	}
	return name
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
