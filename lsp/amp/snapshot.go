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

// Placed is the message in its thread.
func (s Located) Placed() *Placed { return &s.Thread.Messages[s.At] }

type finder struct {
	once   sync.Once
	places map[string]Located
	ids    map[string][]*Message
	signed map[signedKey][]*Message // in the order in which they came
}

// signedKey are what was said and signed in the inbox of a mailbox.
type signedKey struct {
	in     *Mailbox
	digest [sha256.Size]byte
}

func (s *Snapshot) found() *finder {
	f := &s.find
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
					if w := (signedKey{m.Mailbox, m.signedDigest}); m.Box == Inbox && m.SignatureID != "" {
						f.signed[w] = append(f.signed[w], m)
					}
				}
			}
		}
		for _, same := range f.signed {
			slices.SortFunc(same, earlier)
		}
	})
	return f
}

// Thread returns a thread by its id, or nil. msg- and msg_ are one.
func (s *Snapshot) Thread(id string) *Thread {
	if c, ok := canonicalID(id); ok {
		id = c
	}
	return s.byID[id]
}

// Message finds a message by its key: its thread, and its index there. A copy has the
// index of the message whose copy it is. It returns nil and -1 if there is none.
func (s *Snapshot) Message(key string) (t *Thread, at int) {
	p, ok := s.found().places[key]
	if !ok {
		return nil, -1
	}
	return p.Thread, p.At
}

// ByID returns the messages of an id, copies included, each after what it is a copy
// of. Ids are not signed, so that several may differ in everything else. msg- and
// msg_ are one. The result is shared.
func (s *Snapshot) ByID(id string) []*Message {
	id, _ = canonicalID(id)
	return s.found().ids[id]
}

// Files returns all files that hold the message, the first of them first.
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

// Mailbox returns the mailbox whose owner's name, last part of the folder or address is
// name, in any case. It returns nil if there is none, and if several have the name: a name
// is only what somebody wrote.
func (s *Root) Mailbox(name string) *Mailbox {
	return s.only(func(m *Mailbox) bool { return m.called(name) })
}

func (m *Mailbox) called(name string) bool {
	a, address := amp.ParseAddress(name)
	return name != "" && strings.EqualFold(m.Name, name) || m.Dir != "." && strings.EqualFold(tree.Base(m.Dir), name) || address && m.has(a)
}

// Called returns the folders of the mailboxes whose owner's name, last part of the folder or
// address is name, in any case.
func (s *Root) Called(name string) (dirs []string) {
	for _, m := range s.Mailboxes {
		if m.called(name) {
			dirs = append(dirs, m.Dir)
		}
	}
	return dirs
}

// Owner returns the mailbox of an address. It returns nil if there is none, and if
// several claim it.
func (s *Root) Owner(addr amp.Address) *Mailbox {
	return s.only(func(m *Mailbox) bool { return m.has(addr) })
}

func (s *Root) only(ok func(m *Mailbox) bool) (one *Mailbox) {
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

// When is the time by which messages are ordered, in Unix milliseconds: when it was
// written, and no later than it came; else when its file changed last.
func (m *Message) When() int64 {
	if m.Received != 0 && m.Time > m.Received {
		return m.Received
	}
	return cmp.Or(m.Time, m.Received, m.Modified)
}

// Read reads a message as it is in its file now, which may be another one than when the
// snapshot was made. The error is a file error, whose text begins with the key in quotes,
// or wraps an *[canon.Fault].
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

// Whole reports whether the excerpt is all of the text, so that a search need not
// read the file.
func (m *Message) Whole() bool { return m.Err == nil && len(m.Excerpt) <= maxExcerpt-utf8.UTFMax }
