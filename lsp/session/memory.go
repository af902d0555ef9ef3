package session

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/signalbox-dev/signalbox/core/session"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/statefile"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

const (
	memoryName = "transcripts.cache"
	// memoryHead is the first line of the file. Raise its number when an unchanged transcript
	// would be listed differently.
	memoryHead = `{"transcripts":4}`
	// memoryBytes is the largest length of the file: 2,000 sessions take 2 MB. The transcripts
	// that changed last are kept.
	memoryBytes = 16 << 20
	// usualMemo is the usual largest length of a line in the file.
	usualMemo = 1 << 10
	// memoryWorth is how many transcripts a process must have read for the first time to write the
	// file. Reading fewer is faster than writing it.
	memoryWorth = 20
)

// memory caches what earlier processes found in transcripts, in one file that can be lost at
// any time. It is loaded at the first use, and used by several goroutines.
type memory struct {
	env  environ.Env
	file *statefile.File
	// held is the file's content, by path. It is guarded by the file's lock.
	held map[string]memo
	// known returns the file's content at the first look, which is never changed.
	known func() map[string]memo

	mu    sync.Mutex
	added map[string]memo // guarded by mu: transcripts read since then
}

// memo is the result of reading one transcript, without keys and tokens.
type memo struct {
	Path string `json:"path"` // absolute
	tree.Stamp
	// Beside are the stamps of the files beside it, zero if one does not exist.
	Beside []tree.Stamp `json:"beside,omitempty"`
	found
}

// found is the content of a transcript's beginning and end.
type found struct {
	// Folders may show in which checkout it belongs, the best first.
	Folders []string `json:"folders,omitempty"`
	// Sessions are its own session and its subagents'. There are none if it belongs in no
	// checkout, because they were not searched for.
	Sessions []summary `json:"sessions,omitempty"`
	// Unlisted is the reason why no list can have it, Fault why it cannot be read to its end.
	Unlisted string `json:"unread,omitempty"`
	Fault    string `json:"fault,omitempty"`
}

// summary is everything known about one session.
type summary struct {
	Agent string        `json:"agent,omitempty"`
	Facts session.Facts `json:"facts"`
}

func newMemory(env environ.Env) *memory {
	m := &memory{env: env, added: make(map[string]memo)}
	m.file = statefile.At(statefile.Config{
		Path: filepath.Join(env.StateDir(), memoryName), What: "transcript:", Limit: memoryBytes, Cache: true,
		Take: func(data []byte) error {
			m.held = memos(data)
			return nil
		},
	})
	m.known = sync.OnceValue(func() map[string]memo {
		_ = m.file.Look() // if the file cannot be read, everything is read again
		m.file.Lock()
		defer m.file.Unlock()
		return m.held
	})
	return m
}

// Forget removes the cache file.
func Forget(env environ.Env) error {
	root, err := disk.OpenRoot(env.StateDir())
	if err == nil {
		defer root.Close()
		err = root.Remove(memoryName)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// memos parses the file. It skips what it does not understand.
func memos(data []byte) map[string]memo {
	head, rest, _ := bytes.Cut(data, []byte("\n"))
	if string(head) != memoryHead {
		return nil
	}
	list := make(map[string]memo)
	for line := range bytes.Lines(rest) {
		var it memo
		if json.Unmarshal(line, &it) == nil {
			list[it.Path] = it
		}
	}
	return list
}

// at returns what an earlier process found in a transcript, unless that has changed.
func (m *memory) at(path string, stamp tree.Stamp, beside []tree.Stamp) (found, bool) {
	it, ok := m.known()[path]
	return it.found, ok && it.Stamp == stamp && slices.Equal(it.Beside, beside)
}

// add stores a result, for [memory.save]. It does nothing if the memory is nil.
func (m *memory) add(it memo) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.added[it.Path] = it
}

// save writes the stored results, if that is worthwhile, and keeps those of other processes.
func (m *memory) save(ctx context.Context) error {
	m.mu.Lock()
	added := m.added
	m.added = make(map[string]memo) // other looks may still be running
	m.mu.Unlock()
	if len(added) < memoryWorth {
		return nil
	}
	err := m.file.Change(ctx, func(replace func([]byte) error) error { return replace(text(added, m.held)) })
	if err != nil && ctx.Err() == nil {
		// The file is longer than we write, or not a regular file. The next process starts anew.
		err = errors.Join(err, Forget(m.env))
	}
	return err
}

// text returns the file's new content: the new results, and the old ones of transcripts that
// did not change. A process for other checkouts finds only a transcript's folders, so the old
// sessions are kept.
func text(added, held map[string]memo) []byte {
	all := maps.Clone(added)
	for path, old := range held {
		now, ok := all[path]
		switch {
		case ok && now.Stamp == old.Stamp && len(now.Sessions) == 0 && slices.Equal(now.Beside, old.Beside):
			now.Sessions = old.Sessions
			all[path] = now
		case !ok && stampOf(path) == old.Stamp:
			all[path] = old
		}
	}
	data := append(make([]byte, 0, min(memoryBytes, 1+len(all)*usualMemo)), memoryHead+"\n"...)
	byAge := func(a, b memo) int { return cmp.Or(cmp.Compare(b.Mtime, a.Mtime), cmp.Compare(a.Path, b.Path)) }
	for _, it := range slices.SortedFunc(maps.Values(all), byAge) {
		line, err := json.Marshal(it)
		if err != nil || len(data)+len(line) >= memoryBytes {
			break
		}
		data = append(append(data, line...), '\n')
	}
	return data
}

// stampOf returns a file's stamp, or zero.
func stampOf(path string) tree.Stamp {
	info, err := os.Lstat(path)
	if err != nil {
		return tree.Stamp{}
	}
	return tree.StampOf(info)
}
