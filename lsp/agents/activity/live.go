package activity

import (
	"errors"
	"log/slog"
	"reflect"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/disk/follow"
)

// checkEvery is how often the sessions are read even if no file changed: a killed program
// reports nothing. Without sessions this costs next to nothing.
const checkEvery = 5 * time.Second

// Config configures which sessions are followed and how changes are reported.
type Config struct {
	Folder Folder
	Now    func() time.Time
	// Once reads the sessions a single time: see [follow.Config].
	Once   bool
	Logger *slog.Logger
	// Changed is called after a session began, ended or changed its state, or after the
	// list of unreadable files changed. It is not called concurrently.
	Changed func()
}

// Snapshot holds the sessions as they were at one moment. It never changes.
type Snapshot struct {
	// Sessions are in the order of [Folder.List], each in its state at that moment. Heard and
	// the fields that only hooks use (Held, Holds, Seen) are empty.
	Sessions []Session
	// Errs has an error for each file that cannot be read.
	Errs []error
}

// Live is a [Snapshot] of the sessions that is kept up to date.
type Live = follow.Live[Snapshot]

// Open starts following. It returns at once: see [follow.Live.Settle].
func Open(cfg Config) *Live {
	known := make(map[string]file)
	return follow.Watch(
		follow.Config{Path: cfg.Folder.Path, What: "sessions", Poll: checkEvery, Once: cfg.Once, Logger: cfg.Logger},
		// Locks and files that are still being written are ignored.
		func(name string) bool { return strings.HasSuffix(name, suffix) },
		func() *Snapshot {
			next := &Snapshot{}
			next.Sessions, next.Errs = cfg.Folder.list(cfg.Now().UnixMilli(), known)
			for i := range next.Sessions {
				s := &next.Sessions[i]
				s.Heard, s.Held, s.Holds, s.Seen = 0, nil, nil, ""
			}
			return next
		},
		func(before, now *Snapshot) bool { return !before.equal(now) },
		func(now *Snapshot) {
			if n := len(now.Errs); n > 0 {
				cfg.Logger.Warn("sessions of agents cannot be read", "files", n, "error", now.Errs[0])
			}
			cfg.Changed()
		},
	)
}

// equal reports whether two snapshots have equal sessions and error texts.
func (s *Snapshot) equal(o *Snapshot) bool {
	text := func(errs []error) string {
		if err := errors.Join(errs...); err != nil {
			return err.Error()
		}
		return ""
	}
	return reflect.DeepEqual(s.Sessions, o.Sessions) && text(s.Errs) == text(o.Errs)
}
