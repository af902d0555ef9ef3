package atsf

import (
	"context"
	"path"
	"path/filepath"

	"github.com/fsnotify/fsnotify"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/disk/follow"
)

// target is a watched directory. If something in it changes, its folder is looked at, or
// everything if it has no folder.
type target struct {
	folder string // an ID
	// names are the entries that matter; nil means all.
	names map[string]bool
}

// source is the workspace of a [Live]. Only its follower's goroutine uses it. Its paths are
// absolute, since checkouts may be anywhere.
type source struct {
	*state
	live *Live
	// budget is the largest number of watched directories. targets are the directories that
	// Folders returned last, by path.
	budget  int
	targets map[string]target
}

// Look looks at the planned paths, and publishes changes.
func (s *source) Look(ctx context.Context, todo follow.Todo) (r follow.Looked) {
	first := s.project == nil
	var c Change
	var err error
	if todo.All {
		c, err = s.refresh(ctx)
	} else {
		c, err = s.refreshPaths(ctx, todo.Paths)
	}
	if err != nil {
		return r
	}
	if !c.empty() {
		s.publish(c)
	}
	r.Folders = c.Folders || !s.watches(c.Threads) || !s.watches(s.incomplete())
	if first || todo.Poll {
		s.save()
	}
	return r
}

func (s *source) publish(c Change) {
	snap := s.snapshot()
	c.Revision = snap.Revision
	s.live.snap.Store(snap)
	s.cfg.Changed(c)
}

// Watched records how far the system reports changes.
func (s *source) Watched(w follow.Watched) {
	if w != s.watched {
		s.watched = w
		s.publish(Change{Folders: true})
	}
}

// watches reports whether the directories of these threads are among the targets.
func (s *source) watches(threads []Key) bool {
	for _, k := range threads {
		f := s.folders[k.Folder]
		if f == nil {
			return false
		}
		if _, ok := s.targets[filepath.ToSlash(threadPath(&f.Folder, k.Name))]; !ok {
			return false
		}
	}
	return true
}

// Wants reports whether a path belongs to a thread, or to what git says of branches.
func (s *source) Wants(path string, _ fsnotify.Op) bool {
	_, ok := s.about(path)
	return ok
}

// about returns the target that a changed path belongs to.
func (s *source) about(p string) (target, bool) {
	if t, ok := s.targets[p]; ok {
		return t, true
	}
	t, ok := s.targets[path.Dir(p)]
	return t, ok && (t.names == nil || t.names[path.Base(p)])
}

// refreshPaths looks at the folders that the paths belong to.
func (s *source) refreshPaths(ctx context.Context, paths []string) (Change, error) {
	folders := make(map[string]bool)
	for _, p := range paths {
		t, ok := s.about(p)
		if ok && t.folder == "" {
			return s.refresh(ctx)
		}
		folders[t.folder] = true
	}
	return s.refreshSome(ctx, folders)
}

// Folders lists the directories to watch, most important first: those that new directories
// appear in, then the threads, newest first.
func (s *source) Folders() []string {
	list := []string{}
	s.targets = make(map[string]target)
	add := func(dir string, t target) {
		at := filepath.ToSlash(dir)
		if _, twice := s.targets[at]; twice {
			return
		}
		list = append(list, at)
		if len(list) <= s.budget {
			s.targets[at] = t
		}
	}
	for _, dir := range s.project.gitDirs {
		if exists(dir) {
			add(dir, target{names: gitNames(dir)})
		}
	}
	for _, f := range s.order {
		switch {
		case f.Gone || f.Err != nil:
		case !f.Agent:
			add(f.Path, target{names: map[string]bool{atsf.DirName: true}})
		default:
			add(agentPath(&f.Folder), target{names: map[string]bool{atsf.ThreadsName: true}})
			if at := threadPath(&f.Folder, ""); exists(at) {
				add(at, target{folder: f.ID})
			}
		}
	}
	thread := func(k Key) {
		if f := s.folders[k.Folder]; f != nil && f.Agent {
			add(threadPath(&f.Folder, k.Name), target{f.ID, map[string]bool{atsf.ThreadName: true, atsf.MessagesName: true}})
		}
	}
	// Unfinished threads are newer than all others.
	for _, k := range s.incomplete() {
		thread(k)
	}
	for _, item := range s.items() {
		if !item.Gone {
			thread(Key{item.Folder, item.Name})
		}
	}
	return list
}

// gitNames returns the entries of a git directory that concern branches and worktrees, or nil
// for all.
func gitNames(dir string) map[string]bool {
	if filepath.Base(dir) == "worktrees" {
		return nil
	}
	return map[string]bool{"HEAD": true, "worktrees": true, "gitdir": true, "locked": true}
}

// agentPath returns a folder's .agent.
func agentPath(f *Folder) string { return filepath.Join(f.Path, atsf.DirName) }

// threadPath returns the directory of a thread, or of all threads if name is empty.
func threadPath(f *Folder, name string) string {
	return filepath.Join(f.Path, atsf.DirName, atsf.ThreadsName, name)
}
