package mailbox

import (
	"context"
	"fmt"
	"time"

	"github.com/signalbox-dev/signalbox/core/amp"
)

// Expired gives the messages of the mailbox that have expired and still have
// attachments here (rule ATT-21), for [Box.PurgeAttachments].
func (b *Box) Expired(ctx context.Context, snap *Snapshot, now time.Time) []*Message {
	var list []*Message
	look := func(m *Message) {
		if m.Mailbox.Dir != b.dir || m.Err != nil || m.Expires == 0 || now.UnixMilli() <= m.Expires || ctx.Err() != nil {
			return
		}
		msg, err := b.message(m.File)
		if err == nil && b.kept(&msg) {
			list = append(list, m)
		}
	}
	for _, t := range snap.Threads {
		for i := range t.Messages {
			look(t.Messages[i].Message)
			for _, c := range t.Messages[i].Copies {
				look(c)
			}
		}
	}
	return list
}

// kept reports whether there is anything that belongs to a message.
func (b *Box) kept(msg *amp.Message) bool {
	at, err := b.home.OpenFolder(inAttachments)
	if err != nil {
		return false
	}
	defer at.Close()
	for _, name := range folderNames(msg) {
		if _, err := at.Lstat(name); err == nil {
			return true
		}
	}
	return false
}

// PurgeAttachments removes the attachments of a message of the mailbox, and leaves
// the message. What another message names stays. A copy of the message, such as the
// one in the inbox of what was sent to oneself, does not count as another; a message
// that only has the same id does, and so does one with a stolen signature.
func (b *Box) PurgeAttachments(ctx context.Context, key string) error {
	file, err := b.file(key, "")
	if err != nil {
		return err
	}
	s, err := b.begin(ctx)
	if err != nil {
		return err
	}
	defer s.end()
	msg, err := s.message(file)
	if err != nil {
		return err
	}
	var l looker
	said := l.said(msg.SignatureID(), &msg)
	err = s.detach(&msg, func(other *amp.Message) bool {
		return other.ID == msg.ID && l.said(other.SignatureID(), other) == said
	})
	if err != nil {
		return fmt.Errorf("mailbox: purge %s: %w", key, err)
	}
	return nil
}
