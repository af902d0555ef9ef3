package amp

import (
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/store/mailbox"
)

func (v *view) Items(heads []panel.Head) []panel.ThreadItem {
	list := make([]panel.ThreadItem, 0, len(heads))
	for _, h := range heads {
		list = append(list, v.item(v.Threads[h.Number]))
	}
	return list
}

// item returns the list item of a thread of signed mail.
func (v *view) item(t *mailbox.Thread) panel.ThreadItem {
	last := v.own.Shown(newest(t))
	trust := v.trust(last)
	preview, _ := render.Line(last.Excerpt, show.PreviewChars)
	i := panel.ThreadItem{
		Ref: mail.ThreadRef(mail.AMP, v.ID, t.ID), Protocol: string(mail.AMP), Title: title(t), Name: show.LinkName(t.ID), Participants: []string{},
		LastFrom: v.short(last.From), LastTo: v.short(last.To), LastTime: show.Time(t.Last), FirstTime: show.Time(t.First),
		Count: len(t.Messages), Unread: v.unreadIn(t), Mine: v.concerns(t), Preview: preview, Marks: marks(last), Question: v.asking()[t], Group: panel.MailGroup,
		Amp: &panel.AmpThread{
			Priority: panel.Priority(show.Line(last.Priority)), State: trust.state, Trust: trust.Trust, Expires: show.Time(last.Expires),
			Expired: v.expired(last), Mailbox: show.Line(last.Mailbox.Name), Archived: v.archived(t),
			Archivable: slices.ContainsFunc(t.Messages, func(m mailbox.Placed) bool { return v.received(&m) != nil }),
		},
	}
	i.NeedsReply = v.needsReply(t)
	i.PutAway(v.shelvedAt(t))
	var who []string
	for k := range t.Messages {
		m := &t.Messages[k]
		i.Amp.Attachments += m.Attachments
		for _, a := range []string{m.From, m.To} {
			if a != "" && !slices.Contains(who, a) && len(who) <= show.ParticipantsMost {
				who = append(who, a)
			}
		}
	}
	for _, a := range who[:min(len(who), show.ParticipantsMost)] {
		i.Participants = append(i.Participants, v.short(a))
	}
	if len(who) > show.ParticipantsMost {
		i.Participants = append(i.Participants, "and more")
	}
	return i
}

// title returns the first subject in a thread that is not empty, or "(no subject)".
func title(t *mailbox.Thread) string {
	for i := range t.Messages {
		if line := show.Plain(t.Messages[i].Subject); line != "" {
			return line
		}
	}
	return "(no subject)"
}

// marks returns the marks of a message: "faulty" if it cannot be read or breaks a
// rule.
func marks(m *mailbox.Message) []string {
	if m.Err != nil || m.Faults > 0 {
		return []string{"faulty"}
	}
	return []string{}
}

// short returns an address as a list shows it. An address in the user's own domain is
// shown by its name alone.
func (v *view) short(s string) string {
	a, ok := amp.ParseAddress(s)
	if ok && v.own.Mailbox != nil && len(v.own.Mailbox.Addresses) > 0 && strings.EqualFold(a.Domain, v.own.Mailbox.Addresses[0].Domain) {
		return a.Agent
	}
	return show.Line(s)
}
