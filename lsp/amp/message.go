package amp

import (
	"crypto/sha256"
	"encoding/binary"
	"strings"
	"unique"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/excerpt"
	"github.com/signalbox-dev/signalbox/core/mail"
)

const (
	maxExcerpt = 400
	// maxField is the number of bytes that the index holds of any other text, more than a valid
	// text has.
	maxField = 4 * amp.MaxSubject
)

// parseMessage sets the record's message, or the reason why it cannot be read, and reports
// whether it could. Nothing in the record aliases data.
func (l *scanner) parseMessage(r *record, data []byte) bool {
	msg, err := amp.ParseMessage(data)
	if err != nil {
		r.setUnreadable(err)
		return false
	}
	m := r.message()
	m.ID, m.From, m.To = excerpt.Head(msg.ID, maxField), intern(msg.From), intern(msg.To)
	m.Subject, m.Priority = excerpt.Head(msg.Subject, maxField), intern(msg.Priority)
	m.Type, m.InReplyTo = intern(msg.Payload.Type), excerpt.Head(msg.InReplyTo, maxField)
	m.Time, m.Received, m.Expires = msg.Time.Millis, msg.Local.Received.Millis, msg.Expires.Millis
	m.Status, m.SignatureID = intern(msg.Local.Status), msg.SignatureID()
	m.Excerpt, m.Attachments = excerpt.Head(msg.Payload.Text, maxExcerpt), len(msg.Payload.Attachments)
	m.Want = mail.WantOf(Bare(msg.Payload.Text))
	m.Faults = len(msg.Faults)
	m.digest, m.signedDigest = r.Head.Digest, l.signedDigest(m.SignatureID, &msg)
	r.msg = m
	if id, ok := canonicalID(msg.ID); ok {
		r.copyKey = sha256.Sum256(append(m.signedDigest[:len(m.signedDigest):len(m.signedDigest)], id...))
	}
	return true
}

// intern returns the beginning of a text that many messages contain. Equal texts share one
// piece of memory.
func intern(s string) string { return unique.Make(excerpt.Head(s, maxField)).Value() }

func (r *record) message() *Message {
	_, rest := split(r.Path)
	return &Message{
		Key: r.Path, File: r.Path[len(r.Path)-len(rest):], Box: boxOf(rest), Size: r.Size, Modified: r.Millis(),
	}
}

// setUnreadable sets a message with an error, for a file that cannot be read. It counts as
// read, since nobody could mark it.
func (r *record) setUnreadable(err error) {
	r.msg = r.message()
	r.msg.Err, r.msg.Status = err, amp.Read
	if _, ok := amp.ParseID(r.stem()); ok {
		r.msg.ID = excerpt.Head(r.stem(), maxField)
	}
}

// canonicalID returns an id in its only spelling, or "" and false if it is invalid.
func canonicalID(id string) (string, bool) {
	if _, ok := amp.ParseID(id); !ok {
		return "", false
	}
	return amp.NormalizeID(id), true
}

func sameMail(a, b string) bool { return amp.NormalizeID(a) == amp.NormalizeID(b) }

// signedDigest returns a digest of everything that the copies of a message share besides the
// id: its signature and its content, without the empty list of attachments and the trust
// wrapper that clients add. Without a key nobody can tell which of two files with other
// differences was signed, so both are shown.
func (l *scanner) signedDigest(signature string, msg *amp.Message) [sha256.Size]byte {
	l.text = l.text[:0]
	for _, s := range [...]string{signature, msg.From, msg.To, msg.Subject, msg.Priority, msg.InReplyTo, msg.Payload.Type, Bare(msg.Payload.Text)} {
		l.add(s)
	}
	context := msg.Payload.Context
	if len(context) > 0 {
		if sorted, err := amp.PayloadBytes(context); err == nil {
			context = sorted
		}
	}
	l.add(string(context))
	for i := range msg.Payload.Attachments {
		a := &msg.Payload.Attachments[i]
		for _, s := range [...]string{a.ID, a.Filename, a.ContentType, a.Digest} {
			l.add(s)
		}
	}
	return sha256.Sum256(l.text)
}

// Digest returns a number for the message that is the same in every run and does not depend on
// its status.
func (m *Message) Digest() uint64 {
	id, ok := canonicalID(m.ID)
	if !ok || m.Err != nil {
		id = m.Key
	}
	sum := sha256.Sum256(append(m.signedDigest[:len(m.signedDigest):len(m.signedDigest)], id...))
	return binary.BigEndian.Uint64(sum[:])
}

// add adds a text with its length to the input of the digest, so that texts cannot run
// together.
func (l *scanner) add(text string) {
	l.text = binary.BigEndian.AppendUint64(l.text, uint64(len(text)))
	l.text = append(l.text, text...)
}

// Bare returns a text without the wrappers that clients put around it, and without leading and
// trailing line ends, which clients do not preserve.
func Bare(text string) string {
	for range 4 {
		inner := amp.Unwrap(text)
		if len(inner) == 0 {
			break
		}
		text = inner[0]
	}
	return strings.Trim(text, "\n")
}
