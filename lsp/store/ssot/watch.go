package ssot

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/fsnotify/fsnotify"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/lsp/store/follow"
	"github.com/signalbox-dev/signalbox/lsp/store/tree"
)

// source is the directory of a [Live], whose follower's goroutine alone uses it.
type source struct {
	*state
	live *Live
	// reject appends to the error log.
	reject func(ctx context.Context, path string, list []agn.Rejection) error
	keeper logKeeper
}

// Look looks at what is planned, publishes what changed, and writes the error log.
func (s *source) Look(ctx context.Context, todo follow.Todo) (r follow.Looked) {
	if todo.Poll {
		s.keeper.rest--
	}
	first := !s.looked
	var c changed
	var err error
	if todo.All || first {
		c, err = s.refresh(ctx)
	} else {
		c, err = s.refreshSome(ctx, todo.Paths)
	}
	if err != nil {
		return r
	}
	if first || !c.empty() {
		s.publish(&c)
	}
	r.Folders = !c.empty()
	s.log(ctx, &r)
	return r
}

func (s *source) publish(c *changed) {
	snap := s.snapshot()
	s.live.snap.Store(snap)
	s.live.tell()
	s.cfg.Changed(c.change(snap.Revision))
}

// Heeds passes over what is no fact: names that begin with a dot are those of files
// that are being written.
func (s *source) Heeds(path string, op fsnotify.Op) bool {
	if strings.HasPrefix(tree.Base(path), ".") {
		return false
	}
	return op != fsnotify.Write || strings.HasSuffix(path, ".json") || path == errorLog
}

// Watched takes note of how far the system reports changes, and of whether the
// error log can be written.
func (s *source) Watched(w follow.Watched) {
	var troubles []Problem
	if w.Reason != "" {
		troubles = append(troubles, Problem{Reason: w.Reason, Advice: w.Advice})
	}
	if s.keeper.fault != nil {
		troubles = append(troubles, *s.keeper.fault)
	}
	if w.How != s.watching || !slices.Equal(troubles, s.troubles) {
		s.watching, s.troubles = w.How, troubles
		s.publish(&changed{status: true})
	}
}

// Folders gives the folders that should be watched, those first without which
// nothing is seen, then the newest: who writes to an old task makes it a new one.
func (s *source) Folders() []string {
	if s.tree.Root == nil {
		return nil
	}
	type target struct {
		at   string
		rank int
		last int64
	}
	var all []target
	s.tree.Each(func(n *tree.Node[*record], depth int) {
		if n.Err != nil {
			return
		}
		t := target{n.Path, min(depth, 2), n.Mtime}
		if depth == 1 && precedence(n.Path) > 0 {
			t.rank = 2
		}
		all = append(all, t)
	})
	slices.SortFunc(all, func(a, b target) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.last, a.last), cmp.Compare(a.at, b.at))
	})
	paths := make([]string, len(all))
	for i, t := range all {
		paths[i] = t.at
	}
	return paths
}
