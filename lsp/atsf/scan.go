package atsf

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"time"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/disk/follow"
	projects "github.com/signalbox-dev/signalbox/lsp/worktree/project"
)

// Scan looks at everything once. Folders that cannot be read are listed with their fault; the
// error is only ctx's.
func Scan(ctx context.Context, cfg Config) (*Snapshot, error) {
	s := newState(cfg)
	if _, err := s.refresh(ctx); err != nil {
		return nil, err
	}
	snap := s.snapshot()
	s.save()
	return snap, nil
}

// state is everything known about a workspace. Only one goroutine at a time may use it.
type state struct {
	cfg      Config
	book     *projects.Book
	project  *project
	folders  map[string]*folderState // by ID
	order    []*folderState
	revision int64
	watched  follow.Watched
	memories map[string]*memory // by folder
	warned   bool
	pruned   bool
}

// folderState is a folder with the threads seen in it.
type folderState struct {
	Folder
	records map[string]*record
	// incomplete are directories without a thread's files: a program is creating a thread there,
	// or was interrupted.
	incomplete map[string]bool
}

func newState(cfg Config) *state {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	return &state{cfg: cfg, book: projects.At(cfg.StateDir), folders: make(map[string]*folderState), watched: follow.Watched{How: follow.Poll}}
}

// refresh finds the folders and looks at every thread.
func (s *state) refresh(ctx context.Context) (c Change, err error) {
	p := discover(ctx, s.cfg.Folders, s.cfg.Inside)
	c.Folders = s.project == nil || !slices.Equal(s.project.problems, p.problems)
	order := make([]*folderState, 0, len(p.places))
	for _, place := range p.places {
		f := &folderState{Folder: place}
		if err := s.look(ctx, f); err != nil {
			return c, err
		}
		order = append(order, f)
	}
	order = s.remember(ctx, p.found, order)
	if err := ctx.Err(); err != nil {
		return c, err
	}
	folders := make(map[string]*folderState, len(order))
	for _, f := range order {
		folders[f.ID] = f
		c.compare(s.folders[f.ID], f)
	}
	for id, old := range s.folders {
		if folders[id] == nil {
			c.Folders = true
			c.differ(id, old.records, nil)
		}
	}
	s.project, s.folders, s.order = p, folders, order
	return c, nil
}

// refreshSome looks at the folders, by ID, in which threads changed.
func (s *state) refreshSome(ctx context.Context, changed map[string]bool) (c Change, err error) {
	for i, old := range s.order {
		if !changed[old.ID] {
			continue
		}
		f := &folderState{Folder: old.Folder}
		f.Agent, f.Threads, f.Err, f.Problems = false, 0, nil, nil
		if err := s.look(ctx, f); err != nil {
			return c, err
		}
		if !f.Agent || f.Err != nil {
			return s.refresh(ctx)
		}
		if s.cfg.StateDir != "" {
			s.memory(f).update(f, time.Now())
			s.addGone(f, s.order)
		}
		c.compare(old, f)
		s.order[i], s.folders[f.ID] = f, f
	}
	return c, nil
}

// look lists one folder, using its old records.
func (s *state) look(ctx context.Context, f *folderState) error {
	if f.Gone {
		return nil
	}
	d, err := Open(f.Path)
	switch {
	case err == nil:
		defer d.Close()
		f.Agent = true
		var before map[string]*record
		if old := s.folders[f.ID]; old != nil {
			before = old.records
		}
		f.records, f.incomplete, f.Problems, f.Err = d.scan(ctx, before)
		f.Threads = len(f.records)
	case errors.Is(err, fs.ErrNotExist):
		// There was never a thread here, or all are gone.
	default:
		f.Err = err
		f.Problems = []Problem{{Path: filepath.Join(f.Path, atsf.DirName), Rule: "L1", Reason: err.Error(), Advice: "put a directory in its place, or remove it"}}
	}
	return ctx.Err()
}

// compare records the changes of a folder.
func (c *Change) compare(old, f *folderState) {
	var before map[string]*record
	if old != nil {
		before = old.records
	}
	c.Folders = c.Folders || old == nil || !sameFolder(&old.Folder, &f.Folder)
	c.differ(f.ID, before, f.records)
}

// differ records the threads that changed.
func (c *Change) differ(folder string, before, now map[string]*record) {
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if r, old := now[name], before[name]; old == nil || r.item != old.item || r.log != old.log {
			c.add(Key{folder, name})
		}
	}
	for name := range before {
		if now[name] == nil {
			c.add(Key{folder, name})
		}
	}
}

func (c *Change) add(k Key) {
	if len(c.Threads) == maxChanged {
		c.Truncated = true
		return
	}
	c.Threads = append(c.Threads, k)
}

// empty reports whether nothing changed.
func (c *Change) empty() bool { return len(c.Threads) == 0 && !c.Folders && !c.Truncated }

func sameFolder(a, b *Folder) bool {
	x, y := *a, *b
	x.Err, y.Err = nil, nil
	return text(a.Err) == text(b.Err) && reflect.DeepEqual(x, y)
}

// snapshot returns the current state.
func (s *state) snapshot() *Snapshot {
	s.revision++
	snap := &Snapshot{
		Folders: make([]Folder, 0, len(s.order)), Problems: append(slices.Clone(s.project.problems), s.watched.Problems()...),
		Watching: s.watched.How, Ready: true, Revision: s.revision,
	}
	for _, f := range s.order {
		snap.Folders = append(snap.Folders, f.Folder)
	}
	sortFolders(snap.Folders)
	snap.Items = s.items()
	return snap
}

// incomplete returns the directories in which threads may be created.
func (s *state) incomplete() []Key {
	var keys []Key
	for _, f := range s.order {
		for name := range f.incomplete {
			keys = append(keys, Key{f.ID, name})
		}
	}
	return keys
}

// items returns all threads, newest first.
func (s *state) items() []*Item {
	n := 0
	for _, f := range s.order {
		n += len(f.records)
	}
	items := make([]*Item, 0, n)
	for _, f := range s.order {
		for _, r := range f.records {
			items = append(items, r.item)
		}
	}
	slices.SortFunc(items, newest)
	return items
}
