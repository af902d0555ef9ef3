package source

import (
	"context"

	"github.com/signalbox-dev/signalbox/core/amp"
	ampstore "github.com/signalbox-dev/signalbox/lsp/amp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// [Mail] returns these values of the store.
type (
	// Mailbox is one agent's mailbox.
	Mailbox = ampstore.Mailbox
	// Message is a message's file in a mailbox.
	Message = ampstore.Message
	// Attached is an attachment and the file that holds it.
	Attached = ampstore.Attached
	// Letter is a message as its writer composes it.
	Letter = ampstore.Letter
	// Prepared is a letter that only lacks its signature.
	Prepared = ampstore.Prepared
	// Pin is a remembered key.
	Pin = ampstore.Pin
	// PinnedError reports that another key is remembered.
	PinnedError = ampstore.PinnedError
	// Alarm is a key that is not the remembered one.
	Alarm = ampstore.Alarm
)

// Inbox is the [Message.Box] of received messages.
const Inbox = ampstore.Inbox

// ErrNoMailbox is returned by [Mail.Send] if no mailbox on this machine has the address, or if
// several claim it.
var ErrNoMailbox = ampstore.ErrNoMailbox

// Mail is the signed mail that a reader may see, at one moment.
type Mail struct {
	*ampstore.Root
	Own ampstore.OwnMailbox
	// Keys are the remembered keys, Alarms the keys of mailboxes that differ from them, and
	// Warnings what could not be remembered. [Mail.Learn] sets them.
	Keys     *ampstore.Pins
	Alarms   []Alarm
	Warnings []string
	Now      int64 // in Unix milliseconds

	access    *Access
	snap      *ampstore.Snapshot
	reader    panel.Reader
	takesPart map[*ampstore.Thread]bool // whether the reader takes part in a thread
}

// Open reads the mailboxes without remembering anything.
func (a *Access) Open(ctx context.Context) (*Mail, error) {
	snap, err := ampstore.Scan(ctx, a.Locate().Value)
	if err != nil {
		return nil, err
	}
	m := &Mail{Root: &snap.Root, Own: a.own(snap), Now: a.Now().UnixMilli(), access: a, snap: snap, takesPart: make(map[*ampstore.Thread]bool)}
	m.reader = a.reader(m.Own.Mailbox)
	return m, nil
}

// Learn reads the keys and signatures that were seen before. With write it saves new keys.
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

// Remember saves the signatures that were seen. It is called after messages were shown.
func (m *Mail) Remember(ctx context.Context) error { return m.snap.Seen.Sync(ctx, true) }

// Found is a message that the reader may see.
type Found struct {
	// Message is the file that is shown, the user's own if there is one.
	*Message
	Placed *ampstore.Placed // its place in the thread, with all its files
	Thread string           // the id of its thread

	thread *ampstore.Thread
	index  int
}

// Each yields all messages that the reader may see, thread by thread.
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
	for i := range f.thread.Messages {
		if r := &f.thread.Messages[i]; r.Parent == f.index && m.sees(f.thread, i) {
			list = append(list, r.Message)
		}
	}
	return list
}

// Judge returns a message and how far it can be trusted.
func (m *Mail) Judge(of *Message) (amp.Message, Judged) { return judge(m.snap, of, m.Keys, m.Now) }

// withBox opens a mailbox, calls do and closes the mailbox.
func withBox[T any](root string, of *Mailbox, do func(b *ampstore.Box) (T, error)) (t T, err error) {
	b, err := ampstore.Open(root, of.Dir)
	if err != nil {
		return t, err
	}
	defer b.Close()
	return do(b)
}

// Delete deletes a message in the user's own mailbox for good, with its attachments.
func (m *Mail) Delete(ctx context.Context, of *Message) error {
	_, _ = m.Judge(of) // remember its signature, in case somebody delivers it again
	_, err := withBox(m.Path, m.Own.Mailbox, func(b *ampstore.Box) (any, error) { return nil, b.Delete(ctx, of.Key) })
	if err == nil {
		m.snap.Seen.Deleted(of)
	}
	return err
}

// Prepare makes a message of a letter from the user's own mailbox.
func (m *Mail) Prepare(ctx context.Context, l Letter) (*Prepared, error) {
	return withBox(m.Path, m.Own.Mailbox, func(b *ampstore.Box) (*Prepared, error) {
		return b.Prepare(ctx, m.snap, l, ampstore.NewStamp(m.access.Now()))
	})
}

// SentBefore returns the newest message that the user sent with the same signed content, or
// nil.
func (m *Mail) SentBefore(p *Prepared) *Message { return m.snap.SentBefore(m.Own.Mailbox, p) }

// Send signs a message and delivers it.
func (m *Mail) Send(ctx context.Context, p *Prepared) (ampstore.Delivered, error) {
	return withBox(m.Path, m.Own.Mailbox, func(b *ampstore.Box) (ampstore.Delivered, error) { return b.Send(ctx, p, m.access.Now()) })
}

// Sign returns the signed message, for the user to deliver.
func (m *Mail) Sign(p *Prepared) ([]byte, error) {
	return withBox(m.Path, m.Own.Mailbox, func(b *ampstore.Box) ([]byte, error) { return b.Sign(p) })
}

// ReplyTo returns the address that a reply to a message goes to.
func (m *Mail) ReplyTo(msg *amp.Message) string { return ampstore.Answer(m.Own.Mailbox, msg).To }
