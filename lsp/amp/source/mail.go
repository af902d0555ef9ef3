package source

import (
	"context"

	"github.com/signalbox-dev/signalbox/core/amp"
	ampstore "github.com/signalbox-dev/signalbox/lsp/amp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// What [Mail] returns is as the mailboxes have it.
type (
	// Mailbox is one agent's.
	Mailbox = ampstore.Mailbox
	// Message is a file of a mailbox.
	Message = ampstore.Message
	// Attached is a file that came with a message.
	Attached = ampstore.Attached
	// Letter is what somebody wants to say.
	Letter = ampstore.Letter
	// Prepared is a letter that only lacks its signature.
	Prepared = ampstore.Prepared
	// Pin is a key that is remembered.
	Pin = ampstore.Pin
	// PinnedError is the error of remembering another key than the one that is.
	PinnedError = ampstore.PinnedError
	// Alarm is a key that is not the remembered one.
	Alarm = ampstore.Alarm
)

// Inbox is the [Message.Box] of what was received.
const Inbox = ampstore.Inbox

// ErrNoMailbox is the error of sending to an address that not one mailbox here has.
var ErrNoMailbox = ampstore.ErrNoMailbox

// Mail is the signed mail that a reader may see, as the files are at one moment.
type Mail struct {
	*ampstore.Root
	Own ampstore.OwnMailbox
	// Keys are the remembered keys, Alarms those of mailboxes that differ from them, and
	// Warnings says what could not be remembered. [Mail.Learn] sets them.
	Keys     *ampstore.Pins
	Alarms   []Alarm
	Warnings []string
	Now      int64 // the moment, in Unix milliseconds

	access *Access
	snap   *ampstore.Snapshot
	reader panel.Reader
	part   map[*ampstore.Thread]bool // in which threads the reader takes part
}

// Open reads the mailboxes, and remembers nothing of them.
func (a *Access) Open(ctx context.Context) (*Mail, error) {
	snap, err := ampstore.Scan(ctx, a.Locate().Value)
	if err != nil {
		return nil, err
	}
	m := &Mail{Root: &snap.Root, Own: a.own(snap), Now: a.Now().UnixMilli(), access: a, snap: snap, part: make(map[*ampstore.Thread]bool)}
	m.reader = a.reader(m.Own.Mailbox)
	return m, nil
}

// Learn takes in the keys and messages that were seen before. With write it remembers keys
// that are new.
func (m *Mail) Learn(ctx context.Context, write bool) (err error) {
	m.snap.Seen = ampstore.SeenAt(ampstore.SeenPath(m.access.Env))
	if err := m.snap.Seen.Sync(ctx, false); err != nil {
		m.Warnings = append(m.Warnings, "mail that was deleted and is delivered again is not noticed: "+err.Error())
	}
	if m.Keys, err = m.access.Keys(); err != nil {
		return err
	}
	if m.Alarms, err = m.Keys.PinNew(ctx, m.Mailboxes, m.access.Now(), write); err != nil && ctx.Err() == nil {
		m.Warnings = append(m.Warnings, "keys that are new are not remembered: "+err.Error())
		return nil
	}
	return err
}

// Remember saves what was found out about messages, after it was shown.
func (m *Mail) Remember(ctx context.Context) error { return m.snap.Seen.Sync(ctx, true) }

// Found is a message that the reader may see.
type Found struct {
	// Message is the file that is shown. The user's own comes first.
	*Message
	Placed *ampstore.Placed // has all files that hold it, and what it answers
	Thread string           // the id of its thread

	in *ampstore.Thread
	at int
}

// Each goes through all messages that the reader may see, thread by thread.
func (m *Mail) Each(yield func(f Found) bool) {
	for _, t := range m.snap.Threads {
		for i := range t.Messages {
			if m.sees(t, i) && !yield(Found{m.Own.Shown(&t.Messages[i]), &t.Messages[i], t.ID, t, i}) {
				return
			}
		}
	}
}

// Answers returns the answers to a message that the reader may see.
func (m *Mail) Answers(f *Found) (list []*Message) {
	for i := range f.in.Messages {
		if r := &f.in.Messages[i]; r.Parent == f.at && m.sees(f.in, i) {
			list = append(list, r.Message)
		}
	}
	return list
}

// Judge reads a message and computes how far it can be trusted.
func (m *Mail) Judge(of *Message) (amp.Message, Judged) { return judge(m.snap, of, m.Keys, m.Now) }

func in[T any](root string, of *Mailbox, do func(b *ampstore.Box) (T, error)) (t T, err error) {
	b, err := ampstore.Open(root, of.Dir)
	if err != nil {
		return t, err
	}
	defer b.Close()
	return do(b)
}

// Delete deletes a message in the user's own mailbox for good, with its attachments.
func (m *Mail) Delete(ctx context.Context, of *Message) error {
	_, _ = m.Judge(of) // so that it is known if somebody delivers it again
	_, err := in(m.Path, m.Own.Mailbox, func(b *ampstore.Box) (any, error) { return nil, b.Delete(ctx, of.Key) })
	if err == nil {
		m.snap.Seen.Deleted(of)
	}
	return err
}

// Prepare makes a message of a letter from the user's own mailbox.
func (m *Mail) Prepare(ctx context.Context, l Letter) (*Prepared, error) {
	return in(m.Path, m.Own.Mailbox, func(b *ampstore.Box) (*Prepared, error) {
		return b.Prepare(ctx, m.snap, l, ampstore.NewStamp(m.access.Now()))
	})
}

// SentBefore returns the newest message that the user sent with the very words of one.
func (m *Mail) SentBefore(p *Prepared) *Message { return m.snap.SentBefore(m.Own.Mailbox, p) }

// Send signs a message and delivers it.
func (m *Mail) Send(ctx context.Context, p *Prepared) (ampstore.Delivered, error) {
	return in(m.Path, m.Own.Mailbox, func(b *ampstore.Box) (ampstore.Delivered, error) { return b.Send(ctx, p, m.access.Now()) })
}

// Sign signs a message for the user to carry.
func (m *Mail) Sign(p *Prepared) ([]byte, error) {
	return in(m.Path, m.Own.Mailbox, func(b *ampstore.Box) ([]byte, error) { return b.Sign(p) })
}

// ReplyTo returns to whom an answer to a message goes.
func (m *Mail) ReplyTo(msg *amp.Message) string { return ampstore.Answer(m.Own.Mailbox, msg).To }
