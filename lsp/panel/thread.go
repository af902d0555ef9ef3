package panel

import (
	"context"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/render/markup"
	"github.com/signalbox-dev/signalbox/lsp/store"
)

// find gives the store of a ref.
func (p *Panels) find(r Ref) (opened, error) {
	if r.Protocol != mail.SAMP {
		return opened{}, p.unserved(r)
	}
	stores, _, _ := p.snapshot()
	for _, s := range stores {
		if s.live.Stats().ID == r.Store {
			return s, nil
		}
	}
	return opened{}, &Error{Kind: NotFound, Message: "the ref's directory is not open"}
}

// unserved refuses a ref of a format that cannot be asked for this.
func (p *Panels) unserved(r Ref) error {
	for _, v := range p.viewsNow(context.Background()) {
		if v.Protocol == r.Protocol {
			return v.refuse()
		}
	}
	return &Error{Kind: Unsupported, Message: "protocol " + strconv.Quote(safe(string(r.Protocol))) + " is not served"}
}

// Thread gives one page of a thread's messages: the newest, those before or
// after a cursor, or those beside a message. A message's ref stands for its
// thread.
func (p *Panels) Thread(ctx context.Context, q ThreadParams) (ThreadPage, error) {
	if q.Side != "" {
		return p.beside(ctx, q)
	}
	if v := p.viewOf(ctx, q.Ref); v != nil {
		return p.sourceThread(ctx, v, q)
	}
	if q.Ref.Protocol == mail.AMP {
		return p.ampThread(ctx, q)
	}
	s, err := p.find(q.Ref)
	if err != nil {
		return ThreadPage{}, err
	}
	if strings.HasPrefix(q.Ref.ID, suspectMark) {
		return p.suspect(s, q.Ref)
	}
	name, err := threadOf(s.live, q.Ref)
	if err != nil {
		return ThreadPage{}, failure(err, "thread")
	}
	before, err := messageCursor(q.Before)
	if err != nil {
		return ThreadPage{}, err
	}
	after, err := messageCursor(q.After)
	if err != nil {
		return ThreadPage{}, err
	}
	page, err := s.live.Page(name, before, after, PageSize(q.Limit))
	if err != nil {
		return ThreadPage{}, failure(err, "thread")
	}
	return p.threadPage(ctx, s, page, after != nil), nil
}

// sourceThread adds to a page of a thread what its source does not know.
func (p *Panels) sourceThread(ctx context.Context, v View, q ThreadParams) (ThreadPage, error) {
	page, err := v.Thread(ctx, q)
	if err != nil {
		return ThreadPage{}, err
	}
	page.Related = append(page.Related, p.related(p.viewsNow(ctx), q.Ref.Protocol, page.Names)...)
	if page.Related == nil {
		page.Related = []ThreadLink{}
	}
	page.Revision = p.revised()
	return page.ThreadPage, nil
}

// Diff gives both texts of a file that a tool call changed.
func (p *Panels) Diff(ctx context.Context, q DiffParams) (Diff, error) {
	if v, ok := p.viewOf(ctx, q.Ref).(Recorded); ok {
		return v.Diff(ctx, q)
	}
	return Diff{}, p.unserved(q.Ref)
}

// Asset gives an image of a thread, once its name, digest and first bytes are
// those of one.
func (p *Panels) Asset(ctx context.Context, q AssetParams) (Asset, error) {
	if v, ok := p.viewOf(ctx, q.Ref).(Recorded); ok {
		return v.Asset(ctx, q)
	}
	return Asset{}, p.unserved(q.Ref)
}

// threadNamed gives the name of the thread that a ref stands for.
func threadNamed(live *store.Live, r Ref) (string, bool) {
	if digest, ok := r.ThreadDigest(); ok {
		return live.LongName(digest)
	}
	return r.Thread()
}

func threadOf(live *store.Live, r Ref) (string, error) {
	if name, ok := threadNamed(live, r); ok {
		return name, nil
	}
	key, ok := keyOf(r)
	if !ok {
		return "", store.ErrNotFound
	}
	m, err := live.Get(key)
	return m.Thread, err
}

// messageCursor reads the cursor of a thread's page, which is a message's ref.
func messageCursor(s string) (*store.Key, error) {
	if s == "" {
		return nil, nil //nolint:nilnil // no cursor is the newest page
	}
	key, ok := keyOf(Ref{ID: s})
	if !ok {
		return nil, &Error{Kind: Malformed, Message: "the cursor is not one that a page gave"}
	}
	return &key, nil
}

func (p *Panels) threadPage(ctx context.Context, s opened, page store.Page, forward bool) ThreadPage {
	_, _, alias := p.snapshot()
	id := s.live.Stats().ID
	away := p.shelfNow()
	listed := row{
		Head: Head{Store: id}, store: s.live, thread: page.Thread,
		away: away.samp(id).At(page.Thread.Name, page.Thread.Mail, away.Now),
	}
	out := ThreadPage{
		Thread: items([]row{listed}, nil, 0)[0], Messages: []MessageItem{},
		Related: p.related(p.views(ctx, away), mail.SAMP, NamesIn(page.Thread.Name)), Warnings: []Warning{}, Revision: p.revised(),
	}
	if out.Related == nil {
		out.Related = []ThreadLink{}
	}
	from, to := window(len(page.Messages), forward, func(i int) int {
		// Text and HTML, which may be longer by its tags.
		return 3*min(len(page.Messages[i].Body), bodyShown) + 4096
	})
	list := page.Messages[from:to]
	page.Older, page.Newer = page.Older || from > 0, page.Newer || to < len(page.Messages)
	for i := range list {
		m := &list[i]
		out.Messages = append(out.Messages, p.message(id, m, alias.Value))
		if m.Err != nil {
			out.Warnings = append(out.Warnings, Warning{Rule: "R3", Message: safe(m.Err.Error())})
		}
	}
	if len(list) > 0 && page.Older {
		out.Before = messageRef(id, &list[0]).ID
	}
	if len(list) > 0 && page.Newer {
		out.After = messageRef(id, &list[len(list)-1]).ID
	}
	return out
}

func (p *Panels) message(id string, m *store.Message, me string) MessageItem {
	body, cut := clip(m.Body, shownBytes(m.Body))
	chars := utf8.RuneCountInString(m.Body)
	if m.Err != nil {
		body = "(this message cannot be read at the moment)"
	}
	text := render.Text(body)
	html := markup.HTML(body, markup.Options{TopHeading: 3, MaxBytes: 2 * bodyShown})
	if cut {
		note := cutNote(chars, safe(m.Key))
		text += "\n\n" + note
		html += "<p><em>" + note + "</em></p>\n"
	}
	return MessageItem{
		Ref: messageRef(id, m), ID: safe(m.Key), From: safe(m.From), To: safe(m.To), Time: millis(m.TS),
		Mine: m.From == me, Unread: m.Unread, HTML: html, Text: text, Chars: chars, Truncated: cut,
		IDForm: IDForm(m.Form.String()), Trust: trust(m), Marks: marks(m), Origin: Origin{Log: safe(m.File), Line: m.Line},
	}
}

func cutNote(chars int, id string) string {
	return "(cut here: the message has " + strconv.Itoa(chars) + " characters. Run signalbox cat " + htmlSafe(id) + " for all of it.)"
}

// htmlSafe keeps an id as §3 makes it, and nothing else: it goes into HTML.
func htmlSafe(id string) string {
	for i := range len(id) {
		if c := id[i]; !('0' <= c && c <= '9' || 'a' <= c && c <= 'f') {
			return "ID"
		}
	}
	return id
}

// suspect gives the page of a suspicious record.
func (p *Panels) suspect(s opened, r Ref) (ThreadPage, error) {
	_, _, alias := p.snapshot()
	id := s.live.Stats().ID
	for _, m := range s.live.Suspicious(MaxPage) {
		if suspectRef(&m) != r.ID {
			continue
		}
		it := p.message(id, &m, alias.Value)
		it.Ref = r
		return ThreadPage{
			Thread: suspiciousItem(id, &m, alias.Value), Messages: []MessageItem{it}, Related: []ThreadLink{},
			Warnings: []Warning{{Rule: "L4", Message: it.Trust.Detail}},
		}, nil
	}
	return ThreadPage{}, failure(store.ErrNotFound, "suspicious record")
}
