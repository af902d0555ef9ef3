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

// maxSeen is how many signatures are remembered. The oldest are forgotten first:
// only a known sender's own messages are taken up, so that nobody else can push
// them out.
const maxSeen = 20_000

const maxSeenFile = 8 << 20

type seenKey [sha256.Size]byte

type sighting struct {
	id      string
	deleted bool // set where the user deleted it
}

// Seen remembers which message first had a signature, for when that message is deleted and
// somebody delivers it again: hashes and message ids, in a file that several processes
// share. Damaged lines are passed over. A nil Seen knows nothing.
type Seen struct {
	file  *statefile.File      // its lock guards what follows
	by    map[seenKey]sighting // holds what the file says and what is new; order is the oldest first
	order []seenKey
	fresh map[seenKey]bool // those that the file does not have so
}

// SeenPath is the file of seen signatures: one for all who read mail as this user,
// outside of all mailboxes.
func SeenPath(env environ.Env) string { return filepath.Join(env.StateDir(), "amp", "seen.txt") }

// SeenAt is what the file at an absolute path remembers. [Seen.Sync] reads it.
func SeenAt(path string) *Seen {
	s := &Seen{by: map[seenKey]sighting{}, fresh: map[seenKey]bool{}}
	s.file = statefile.At(statefile.Config{Path: path, What: "mailbox: seen signatures in", Limit: maxSeenFile, Take: s.take})
	return s
}

func (m *Message) seenKey() seenKey {
	return sha256.Sum256([]byte(m.Mailbox.Path + "\x00" + m.SignatureID))
}

func (s *Seen) of(m *Message) sighting {
	if s == nil {
		return sighting{}
	}
	s.file.Lock()
	defer s.file.Unlock()
	return s.by[m.seenKey()]
}

// note takes up that a message with this id was the first that had a signature.
func (s *Seen) note(m *Message, id string) {
	if _, ok := amp.ParseID(id); !ok || s == nil {
		return
	}
	s.file.Lock()
	defer s.file.Unlock()
	if _, known := s.by[m.seenKey()]; !known {
		s.put(m.seenKey(), sighting{id: id})
		s.fresh[m.seenKey()] = true
	}
}

// Deleted takes up that the user deleted a message from their inbox for good. One
// whose signature was never found to fit is not remembered.
func (s *Seen) Deleted(m *Message) {
	if s == nil || m.Box != Inbox {
		return
	}
	s.file.Lock()
	defer s.file.Unlock()
	k := m.seenKey()
	if first, known := s.by[k]; known && sameMail(first.id, m.ID) {
		s.put(k, sighting{first.id, true})
		s.fresh[k] = true
	}
}

// put adds a sighting or changes one. s.file is locked.
func (s *Seen) put(k seenKey, v sighting) {
	if _, known := s.by[k]; !known {
		s.order = append(s.order, k)
	}
	s.by[k] = v
	for len(s.order) > maxSeen {
		delete(s.by, s.order[0])
		delete(s.fresh, s.order[0])
		s.order = s.order[1:]
	}
}

// Sync reads what other processes remembered since, and, with write, saves what is
// new. After an error nothing is forgotten that is in memory.
func (s *Seen) Sync(ctx context.Context, write bool) error {
	s.file.Lock()
	news := len(s.fresh) > 0
	s.file.Unlock()
	if !write || !news {
		return s.file.Look()
	}
	return s.file.Change(ctx, func(replace func([]byte) error) error {
		err := replace(s.format())
		if err == nil {
			clear(s.fresh)
		}
		return err
	})
}

// take takes in what the file holds and adds what is new to it. What the file says of
// a signature came before.
func (s *Seen) take(data []byte) error {
	if data == nil {
		return nil
	}
	was, order, fresh := s.by, s.order, s.fresh
	s.by, s.order, s.fresh = make(map[seenKey]sighting, len(was)), nil, map[seenKey]bool{}
	for line := range bytes.Lines(data) {
		if k, v, ok := parseSeen(string(line)); ok {
			s.put(k, v)
		}
	}
	for _, k := range order {
		if !fresh[k] {
			continue
		}
		v := was[k]
		if first, known := s.by[k]; known {
			v = sighting{first.id, v.deleted || first.deleted}
		}
		s.put(k, v)
		s.fresh[k] = true
	}
	return nil
}

// A line is a hash, an id, and perhaps a word.
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
		out = append(out, s.by[k].id...)
		if s.by[k].deleted {
			out = append(append(out, ' '), deletedWord...)
		}
		out = append(out, '\n')
	}
	return out
}
