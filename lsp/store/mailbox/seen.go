package mailbox

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/lsp/store"
	"github.com/signalbox-dev/signalbox/lsp/store/disk"
	"github.com/signalbox-dev/signalbox/lsp/store/filelock"
)

// maxSeen is how many signatures are remembered. The oldest are forgotten first:
// only a known sender's own messages are taken up, so that nobody else can push
// them out.
const maxSeen = 20_000

// maxSeenFile is longer than the lines of as many.
const maxSeenFile = 8 << 20

// seenKey names a signature in a mailbox's inbox.
type seenKey [sha256.Size]byte

// sighting is the message that was first seen with a signature.
type sighting struct {
	id string
	// deleted tells that the user deleted it.
	deleted bool
}

// Seen remembers which message first had a signature, for when that message is
// deleted and somebody delivers it again. It holds hashes and message ids, in a file
// that several processes share. A line that is damaged is passed over, and the others
// count. Its methods may be called from everywhere; a nil Seen knows nothing.
type Seen struct {
	path string
	disk disk.Disk
	// hook is told of each step of a write: for tests.
	hook func(step string) error

	mu   sync.Mutex // guards what follows
	file fs.FileInfo
	// by holds what the file says and what is new; order is the oldest first.
	by    map[seenKey]sighting
	order []seenKey
	// fresh are those that the file does not have so.
	fresh map[seenKey]bool
}

// SeenPath is the file of seen signatures: one for all who read mail as this user,
// outside of all mailboxes.
func SeenPath(env store.Env) string { return filepath.Join(env.StateDir(), "amp", "seen.txt") }

// SeenAt is what the file at an absolute path remembers. [Seen.Keep] reads it.
func SeenAt(path string) *Seen {
	return &Seen{path: path, by: map[seenKey]sighting{}, fresh: map[seenKey]bool{}}
}

func (m *Message) seenKey() seenKey {
	return sha256.Sum256([]byte(m.Mailbox.Path + "\x00" + m.SignatureID))
}

// of returns what was seen first with the signature of a message.
func (s *Seen) of(m *Message) sighting {
	if s == nil {
		return sighting{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.by[m.seenKey()]
}

// note takes up that a message with this id was the first that had a signature.
func (s *Seen) note(m *Message, id string) {
	if _, ok := amp.ParseID(id); !ok || s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
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
	s.mu.Lock()
	defer s.mu.Unlock()
	k := m.seenKey()
	if first, known := s.by[k]; known && sameMail(first.id, m.ID) {
		s.put(k, sighting{first.id, true})
		s.fresh[k] = true
	}
}

// put adds a sighting or changes one. s.mu is held.
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

// Keep reads what other processes remembered since, and, with write, saves what is
// new. After an error nothing is forgotten that is in memory.
func (s *Seen) Keep(ctx context.Context, write bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.keep(ctx, write)
	if err != nil {
		err = fmt.Errorf("mailbox: seen signatures in %q: %w", s.path, disk.Cause(err))
	}
	return err
}

func (s *Seen) keep(ctx context.Context, write bool) error {
	if !write || len(s.fresh) == 0 {
		return s.look()
	}
	dir, name := filepath.Split(s.path)
	root, err := s.disk.MakeRoot(dir, disk.PrivateDir)
	if err != nil {
		return err
	}
	defer root.Close()
	lock, err := filelock.Take(ctx, root, name+".lock", disk.PrivateFile)
	if err != nil {
		return err
	}
	defer lock.Release()
	sweep(root, name+"-")
	if err := s.read(root, name); err != nil {
		return err
	}
	w := disk.Whole{Root: root, Private: true, Tag: name + "-", Hook: s.hook}
	if err := w.Replace(name, s.format()); err != nil {
		return err
	}
	clear(s.fresh)
	if info, err := root.Lstat(name); err == nil {
		s.file = info
	}
	return nil
}

// look reads the file if it changed.
func (s *Seen) look() error {
	info, err := os.Lstat(s.path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && s.file != nil && os.SameFile(info, s.file) && info.Size() == s.file.Size() && info.ModTime().Equal(s.file.ModTime()) {
		return nil
	}
	if err != nil {
		return err
	}
	root, err := s.disk.OpenRoot(filepath.Dir(s.path))
	if err != nil {
		return err
	}
	defer root.Close()
	return s.read(root, filepath.Base(s.path))
}

// read takes what the file says and adds what is new to it. What the file says of a
// signature came before.
func (s *Seen) read(root *disk.Root, name string) error {
	data, info, err := root.ReadRegular(name, maxSeenFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	was, order, fresh := s.by, s.order, s.fresh
	s.by, s.order, s.fresh, s.file = make(map[seenKey]sighting, len(was)), nil, map[seenKey]bool{}, info
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
