package index

import (
	"context"
	"os"
	"path"
	"path/filepath"

	"github.com/fsnotify/fsnotify"

	"github.com/signalbox-dev/signalbox/lsp/disk/follow"
)

// source is the [follow.Source] of a [Live]: the message directory, and the folder of the
// read state, which other windows also write.
type source struct {
	*Live
	// warned is set once the warning that the system reports no changes was logged.
	warned bool
}

// Look reads the new lines of the logs that changed, or of all logs, and new marks.
func (s *source) Look(ctx context.Context, todo follow.Todo) follow.Looked {
	was := s.dir
	var names map[string]bool
	if !todo.All {
		names = make(map[string]bool, len(todo.Paths))
		for _, p := range todo.Paths {
			names[path.Base(p)] = true
			if s.folder(p) {
				names = nil // too much changed there to be listed
				break
			}
		}
	}
	s.refresh(ctx, names)
	return follow.Looked{Folders: s.dir != was}
}

// Folders returns the absolute paths of the folders that exist.
func (s *source) Folders() []string {
	list := []string{}
	if s.dir == nil {
		return list
	}
	list = append(list, filepath.ToSlash(s.dir.Path()))
	state := filepath.Dir(s.state.Path())
	if info, err := os.Stat(state); err == nil && info.IsDir() {
		list = append(list, filepath.ToSlash(state))
	}
	return list
}

func (s *source) folder(p string) bool {
	return s.dir != nil && (p == filepath.ToSlash(s.dir.Path()) || p == filepath.ToSlash(filepath.Dir(s.state.Path())))
}

// Wants reports whether an event matters. The times of a folder change with everything
// in it, which is reported as well.
func (s *source) Wants(p string, op fsnotify.Op) bool {
	return !s.folder(p) || op != fsnotify.Write && op != fsnotify.Chmod
}

// Watched logs once that the system reports no changes.
func (s *source) Watched(w follow.Watched) {
	if w.Reason != "" && !s.warned {
		s.warned = true
		s.cfg.Logger.Warn(w.Reason, "advice", w.Advice)
	}
}
