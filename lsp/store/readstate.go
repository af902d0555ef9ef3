package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store/disk"
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

	mu sync.RWMutex // guards everything below
	// offset is how far the journal has been read.
	offset int64
	// lasts is how far the journal is known to be on the disk.
	lasts  int64
	read   map[Key]struct{}
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
		read: make(map[Key]struct{}),
	}
	_, err := s.Refresh()
	return s, err
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
	_, ok := s.read[k]
	return ok
}

// Select returns the read messages that keep accepts.
func (s *ReadState) Select(keep func(Key) bool) []Key {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var list []Key
	for k := range s.read {
		if keep(k) {
			list = append(list, k)
		}
	}
	return list
}

// Refresh reads what other processes have appended, and returns the keys whose mark is
// new.
func (s *ReadState) Refresh() ([]Key, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refresh()
}

func (s *ReadState) refresh() ([]Key, error) {
	info, err := os.Stat(s.path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && s.exists && info.Size() == s.offset {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("store: read state: %w", err)
	}
	f, err := os.Open(s.path)
	if err != nil {
		return nil, fmt.Errorf("store: read state: %w", err)
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return nil, fmt.Errorf("store: read state: %w", err)
	}
	s.exists = true
	if info.Size() < s.offset {
		// Somebody made the journal anew; what it says now counts.
		s.offset, s.lasts = 0, 0
		s.left = nil
		clear(s.read)
	}
	data := make([]byte, info.Size()-s.offset)
	n, err := f.ReadAt(data, s.offset)
	if n < len(data) && err != nil {
		return nil, fmt.Errorf("store: read state: %w", err)
	}
	// An unfinished last line is read when it is finished.
	data = data[:bytes.LastIndexByte(data[:n], '\n')+1]
	s.offset += int64(len(data))
	return s.apply(string(data)), nil
}

func (s *ReadState) apply(journal string) []Key {
	var changed []Key
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
		if mark == "r" {
			s.read[k] = struct{}{}
		} else {
			delete(s.read, k)
		}
		changed = append(changed, k)
	}
	return changed
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
	return s.mark(keys, read, nil)
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
func (s *ReadState) Leave(keys []Key, w samp.Watermark) error {
	_, err := s.mark(keys, true, &leftMark{w.TS, len(w.IDs)})
	return err
}

// mark appends marks and, unless it is nil, what is remembered of a watermark.
func (s *ReadState) mark(keys []Key, read bool, left *leftMark) ([]Key, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	changed, err := s.refresh()
	if err != nil {
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
	for _, k := range keys {
		if s.has(k) == read {
			continue
		}
		out = append(append(append(out, mark...), escapes.Replace(k.From)...), ':')
		out = append(append(out, escapes.Replace(k.ID)...), '\n')
	}
	// What others marked must be on the disk too before we rely on it.
	if len(out) == 0 && s.exists && (len(keys) == 0 || s.lasts == s.offset) {
		return changed, nil
	}
	if err := s.append(out); err != nil {
		return changed, fmt.Errorf("store: save read state: %w", err)
	}
	s.lasts = s.offset + int64(len(out))
	ours, err := s.refresh()
	return append(changed, ours...), err
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
