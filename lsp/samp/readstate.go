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

// Key identifies a message in Signalbox's own state by its sender and effective id: an id
// alone can be forged.
type Key struct{ From, ID string }

// KeyOf returns a found message's key.
func KeyOf(f *samp.Found) Key { return Key{f.From, f.Key} }

// ReadState records which messages of one directory a reader has read, one by one. It is a journal
// outside the message directory: a line "r from:id" marks a message read, "u from:id" unread, and
// the last line about a message counts. "m 1777118400 2" is the watermark that we last wrote to the
// directory: its time, and the number of messages it names. Several processes may append to the
// journal. A ReadState is safe for concurrent use.
type ReadState struct {
	disk disk.Disk
	path string
	// seed is secret, so that no one can write two messages with one hash.
	seed maphash.Seed

	mu sync.RWMutex // guards everything below
	// offset is how far the journal has been read.
	offset int64
	// synced is how far the journal is known to be on the disk.
	synced int64
	// read holds hashes of the messages that are marked read, since a reader may read a
	// million messages in a few months. irregular holds the keys of the read
	// messages whose id isn't 16 hexadecimal digits.
	read      map[uint64]struct{}
	irregular map[Key]struct{}
	exists    bool
	// last is our last watermark, or nil if there is none yet.
	last *lastMark
}

// lastMark is the time of a watermark and the number of messages it names.
type lastMark struct {
	ts  int64
	ids int
}

// OpenReadState reads the journal of a reader. If it is missing, the state is empty and
// [ReadState.Exists] returns false. The journal is created when something is marked.
func OpenReadState(stateDir string, d *Dir, me string) (*ReadState, error) {
	s := &ReadState{
		disk: d.root.Disk(),
		path: readStatePath(stateDir, d, me),
		seed: maphash.MakeSeed(),
		read: make(map[uint64]struct{}), irregular: make(map[Key]struct{}),
	}
	return s, s.refresh(nil)
}

func readStatePath(stateDir string, d *Dir, me string) string {
	return filepath.Join(stateDir, "read", d.ID()+"-"+me+".log")
}

// Path returns the journal's path.
func (s *ReadState) Path() string { return s.path }

// Exists reports whether there is a journal.
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

// Irregular returns the read messages whose id isn't 16 hexadecimal digits.
func (s *ReadState) Irregular() []Key {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Collect(maps.Keys(s.irregular))
}

func (s *ReadState) set(k Key, read bool) {
	if read {
		s.read[s.hash(k)] = struct{}{}
		if !regular(k.ID) {
			s.irregular[Key{strings.Clone(k.From), strings.Clone(k.ID)}] = struct{}{}
		}
		return
	}
	delete(s.read, s.hash(k))
	delete(s.irregular, k)
}

// regular reports whether an id has the form of §3.
func regular(id string) bool {
	return len(id) == 16 && strings.Trim(id, "0123456789abcdef") == ""
}

// Refresh reads the lines that other processes have appended, and returns the keys whose mark
// changed.
func (s *ReadState) Refresh() (changed []Key, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	err = s.refresh(&changed)
	return changed, err
}

// refresh is [ReadState.Refresh] without the lock. It appends the keys to changed, unless
// changed is nil.
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
		// The journal was replaced. Only its present content counts.
		s.offset, s.synced = 0, 0
		s.last = nil
		clear(s.read)
		clear(s.irregular)
	}
	return s.readRest(f, info.Size(), changed)
}

// journalPart is how much of a journal is read or written at once, unless a line is longer.
const journalPart = 1 << 20

// readRest reads the rest of the journal.
func (s *ReadState) readRest(f *os.File, size int64, changed *[]Key) error {
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
			s.applyLast(rest)
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

func (s *ReadState) applyLast(text string) {
	var last lastMark
	if n, _ := fmt.Sscanf(text, "%d %d", &last.ts, &last.ids); n == 2 {
		s.last = &last
	}
}

// Mark appends marks for messages whose state differs. Like [ReadState.Refresh], it returns the
// keys whose mark changed, including those that other processes marked.
func (s *ReadState) Mark(keys []Key, read bool) ([]Key, error) {
	return s.mark(slices.Values(keys), read, nil)
}

// LastWatermark returns the time of the watermark that Signalbox last remembered: one that it
// wrote, or one of another tool that it presumed read. ours reports whether w is that
// watermark. ok is false if none was ever remembered.
func (s *ReadState) LastWatermark(w samp.Watermark) (ts int64, ours, ok bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.last == nil {
		return 0, false, false
	}
	return s.last.ts, *s.last == lastMark{w.TS, len(w.IDs)}, true
}

// MarkWithWatermark marks messages read and remembers the watermark that is about to be
// written. If the directory later has a different watermark, another tool wrote it.
func (s *ReadState) MarkWithWatermark(keys iter.Seq[Key], w samp.Watermark) error {
	_, err := s.mark(keys, true, &lastMark{w.TS, len(w.IDs)})
	return err
}

// mark appends marks and, unless it is nil, a watermark.
func (s *ReadState) mark(keys iter.Seq[Key], read bool, last *lastMark) (changed []Key, err error) {
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
	if last != nil && (s.last == nil || *s.last != *last) {
		out = fmt.Appendf(nil, "m %d %d\n", last.ts, last.ids)
	}
	count, written := 0, int64(0)
	for k := range keys {
		if count++; s.has(k) == read {
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
	// Marks by other processes must also be on the disk before we rely on them.
	if len(out) == 0 && written == 0 && s.exists && (count == 0 || s.synced == s.offset) {
		return changed, nil
	}
	if err := s.append(out); err != nil {
		return changed, fmt.Errorf("store: save read state: %w", err)
	}
	s.synced = s.offset + written + int64(len(out))
	if written > 0 && last != nil {
		// The next refresh reads the marks. A caller that marks so many is about to end.
		s.last = last
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

// A stranger can put any text into an id, and a sender may be any valid file name. Escaped,
// neither can end a line or a field of the journal.
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
