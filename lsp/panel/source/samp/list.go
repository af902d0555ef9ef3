package samp

import (
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/store/index"
	"github.com/signalbox-dev/signalbox/lsp/store/shelf"
)

// listed is a thread in a list.
type listed struct {
	in     opened
	id     string // of the directory
	thread index.Thread
	away   panel.Shelved
}

func (v *view) Heads(q *panel.HeadQuery) (heads []panel.Head, more bool) {
	if q.Filter.Group != "" && q.Filter.Group != panel.MailGroup {
		return nil, false
	}
	for _, in := range v.stores {
		id := in.live.Stats().ID
		l := index.Listing{Filter: v.filter(in.live, id, q.Filter), Sort: index.Sort(q.Order), Limit: q.Limit}
		if q.After != nil {
			l.After = placeAfter(q.After, id, q.Order)
		}
		list, rest := in.live.List(l)
		more = more || rest
		part := v.away(id)
		for _, t := range list {
			row := listed{in, id, t, part.At(t.Name, t.Mail, v.shelf.Now)}
			h := panel.Head{At: panel.At{TS: t.Last}, Name: t.Name, Store: id, Number: len(v.listed)}
			switch q.Order {
			case panel.SortUnread:
				h.Rest = t.Unread == 0 && row.away.State != shelf.Due
			case panel.SortSender:
				h.From = mail.SenderKey(t.From)
			}
			v.listed = append(v.listed, row)
			heads = append(heads, h)
		}
	}
	slices.SortFunc(heads, func(a, b panel.Head) int { return q.Order.Compare(&a, &b) })
	return heads, more
}

// placeAfter returns the place in a directory's list at which its threads go on after a
// head.
func placeAfter(h *panel.Head, id string, o panel.Sort) *index.Place {
	p := &index.Place{TS: h.TS, Name: h.Name, Rest: h.Rest, Sender: h.From}
	// In some stores, threads of the same time and name come after the head. The next
	// possible name is the name with a zero byte added.
	same := id < h.Store
	if o == panel.SortOldest {
		same = id <= h.Store
	}
	switch {
	case h.MS > 0:
		// All threads of that second come after the head, or all before it, whatever
		// their names. "\xff" sorts after every name, since names are valid UTF-8.
		p.Name = "\xff"
	case same:
		p.Name += "\x00"
	}
	return p
}

// filter returns the store's filter for what f asks for in a directory.
func (v *view) filter(live *index.Live, id string, f *panel.InboxFilter) (filter index.Filter) {
	part := v.away(id)
	filter = index.Filter{Unread: f.Unread, Mine: f.Mine, Text: f.Text}
	if part == nil && f.Shown(shelf.Out) {
		return filter
	}
	filter.Shelf = func(name string, mail int) (hidden, due bool) {
		at := part.At(name, mail, v.shelf.Now).State
		return !f.Shown(at), at == shelf.Due
	}
	filter.Due = part.Due(v.shelf.Now)
	if !f.Shown(shelf.Out) {
		filter.Only = part.Names(live.LongName)
	}
	return filter
}

func (v *view) Items(heads []panel.Head) []panel.ThreadItem {
	rows := make([]listed, len(heads))
	for i, h := range heads {
		rows[i] = v.listed[h.Number]
	}
	return describe(rows)
}

// describe returns the threads as list items. It reads the newest and the first message
// of each, one directory at a time.
func describe(rows []listed) []panel.ThreadItem {
	list := make([]panel.ThreadItem, len(rows))
	byStore := make(map[*index.Live][]int)
	for i := range rows {
		list[i] = rows[i].item()
		byStore[rows[i].in.live] = append(byStore[rows[i].in.live], i)
	}
	for live, places := range byStore {
		batch := make([]index.Thread, len(places))
		at := make(map[string]int, len(places))
		for j, i := range places {
			batch[j] = rows[i].thread
			at[rows[i].thread.Name] = i
		}
		newest, openings := live.Ends(batch)
		for _, m := range newest {
			addNewest(&list[at[m.Thread]], &m)
		}
		for _, m := range openings {
			addOpening(&list[at[m.Thread]], &m)
		}
	}
	return list
}

// addNewest adds what an item shows of the thread's newest message.
func addNewest(i *panel.ThreadItem, m *index.Message) {
	if m.Err == nil {
		i.Preview, _ = render.Line(m.Body, show.PreviewChars)
	}
	i.Marks = marks(m)
}

// addOpening adds what an item shows of the thread's first message.
func addOpening(i *panel.ThreadItem, m *index.Message) {
	if m.Err == nil {
		i.Subject = subject(m.Body)
	}
}

// item returns the thread as a list item, without what its messages say.
func (l *listed) item() panel.ThreadItem {
	t := &l.thread
	i := panel.ThreadItem{
		Ref: threadRef(l.id, t.Name), Protocol: string(mail.SAMP), Title: show.Title(t.Name), Name: show.LinkName(t.Name),
		Participants: []string{}, LastFrom: show.Line(t.From), LastTo: show.Line(t.To),
		LastTime: show.Millis(t.Last), FirstTime: show.Millis(t.First),
		Count: t.Count, Unread: t.Unread, NeedsReply: t.Unread > 0, Mine: t.Mine, Marks: []string{},
		Group: panel.MailGroup,
	}
	for _, a := range t.Participants[:min(len(t.Participants), show.ParticipantsMost)] {
		i.Participants = append(i.Participants, show.Line(a))
	}
	if n := len(t.Participants) - show.ParticipantsMost; n > 0 {
		i.Participants = append(i.Participants, show.Count(n, "more", "more"))
	}
	i.PutAway(l.away)
	return i
}

// subject returns a subject for a text that has none: its first line that is not empty,
// without the Markdown signs of headings, quotations, lists, strong text and code.
func subject(body string) string {
	for line := range strings.Lines(body) {
		line = show.Title(strings.TrimLeft(line, "#>*-+ \t"))
		if line = plainSigns.Replace(line); line != "" {
			return line
		}
	}
	return ""
}

var plainSigns = strings.NewReplacer("**", "", "`", "")

func (v *view) Suspects() (count int) {
	for _, s := range v.stores {
		count += s.live.Stats().Suspicious
	}
	return count
}

func (v *view) Suspicious(f *panel.InboxFilter, limit int) (list []panel.ThreadItem) {
	if f.Group != "" && f.Group != panel.MailGroup {
		return nil
	}
	for _, s := range v.stores {
		id := s.live.Stats().ID
		for _, m := range s.live.Suspicious(limit - len(list)) {
			if !f.Mine || m.To == v.alias.Value {
				list = append(list, suspiciousItem(id, &m, v.alias.Value))
			}
		}
	}
	return list
}

func suspiciousItem(id string, m *index.Message, me string) panel.ThreadItem {
	preview, _ := render.Line(m.Body, show.PreviewChars)
	return panel.ThreadItem{
		Ref: suspectRef(id, m), Protocol: string(mail.SAMP), Title: show.Title(m.File + " claims to be from " + samp.ShowAlias(m.From)),
		Participants: []string{show.Line(m.From), show.Line(m.To)}, LastFrom: show.Line(m.From), LastTo: show.Line(m.To),
		LastTime: show.Millis(m.TS), FirstTime: show.Millis(m.TS), Count: 1, Mine: m.To == me, Preview: preview, Marks: marks(m),
		Group: panel.MailGroup,
	}
}
