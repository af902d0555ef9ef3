package source

import (
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/needle"
	"github.com/signalbox-dev/signalbox/core/render"
	ampstore "github.com/signalbox-dev/signalbox/lsp/amp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/shelf"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

func (v *view) Items(heads []panel.Head) []panel.ThreadItem {
	list := make([]panel.ThreadItem, 0, len(heads))
	for _, h := range heads {
		list = append(list, v.item(h.Of.(*ampstore.Thread)))
	}
	return list
}

func (v *view) item(t *ampstore.Thread) panel.ThreadItem {
	last := v.own.Shown(newest(t))
	trust := v.trust(last)
	preview, _ := render.Line(last.Excerpt, show.PreviewChars)
	i := panel.ThreadItem{
		Ref: mail.ThreadRef(mail.AMP, v.ID, t.ID), Protocol: string(mail.AMP), Title: title(t), Name: show.LinkName(t.ID), Participants: []string{},
		LastFrom: v.short(last.From), LastTo: v.short(last.To), LastTime: show.Time(t.Last), FirstTime: show.Time(t.First),
		Count: len(t.Messages), Unread: v.unreadIn(t), Mine: v.concerns(t), Preview: preview, Marks: marks(last), Question: v.asking()[t], Group: panel.MailGroup,
		Amp: &panel.AmpThread{
			Priority: panel.Priority(show.Line(last.Priority)), State: trust.state(), Trust: trust.shown(), Expires: show.Time(last.Expires),
			Expired: v.expired(last), Mailbox: show.Line(last.Mailbox.Name), Archived: v.archived(t),
			Archivable: slices.ContainsFunc(t.Messages, func(m ampstore.Placed) bool { return v.received(&m) != nil }),
		},
	}
	i.NeedsReply, i.Unsure, i.Urgent = v.needsReply(t), v.unsure(t), v.urgent[t]
	i.PutAway(v.shelvedAt(t))
	var participants []string
	for k := range t.Messages {
		m := &t.Messages[k]
		i.Amp.Attachments += m.Attachments
		for _, a := range []string{m.From, m.To} {
			if a != "" && !slices.Contains(participants, a) && len(participants) <= show.ParticipantsMost {
				participants = append(participants, a)
			}
		}
	}
	for _, a := range participants[:min(len(participants), show.ParticipantsMost)] {
		i.Participants = append(i.Participants, v.short(a))
	}
	if len(participants) > show.ParticipantsMost {
		i.Participants = append(i.Participants, "and more")
	}
	return i
}

func title(t *ampstore.Thread) string {
	for i := range t.Messages {
		if line := show.Plain(t.Messages[i].Subject); line != "" {
			return line
		}
	}
	return "(no subject)"
}

func marks(m *ampstore.Message) []string {
	if m.Err != nil || m.Faults > 0 {
		return []string{"faulty"}
	}
	return []string{}
}

// short returns an address as a list shows it: only the name for an address in the user's own
// domain.
func (v *view) short(s string) string {
	a, ok := amp.ParseAddress(s)
	if ok && v.own.Mailbox != nil && len(v.own.Mailbox.Addresses) > 0 && strings.EqualFold(a.Domain, v.own.Mailbox.Addresses[0].Domain) {
		return a.Agent
	}
	return show.Line(s)
}

func (v *view) Heads(q *panel.HeadQuery) (heads []panel.Head, more bool) {
	if q.Filter.Group != "" && q.Filter.Group != panel.MailGroup {
		return nil, false
	}
	text := needle.New(q.Filter.Text)
	list := panel.HeadList{Len: len(v.Threads), Head: v.head, Keyed: &v.source.keyed, Of: keyedOf{v.Snapshot, v.own.Mailbox}}
	return list.Page(q, func(h *panel.Head) (wanted, waits bool) {
		t := h.Of.(*ampstore.Thread)
		if !v.passes(t, q.Filter, &text) {
			return false, false
		}
		return true, q.Order == panel.SortUnread && (v.unreadIn(t) > 0 || v.shelvedAt(t).State == shelf.Due)
	})
}

func (v *view) head(number int) panel.Head {
	t := v.Threads[number]
	return panel.Head{At: panel.AtMillis(t.Last), Name: t.ID, Store: v.ID, From: v.short(newest(t).From), Of: t}
}

// keyedOf holds everything that the keyed orders depend on. The user's own mailbox
// is part of it because names are shown without its domain.
type keyedOf struct {
	snapshot *ampstore.Snapshot
	own      *ampstore.Mailbox
}

func (v *view) passes(t *ampstore.Thread, f *panel.InboxFilter, text *needle.Needle) bool {
	shelved := v.shelvedAt(t)
	state := shelved.State
	switch {
	case !f.Shown(state),
		f.Unread && v.unreadIn(t) == 0 && state != shelf.Due,
		f.Asks && v.asking()[t] == nil,
		(f.NeedsReply || f.Section != "") && state != shelf.Due && (shelved.Quiet() || !v.needsReply(t)),
		f.Section != "" && (f.Section == panel.SectionQuestions) != (state == shelf.Due || v.isUrgent(t)),
		f.Mine && !v.concerns(t):
		return false
	}
	return text.Empty() || slices.ContainsFunc(t.Messages, func(m ampstore.Placed) bool { return holdsText(m.Message, text) })
}

func holdsText(m *ampstore.Message, text *needle.Needle) bool {
	return slices.ContainsFunc([]string{m.Subject, m.From, m.To, m.ID, m.Excerpt}, text.In)
}

// newest returns the message of a thread that was written last. If several have the same time,
// it is the last one in the tree of replies.
func newest(t *ampstore.Thread) *ampstore.Placed {
	best := &t.Messages[0]
	for i := range t.Messages {
		if m := &t.Messages[i]; m.When() >= best.When() {
			best = m
		}
	}
	return best
}
