package mailbox

import (
	"context"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/signalbox-dev/signalbox/lsp/store/follow"
	"github.com/signalbox-dev/signalbox/lsp/store/tree"
)

// Live follows a root. Its methods may be called from everywhere; one goroutine,
// ended by [Live.Close], looks for what is new.
type Live struct {
	*follow.Follower
	snap atomic.Pointer[Snapshot]
}

// outside is what a test puts something else in the place of.
type outside struct {
	open     func(path string) (tree.Folder, error)
	notifier func() (follow.Notifier, <-chan fsnotify.Event, <-chan error, error)
	budget   int
	// settle is that of the [looker].
	settle time.Duration
}

// OpenLive starts following a root. It returns at once: the first look is taken
// behind it, as [Snapshot.Ready] tells. That a file cannot be read is told when it
// has been the same for 2 s, since it may still be being written; until then it
// says what it said before.
func OpenLive(cfg Config) *Live {
	return openLive(cfg, outside{tree.Open, follow.System, follow.Budget(), tree.Unsettled})
}

func openLive(cfg Config, with outside) *Live {
	if cfg.Poll == 0 {
		cfg.Poll = 2 * time.Second
	}
	if cfg.Changed == nil {
		cfg.Changed = func(Change) {}
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	s := newState(cfg.Path)
	s.openRoot, s.settle, s.seen = with.open, with.settle, cfg.Seen
	l := &Live{}
	l.snap.Store(&Snapshot{Path: s.path, ID: s.id, Watching: WatchPoll, judged: s.judged, Seen: s.seen})
	l.Follower = follow.Start(follow.Config{
		Path: s.path, What: "mail", Poll: cfg.Poll, Logger: cfg.Logger, Notifier: with.notifier, Budget: with.budget,
	}, &source{s, l, cfg.Changed})
	return l
}

// Snapshot gives what is known now. It is never nil and never changed.
func (l *Live) Snapshot() *Snapshot { return l.snap.Load() }

// source is the root for the follower, whose goroutine alone uses it.
type source struct {
	*state
	live    *Live
	changed func(Change)
}

// Look looks at what is planned, and publishes what changed.
func (s *source) Look(ctx context.Context, todo follow.Todo) (r follow.Looked) {
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
	if s.halves > 0 {
		r.Soon = s.settle
	}
	return r
}

func (s *source) publish(c *changed) {
	snap := s.snapshot()
	s.live.snap.Store(snap)
	s.changed(c.change(snap.Revision))
}

// Folders gives what is to be watched: the folders without which nothing new is
// seen, then those with the newest mail.
func (s *source) Folders() []string { return s.folders() }

// Heeds passes over what is no mail: files that are being written under another
// name, and attachments.
func (s *source) Heeds(path string, op fsnotify.Op) bool {
	if strings.HasPrefix(tree.Base(path), ".") {
		return false
	}
	return op != fsnotify.Write || partOf(path) != partNone
}

// Watched takes note of how far the system reports changes.
func (s *source) Watched(w follow.Watched) {
	var troubles []Problem
	if w.Reason != "" {
		troubles = []Problem{{Reason: w.Reason, Advice: w.Advice}}
	}
	if w.How == s.watching && len(troubles) == len(s.troubles) && (len(troubles) == 0 || troubles[0] == s.troubles[0]) {
		return
	}
	s.watching, s.troubles = w.How, troubles
	s.publish(&changed{other: true})
}
