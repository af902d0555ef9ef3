package panel

import (
	"context"
	"slices"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/store/mailbox"
)

// syncMail waits until the panels know the mailboxes as they are on disk now.
func (p *Panels) syncMail(ctx context.Context) error {
	p.mu.RLock()
	root := p.mail
	p.mu.RUnlock()
	if root == nil {
		return nil
	}
	return root.live.Sync(ctx)
}

// Archive archives threads or messages in the user's own inbox, or takes them out of
// the archive, and returns the new counts.
func (p *Panels) Archive(ctx context.Context, q ArchiveParams) (Counts, error) {
	status := amp.Archived
	if !q.Archived {
		status = amp.Read
	}
	if err := p.ampMark(ctx, q.Refs, func(m *mailbox.Message) (string, bool) {
		return status, (m.Status == amp.Archived) != q.Archived
	}); err != nil {
		return Counts{}, err
	}
	return p.counts(ctx), nil
}

// ampSetRead marks signed mail in the user's own inbox as read or unread. Archived
// messages stay archived.
func (p *Panels) ampSetRead(ctx context.Context, refs []Ref, read bool) error {
	from, to := amp.Unread, amp.Read
	if !read {
		from, to = amp.Read, amp.Unread
	}
	return p.ampMark(ctx, refs, func(m *mailbox.Message) (string, bool) { return to, m.Status == from })
}

// ampMark changes the status of the messages that refs name in the user's own inbox.
// want returns the new status of a message and whether to change it.
func (p *Panels) ampMark(ctx context.Context, refs []Ref, want func(*mailbox.Message) (string, bool)) error {
	if p.readOnly() {
		return &Error{Kind: Untrusted, Message: "read-only: the workspace is not trusted, so nothing is marked"}
	}
	n := p.mailNow(ctx)
	var list []*mailbox.Message
	for _, r := range refs {
		found, err := n.markable(r)
		if err != nil {
			return err
		}
		list = append(list, found...)
	}
	if len(list) == 0 {
		return nil
	}
	box, err := mailbox.Open(n.Path, n.own.Mailbox.Dir)
	if err != nil {
		return ampFailure(err, "mark")
	}
	defer box.Close()
	for _, m := range list {
		status, change := want(m)
		if !change {
			continue
		}
		if err := box.SetStatus(ctx, m.Key, status, p.opt.Now()); err != nil {
			return ampFailure(err, "mark")
		}
	}
	return p.syncMail(ctx)
}

// markable returns the messages in the user's own inbox that a ref names. The error is
// of kind NotOwner if there are none.
func (n *mailNow) markable(r Ref) ([]*mailbox.Message, error) {
	if r.Protocol != mail.AMP {
		return nil, &Error{Kind: Unsupported, Message: "only signed mail can be archived"}
	}
	t, at, err := n.conversationOf(r)
	if err != nil {
		return nil, err
	}
	var list []*mailbox.Message
	for i := range t.Messages {
		if at >= 0 && at != i {
			continue
		}
		for _, m := range t.Messages[i].Files() {
			if m.Err == nil && n.own.Holds(m, mailbox.Inbox) {
				list = append(list, m)
			}
		}
	}
	if len(list) == 0 {
		box := t.Messages[max(at, 0)].Mailbox
		return nil, &Error{Kind: NotOwner, Message: "it is not in your inbox: the mailbox is that of " + safe(box.Name)}
	}
	return list, nil
}

// ampRefs splits refs into those to signed mail and the others.
func ampRefs(refs []Ref) (signed, others []Ref) {
	for _, r := range refs {
		if r.Protocol == mail.AMP {
			signed = append(signed, r)
		} else {
			others = append(others, r)
		}
	}
	return signed, slices.Clip(others)
}
