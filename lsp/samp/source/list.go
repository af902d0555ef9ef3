package source

import (
	"iter"
	"slices"
	"sort"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/shelf"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/samp/index"
)

func (v *view) Heads(q *panel.HeadQuery) (heads []panel.Head, more bool) {
	if q.Filter.Group != "" && q.Filter.Group != panel.MailGroup {
		return nil, false
	}
	for _, in := range v.stores {
		id := in.live.Stats().ID
		if q.Order.Keyed() {
			page, rest := v.keyed(q, &in, id)
			heads, more = append(heads, page...), more || rest
			continue
		}
		page, rest := v.timed(q, &in, id)
		heads, more = append(heads, page...), more || rest
	}
	slices.SortFunc(heads, func(a, b panel.Head) int { return q.Order.Compare(&a, &b) })
	return heads, more
}

// timed returns a directory's heads in an order by time, as the index sorts them.
func (v *view) timed(q *panel.HeadQuery, in *opened, id string) (heads []panel.Head, more bool) {
	found := newFinder(q.Filter.Text)
	l := index.Listing{Filter: v.filter(in.live, id, q.Filter), Sort: index.Sort(q.Order), Limit: q.Limit}
	if !found.text.Empty() {
		l.Limit = batchSize
	}
	for after := q.After; ; {
		if after != nil {
			l.After = placeAfter(after, id, q.Order)
		}
		list, rest := in.live.List(l)
		has := found.in(in.live, list)
		for i, t := range list {
			h := panel.Head{At: panel.At{TS: t.Last}, Name: t.Name, Store: id, Of: &list[i]}
			h.Rest = q.Order == panel.SortUnread && t.Unread == 0 && v.shelved(in.live, id, t.Name).State != shelf.Due
			after = &h
			if !has(i) {
				continue
			}
			if len(heads) == q.Limit {
				return heads, true
			}
			heads = append(heads, h)
		}
		if !rest || found.text.Empty() {
			return heads, rest
		}
	}
}

// shelved returns whether and how the user put a thread away.
func (v *view) shelved(live *index.Live, id, name string) panel.Shelved {
	return v.shelfPart(id).At(name, mailOf(live, name), v.shelf.Now)
}

// mailOf walks the digests of a thread's messages to the user. It collects them only when it is
// walked.
func mailOf(live *index.Live, name string) shelf.Mail {
	return func(yield func(uint64) bool) { slices.Values(live.Mail(name))(yield) }
}

// batchSize is how many threads are read together, in a keyed order or to find a text.
const batchSize = 500

// keyed returns a directory's heads in a keyed order. The index sorts only by time, so keyed
// sorts the heads of all threads, and reuses the result until the directory changes.
func (v *view) keyed(q *panel.HeadQuery, in *opened, id string) (heads []panel.Head, more bool) {
	all := in.keyed.Get(in.live.Stats().Revision, q.Order, func() (list []panel.Head) {
		in.live.Each(func(name, from string, last int64) {
			list = append(list, panel.Head{At: panel.At{TS: last}, Name: name, Store: id, From: from})
		})
		return list
	})
	if q.After != nil {
		all = all[sort.Search(len(all), func(i int) bool { return q.Order.Compare(q.After, &all[i]) < 0 }):]
	}
	filter := v.filter(in.live, id, q.Filter)
	if filter.Only != nil {
		only := make(map[string]bool, len(filter.Only))
		for _, name := range filter.Only {
			only[name] = true
		}
		all = slices.DeleteFunc(slices.Clone(all), func(h panel.Head) bool { return !only[h.Name] })
	}
	text := newFinder(q.Filter.Text)
	for part := range slices.Chunk(all, batchSize) {
		filter.Only = names(part)
		list, _ := in.live.List(index.Listing{Filter: filter, Limit: len(part)})
		found := make(map[string]*index.Thread, len(list))
		has := text.in(in.live, list)
		for i := range list {
			if has(i) {
				found[list[i].Name] = &list[i]
			}
		}
		for _, h := range part {
			t, ok := found[h.Name]
			if !ok {
				continue
			}
			if len(heads) == q.Limit {
				return heads, true
			}
			h.Of = t
			heads = append(heads, h)
		}
	}
	return heads, false
}

func names(heads []panel.Head) []string {
	list := make([]string, len(heads))
	for i := range heads {
		list[i] = heads[i].Name
	}
	return list
}

// placeAfter returns the place in a directory's list at which its threads go on after a
// head.
func placeAfter(h *panel.Head, id string, o panel.Sort) *index.Place {
	p := &index.Place{TS: h.TS, Name: h.Name, Rest: h.Rest}
	// Some stores list threads with the head's time and name after it. Appending a zero byte
	// makes the next possible name.
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

// filter returns the index's filter for f in a directory.
func (v *view) filter(live *index.Live, id string, f *panel.InboxFilter) (filter index.Filter) {
	part := v.shelfPart(id)
	filter = index.Filter{Unread: f.Unread, Mine: f.Mine, Asks: f.Asks, NeedsReply: f.NeedsReply}
	switch f.Section {
	case panel.SectionQuestions:
		filter.Asks, filter.OrDue = true, true
	case panel.SectionUnanswered:
		filter.NeedsReply, filter.Unasked = true, true
	case panel.SectionBlocked, "":
	}
	if part == nil && f.Shown(shelf.InInbox) {
		return filter
	}
	filter.Shelf = func(name string, mail iter.Seq[uint64]) (hidden, due bool) {
		at := part.At(name, shelf.Mail(mail), v.shelf.Now)
		return !f.Shown(at.State) || (filter.Asks || filter.NeedsReply) && at.Quiet(), at.State == shelf.Due
	}
	filter.Due = part.Due(v.shelf.Now)
	if !f.Shown(shelf.InInbox) {
		filter.Only = part.Names(live.LongName)
	}
	return filter
}

// Items reads the newest and the first message of each thread, one directory at a time.
func (v *view) Items(heads []panel.Head) []panel.ThreadItem {
	list := make([]panel.ThreadItem, len(heads))
	for _, in := range v.stores {
		id := in.live.Stats().ID
		var batch []index.Thread
		at := make(map[string]int)
		for i := range heads {
			if t, ok := heads[i].Of.(*index.Thread); ok && heads[i].Store == id {
				list[i] = v.item(in.live, id, t)
				batch, at[t.Name] = append(batch, *t), i
			}
		}
		newest, openings, questions := in.live.Ends(batch)
		for _, m := range newest {
			addNewest(&list[at[m.Thread]], &m)
		}
		for _, m := range questions {
			addQuestion(&list[at[m.Thread]], &m)
		}
		for _, m := range openings {
			list[at[m.Thread]].Title = titleOf(&m)
		}
	}
	return list
}

// addNewest adds the thread's newest message to an item.
func addNewest(i *panel.ThreadItem, m *index.Message) {
	if m.Err == nil {
		i.Preview, _ = render.Line(m.Body, show.PreviewChars)
	}
	i.Marks = marks(m)
}

// addQuestion adds the message that asks the user something to an item.
func addQuestion(i *panel.ThreadItem, m *index.Message) {
	if i.Archived || i.Snoozed != 0 || i.NoReply && !i.Returned {
		return
	}
	if q, asks := mail.Asked(m.Body); asks {
		i.Question = &panel.ThreadQuestion{
			Message: messageRef(i.Ref.Store, m), Text: show.Question(&q), Options: show.Options(&q), Urgent: q.Urgent,
			From: show.Line(m.From), Time: show.Millis(m.TS),
		}
	}
}

// received reports whether somebody else sent a message to the user.
func (v *view) received(m *index.Message) bool {
	return m.To == v.alias.Value && m.From != v.alias.Value
}

// sent reports whether the user sent a message to somebody else.
func (v *view) sent(m *index.Message) bool {
	return m.From == v.alias.Value && m.To != v.alias.Value
}

// item returns a thread as a list item, without texts of messages. Its title is the thread's
// name until [titleOf] replaces it.
func (v *view) item(live *index.Live, id string, t *index.Thread) panel.ThreadItem {
	i := panel.ThreadItem{
		Ref: threadRef(id, t.Name), Protocol: string(mail.SAMP), Title: show.Title(t.Name), Name: show.LinkName(t.Name),
		Participants: participants(t.Participants), LastFrom: show.Line(t.From), LastTo: show.Line(t.To),
		LastTime: show.Millis(t.Last), FirstTime: show.Millis(t.First),
		Count: t.Count, Unread: t.Unread, NeedsReply: t.NeedsReply, Unsure: t.Unsure, Mine: t.Mine, Marks: []string{},
		Group: panel.MailGroup,
	}
	i.PutAway(v.shelved(live, id, t.Name))
	return i
}

// participants returns the names of a thread's first participants, and how many more
// there are.
func participants(all []string) []string {
	list := []string{}
	for _, a := range all[:min(len(all), show.ParticipantsMost)] {
		list = append(list, show.Line(a))
	}
	if n := len(all) - show.ParticipantsMost; n > 0 {
		list = append(list, show.Count(n, "more", "more"))
	}
	return list
}

func (v *view) SuspiciousCount() (count int) {
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
