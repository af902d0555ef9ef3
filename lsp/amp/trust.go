package amp

import (
	"crypto/sha256"
	"slices"
	"strings"
	"sync"

	"github.com/signalbox-dev/signalbox/core/amp"
)

// Trust reads a message as [Snapshot.Read] does, and judges it as [amp.Judge] does, at the time
// now in Unix milliseconds.
//
// A message in either box is checked against the key that is pinned for its sender, and the key
// of the mailbox on this machine that has the sender's address. If a key other than the pinned
// one verifies it, that is a mismatch. pins may be nil. If the file of pins cannot be read,
// only the keys that were read before are known.
//
// Several messages in one inbox may have the same words and the same signature. Those after the
// first are replays, or the sender's own words sent again, as far as that can be told. The
// first is the one received first according to whoever stored it, then the one written first,
// then the one with the lowest Key. If [Snapshot.Seen] remembers another message with the
// signature, that is the first. A message that the user deleted is a replay when it is here
// again.
func (s *Snapshot) Trust(m *Message, pins *Pins, now int64) (amp.Message, amp.Trust, error) {
	msg, err := s.Read(m)
	if err != nil {
		return amp.Message{}, amp.Trust{}, err
	}
	t, first := s.judge(m, &msg, pins, now)
	s.Seen.note(m, first)
	return msg, t, nil
}

// TrustOf returns the trust of [Snapshot.Trust] without the message. It caches the result until
// something changes that it depends on, so that it can be called often, and concurrently.
func (s *Snapshot) TrustOf(m *Message, pins *Pins, now int64) (amp.Trust, error) {
	key := s.basis(m, pins, now)
	if t, known := s.cache.get(&key); known {
		return t, nil
	}
	msg, t, err := s.Trust(m, pins, now)
	if err == nil && sha256.Sum256(msg.Raw) == m.digest && key == s.basis(m, pins, now) {
		s.cache.put(&key, t)
	}
	return t, err
}

// Judge returns the trust in the text of a message that is open somewhere, which may differ
// from the file. key is the [Message.Key] of the file, or empty for a text that is in no
// mailbox of this root.
func (s *Snapshot) Judge(key string, msg *amp.Message, pins *Pins, now int64) amp.Trust {
	if m := s.file(key); m != nil {
		t, _ := s.judge(m, msg, pins, now)
		return t
	}
	known := amp.Known{Now: now}
	known.Keys, known.Pin = s.keysOf(msg.From, pins)
	return s.explain(amp.Judge(msg, known))
}

// judge returns the trust in a text as the content of a file. first is the id of the message
// that first had the file's signature, or "" if no known key of the sender verifies it.
func (s *Snapshot) judge(m *Message, msg *amp.Message, pins *Pins, now int64) (t amp.Trust, first string) {
	known := amp.Known{Self: m.Mailbox.Addresses, Now: now}
	known.Keys, known.Pin = s.keysOf(msg.From, pins)
	earlier, repeated := s.original(m)
	sameSignature := m.SignatureID == msg.SignatureID()
	if repeated && sameSignature {
		known.Earlier = map[string]amp.Earlier{m.SignatureID: earlier}
	}
	t = s.explain(amp.Judge(msg, known))
	if sameSignature && s.checkRedelivered(m, &t) {
		first = earlier.ID
	}
	return t, first
}

// explain sets the reason why keys in a stranger's mailboxes prove nothing.
func (s *Snapshot) explain(t amp.Trust) amp.Trust {
	if s.strangers && t.State == amp.TrustKeyUnknown {
		t.Reason = "whoever can write to this folder can put a key beside a message, so keys in it prove nothing; the desktop knows keys"
	}
	return t
}

// checkRedelivered turns a message that the user deleted and that is here again into a replay.
// It reports whether the message is in an inbox and a known key of its sender verifies it.
func (s *Snapshot) checkRedelivered(m *Message, t *amp.Trust) bool {
	if m.Box != Inbox || t.Step == amp.NotVerified || t.State == amp.TrustUntrusted || t.State == amp.TrustKeyMismatch {
		return false
	}
	if first := s.Seen.sighting(m); first.deleted && sameMail(first.id, m.ID) {
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

// original returns the first message in m's inbox with the same words and signature, if it is
// remembered or still exists. repeated reports whether m is another message and not a copy of
// it.
func (s *Snapshot) original(m *Message) (first amp.Earlier, repeated bool) {
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

// firstOf returns the id of the first message in m's inbox with m's words and signature, or "",
// and that message if it still exists.
func (s *Snapshot) firstOf(m *Message) (id string, file *Message) {
	list := s.index().signed[signedKey{m.Mailbox, m.signedDigest}]
	if id = s.Seen.sighting(m).id; id == "" && len(list) > 0 {
		id = list[0].ID
	}
	if at := slices.IndexFunc(list, func(other *Message) bool { return sameMail(id, other.ID) }); at >= 0 {
		file = list[at]
	}
	return id, file
}

const maxJudged = 10_000

// trustCache remembers trust, for all snapshots of one root.
type trustCache struct {
	mu     sync.Mutex
	trusts map[basis]amp.Trust
}

func (c *trustCache) get(b *basis) (t amp.Trust, known bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t, known = c.trusts[*b]
	return t, known
}

func (c *trustCache) put(b *basis, t amp.Trust) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.trusts == nil || len(c.trusts) >= maxJudged {
		c.trusts = make(map[basis]amp.Trust)
	}
	c.trusts[*b] = t
}

// basis holds everything that the trust in a message depends on. As long as it stays equal,
// so does the trust, and the file need not be read again.
type basis struct {
	// digest is the digest of the message's file, and first of the file that it may be a replay
	// of.
	digest, first            [sha256.Size]byte
	firstID, keys, pin, self string
	expired, deleted         bool
}

// basis returns the basis without reading a file. The message must be readable.
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
		b.deleted = s.Seen.sighting(m).deleted
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
