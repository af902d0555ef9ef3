package amp

import (
	"slices"

	"github.com/signalbox-dev/signalbox/core/needle"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/store/mailbox"
	"github.com/signalbox-dev/signalbox/lsp/store/shelf"
)

func (v *view) Heads(q *panel.HeadQuery) (heads []panel.Head, more bool) {
	if q.Filter.Group != "" && q.Filter.Group != panel.MailGroup {
		return nil, false
	}
	text := needle.New(q.Filter.Text)
	list := panel.HeadList{Len: len(v.Threads), Head: v.head, Keyed: &v.source.keyed, Of: keyedOf{v.Snapshot, v.own.Mailbox}}
	return list.Page(q, func(h *panel.Head) (wanted, waits bool) {
		t := v.Threads[h.Number]
		if !v.passes(t, q.Filter, &text) {
			return false, false
		}
		return true, q.Order == panel.SortUnread && (v.unreadIn(t) > 0 || v.shelvedAt(t).State == shelf.Due)
	})
}

func (v *view) head(number int) panel.Head {
	t := v.Threads[number]
	return panel.Head{At: panel.AtMillis(t.Last), Name: t.ID, Store: v.ID, From: v.short(newest(t).From), Number: number}
}

// keyedOf holds everything that the keyed orders depend on. The user's own mailbox
// is part of it because names are shown without its domain.
type keyedOf struct {
	of  *mailbox.Snapshot
	own *mailbox.Mailbox
}

// passes reports whether a filter asks for a thread. text is the filter's text.
func (v *view) passes(t *mailbox.Thread, f *panel.InboxFilter, text *needle.Needle) bool {
	away := v.shelvedAt(t)
	at := away.State
	switch {
	case !f.Shown(at),
		f.Unread && v.unreadIn(t) == 0 && at != shelf.Due,
		f.Asks && v.asking()[t] == nil,
		f.NeedsReply && at != shelf.Due && (away.Quiet() || !v.needsReply(t)),
		f.Mine && !v.concerns(t):
		return false
	}
	return text.Empty() || slices.ContainsFunc(t.Messages, func(m mailbox.Placed) bool { return holdsText(m.Message, text) })
}

func holdsText(m *mailbox.Message, text *needle.Needle) bool {
	return slices.ContainsFunc([]string{m.Subject, m.From, m.To, m.ID, m.Excerpt}, text.In)
}

// newest returns the message of a thread that was written last. Of several at the same
// time it is the last in the tree of replies.
func newest(t *mailbox.Thread) *mailbox.Placed {
	best := &t.Messages[0]
	for i := range t.Messages {
		if m := &t.Messages[i]; m.When() >= best.When() {
			best = m
		}
	}
	return best
}
