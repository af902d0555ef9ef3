package samp

import (
	"bytes"
	"errors"
	"fmt"
	"hash/maphash"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// Key names a message in Signalbox's own state: sender and effective id, as
// ids alone can be forged.
type Key struct{ From, ID string }

// KeyOf returns a found message's key.
func KeyOf(f *samp.Found) Key { return Key{f.From, f.Key} }

// ReadState is what one reader has read of one directory, message by message.
// It is a journal outside the message directory: a line "r from:id" marks a
// message read, "u from:id" unread, and the last line about a message counts.
// "m 1777118400 2" is the watermark that we left in the directory: its time, and how
// many messages it names.
// Several processes may append to it, and its methods may be called from
// everywhere.
type ReadState struct {
	disk disk.Disk
	path string
	// seed is secret, so that nobody can write two messages of one hash.
	seed maphash.Seed

	mu sync.RWMutex // guards everything below
	// offset is how far the journal has been read.
	offset int64
	// synced is how far the journal is known to be on the disk.
	synced int64
	// read holds hashes of the messages that are marked read, and odd those of them whose
	// id is no 16 hexadecimal digits. A million messages are read in a few months.
	read   map[uint64]struct{}
	odd    map[Key]struct{}
	exists bool
	// left is our last watermark; nil where there was none yet.
	left *leftMark
}

// leftMark is what is remembered of a watermark.
type leftMark struct {
	ts  int64
	ids int
}

// OpenReadState reads the journal of a reader. A missing one is an empty state
// whose Exists is false; nothing is created before something is marked.
func OpenReadState(stateDir string, d *Dir, me string) (*ReadState, error) {
	s := &ReadState{
		disk: d.root.Disk(),
		path: readStatePath(stateDir, d, me),
		seed: maphash.MakeSeed(),
		read: make(map[uint64]struct{}), odd: make(map[Key]struct{}),
	}
	return s, s.refresh(nil)
}

func readStatePath(stateDir string, d *Dir, me string) string {
	return filepath.Join(stateDir, "read", d.ID()+"-"+me+".log")
}

// Path is where the journal lies.
func (s *ReadState) Path() string { return s.path }

// Exists reports whether the journal has been written by anybody.
func (s *ReadState) Exists() bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.exists
}

// Has reports whether a message is marked read.
func (s *ReadState) Has(k Key) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.has(k)
}

func (s *ReadState) has(k Key) bool {
	_, ok := s.read[s.hash(k)]
	return ok
}

func (s *ReadState) hash(k Key) uint64 { return maphash.Comparable(s.seed, k) }

func (s *ReadState) hasHash(h uint64) bool {
	_, ok := s.read[h]
	return ok
}

// Odd returns the read messages whose id is no 16 hexadecimal digits.
func (s *ReadState) Odd() []Key {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Collect(maps.Keys(s.odd))
}

// set changes a message's mark.
func (s *ReadState) set(k Key, read bool) {
	odd := !regular(k.ID)
	if read {
		s.read[s.hash(k)] = struct{}{}
		if odd {
			s.odd[Key{strings.Clone(k.From), strings.Clone(k.ID)}] = struct{}{}
		}
		return
	}
	delete(s.read, s.hash(k))
	delete(s.odd, k)
}

// regular reports whether an id has the form of §3.
func regular(id string) bool {
	return len(id) == 16 && strings.Trim(id, "0123456789abcdef") == ""
}

// Refresh reads what other processes have appended, and returns the keys whose mark is
// new.
func (s *ReadState) Refresh() (changed []Key, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	err = s.refresh(&changed)
	return changed, err
}

// refresh adds the keys whose mark is new to changed, unless that is nil.
func (s *ReadState) refresh(changed *[]Key) error {
	info, err := os.Stat(s.path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && s.exists && info.Size() == s.offset {
		return nil
	}
	if err != nil {
		return fmt.Errorf("store: read state: %w", err)
	}
	f, err := os.Open(s.path)
	if err != nil {
		return fmt.Errorf("store: read state: %w", err)
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return fmt.Errorf("store: read state: %w", err)
	}
	s.exists = true
	if info.Size() < s.offset {
		// Somebody made the journal anew; what it says now counts.
		s.offset, s.synced = 0, 0
		s.left = nil
		clear(s.read)
		clear(s.odd)
	}
	return s.readOn(f, info.Size(), changed)
}

// journalPart is how much of a journal is read or written at once, unless a line is longer.
const journalPart = 1 << 20

// readOn reads the rest of the journal.
func (s *ReadState) readOn(f *os.File, size int64, changed *[]Key) error {
	var part []byte
	for length := int64(journalPart); s.offset < size; {
		length = min(length, size-s.offset)
		part = slices.Grow(part[:0], int(length))[:length]
		n, err := f.ReadAt(part, s.offset)
		if n < len(part) && err != nil {
			return fmt.Errorf("store: read state: %w", err)
		}
		end := bytes.LastIndexByte(part, '\n') + 1
		if end == 0 && length == size-s.offset {
			break // an unfinished last line is read when it is finished
		}
		if end == 0 {
			length *= 2
			continue
		}
		s.offset += int64(end)
		s.apply(string(part[:end]), changed)
		length = journalPart
	}
	return nil
}

func (s *ReadState) apply(journal string, changed *[]Key) {
	for line := range strings.Lines(journal) {
		mark, rest, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if mark == "m" {
			s.applyLeft(rest)
			continue
		}
		from, id, named := strings.Cut(rest, ":")
		if !ok || !named || mark != "r" && mark != "u" {
			continue
		}
		k := Key{unescape(from), unescape(id)}
		if s.has(k) == (mark == "r") {
			continue
		}
		s.set(k, mark == "r")
		if changed != nil {
			*changed = append(*changed, k)
		}
	}
}

func (s *ReadState) applyLeft(text string) {
	var left leftMark
	if n, _ := fmt.Sscanf(text, "%d %d", &left.ts, &left.ids); n == 2 {
		s.left = &left
	}
}

// Mark appends marks for messages whose state differs. It returns the keys whose mark is
// new, as [ReadState.Refresh] does, including those that others marked.
func (s *ReadState) Mark(keys []Key, read bool) ([]Key, error) {
	return s.mark(slices.Values(keys), read, nil)
}

// Left returns the time of the watermark that Signalbox left in the directory, or
// found there and took for read, when it last looked. ours reports whether w is that
// watermark. ok is false where it never looked.
func (s *ReadState) Left(w samp.Watermark) (ts int64, ours, ok bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.left == nil {
		return 0, false, false
	}
	return s.left.ts, *s.left == leftMark{w.TS, len(w.IDs)}, true
}

// Leave marks messages read and remembers the watermark that is about to be written. If
// the directory's watermark is another one later, another tool wrote it.
func (s *ReadState) Leave(keys iter.Seq[Key], w samp.Watermark) error {
	_, err := s.mark(keys, true, &leftMark{w.TS, len(w.IDs)})
	return err
}

// mark appends marks and, unless it is nil, what is remembered of a watermark.
func (s *ReadState) mark(keys iter.Seq[Key], read bool, left *leftMark) (changed []Key, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.refresh(&changed); err != nil {
		return nil, err
	}
	mark := "u "
	if read {
		mark = "r "
	}
	var out []byte
	if left != nil && (s.left == nil || *s.left != *left) {
		out = fmt.Appendf(nil, "m %d %d\n", left.ts, left.ids)
	}
	given, written := 0, int64(0)
	for k := range keys {
		if given++; s.has(k) == read {
			continue
		}
		out = append(append(append(out, mark...), escapes.Replace(k.From)...), ':')
		out = append(append(out, escapes.Replace(k.ID)...), '\n')
		if len(out) >= journalPart {
			if err := s.append(out); err != nil {
				return changed, fmt.Errorf("store: save read state: %w", err)
			}
			written += int64(len(out))
			out = out[:0]
		}
	}
	// What others marked must be on the disk too before we rely on it.
	if len(out) == 0 && written == 0 && s.exists && (given == 0 || s.synced == s.offset) {
		return changed, nil
	}
	if err := s.append(out); err != nil {
		return changed, fmt.Errorf("store: save read state: %w", err)
	}
	s.synced = s.offset + written + int64(len(out))
	if written > 0 && left != nil {
		// They are taken in by the next look: who marks so much is about to end.
		s.left = left
		return changed, nil
	}
	err = s.refresh(&changed)
	return changed, err
}

func (s *ReadState) append(out []byte) error {
	root, err := s.disk.MakeRoot(filepath.Dir(s.path), disk.PrivateDir)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := journal(root, filepath.Base(s.path), out); err != nil {
		return fmt.Errorf("%q: %w", s.path, disk.Cause(err))
	}
	return nil
}

// An id is any string that a stranger wrote, and a sender anything a file may be called.
// Escaped, neither can end a line or a field of the journal.
var (
	escapes   = strings.NewReplacer(`\`, `\\`, "\n", `\n`, ":", `\c`)
	unescapes = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\c`, ":")
)

func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	return unescapes.Replace(s)
}
