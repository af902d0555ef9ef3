package agn

import (
	"context"
	"slices"
	"strings"

	"github.com/fsnotify/fsnotify"

	"github.com/signalbox-dev/signalbox/lsp/disk/follow"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

// Look looks at the planned paths, publishes changes, including those that only time causes,
// and writes the error log.
func (s *state) Look(ctx context.Context, todo follow.Todo) (r follow.Looked) {
	if todo.Poll {
		s.keeper.rest--
	}
	c, err := s.look(ctx, todo.Paths)
	if err != nil {
		return r
	}
	if !c.empty() {
		r.Folders = true
	}
	if !c.empty() || s.due > 0 && s.cfg.Now().UnixMilli() >= s.due {
		s.publish(&c)
	}
	s.writeLog(ctx, &r)
	return r
}

func (s *state) publish(c *Change) {
	snap := s.snapshot()
	now := s.cfg.Now().UnixMilli()
	s.due = 0
	for _, t := range snap.Tasks {
		if at := t.NextDeadline(now); at > 0 && (s.due == 0 || at < s.due) {
			s.due = at
		}
	}
	s.live.snap.Store(snap)
	select {
	case s.live.changed <- struct{}{}:
	default:
	}
	c.Revision, c.Truncated = snap.Revision, len(c.Tasks) > maxChanged
	c.Tasks = c.Tasks[:min(len(c.Tasks), maxChanged)]
	s.cfg.Changed(*c)
}

// Wants reports whether an event about a path matters. A name that begins with a dot is a file that
// is being written, and never matters. A write matters only in a JSON file or the error log; other
// events matter for every path.
func (s *state) Wants(path string, op fsnotify.Op) bool {
	if strings.HasPrefix(tree.Base(path), ".") {
		return false
	}
	return op != fsnotify.Write || strings.HasSuffix(path, ".json") || path == ErrorsName
}

// Watched records how far the system reports changes, and whether the error log can be
// written.
func (s *state) Watched(w follow.Watched) {
	troubles := w.Problems()
	if s.keeper.fault != nil {
		troubles = append(troubles, *s.keeper.fault)
	}
	if w.How != s.watching || !slices.Equal(troubles, s.troubles) {
		s.watching, s.troubles = w.How, troubles
		s.publish(&Change{Status: true})
	}
}

// Folders lists the folders to watch, most important first: those that new folders appear in,
// then the newest, since a message to an old task makes it a new one.
func (s *state) Folders() []string {
	return s.dir.ToWatch(func(folder string, depth int) int {
		if depth == 1 && precedence(folder) > 0 {
			return 2
		}
		return min(depth, 2)
	})
}
