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
	TS    int64  `json:"t"`
	Name  string `json:"n"`
	Store string `json:"s"`
	// Digest is of the name if that is too long for a cursor.
	Digest string `json:"d,omitempty"`
}

func cursorAt(r *row) cursor {
	c := cursor{TS: r.thread.Last, Name: r.thread.Name, Store: r.id}
	if len(c.Name) > mail.MaxName {
		c.Name, c.Digest = "", mail.Digest(c.Name)
	}
	return c
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

func (c cursor) String() string {
	data, err := json.Marshal(c)
	if err != nil {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(data)
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

// inStore gives where a store's threads go on behind the cursor.
func (c cursor) inStore(id string) store.Cursor {
	at := store.Cursor{TS: c.TS, Name: c.Name}
	if id < c.Store {
		// Threads of that very time and name come behind it here.
		at.Name += "\x00"
	}
	return at
}

type row struct {
	store  *store.Live
	id     string
	thread store.Thread
}

// Inbox gives one page of threads, the freshest first.
func (p *Panels) Inbox(_ context.Context, q InboxParams) (InboxPage, error) {
	stores, _, alias := p.snapshot()
	page := InboxPage{Threads: []ThreadItem{}, Warnings: []Warning{}}
	p.mu.RLock()
	page.Revision = p.revision
	p.mu.RUnlock()
	for _, s := range stores {
		stats := s.live.Stats()
		page.Unread += stats.Unread
		page.NeedsReply += stats.Waiting
		page.Suspicious += stats.Suspicious
		page.Warnings = append(page.Warnings, problems(stats)...)
	}
	if q.Filter.Protocol != "" && q.Filter.Protocol != string(mail.SAMP) {
		return page, nil
	}
	limit := pageSize(q.Limit)
	if q.Filter.Suspicious {
		page.Threads = suspiciousThreads(stores, alias.Value, limit)
		return page, nil
	}
	rows, more, err := rowsBehind(stores, q, limit)
	if err != nil {
		return page, err
	}
	page.Threads = items(rows)
	if more {
		last := rows[len(rows)-1]
		page.NextCursor = cursorAt(&last).String()
	}
	return page, nil
}

func pageSize(limit int) int {
	if limit <= 0 {
		return pageDefault
	}
	return min(limit, MaxPage)
}

func rowsBehind(stores []opened, q InboxParams, limit int) (rows []row, more bool, err error) {
	var after cursor
	if q.Cursor != "" {
		if after, err = parseCursor(q.Cursor); err != nil {
			return nil, false, err
		}
		after = after.named(stores)
	}
	filter := store.Filter{Unread: q.Filter.Unread, Mine: q.Filter.Mine, Text: q.Filter.Text}
	for _, s := range stores {
		id := s.live.Stats().ID
		at := store.Cursor{}
		if q.Cursor != "" {
			at = after.inStore(id)
		}
		list, rest := s.live.Threads(filter, at, limit)
		more = more || rest
		for _, t := range list {
			rows = append(rows, row{s.live, id, t})
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(b.thread.Last, a.thread.Last), strings.Compare(b.thread.Name, a.thread.Name), strings.Compare(b.id, a.id))
	})
	if len(rows) > limit {
		rows, more = rows[:limit], true
	}
	return rows, more, nil
}

// items reads the newest message of each row, a store at a time.
func items(rows []row) []ThreadItem {
	list := make([]ThreadItem, len(rows))
	byStore := make(map[*store.Live][]int)
	for i, r := range rows {
		list[i] = item(r.id, &r.thread)
		byStore[r.store] = append(byStore[r.store], i)
	}
	for live, places := range byStore {
		threads := make([]store.Thread, len(places))
		index := make(map[string]int, len(places))
		for j, i := range places {
			threads[j] = rows[i].thread
			index[rows[i].thread.Name] = i
		}
		for _, m := range live.Preview(threads) {
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
