package amp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
)

// Letter is a message as its writer composes it.
type Letter struct {
	To       string // a full address. It may be empty in a reply.
	Subject  string // may be empty in a reply, which then has the subject of the message
	Priority string // [amp.Normal] if it is empty
	Type     string // request if it is empty, or response in a reply
	Text     string
	Context  []byte // a JSON object, or nil
	// Files are the paths of files to attach. A path may be a link to the file.
	Files   []string
	Reply   *amp.Message  // the message that this answers, or nil
	Expires time.Duration // how long the message is valid, 0 for ever
}

// Prepared is a message that only lacks its signature.
type Prepared struct {
	Draft  amp.Draft
	Letter *amp.Letter
	// To is the mailbox that it is delivered to, or nil if no mailbox on this
	// machine has the address, or several claim it.
	To          *Mailbox
	Stamp       Stamp         // with the digest that it came with, or else of this message
	Portability []canon.Fault // what other implementations may hash differently

	digest string
	paths  []string
}

// ErrNoMailbox is returned by [Box.Send] if no mailbox on this machine has the address, or if
// several claim it.
var ErrNoMailbox = errors.New("there is not one mailbox on this machine that has this address")

// ErrChanged is returned by [Box.Sign] and [Box.Send] if they would sign something other than
// what was shown.
var ErrChanged = errors.New("this is not what was shown to be signed")

// FileError is an error about a file to attach, or to save to.
type FileError struct {
	Path string
	Rule string // an id of the conformance table, or empty
	Err  error
}

func (e *FileError) Error() string { return fmt.Sprintf("mailbox: the file %q: %v", e.Path, e.Err) }

// Unwrap returns the reason.
func (e *FileError) Unwrap() error { return e.Err }

// Prepare makes a message from a letter, and reads its files to digest them. It writes nothing
// and opens no private key. The same letter, stamp and files make the same message to the byte.
// It returns a *[canon.Fault] for a broken rule, or a *[FileError] for a file.
func (b *Box) Prepare(ctx context.Context, snap *Snapshot, l Letter, st Stamp) (*Prepared, error) {
	self := snap.onlyMailbox(func(m *Mailbox) bool { return m.Dir == b.dir })
	if self == nil || len(self.Addresses) == 0 {
		return nil, fmt.Errorf("mailbox: the mailbox in %s has no address in its config.json", b.dir)
	}
	d, to, err := newDraft(self, &l)
	if err != nil {
		return nil, err
	}
	d.ID, d.IdempotencyKey, d.Millis = st.ID(), st.key(), st.millis
	if l.Expires < 0 {
		return nil, &canon.Fault{Rule: "ENV-7", Field: "envelope.expires_at", Reason: "the message would expire before it is written"}
	}
	if l.Expires > 0 {
		// Times are written in whole seconds.
		d.Expires = d.Millis + max(l.Expires, time.Second).Milliseconds()
	}
	p := &Prepared{To: snap.Owner(to), Stamp: st, paths: l.Files}
	if d.Attachments, err = attach(ctx, l.Files, st, d.Expires); err != nil {
		return nil, err
	}
	d.Routed = p.To == nil
	if p.Letter, err = amp.Compose(d); err != nil {
		return nil, err
	}
	p.Draft, p.Portability = d, p.Letter.Portability()
	if p.digest, err = digest(p.Letter); err != nil {
		return nil, err
	}
	if p.Stamp.digest == "" {
		p.Stamp.digest = p.digest
	}
	return p, nil
}

func newDraft(self *Mailbox, l *Letter) (d amp.Draft, to amp.Address, err error) {
	d = amp.Draft{From: strings.ToLower(self.Addresses[0].String()), Type: "request"}
	if l.Reply != nil {
		d = Answer(self, l.Reply)
	}
	if l.To != "" {
		d.To = strings.ToLower(l.To)
	}
	if l.Subject != "" {
		d.Subject = l.Subject
	}
	if l.Type != "" {
		d.Type = l.Type
	}
	d.Priority, d.Text, d.Context = l.Priority, l.Text, l.Context
	to, ok := amp.ParseAddress(d.To)
	if !ok {
		return d, to, &canon.Fault{Rule: "ENV-3", Field: "envelope.to", Reason: fmt.Sprintf("%q is not a full address: agent@tenant.provider", d.To)}
	}
	return d, to, nil
}

// Answer returns a draft that replies to a message for a mailbox's owner, as [amp.Reply] does.
// It is from the address that the message was sent to, if that is the owner's. A reply to the
// owner's own message goes to the receiver of that message. The mailbox must have an address.
func Answer(self *Mailbox, msg *amp.Message) amp.Draft {
	d := amp.Reply(msg)
	mine := func(s string) bool {
		a, ok := amp.ParseAddress(s)
		return ok && self.has(a)
	}
	switch {
	case mine(d.From):
	case mine(d.To):
		d.From, d.To = d.To, d.From
	default:
		d.From = strings.ToLower(self.Addresses[0].String())
	}
	d.Type = "response"
	return d
}

// SentBefore returns the newest message from a mailbox with the same signed content as a
// prepared one, or nil: the same text to the same receiver, in reply to the same message.
// Ed25519 and RSA sign both alike, so the receiver cannot tell the second from a replay. It is
// nil for an ECDSA key, whose signatures always differ.
func (s *Snapshot) SentBefore(from *Mailbox, p *Prepared) *Message {
	if from.Key.Algorithm() == amp.P256 {
		return nil
	}
	var last *Message
	for m := range s.files() {
		if m.Box != Sent || m.Mailbox != from || m.ID == p.Draft.ID || m.Subject != p.Draft.Subject || m.To != p.Draft.To || m.Attachments != 0 ||
			last != nil && m.When() < last.When() {
			continue
		}
		if msg, err := s.Read(m); err == nil {
			if signed, err := msg.Signed(); err == nil && bytes.Equal(signed, p.Letter.Signed()) {
				last = m
			}
		}
	}
	return last
}
