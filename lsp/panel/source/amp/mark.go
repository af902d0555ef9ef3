package amp

import (
	"context"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/store/mailbox"
)

// Archive archives threads or messages in the user's own inbox, or takes them out of
// the archive.
func (v *view) Archive(ctx context.Context, refs []panel.Ref, archived bool) error {
	status := amp.Archived
	if !archived {
		status = amp.Read
	}
	return v.mark(ctx, refs, status, func(m *Message) bool { return (m.Status == amp.Archived) != archived })
}

// Archived reports whether the user archived a thread in their own inbox.
func (v *view) Archived(r panel.Ref) bool {
	t, _, err := v.conversationOf(r)
	return err == nil && v.archived(t)
}

// SetRead marks mail in the user's own inbox as read or unread. Archived messages stay
// archived.
func (v *view) SetRead(ctx context.Context, refs []panel.Ref, read, _ bool) error {
	from, to := amp.Unread, amp.Read
	if !read {
		from, to = amp.Read, amp.Unread
	}
	return v.mark(ctx, refs, to, func(m *Message) bool { return m.Status == from })
}

// Unread returns the unread messages of a thread in the user's own inbox.
func (v *view) Unread(r panel.Ref) (refs []panel.Ref) {
	t, _, err := v.conversationOf(r)
	if err != nil {
		return nil
	}
	for i := range t.Messages {
		if m := v.received(&t.Messages[i]); m != nil && v.unreadAt(&t.Messages[i]) {
			refs = append(refs, messageRef(v.ID, m.Key))
		}
	}
	return refs
}

// mark gives a status to the wanted of the messages that refs name in the user's own inbox.
func (v *view) mark(ctx context.Context, refs []panel.Ref, status string, wanted func(*Message) bool) error {
	var list []*Message
	for _, r := range refs {
		found, err := v.markable(r)
		if err != nil {
			return err
		}
		for _, m := range found {
			if wanted(m) {
				list = append(list, m)
			}
		}
	}
	if err := setStatus(ctx, v.Path, list, status, v.source.host.Options.Now()); err != nil {
		return failure(err, "mark")
	}
	return v.source.Sync(ctx)
}

// markable returns the messages in the user's own inbox that a ref names. The error is
// of kind NotOwner if there are none.
func (v *view) markable(r panel.Ref) ([]*mailbox.Message, error) {
	t, at, err := v.conversationOf(r)
	if err != nil {
		return nil, err
	}
	var list []*mailbox.Message
	for i := range t.Messages {
		if at >= 0 && at != i {
			continue
		}
		for _, m := range t.Messages[i].Files() {
			if m.Err == nil && v.own.Holds(m, mailbox.Inbox) {
				list = append(list, m)
			}
		}
	}
	if len(list) == 0 {
		box := t.Messages[max(at, 0)].Mailbox
		return nil, &panel.Error{Kind: panel.NotOwner, Message: "it is not in your inbox: the mailbox is that of " + show.Line(box.Name)}
	}
	return list, nil
}
