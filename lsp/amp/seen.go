package amp

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"path/filepath"
	"strings"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/lsp/disk/statefile"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// maxSeen is how many signatures are remembered. The oldest are forgotten first. Only messages
// that a known key verifies are remembered, so that nobody else can push them out.
const maxSeen = 20_000

const maxSeenFile = 8 << 20

type seenKey [sha256.Size]byte

// sighting is the message that first had a signature.
type sighting struct {
	id      string
	deleted bool // by the user
}

// Seen remembers which message first had a signature, so that a deleted message is recognised
// when somebody delivers it again. Its file holds hashes and message ids, and several processes
// share it. Damaged lines are ignored. A nil Seen remembers nothing.
type Seen struct {
	file      *statefile.File // its lock guards the other fields
	sightings map[seenKey]sighting
	order     []seenKey        // the keys of sightings, oldest first
	unsaved   map[seenKey]bool // sightings that are not in the file, or differ there
}

// SeenPath returns the file of seen signatures: one for all programs that read mail as this
// user, outside all mailboxes.
func SeenPath(env environ.Env) string { return filepath.Join(env.StateDir(), "amp", "seen.txt") }

// SeenAt returns the memory in the file at an absolute path. [Seen.Sync] reads the file.
func SeenAt(path string) *Seen {
	s := &Seen{sightings: map[seenKey]sighting{}, unsaved: map[seenKey]bool{}}
	s.file = statefile.At(statefile.Config{Path: path, What: "mailbox: seen signatures in", Limit: maxSeenFile, Take: s.take})
	return s
}

func (m *Message) seenKey() seenKey {
	return sha256.Sum256([]byte(m.Mailbox.Path + "\x00" + m.SignatureID))
}

func (s *Seen) sighting(m *Message) sighting {
	if s == nil {
		return sighting{}
	}
	s.file.Lock()
	defer s.file.Unlock()
	return s.sightings[m.seenKey()]
}

// note remembers the message with this id as the first with m's signature, unless one is known.
func (s *Seen) note(m *Message, id string) {
	if _, ok := amp.ParseID(id); !ok || s == nil {
		return
	}
	s.file.Lock()
	defer s.file.Unlock()
	if _, known := s.sightings[m.seenKey()]; !known {
		s.put(m.seenKey(), sighting{id: id})
		s.unsaved[m.seenKey()] = true
	}
}

// Deleted remembers that the user deleted a message from their inbox for good. A message whose
// signature was never verified is not remembered.
func (s *Seen) Deleted(m *Message) {
	if s == nil || m.Box != Inbox {
		return
	}
	s.file.Lock()
	defer s.file.Unlock()
	k := m.seenKey()
	if first, known := s.sightings[k]; known && sameMail(first.id, m.ID) {
		s.put(k, sighting{first.id, true})
		s.unsaved[k] = true
	}
}

// put adds or changes a sighting. s.file must be locked.
func (s *Seen) put(k seenKey, v sighting) {
	if _, known := s.sightings[k]; !known {
		s.order = append(s.order, k)
	}
	s.sightings[k] = v
	for len(s.order) > maxSeen {
		delete(s.sightings, s.order[0])
		delete(s.unsaved, s.order[0])
		s.order = s.order[1:]
	}
}

// Sync reads what other processes remembered. With write it also saves what is new. After an
// error everything in memory remains.
func (s *Seen) Sync(ctx context.Context, write bool) error {
	s.file.Lock()
	news := len(s.unsaved) > 0
	s.file.Unlock()
	if !write || !news {
		return s.file.Look()
	}
	return s.file.Change(ctx, func(replace func([]byte) error) error {
		err := replace(s.format())
		if err == nil {
			clear(s.unsaved)
		}
		return err
	})
}

// take replaces the sightings with the file's and adds the unsaved ones. For one signature, the
// file's message counts as the first.
func (s *Seen) take(data []byte) error {
	if data == nil {
		return nil
	}
	before, order, unsaved := s.sightings, s.order, s.unsaved
	s.sightings, s.order, s.unsaved = make(map[seenKey]sighting, len(before)), nil, map[seenKey]bool{}
	for line := range bytes.Lines(data) {
		if k, v, ok := parseSeen(string(line)); ok {
			s.put(k, v)
		}
	}
	for _, k := range order {
		if !unsaved[k] {
			continue
		}
		v := before[k]
		if first, known := s.sightings[k]; known {
			v = sighting{first.id, v.deleted || first.deleted}
		}
		s.put(k, v)
		s.unsaved[k] = true
	}
	return nil
}

// A line is a hash, an id, and perhaps deletedWord.
const deletedWord = "deleted"

func parseSeen(line string) (k seenKey, v sighting, ok bool) {
	words := strings.Fields(line)
	if len(words) < 2 || len(words) > 3 || len(words) == 3 && words[2] != deletedWord || !strings.HasSuffix(line, "\n") {
		return k, v, false
	}
	hash, err := base64.RawURLEncoding.DecodeString(words[0])
	if _, id := amp.ParseID(words[1]); err != nil || len(hash) != len(k) || !id {
		return k, v, false
	}
	return seenKey(hash), sighting{words[1], len(words) == 3}, true
}

func (s *Seen) format() []byte {
	var out []byte
	for _, k := range s.order {
		out = append(base64.RawURLEncoding.AppendEncode(out, k[:]), ' ')
		out = append(out, s.sightings[k].id...)
		if s.sightings[k].deleted {
			out = append(append(out, ' '), deletedWord...)
		}
		out = append(out, '\n')
	}
	return out
}
