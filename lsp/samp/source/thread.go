package source

import (
	"context"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/render/markup"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
	"github.com/signalbox-dev/signalbox/lsp/samp/index"
)

func (v *view) Thread(_ context.Context, q panel.ThreadParams) (panel.Page, error) {
	if strings.HasPrefix(q.Ref.ID, suspectMark) {
		return v.suspect(q.Ref)
	}
	s, name, err := v.threadOf(q.Ref)
	if err != nil {
		return panel.Page{}, failure(err, "thread")
	}
	before, err := messageCursor(q.Before)
	if err != nil {
		return panel.Page{}, err
	}
	after, err := messageCursor(q.After)
	if err != nil {
		return panel.Page{}, err
	}
	page, err := s.live.Page(name, before, after, panel.PageSize(q.Limit))
	if err != nil {
		return panel.Page{}, failure(err, "thread")
	}
	return v.page(s, &page, after != nil), nil
}

// messageCursor returns the key in a cursor of a thread's page. The cursor is the ID of a
// message's ref. It returns nil for an empty cursor.
func messageCursor(s string) (*sampstore.Key, error) {
	if s == "" {
		return nil, nil //nolint:nilnil // no cursor is the newest page
	}
	key, ok := keyOf(panel.Ref{ID: s})
	if !ok {
		return nil, &panel.Error{Kind: panel.Malformed, Message: "the cursor is not one that a page gave"}
	}
	return &key, nil
}

func (v *view) page(s opened, page *index.Page, forward bool) panel.Page {
	id := s.live.Stats().ID
	out := panel.Page{Names: panel.NamesIn(page.Thread.Name), ThreadPage: panel.ThreadPage{
		Thread: v.item(s.live, id, &page.Thread), Messages: []panel.MessageItem{}, Warnings: []panel.Warning{},
	}}
	addNewest(&out.Thread, &page.Newest)
	if page.Question != nil {
		addQuestion(&out.Thread, page.Question)
	}
	out.Thread.Title = titleOf(&page.Opening)
	from, to := show.Window(len(page.Messages), forward, func(i int) int {
		// Text and HTML; the tags make HTML longer.
		return 3*min(len(page.Messages[i].Body), show.BodyShown) + 4096
	})
	list := page.Messages[from:to]
	for i := range list {
		m := &list[i]
		out.Messages = append(out.Messages, v.message(id, m))
		if m.Err != nil {
			out.Warnings = append(out.Warnings, panel.Warning{Rule: "R3", Message: show.Line(m.Err.Error())})
		}
	}
	after := &page.Next
	switch {
	case to < len(page.Messages):
		after = &page.Messages[to]
	case !page.Newer:
		after = nil
	}
	v.setAsked(list, after, page.Question, out.Messages)
	v.receipts(s, page, list, out.Messages)
	if len(list) > 0 && (page.Older || from > 0) {
		out.Before = messageRef(id, &list[0]).ID
	}
	if len(list) > 0 && (page.Newer || to < len(page.Messages)) {
		out.After = messageRef(id, &list[len(list)-1]).ID
	}
	return out
}

// setAsked adds to the questions on a page whether they were answered. after is the message
// after the page, or nil. open is a question that stays open whatever follows it, or nil.
func (v *view) setAsked(list []index.Message, after, open *index.Message, items []panel.MessageItem) {
	for i := range list {
		m := &list[i]
		if !v.received(m) && !v.sent(m) {
			continue
		}
		next := after
		if i+1 < len(list) {
			next = &list[i+1]
		}
		if next == nil || open != nil && sampstore.KeyOf(&m.Found) == sampstore.KeyOf(&open.Found) {
			items[i].SetAsked(m.Body, nil)
		} else {
			items[i].SetAsked(m.Body, &panel.Following{Answers: next.From == m.To && next.To == m.From, Text: next.Body})
		}
	}
}

func (v *view) message(id string, m *index.Message) panel.MessageItem {
	body, cut := show.Clip(m.Body, show.BodyBytes(m.Body))
	chars := utf8.RuneCountInString(m.Body)
	if m.Err != nil {
		body = "(this message cannot be read at the moment)"
	}
	text := render.Text(body)
	html := markup.HTML(body, markup.Options{TopHeading: 3, MaxBytes: 2 * show.BodyShown})
	if cut {
		note := cutNote(chars, show.Line(m.Key))
		text += "\n\n" + note
		html += "<p><em>" + note + "</em></p>\n"
	}
	return panel.MessageItem{
		Ref: messageRef(id, m), ID: show.Line(m.Key), From: show.Line(m.From), To: show.Line(m.To), Time: show.Millis(m.TS),
		Mine: m.From == v.alias.Value, Unread: m.Unread, HTML: html, Text: text, Chars: chars, Truncated: cut,
		IDForm: panel.IDForm(m.Form.String()), Trust: trust(m), Marks: marks(m), Origin: panel.Origin{Log: show.Line(m.File), Line: m.Line},
	}
}

func cutNote(chars int, id string) string {
	return "(cut here: the message has " + strconv.Itoa(chars) + " characters. Run signalbox cat " + htmlSafe(id) + " for all of it.)"
}

// htmlSafe returns an id if it consists of the hexadecimal digits of §3, and "ID"
// otherwise, since it goes into HTML.
func htmlSafe(id string) string {
	for i := range len(id) {
		if c := id[i]; !('0' <= c && c <= '9' || 'a' <= c && c <= 'f') {
			return "ID"
		}
	}
	return id
}

// suspect returns the page of a suspicious record.
func (v *view) suspect(r panel.Ref) (panel.Page, error) {
	s, err := v.find(r)
	if err != nil {
		return panel.Page{}, err
	}
	for _, m := range s.live.Suspicious(panel.MaxPage) {
		if suspectRef(r.Store, &m) != r {
			continue
		}
		it := v.message(r.Store, &m)
		it.Ref = r
		return panel.Page{ThreadPage: panel.ThreadPage{
			Thread: suspiciousItem(r.Store, &m, v.alias.Value), Messages: []panel.MessageItem{it},
			Warnings: []panel.Warning{{Rule: "L4", Message: it.Trust.Detail}},
		}}, nil
	}
	return panel.Page{}, failure(index.ErrNotFound, "suspicious record")
}

// trust returns in words how far a record can be trusted. SAMP has no signatures:
// whoever can write to the directory can write as anybody. Every detail says so.
func trust(m *index.Message) panel.Trust {
	const unsigned = "SAMP messages are not signed: whoever can write to the directory can write under any name. "
	file := show.Line(m.File)
	say := func(level panel.TrustLevel, label, detail string) panel.Trust {
		return panel.Trust{Level: level, Label: label, Detail: unsigned + detail}
	}
	switch {
	case m.Suspicious && !samp.ValidAlias(m.From):
		return say("warn", "may be forged", show.Line(samp.ShowAlias(m.From))+" is no alias, so that nobody has a log of that name.")
	case m.Suspicious:
		return say("warn", "may be forged", "This one stands in "+file+", and "+show.Line(m.From)+"'s own log does not hold it.")
	case m.Form == samp.FormWrong:
		return say("warn", "id does not match", "The id is not the one that the content gives; the message was changed, or its writer computes ids in its own way.")
	case m.Form == samp.FormMissing:
		return say("note", "no id", "The record has no id, as records from before ids; the one shown is computed.")
	case m.Form == samp.FormASCII, m.Form == samp.FormUnnormalised:
		return say("note", "id in another form", "The id matches the content in the "+m.Form.String()+" form, which is not SAMP's.")
	case m.Provenance() == samp.Copied:
		return say("note", "from a sync copy", "Only "+file+", a copy that a sync tool made, holds this message so far.")
	}
	return say("ok", "unsigned, id matches", "The id matches the content.")
}

// marks returns the badges of a message: "sync copy", "late" and "suspicious".
func marks(m *index.Message) []string {
	list := []string{}
	if m.Provenance() == samp.Copied {
		list = append(list, "sync copy")
	}
	if m.Late {
		list = append(list, "late")
	}
	if m.Suspicious {
		list = append(list, "suspicious")
	}
	return list
}
