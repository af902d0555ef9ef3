package amp

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

// Located is a message with its thread.
type Located struct {
	Thread *Thread
	At     int
}

// Placed returns the message as it is placed in its thread.
func (s Located) Placed() *Placed { return &s.Thread.Messages[s.At] }

// messageIndex is made once for each snapshot, when it is first needed.
type messageIndex struct {
	once   sync.Once
	places map[string]Located
	ids    map[string][]*Message
	signed map[signedKey][]*Message // in the order of arrival
}

// signedKey identifies signed content in the inbox of a mailbox.
type signedKey struct {
	mailbox *Mailbox
	digest  [sha256.Size]byte
}

func (s *Snapshot) index() *messageIndex {
	f := &s.lazyIndex
	f.once.Do(func() {
		f.places = make(map[string]Located, s.Messages)
		f.ids = make(map[string][]*Message, s.Messages)
		f.signed = make(map[signedKey][]*Message)
		for _, t := range s.Threads {
			for at := range t.Messages {
				for _, m := range t.Messages[at].Files() {
					f.places[m.Key] = Located{t, at}
					if id, ok := canonicalID(m.ID); ok {
						f.ids[id] = append(f.ids[id], m)
					}
					if key := (signedKey{m.Mailbox, m.signedDigest}); m.Box == Inbox && m.SignatureID != "" {
						f.signed[key] = append(f.signed[key], m)
					}
				}
			}
		}
		for _, same := range f.signed {
			slices.SortFunc(same, byArrival)
		}
	})
	return f
}

// Thread returns the thread with an id, or nil. The prefixes msg- and msg_ make no difference.
func (s *Snapshot) Thread(id string) *Thread {
	if c, ok := canonicalID(id); ok {
		id = c
	}
	return s.byID[id]
}

// Message returns the thread of the message with a key, and its index there, or nil and -1. A
// copy has the index of the message that it copies.
func (s *Snapshot) Message(key string) (t *Thread, at int) {
	p, ok := s.index().places[key]
	if !ok {
		return nil, -1
	}
	return p.Thread, p.At
}

// ByID returns the messages with an id, each followed by its copies. Ids are not signed, so
// messages with one id may differ in everything else. The prefixes msg- and msg_ make no
// difference. The result is shared.
func (s *Snapshot) ByID(id string) []*Message {
	id, _ = canonicalID(id)
	return s.index().ids[id]
}

// Files returns all files that hold the message, the embedded one first.
func (p *Placed) Files() []*Message { return append([]*Message{p.Message}, p.Copies...) }

func (s *Snapshot) files() iter.Seq[*Message] {
	return func(yield func(*Message) bool) {
		for _, t := range s.Threads {
			for i := range t.Messages {
				for _, m := range t.Messages[i].Files() {
					if !yield(m) {
						return
					}
				}
			}
		}
	}
}

// Mailbox returns the mailbox with a name, in any case: its owner's name, the last part of its
// folder, or an address. It returns nil if none or several have the name, since anybody can
// write a name.
func (s *Root) Mailbox(name string) *Mailbox {
	return s.onlyMailbox(func(m *Mailbox) bool { return m.hasName(name) })
}

func (m *Mailbox) hasName(name string) bool {
	a, address := amp.ParseAddress(name)
	return name != "" && strings.EqualFold(m.Name, name) || m.Dir != "." && strings.EqualFold(tree.Base(m.Dir), name) || address && m.has(a)
}

// Called returns the folders of all mailboxes with a name, in the sense of [Root.Mailbox].
func (s *Root) Called(name string) (dirs []string) {
	for _, m := range s.Mailboxes {
		if m.hasName(name) {
			dirs = append(dirs, m.Dir)
		}
	}
	return dirs
}

// Owner returns the mailbox of an address, or nil if none or several claim it.
func (s *Root) Owner(addr amp.Address) *Mailbox {
	return s.onlyMailbox(func(m *Mailbox) bool { return m.has(addr) })
}

func (s *Root) onlyMailbox(ok func(m *Mailbox) bool) (one *Mailbox) {
	for _, m := range s.Mailboxes {
		if ok(m) {
			if one != nil {
				return nil
			}
			one = m
		}
	}
	return one
}

// When returns the time by which messages are ordered, in Unix milliseconds: when the message
// was written, but not later than it was received. Without these times it is when the file last
// changed.
func (m *Message) When() int64 {
	if m.Received != 0 && m.Time > m.Received {
		return m.Received
	}
	return cmp.Or(m.Time, m.Received, m.Modified)
}

// Read returns the message in a file as it is now, which may have changed since the snapshot.
// The error quotes the key, and wraps a file error or a *[canon.Fault].
func (s *Snapshot) Read(m *Message) (msg amp.Message, err error) {
	data, err := tree.ReadFile(s.Path, m.Key, amp.MaxStored)
	if err == nil {
		msg, err = amp.ParseMessage(data)
	}
	if err != nil {
		return amp.Message{}, fmt.Errorf("mailbox: read %q: %w", m.Key, disk.Cause(err))
	}
	return msg, nil
}

// Whole reports whether the excerpt is the whole text, so that a search need not read the file.
func (m *Message) Whole() bool { return m.Err == nil && len(m.Excerpt) <= maxExcerpt-utf8.UTFMax }
