package source

import (
	"context"
	"slices"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/mail"
	ampstore "github.com/signalbox-dev/signalbox/lsp/amp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/shelf"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// Groups returns the group of mail.
func (v *view) Groups(q *panel.InboxFilter) []panel.Group {
	tallies := v.count()
	sum := tallies.Of(q)
	g := panel.Group{ID: panel.MailGroup, Kind: panel.GroupMail, Title: "Mail", Threads: sum.Threads, Unread: sum.Unread}
	if len(v.Threads) > 0 {
		g.LastTime = show.Time(v.Threads[0].Last)
	}
	return []panel.Group{g}
}

func (v *view) Begun(ctx context.Context) {
	if v.root != nil && !v.Ready {
		// A root that is not read in time is shown later.
		_ = v.root.live.Sync(ctx)
	}
}

func (v *view) Counts() panel.Counts {
	inbox := v.count().Inbox
	return panel.Counts{Unread: inbox.Unread, NeedsReply: inbox.Waiting, Asks: inbox.Asks, Questions: inbox.Questions}
}

// count returns the counts of all threads. It counts only once.
func (v *view) count() panel.Tallies {
	if v.tallies != nil {
		return *v.tallies
	}
	v.tallies = &panel.Tallies{}
	for _, t := range v.Threads {
		tally := panel.Tally{Threads: 1}
		if v.own.Mailbox != nil && v.own.Mailbox.Unread > 0 {
			tally.Unread = v.unreadIn(t)
		}
		if v.needsReply(t) {
			tally.Waiting = 1
		}
		if v.asking()[t] != nil {
			tally.Asks = 1
		}
		if v.isUrgent(t) {
			tally.Questions = 1
		}
		v.tallies.Add(v.shelvedAt(t), tally)
	}
	return *v.tallies
}

// shelvedAt returns whether a thread is put away. Messages that the user received may be
// archived in their mailbox, where other programs see that.
func (v *view) shelvedAt(t *ampstore.Thread) panel.Shelved {
	if v.archived(t) {
		return panel.Shelved{State: shelf.Archived}
	}
	if v.away == nil {
		return panel.Shelved{}
	}
	return v.away.At(t.ID, v.mailIn(t), v.now)
}

// ShelfKey returns the shelf's key of a thread, and its messages that the user received.
func (v *view) ShelfKey(r panel.Ref) (shelf.Key, shelf.Mail, error) {
	t, _, err := v.threadOf(r)
	if err != nil {
		return shelf.Key{}, nil, err
	}
	return shelf.Key{Ref: mail.ThreadRef(mail.AMP, v.ID, t.ID), Owner: v.owner()}, v.mailIn(t), nil
}

func (v *view) mailIn(t *ampstore.Thread) shelf.Mail {
	return func(yield func(uint64) bool) {
		for i := range t.Messages {
			if m := v.received(&t.Messages[i]); m != nil && !yield(m.Digest()) {
				return
			}
		}
	}
}

func (v *view) unreadIn(t *ampstore.Thread) int {
	count := 0
	for i := range t.Messages {
		if v.unreadAt(&t.Messages[i]) {
			count++
		}
	}
	return count
}

// needsReply reports whether the newest message of a thread is to the user, from somebody else
// and not expired, and may want a reply. It does if it asks something. Otherwise it must not be
// old, and neither its type nor its words may show that it asks for nothing.
func (v *view) needsReply(t *ampstore.Thread) bool {
	m := v.lastToUser(t)
	return m != nil && (v.asking()[t] != nil || newest(t).When() >= v.shelf.ReplySince() && m.Want != mail.Nothing && !asksNothing(m.Type))
}

// unsure reports whether a thread perhaps needs no reply: the words of its newest message do
// not show whether it asks for one, and neither do its type and priority.
func (v *view) unsure(t *ampstore.Thread) bool {
	return v.needsReply(t) && v.asking()[t] == nil && newest(t).Want == mail.Unsure && newest(t).Type != "request" && newest(t).Priority != amp.Urgent
}

// lastToUser returns the newest message of a thread if somebody else sent it to the user and it
// can be read and has not expired, or nil.
func (v *view) lastToUser(t *ampstore.Thread) *ampstore.Message {
	if v.own.Mailbox == nil {
		return nil
	}
	m := v.received(newest(t))
	if m == nil || m.Err != nil || v.expired(m) || !v.own.Addressed(m.To) || v.own.Addressed(m.From) {
		return nil
	}
	return m
}

// asksNothing reports whether messages of a type only inform, and want no response by amp/0.1.
func asksNothing(payloadType string) bool {
	switch payloadType {
	case "notification", "status", "ack", "update", "system":
		return true
	}
	return false
}

func (v *view) received(at *ampstore.Placed) *ampstore.Message { return v.own.File(at, ampstore.Inbox) }

// unreadAt reports whether a message is unread: it has files in the user's inbox, and
// all of them have the status unread.
func (v *view) unreadAt(at *ampstore.Placed) bool {
	unread := false
	for _, m := range at.Files() {
		if v.own.Holds(m, ampstore.Inbox) {
			if m.Status != amp.Unread {
				return false
			}
			unread = true
		}
	}
	return unread
}

// archived reports whether the user archived every message of a thread that they
// received. It is false for a thread without received messages.
func (v *view) archived(t *ampstore.Thread) bool {
	received := false
	for i := range t.Messages {
		if m := v.received(&t.Messages[i]); m != nil {
			if m.Status != amp.Archived {
				return false
			}
			received = true
		}
	}
	return received
}

func (v *view) concerns(t *ampstore.Thread) bool {
	return slices.ContainsFunc(t.Messages, func(m ampstore.Placed) bool {
		return v.own.Addressed(m.From) || v.own.Addressed(m.To) || slices.ContainsFunc(m.Files(), func(f *ampstore.Message) bool { return v.own.Has(f.Mailbox) })
	})
}

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
	t, _, err := v.threadOf(r)
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
	t, _, err := v.threadOf(r)
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
	if err := v.Snapshot.SetStatus(ctx, list, status, v.source.host.Options.Now()); err != nil {
		return failure(err, "mark")
	}
	return v.source.Sync(ctx)
}

// markable returns the messages in the user's own inbox that a ref names. The error is
// [panel.NotOwner] if there are none.
func (v *view) markable(r panel.Ref) ([]*ampstore.Message, error) {
	t, at, err := v.threadOf(r)
	if err != nil {
		return nil, err
	}
	var list []*ampstore.Message
	for i := range t.Messages {
		if at >= 0 && at != i {
			continue
		}
		for _, m := range t.Messages[i].Files() {
			if m.Err == nil && v.own.Holds(m, ampstore.Inbox) {
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
