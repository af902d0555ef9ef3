package panel

import (
	"errors"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/lsp/store/mailbox"
	"github.com/signalbox-dev/signalbox/lsp/store/shelf"
)

// ampRows returns one page of the threads of signed mail that a query asks for, and
// reports whether there are more.
func (p *Panels) ampRows(n *mailNow, q *HeadQuery) (rows []row, more bool) {
	if !q.Filter.shows(mail.AMP) || !q.Filter.holds(mailGroup) {
		return nil, false
	}
	text := strings.ToLower(q.Filter.Text)
	list := HeadList{Len: len(n.Threads), Head: n.head, Senders: func() []Head {
		return p.mailSenders.Get(senderKey{n.Snapshot, n.own.Mailbox}, func() []Head {
			return SenderList(len(n.Threads), func(i int) Head {
				h := n.head(i)
				h.From = mail.SenderKey(n.short(newest(n.Threads[i]).From))
				return h
			})
		})
	}}
	heads, more := list.Page(q, func(h *Head) (wanted, waits bool) {
		t := n.Threads[h.Number]
		if !n.passes(t, q.Filter, text) {
			return false, false
		}
		return true, q.Order == SortUnread && (n.unreadIn(t) > 0 || n.shelvedAt(t).State == shelf.Due)
	})
	for _, h := range heads {
		rows = append(rows, row{Head: h, amp: n.Threads[h.Number]})
	}
	return rows, more
}

// senderKey holds everything that the order by sender depends on. The user's own mailbox
// is part of it because names are shown without its domain.
type senderKey struct {
	of  *mailbox.Snapshot
	own *mailbox.Mailbox
}

func (n *mailNow) head(number int) Head {
	t := n.Threads[number]
	return Head{At: AtMillis(t.Last), Name: t.ID, Store: n.ID, Number: number}
}

// passes reports whether a filter asks for a thread. text is the filter's text in lower
// case.
func (n *mailNow) passes(t *mailbox.Thread, f *InboxFilter, text string) bool {
	at := n.shelvedAt(t).State
	switch {
	case !f.Shown(at),
		f.Unread && n.unreadIn(t) == 0 && at != shelf.Due,
		f.Mine && !n.concerns(t):
		return false
	}
	return text == "" || slices.ContainsFunc(t.Messages, func(m mailbox.Placed) bool { return holdsText(m.Message, text) })
}

func holdsText(m *mailbox.Message, text string) bool {
	for _, s := range []string{m.Subject, m.From, m.To, m.ID, m.Excerpt} {
		if strings.Contains(strings.ToLower(s), text) {
			return true
		}
	}
	return false
}

// archived reports whether the user archived every message of a thread that they
// received. It is false for a thread without received messages.
func (n *mailNow) archived(t *mailbox.Thread) bool {
	had := false
	for i := range t.Messages {
		if m := n.received(&t.Messages[i]); m != nil {
			if m.Status != amp.Archived {
				return false
			}
			had = true
		}
	}
	return had
}

// concerns reports whether a thread has a message to the user, from the user or in the
// user's mailbox.
func (n *mailNow) concerns(t *mailbox.Thread) bool {
	for i := range t.Messages {
		m := &t.Messages[i]
		if n.own.Has(m.Mailbox) || n.own.Addressed(m.From) || n.own.Addressed(m.To) ||
			slices.ContainsFunc(m.Copies, func(c *mailbox.Message) bool { return n.own.Has(c.Mailbox) }) {
			return true
		}
	}
	return false
}

// newest returns the message of a thread that was written last.
func newest(t *mailbox.Thread) *mailbox.Placed {
	best := &t.Messages[0]
	for i := range t.Messages {
		if m := &t.Messages[i]; m.When() > best.When() {
			best = m
		}
	}
	return best
}

// ampItem returns the list item of a thread of signed mail. It reads the file of the
// newest message to compute the trust in it.
func (n *mailNow) ampItem(t *mailbox.Thread, now int64) ThreadItem {
	last := n.own.Shown(newest(t))
	_, trust := n.judge(last, now)
	preview, _ := render.Line(last.Excerpt, previewChars)
	i := ThreadItem{
		Ref: mail.ThreadRef(mail.AMP, n.ID, t.ID), Protocol: string(mail.AMP), Title: ampTitle(t), Name: linkName(t.ID), Participants: []string{},
		LastFrom: n.short(last.From), LastTo: n.short(last.To), LastTime: clampTime(t.Last), FirstTime: clampTime(t.First),
		Count: len(t.Messages), Unread: n.unreadIn(t), Mine: n.concerns(t), Preview: preview, Marks: ampMarks(last), Group: mailGroup,
		Amp: &AmpThread{
			Priority: Priority(safe(last.Priority)), State: trust.state, Trust: trust.Trust, Expires: clampTime(last.Expires),
			Expired: last.Expires != 0 && last.Expires < now, Mailbox: safe(last.Mailbox.Name), Archived: n.archived(t),
			Archivable: slices.ContainsFunc(t.Messages, func(m mailbox.Placed) bool { return n.received(&m) != nil }),
		},
	}
	i.NeedsReply = i.Unread > 0
	i.PutAway(n.shelvedAt(t))
	var who []string
	for k := range t.Messages {
		m := &t.Messages[k]
		i.Amp.Attachments += m.Attachments
		for _, a := range []string{m.From, m.To} {
			if a != "" && !slices.Contains(who, a) && len(who) <= participantsShown {
				who = append(who, a)
			}
		}
	}
	for _, a := range who[:min(len(who), participantsShown)] {
		i.Participants = append(i.Participants, n.short(a))
	}
	if len(who) > participantsShown {
		i.Participants = append(i.Participants, "and more")
	}
	return i
}

// ampTitle returns the first subject in a thread that is not empty, or "(no subject)".
func ampTitle(t *mailbox.Thread) string {
	for i := range t.Messages {
		if title, _ := render.Line(t.Messages[i].Subject, titleChars); title != "" {
			return title
		}
	}
	return "(no subject)"
}

// ampMarks returns the marks of a message: "faulty" if it cannot be read or breaks a
// rule.
func ampMarks(m *mailbox.Message) []string {
	if m.Err != nil || m.Faults > 0 {
		return []string{"faulty"}
	}
	return []string{}
}

// short returns an address as a list shows it. An address in the user's own domain is
// shown by its name alone.
func (n *mailNow) short(s string) string {
	a, ok := amp.ParseAddress(s)
	if ok && n.own.Mailbox != nil && len(n.own.Mailbox.Addresses) > 0 && strings.EqualFold(a.Domain, n.own.Mailbox.Addresses[0].Domain) {
		return a.Agent
	}
	return safe(s)
}

// judged is the trust in a message, its state, the key and form that the signature fits,
// and the flags of suspicious words.
type judged struct {
	Trust
	state     AmpState
	key, step string
	flags     []string
}

// judge reads a message and returns it with the trust in it.
func (n *mailNow) judge(m *mailbox.Message, now int64) (amp.Message, judged) {
	if m.Err != nil {
		return amp.Message{}, unreadable(m.Err)
	}
	msg, t, err := n.Trust(m, n.pins, now)
	if err != nil {
		return msg, unreadable(err)
	}
	j := judged{state: t.State, key: t.Key, flags: t.Flags}
	if t.Step != amp.NotVerified {
		j.step = t.Step.String()
	}
	level := TrustWarn
	switch t.State {
	case amp.TrustVerified:
		level = TrustOK
	case amp.TrustExternal, amp.TrustExpired, amp.TrustRepeated:
		level = TrustNote
	}
	j.Trust = Trust{Level: level, Label: string(t.State), Detail: safe(t.Reason)}
	return msg, j
}

// unreadable returns the trust in a message that cannot be read because of err.
func unreadable(err error) judged {
	detail := err.Error()
	if fault, ok := errors.AsType[*canon.Fault](err); ok {
		detail = fault.Rule + ": " + fault.Reason
	}
	return judged{state: amp.TrustUntrusted, Trust: Trust{Level: "warn", Label: "cannot be read", Detail: safe(detail)}}
}
