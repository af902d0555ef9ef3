package amp

import (
	"crypto/sha256"
	"slices"
	"strings"
	"sync"

	"github.com/signalbox-dev/signalbox/core/amp"
)

// Trust reads a message as [Snapshot.Read] does, and judges it as [amp.Judge]
// does, at the moment now in Unix milliseconds.
//
// A message is held against the key that is pinned for its sender and the one of the
// mailbox on this machine that has the sender's address, also where it lies in Sent. Where
// another than the pinned one fits, that is a mismatch. pins may be nil; where they cannot
// be read nobody's key is known but those that were read before. Of several messages in
// one inbox with the same words and the same signature those after the first are replays,
// or the sender's own words sent again, as far as that can be told: the first by the word
// of whoever stored it, then by when it was written, then by Key. Where [Snapshot.Seen]
// remembers that another message had the signature first, that one is the first, and one
// that the user deleted is a replay when it is here again.
func (s *Snapshot) Trust(m *Message, pins *Pins, now int64) (amp.Message, amp.Trust, error) {
	msg, err := s.Read(m)
	if err != nil {
		return amp.Message{}, amp.Trust{}, err
	}
	t, first := s.judge(m, &msg, pins, now)
	s.Seen.note(m, first)
	return msg, t, nil
}

// TrustOf is [Snapshot.Trust] without the message. It is remembered until something changes
// that it depends on, so that it may be asked for often and from everywhere.
func (s *Snapshot) TrustOf(m *Message, pins *Pins, now int64) (amp.Trust, error) {
	on := s.basis(m, pins, now)
	if t, known := s.judged.get(&on); known {
		return t, nil
	}
	msg, t, err := s.Trust(m, pins, now)
	if err == nil && sha256.Sum256(msg.Raw) == m.digest && on == s.basis(m, pins, now) {
		s.judged.put(&on, t)
	}
	return t, err
}

// Judge is [Snapshot.Trust] for the text of a message as somebody has it before them, which
// need not be what is on disk. key is the [Message.Key] that the text is of, or empty for
// one that lies in no mailbox of this root.
func (s *Snapshot) Judge(key string, msg *amp.Message, pins *Pins, now int64) amp.Trust {
	if m := s.file(key); m != nil {
		t, _ := s.judge(m, msg, pins, now)
		return t
	}
	known := amp.Known{Now: now}
	known.Keys, known.Pin = s.keysOf(msg.From, pins)
	return s.explain(amp.Judge(msg, known))
}

// judge judges a text as that of a file. first is the id of the message that had the
// file's signature first, or "" if the signature is not its sender's by a known key.
func (s *Snapshot) judge(m *Message, msg *amp.Message, pins *Pins, now int64) (t amp.Trust, first string) {
	known := amp.Known{Self: m.Mailbox.Addresses, Now: now}
	known.Keys, known.Pin = s.keysOf(msg.From, pins)
	earlier, again := s.original(m)
	sameSignature := m.SignatureID == msg.SignatureID()
	if again && sameSignature {
		known.Earlier = map[string]amp.Earlier{m.SignatureID: earlier}
	}
	t = s.explain(amp.Judge(msg, known))
	if sameSignature && s.checkRedelivered(m, &t) {
		first = earlier.ID
	}
	return t, first
}

// explain says of a message of a stranger's mailboxes why the keys in them prove nothing.
func (s *Snapshot) explain(t amp.Trust) amp.Trust {
	if s.strangers && t.State == amp.TrustKeyUnknown {
		t.Reason = "whoever can write to this folder can put a key beside a message, so keys in it prove nothing; the desktop knows keys"
	}
	return t
}

// checkRedelivered makes a replay of a message that the user deleted and that is here again.
// It reports whether the message in an inbox is its sender's own by a known key.
func (s *Snapshot) checkRedelivered(m *Message, t *amp.Trust) bool {
	if m.Box != Inbox || t.Step == amp.NotVerified || t.State == amp.TrustUntrusted || t.State == amp.TrustKeyMismatch {
		return false
	}
	if first := s.Seen.of(m); first.deleted && sameMail(first.id, m.ID) {
		t.State, t.Reason = amp.TrustReplayed, "you deleted this message, and somebody delivered it again"
	}
	return true
}

func (s *Snapshot) keysOf(from string, pins *Pins) (keys []amp.Key, pin string) {
	addr, ok := amp.ParseAddress(from)
	if !ok || s.strangers {
		return nil, ""
	}
	if pins != nil {
		p, ok := pins.For(addr)
		if ok {
			keys, pin = append(keys, p.Key), p.Key.Fingerprint()
		} else if pins.Err() != nil {
			return nil, "" // another key may have been known
		}
	}
	if here := s.Owner(addr); here != nil && here.Key.Algorithm() != "" && here.Key.Fingerprint() != pin {
		keys = append(keys, here.Key)
	}
	return keys, pin
}

// original returns the message that came first to the same inbox with the same words
// and the same signature, as far as it is remembered or there, and reports whether m
// is another one. A copy of the message is no other one.
func (s *Snapshot) original(m *Message) (first amp.Earlier, again bool) {
	if m.Box != Inbox || m.SignatureID == "" {
		return first, false
	}
	id, file := s.firstOf(m)
	if first.ID = id; first.ID == "" || sameMail(first.ID, m.ID) {
		return first, false
	}
	if file != nil {
		if msg, err := s.Read(file); err == nil {
			first.IdempotencyKey = msg.IdempotencyKey
		}
	}
	return first, true
}

// firstOf returns the id of the first message with the words and the signature of one
// in an inbox, or "", and that message if it is there.
func (s *Snapshot) firstOf(m *Message) (id string, file *Message) {
	list := s.found().signed[signedKey{m.Mailbox, m.signedDigest}]
	if id = s.Seen.of(m).id; id == "" && len(list) > 0 {
		id = list[0].ID
	}
	if at := slices.IndexFunc(list, func(other *Message) bool { return sameMail(id, other.ID) }); at >= 0 {
		file = list[at]
	}
	return id, file
}

const maxJudged = 10_000

// judged remembers judgements, for all snapshots of one root.
type judged struct {
	mu sync.Mutex
	by map[basis]amp.Trust
}

func (j *judged) get(b *basis) (t amp.Trust, known bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	t, known = j.by[*b]
	return t, known
}

func (j *judged) put(b *basis, t amp.Trust) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.by == nil || len(j.by) >= maxJudged {
		j.by = make(map[basis]amp.Trust)
	}
	j.by[*b] = t
}

// basis holds everything that the trust in a message depends on. As long as it stays equal,
// so does the trust, and the file need not be read again.
type basis struct {
	// digest is that of the message's file, and first the same of the message that it may
	// be a replay of.
	digest, first            [sha256.Size]byte
	firstID, keys, pin, self string
	expired, deleted         bool
}

// basis reads no message. The message must be one that can be read.
func (s *Snapshot) basis(m *Message, pins *Pins, now int64) basis {
	b := basis{digest: m.digest, expired: m.Expires != 0 && now > m.Expires}
	keys, pin := s.keysOf(m.From, pins)
	b.pin = pin
	for _, key := range keys {
		b.keys += key.Fingerprint() + "\n"
	}
	for _, a := range m.Mailbox.Addresses {
		b.self += strings.ToLower(a.String()) + "\n"
	}
	if m.Box == Inbox && m.SignatureID != "" {
		b.deleted = s.Seen.of(m).deleted
		var first *Message
		if b.firstID, first = s.firstOf(m); first != nil {
			b.first = first.digest
		}
	}
	return b
}

func (s *Snapshot) file(key string) *Message {
	t, at := s.Message(key)
	if t == nil {
		return nil
	}
	for _, m := range t.Messages[at].Files() {
		if m.Key == key {
			return m
		}
	}
	return nil
}
