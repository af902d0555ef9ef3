package mailbox

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
// mailbox on this machine that has the sender's address, also where it lies in Sent:
// anybody can put what they like into their own. Where another than the pinned one
// fits, that is a mismatch. pins may be nil; where they cannot be read nobody's key
// is known but those that were read before. The message must be from or to an
// address of the mailbox, as far as the mailbox has one. Of several messages in one
// inbox with the same words and the same signature those after the first are
// replays, or the sender's own words sent again, as far as that can be told: the first
// by the word of whoever stored it, then by when it was written, then by Key.
//
// Where [Snapshot.Seen] remembers that another message had the signature first, that
// one is the first, and one that the user deleted is a replay when it is here again.
//
// A judgement is remembered until something changes that it depends on, so that it
// may be asked for often and from everywhere.
func (s *Snapshot) Trust(m *Message, pins *Pins, now int64) (amp.Message, amp.Trust, error) {
	msg, data, err := s.read(m)
	if err != nil {
		return amp.Message{}, amp.Trust{}, err
	}
	known := amp.Known{Self: m.Mailbox.Addresses, Now: now}
	known.Keys, known.Pin = s.keysOf(msg.From, pins)
	first, again := s.original(m)
	if again {
		known.Earlier = map[string]amp.Earlier{msg.SignatureID(): first}
	}
	t := s.judged.judge(sha256.Sum256(data), &msg, &known)
	if m.SignatureID == msg.SignatureID() && s.returned(m, &t) {
		s.Seen.note(m, first.ID)
	}
	return msg, t, nil
}

// returned makes a replay of a message that the user deleted and that is here again.
// It reports whether the message in an inbox is its sender's own by a known key.
func (s *Snapshot) returned(m *Message, t *amp.Trust) bool {
	if m.Box != Inbox || t.Step == amp.NotVerified || t.State == amp.TrustUntrusted || t.State == amp.TrustKeyMismatch {
		return false
	}
	if first := s.Seen.of(m); first.deleted && sameMail(first.id, m.ID) {
		t.State, t.Reason = amp.TrustReplayed, "you deleted this message, and somebody delivered it again"
	}
	return true
}

// keysOf returns the keys of a sender, and the fingerprint of the one that is
// pinned, or "".
func (s *Snapshot) keysOf(from string, pins *Pins) (keys []amp.Key, pin string) {
	addr, ok := amp.ParseAddress(from)
	if !ok {
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

// signed are the messages in inboxes by what was signed, made when they are first
// asked for.
type signed struct {
	once sync.Once
	by   map[*Mailbox]map[[sha256.Size]byte][]*Message
}

// original returns the message that came first to the same inbox with the same words
// and the same signature, as far as it is remembered or there, and reports whether m
// is another one. One that has the signature and other words takes nothing from the
// message whose it is. A copy of the message is no other one.
func (s *Snapshot) original(m *Message) (first amp.Earlier, again bool) {
	if m.Box != Inbox || m.SignatureID == "" {
		return first, false
	}
	s.signed.once.Do(s.sortSigned)
	list := s.signed.by[m.Mailbox][m.said]
	if first.ID = s.Seen.of(m).id; first.ID == "" && len(list) > 0 {
		first.ID = list[0].ID
	}
	if first.ID == "" || sameMail(first.ID, m.ID) {
		return first, false
	}
	for _, other := range list {
		if sameMail(first.ID, other.ID) {
			if msg, err := s.Read(other); err == nil {
				first.IdempotencyKey = msg.IdempotencyKey
			}
			break
		}
	}
	return first, true
}

// sortSigned finds the messages with the same words and signature, in the order in
// which they came.
func (s *Snapshot) sortSigned() {
	by := make(map[*Mailbox]map[[sha256.Size]byte][]*Message, len(s.Mailboxes))
	for m := range s.files() {
		if m.Box != Inbox || m.SignatureID == "" {
			continue
		}
		if by[m.Mailbox] == nil {
			by[m.Mailbox] = make(map[[sha256.Size]byte][]*Message)
		}
		by[m.Mailbox][m.said] = append(by[m.Mailbox][m.said], m)
	}
	for _, list := range by {
		for _, same := range list {
			slices.SortFunc(same, earlier)
		}
	}
	s.signed.by = by
}

// maxJudged is the number of judgements that are remembered.
const maxJudged = 10_000

// judged remembers judgements, for all snapshots of one root.
type judged struct {
	mu sync.Mutex
	by map[basis]amp.Trust
}

// basis holds everything a judgement depends on except the current time. The time
// matters only for expiry.
type basis struct {
	digest          [sha256.Size]byte
	keys, pin, self string
	first           amp.Earlier
	expired         bool
}

func (j *judged) judge(digest [sha256.Size]byte, msg *amp.Message, k *amp.Known) amp.Trust {
	b := basis{digest: digest, pin: k.Pin, first: k.Earlier[msg.SignatureID()], expired: msg.Expired(k.Now)}
	for _, key := range k.Keys {
		b.keys += key.Fingerprint() + "\n"
	}
	for _, a := range k.Self {
		b.self += strings.ToLower(a.String()) + "\n"
	}
	j.mu.Lock()
	t, ok := j.by[b]
	j.mu.Unlock()
	if ok {
		return t
	}
	t = amp.Judge(msg, *k)
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.by == nil || len(j.by) >= maxJudged {
		j.by = make(map[basis]amp.Trust)
	}
	j.by[b] = t
	return t
}

// Judge is [Snapshot.Trust] for the text of a message as somebody has it before
// them, which need not be what is on disk. key is the [Message.Key] that the text
// is of, or empty for one that lies in no mailbox of this root: whose mail it is
// and whether it is a replay is not looked at then. Nothing is read from disk
// but the message of which it may be a replay.
func (s *Snapshot) Judge(key string, msg *amp.Message, pins *Pins, now int64) amp.Trust {
	known := amp.Known{Now: now}
	known.Keys, known.Pin = s.keysOf(msg.From, pins)
	m := s.file(key)
	if m == nil {
		return amp.Judge(msg, known)
	}
	known.Self = m.Mailbox.Addresses
	first, again := s.original(m)
	if again && m.SignatureID == msg.SignatureID() {
		known.Earlier = map[string]amp.Earlier{msg.SignatureID(): first}
	}
	t := amp.Judge(msg, known)
	if m.SignatureID == msg.SignatureID() {
		s.returned(m, &t)
	}
	return t
}

// file returns the message of a key, or nil.
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
