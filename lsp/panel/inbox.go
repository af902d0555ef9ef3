package panel

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/lsp/store"
	"github.com/signalbox-dev/signalbox/lsp/store/mailbox"
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
)

const (
	previewChars = 200
	titleChars   = 200
	// participantsShown bounds a list item; hostile threads have thousands.
	participantsShown = 12
)

// cursor is a place in an inbox over several stores: newest first by time, then
// name, then store.
type cursor struct {
	at
	Name  string `json:"n"`
	Store string `json:"s"`
	// Digest is of the name if that is too long for a cursor.
	Digest string `json:"d,omitempty"`
}

// at is a time in seconds, which may be any number, and the thousandths that
// some formats have besides.
type at struct {
	TS int64 `json:"t"`
	MS int64 `json:"m,omitempty"`
}

// atMillis splits Unix milliseconds.
func atMillis(ms int64) at {
	a := at{ms / 1000, ms % 1000}
	if a.MS < 0 {
		a.TS, a.MS = a.TS-1, a.MS+1000
	}
	return a
}

// behind compares by age: it is negative where a comes first in a list.
func (c *cursor) behind(d *cursor) int {
	return cmp.Or(cmp.Compare(d.TS, c.TS), cmp.Compare(d.MS, c.MS), strings.Compare(d.Name, c.Name), strings.Compare(d.Store, c.Store))
}

// sent is the cursor as a client gets it.
func (c cursor) sent() string {
	if len(c.Name) > mail.MaxName {
		c.Name, c.Digest = "", mail.Digest(c.Name)
	}
	data, err := json.Marshal(c)
	if err != nil {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(data)
}

// named puts the long name back, out of whichever store knows it. If none does
// any more, the list goes on behind all of that time.
func (c cursor) named(stores []opened) cursor {
	for i := 0; i < len(stores) && c.Digest != ""; i++ {
		if name, ok := stores[i].live.LongName(c.Digest); ok {
			c.Name, c.Digest = name, ""
		}
	}
	return c
}

func parseCursor(s string) (c cursor, err error) {
	data, err := base64.RawURLEncoding.DecodeString(s)
	if err == nil {
		err = json.Unmarshal(data, &c)
	}
	if err != nil {
		return c, &Error{Kind: Malformed, Message: "the cursor is not one that a page gave", Err: err}
	}
	return c, nil
}

// inStore gives where a message directory's threads go on behind the cursor.
func (c *cursor) inStore(id string) store.Cursor {
	switch {
	case c.MS > 0:
		// Its threads of that second come behind, whatever their names, which
		// are valid UTF-8.
		return store.Cursor{TS: c.TS, Name: "\xff"}
	case id < c.Store:
		// Threads of that very time and name come behind it here.
		return store.Cursor{TS: c.TS, Name: c.Name + "\x00"}
	}
	return store.Cursor{TS: c.TS, Name: c.Name}
}

// row is a thread of an inbox: of mail, signed mail, or an agent's own.
type row struct {
	cursor
	store  *store.Live
	thread store.Thread
	agent  *threads.Item
	amp    *mailbox.Thread
}

// Inbox gives one page of threads, the freshest first.
func (p *Panels) Inbox(ctx context.Context, q InboxParams) (InboxPage, error) {
	stores, _, alias := p.snapshot()
	agents, signed := p.agents(), p.mailNow(ctx)
	page := InboxPage{Threads: []ThreadItem{}, Groups: groups(stores, &signed, agents), Warnings: []Warning{}, Revision: p.revised()}
	for _, s := range stores {
		stats := s.live.Stats()
		page.Unread += stats.Unread
		page.NeedsReply += stats.Waiting
		page.Suspicious += stats.Suspicious
		page.Warnings = append(page.Warnings, problems(stats)...)
	}
	unread, waiting := signed.unread()
	page.Unread, page.NeedsReply = page.Unread+unread, page.NeedsReply+waiting
	page.Warnings = append(page.Warnings, signed.problems()...)
	page.Warnings = append(page.Warnings, agentProblems(agents)...)
	limit := pageSize(q.Limit)
	if q.Filter.Suspicious {
		if q.Filter.shows(mail.SAMP) && q.Filter.holds(mailGroup) {
			page.Threads = suspiciousThreads(stores, alias.Value, limit)
		}
		return page, nil
	}
	var after *cursor
	if q.Cursor != "" {
		c, err := parseCursor(q.Cursor)
		if err != nil {
			return page, err
		}
		c = c.named(stores)
		after = &c
	}
	rows, more := mailRows(stores, &q.Filter, after, limit)
	own, rest := agentRows(agents, &q.Filter, after, limit)
	letters, others := signed.ampRows(&q.Filter, after, limit)
	rows = append(append(rows, own...), letters...)
	slices.SortFunc(rows, func(a, b row) int { return a.behind(&b.cursor) })
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
func mailRows(stores []opened, f *InboxFilter, after *cursor, limit int) (rows []row, more bool) {
	if !f.shows(mail.SAMP) || !f.holds(mailGroup) || f.Archived {
		return nil, false
	}
	filter := store.Filter{Unread: f.Unread, Mine: f.Mine, Text: f.Text}
	for _, s := range stores {
		id := s.live.Stats().ID
		place := store.Cursor{}
		if after != nil {
			place = after.inStore(id)
		}
		list, rest := s.live.Threads(filter, place, limit)
		more = more || rest
		for _, t := range list {
			rows = append(rows, row{cursor: cursor{at: at{TS: t.Last}, Name: t.Name, Store: id}, store: s.live, thread: t})
		}
	}
	return rows, more
}

// items reads the newest message of each row, a store at a time.
func items(rows []row, signed *mailNow, now int64) []ThreadItem {
	list := make([]ThreadItem, len(rows))
	byStore := make(map[*store.Live][]int)
	for i, r := range rows {
		if r.agent != nil {
			list[i] = agentItem(r.agent)
			continue
		}
		if r.amp != nil {
			list[i] = signed.ampItem(r.amp, now)
			continue
		}
		list[i] = item(r.Store, &r.thread)
		byStore[r.store] = append(byStore[r.store], i)
	}
	for live, places := range byStore {
		batch := make([]store.Thread, len(places))
		index := make(map[string]int, len(places))
		for j, i := range places {
			batch[j] = rows[i].thread
			index[rows[i].thread.Name] = i
		}
		for _, m := range live.Preview(batch) {
			i := index[m.Thread]
			if m.Err == nil {
				list[i].Preview, _ = render.Line(m.Body, previewChars)
			}
			list[i].Marks = marks(&m)
		}
	}
	return list
}

func item(id string, t *store.Thread) ThreadItem {
	title, _ := render.Line(t.Name, titleChars)
	i := ThreadItem{
		Ref: threadRef(id, t.Name), Protocol: string(mail.SAMP), Title: title,
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
func suspiciousThreads(stores []opened, me string, limit int) []ThreadItem {
	list := []ThreadItem{}
	for _, s := range stores {
		id := s.live.Stats().ID
		for _, m := range s.live.Suspicious(limit - len(list)) {
			list = append(list, suspiciousItem(id, &m, me))
		}
	}
	return list
}

func suspiciousItem(id string, m *store.Message, me string) ThreadItem {
	title, _ := render.Line(m.File+" claims to be from "+m.From, titleChars)
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
