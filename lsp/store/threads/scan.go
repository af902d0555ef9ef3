package threads

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"maps"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/disk/follow"
	projects "github.com/signalbox-dev/signalbox/lsp/store/project"
)

// Scan looks at everything once. Folders that cannot be read are listed with
// their fault; the error is the one of ctx alone.
func Scan(ctx context.Context, cfg Config) (*Snapshot, error) {
	s := newState(cfg)
	if _, err := s.refresh(ctx); err != nil {
		return nil, err
	}
	snap := s.snapshot()
	s.save()
	return snap, nil
}

// state is what is known of a workspace. It is used by one goroutine at a time.
type state struct {
	cfg      Config
	book     *projects.Book
	project  *project
	folders  map[string]*folderState // by ID
	order    []*folderState
	revision int64
	watched  follow.Watched
	memories map[string]*memory
	warned   bool
	pruned   bool
}

// folderState is a folder with the threads that were seen there.
type folderState struct {
	Folder
	records map[string]*record
	// begun are directories that hold nothing of a thread yet: somebody makes
	// one there, or did not get further.
	begun map[string]bool
	// dirty is set where the cache does not know yet.
	dirty bool
	// lost are threads that went, or whose thread.json did, a moment ago. A
	// worktree is removed file by file: what it held is what was there before
	// the first of them went.
	lost map[string]lostRecord
}

func newState(cfg Config) *state {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	return &state{cfg: cfg, book: projects.At(cfg.StateDir), folders: make(map[string]*folderState), watched: follow.Watched{How: follow.Poll}}
}

// refresh finds the folders and looks at every thread.
func (s *state) refresh(ctx context.Context) (Change, error) {
	var c Change
	p := discover(ctx, s.cfg.Folders)
	if err := ctx.Err(); err != nil {
		return c, err
	}
	if s.project == nil || !slices.Equal(s.project.problems, p.problems) {
		c.Folders = true
	}
	order := make([]*folderState, 0, len(p.places))
	folders := make(map[string]*folderState, len(p.places))
	for _, place := range p.places {
		f := &folderState{Folder: place}
		if err := s.look(ctx, f); err != nil {
			return c, err
		}
		order = append(order, f)
		folders[f.ID] = f
	}
	s.saveLost(folders)
	order = s.recall(ctx, p.found, folders, order)
	if err := ctx.Err(); err != nil {
		return c, err
	}
	for _, f := range order {
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

// look lists one folder, knowing what was there before.
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
		f.records, f.begun, f.Problems, f.Err = d.scan(ctx, before)
		f.Threads = len(f.records)
	case errors.Is(err, fs.ErrNotExist):
		// No thread was ever held here, or all are gone.
	default:
		f.Err = err
		f.Problems = []Problem{{Path: filepath.Join(f.Path, atsf.DirName), Rule: "L1", Reason: err.Error(), Advice: "put a directory in its place, or remove it"}}
	}
	return ctx.Err()
}

// compare notes what is not as it was in a folder, and whether the cache has to
// know.
func (c *Change) compare(old, f *folderState) {
	var before map[string]*record
	if old == nil || !sameFolder(&old.Folder, &f.Folder) {
		c.Folders, f.dirty = true, true
	}
	if old != nil {
		before = old.records
		f.dirty, f.lost = f.dirty || old.dirty, old.lost
	}
	if c.differ(f.ID, before, f.records) {
		f.dirty = true
		f.lose(before, f.records)
	}
}

// differ notes the threads that are not as they were, and reports whether a
// list of them is another one.
func (c *Change) differ(folder string, before, now map[string]*record) (listed bool) {
	for _, name := range slices.Sorted(maps.Keys(now)) {
		r, old := now[name], before[name]
		if r == old {
			continue
		}
		if old == nil || r.item != old.item {
			listed = true
			c.add(Key{folder, name})
		} else if r.log != old.log {
			c.add(Key{folder, name})
		}
	}
	for name := range before {
		if now[name] == nil {
			listed = true
			c.add(Key{folder, name})
		}
	}
	return listed
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

// snapshot returns what is known now.
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

// begun returns the directories in which threads are being made.
func (s *state) begun() []Key {
	var keys []Key
	for _, f := range s.order {
		for name := range f.begun {
			keys = append(keys, Key{f.ID, name})
		}
	}
	return keys
}

// items returns every thread, the newest first.
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
