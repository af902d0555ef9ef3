package mailbox

import (
	"context"
	"strings"
	"sync/atomic"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/signalbox-dev/signalbox/lsp/disk/follow"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

// Live follows a root. Its methods may be called from everywhere; one goroutine,
// ended by [Live.Close], looks for what is new.
type Live struct {
	*follow.Follower
	snap atomic.Pointer[Snapshot]
}

// outside is what a test puts something else in the place of. A nil notifier and no
// budget are the system's, and no poll is [follow.DefaultPoll].
type outside struct {
	notifier func() (follow.Notifier, <-chan fsnotify.Event, <-chan error, error)
	budget   int
	poll     time.Duration
	// settle is as in [looker].
	settle time.Duration
}

// OpenLive starts following a root. It returns at once: the first look is taken
// behind it, as [Snapshot.Ready] tells. That a file cannot be read is told when it
// has been the same for 2 s, since it may still be being written; until then it
// says what it said before.
func OpenLive(cfg Config) *Live { return openLive(cfg, outside{settle: tree.Unsettled}) }

func openLive(cfg Config, with outside) *Live {
	if cfg.Changed == nil {
		cfg.Changed = func(Change) {}
	}
	s := newState(cfg)
	s.settle, s.live = with.settle, &Live{}
	s.live.snap.Store(&Snapshot{Root: Root{Path: s.cfg.Path, ID: s.id}, Watching: follow.Poll, judged: s.judged, Seen: cfg.Seen})
	s.live.Follower = follow.Start(follow.Config{
		Path: s.cfg.Path, What: "mail", Poll: with.poll, Logger: cfg.Logger, Notifier: with.notifier, Budget: with.budget,
	}, s)
	return s.live
}

// Snapshot returns what is known now. It is never nil and never changed.
func (l *Live) Snapshot() *Snapshot { return l.snap.Load() }

// Look looks at what is planned, and publishes what changed.
func (s *state) Look(ctx context.Context, todo follow.Todo) (r follow.Looked) {
	c, err := s.look(ctx, todo.Paths)
	if err != nil {
		return r
	}
	if !c.empty() {
		s.publish(&c)
		r.Folders = true
	}
	if s.halves > 0 {
		r.Soon = s.settle
	}
	return r
}

func (s *state) publish(c *Change) {
	s.live.snap.Store(s.snapshot())
	s.cfg.Changed(*c)
}

// Folders lists what is to be watched: first where mailboxes come, then where mail
// does, the newest first, then what changes seldom.
func (s *state) Folders() []string {
	return s.dir.ToWatch(func(folder string, _ int) int {
		switch _, rest := split(folder); {
		case folder == "" || folder == agentsName:
			return 0
		case boxOf(rest+"/") != "":
			return 1
		}
		return 2
	})
}

// Heeds passes over what is no mail: files that are being written under another
// name, and attachments.
func (s *state) Heeds(path string, op fsnotify.Op) bool {
	if strings.HasPrefix(tree.Base(path), ".") {
		return false
	}
	return op != fsnotify.Write || partOf(path) != partNone
}

// Watched takes note of how far the system reports changes.
func (s *state) Watched(w follow.Watched) {
	if w != s.watched {
		s.watched = w
		s.publish(&Change{Messages: true, other: true})
	}
}
