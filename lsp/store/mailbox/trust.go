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
	msg, err := s.Read(m)
	if err != nil {
		return amp.Message{}, amp.Trust{}, err
	}
	t, first := s.judge(m, &msg, pins, now)
	s.Seen.note(m, first)
	return msg, t, nil
}

// Judge is [Snapshot.Trust] for the text of a message as somebody has it before
// them, which need not be what is on disk. key is the [Message.Key] that the text
// is of, or empty for one that lies in no mailbox of this root: whose mail it is
// and whether it is a replay is not looked at then. Nothing is read from disk
// but the message of which it may be a replay.
func (s *Snapshot) Judge(key string, msg *amp.Message, pins *Pins, now int64) amp.Trust {
	if m := s.file(key); m != nil {
		t, _ := s.judge(m, msg, pins, now)
		return t
	}
	known := amp.Known{Now: now}
	known.Keys, known.Pin = s.keysOf(msg.From, pins)
	return amp.Judge(msg, known)
}

// judge judges a text as that of a file. first is the id of the message that had the
// file's signature first, or "" if the signature is not its sender's by a known key.
func (s *Snapshot) judge(m *Message, msg *amp.Message, pins *Pins, now int64) (t amp.Trust, first string) {
	known := amp.Known{Self: m.Mailbox.Addresses, Now: now}
	known.Keys, known.Pin = s.keysOf(msg.From, pins)
	earlier, again := s.original(m)
	signedSo := m.SignatureID == msg.SignatureID()
	if again && signedSo {
		known.Earlier = map[string]amp.Earlier{m.SignatureID: earlier}
	}
	t = s.judged.judge(sha256.Sum256(msg.Raw), msg, &known)
	if signedSo && s.returned(m, &t) {
		first = earlier.ID
	}
	return t, first
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
	s.signed.once.Do(s.sortSigned)
	list := s.signed.by[m.Mailbox][m.said]
	if id = s.Seen.of(m).id; id == "" && len(list) > 0 {
		id = list[0].ID
	}
	if at := slices.IndexFunc(list, func(other *Message) bool { return sameMail(id, other.ID) }); at >= 0 {
		file = list[at]
	}
	return id, file
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
	b.keys, b.self = keyNames(k.Keys), addressNames(k.Self)
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

// keyNames is the part of a basis that names keys.
func keyNames(keys []amp.Key) string {
	var b strings.Builder
	for _, key := range keys {
		b.WriteString(key.Fingerprint() + "\n")
	}
	return b.String()
}

// addressNames is the part of a basis that names addresses.
func addressNames(addresses []amp.Address) string {
	var b strings.Builder
	for _, a := range addresses {
		b.WriteString(strings.ToLower(a.String()) + "\n")
	}
	return b.String()
}

// Basis holds everything that [Snapshot.Trust] depends on besides the bytes of the file,
// as the index has it. As long as it stays equal, so does the trust in the message, and
// the file need not be read again.
type Basis struct {
	// message is what the index keeps of the file, without its mailbox, and first is
	// the same of the message that it may be a replay of.
	message, first  Message
	firstID         string
	keys, pin, self string
	expired         bool
	deleted         bool // as in sighting
}

// Basis returns what the trust in a message depends on at the moment now in Unix
// milliseconds. It reads no message. The message must be one that can be read.
func (s *Snapshot) Basis(m *Message, pins *Pins, now int64) Basis {
	b := Basis{message: m.alone(), self: addressNames(m.Mailbox.Addresses), expired: m.Expires != 0 && now > m.Expires}
	keys, pin := s.keysOf(m.From, pins)
	b.keys, b.pin = keyNames(keys), pin
	if m.Box == Inbox && m.SignatureID != "" {
		b.deleted = s.Seen.of(m).deleted
		var first *Message
		if b.firstID, first = s.firstOf(m); first != nil && first.Key != m.Key {
			b.first = first.alone()
		}
	}
	return b
}

// alone returns a message without its mailbox, which changes with the other messages in it.
func (m *Message) alone() Message {
	alone := *m
	alone.Mailbox = nil
	return alone
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
