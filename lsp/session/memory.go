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
	// memoryHead is the first line of the file. Raise its number when a list would say
	// something else of a transcript that did not change.
	memoryHead = `{"transcripts":4}`
	// memoryBytes is the length of the longest file: with 2,000 sessions it takes 2 MB. The
	// transcripts that changed last are kept.
	memoryBytes = 16 << 20
	// usualMemo is about how long a line of the file is, at most.
	usualMemo = 1 << 10
	// memoryWorth is how many transcripts were looked at for the first time by a process
	// that writes the file. Fewer take less time than writing does.
	memoryWorth = 20
)

// memory is what processes before this one found in transcripts, kept in one file that can
// be lost at any time. It is loaded when it is asked first, and used by several goroutines.
type memory struct {
	env  environ.Env
	file *statefile.File
	// held is what the file holds, by path. It is guarded by the file's lock.
	held map[string]memo
	// known returns what it held at first, which is never changed.
	known func() map[string]memo

	mu    sync.Mutex
	fresh map[string]memo // guarded by mu: what was looked at since
}

// memo is what a look found in one transcript, without keys and tokens.
type memo struct {
	Path string `json:"path"` // absolute
	tree.Stamp
	// Beside are the stamps of the files beside it, zero for one that is not there.
	Beside []tree.Stamp `json:"beside,omitempty"`
	found
}

// found is what the beginning and the end of a transcript say.
type found struct {
	// Folders are those that may say in which checkout it belongs, the first one first.
	Folders []string `json:"folders,omitempty"`
	// Sessions are its own and its subagents'. There are none if it was not looked for
	// them, since it belongs in no checkout.
	Sessions []summary `json:"sessions,omitempty"`
	// Unread is why no list can have it, Fault why it cannot be read to its end.
	Unread string `json:"unread,omitempty"`
	Fault  string `json:"fault,omitempty"`
}

// summary is what is known of one session.
type summary struct {
	Agent string        `json:"agent,omitempty"`
	Facts session.Facts `json:"facts"`
}

func newMemory(env environ.Env) *memory {
	m := &memory{env: env, fresh: make(map[string]memo)}
	m.file = statefile.At(statefile.Config{
		Path: filepath.Join(env.StateDir(), memoryName), What: "transcript:", Limit: memoryBytes, Cache: true,
		Take: func(data []byte) error {
			m.held = memos(data)
			return nil
		},
	})
	m.known = sync.OnceValue(func() map[string]memo {
		_ = m.file.Look() // without it everything is looked at
		m.file.Lock()
		defer m.file.Unlock()
		return m.held
	})
	return m
}

// Forget removes what is kept between processes.
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

// memos reads the file. What it does not understand it passes over.
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

// at returns what an earlier process found in a transcript, unless it has changed.
func (m *memory) at(path string, stamp tree.Stamp, beside []tree.Stamp) (found, bool) {
	it, ok := m.known()[path]
	return it.found, ok && it.Stamp == stamp && slices.Equal(it.Beside, beside)
}

// note keeps what was found, for [memory.save]. Without a memory it does nothing.
func (m *memory) note(it memo) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fresh[it.Path] = it
}

// save writes what was noted, if that is worth it, beside what other processes have
// written.
func (m *memory) save(ctx context.Context) error {
	m.mu.Lock()
	fresh := m.fresh
	m.fresh = make(map[string]memo) // other looks may still go on
	m.mu.Unlock()
	if len(fresh) < memoryWorth {
		return nil
	}
	err := m.file.Change(ctx, func(replace func([]byte) error) error { return replace(text(fresh, m.held)) })
	if err != nil && ctx.Err() == nil {
		// It is longer than ours are, or no file. Whoever comes next begins anew.
		err = errors.Join(err, Forget(m.env))
	}
	return err
}

// text returns the file anew: what was found now, and what the file held of other
// transcripts that are still as they were. A process that works elsewhere finds in which
// folder a transcript belongs, and no more.
func text(fresh, held map[string]memo) []byte {
	all := maps.Clone(fresh)
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

// stampOf returns the stamp of a file, or zero.
func stampOf(path string) tree.Stamp {
	info, err := os.Lstat(path)
	if err != nil {
		return tree.Stamp{}
	}
	return tree.StampOf(info)
}
