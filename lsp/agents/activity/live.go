package activity

import (
	"errors"
	"log/slog"
	"reflect"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/disk/follow"
)

// checkEvery is how often the sessions are looked at even if no file changed: a program
// that was killed tells nobody. Where there is no session that costs next to nothing.
const checkEvery = 5 * time.Second

// Config says which sessions are followed, and who is told of changes.
type Config struct {
	Folder Folder
	Now    func() time.Time
	// Once has nothing followed, as [follow.Config] says.
	Once   bool
	Logger *slog.Logger
	// Changed is called after a session began, ended or did something else, or after
	// other files could not be read. It is not called concurrently.
	Changed func()
}

// Snapshot is what the sessions are doing at one moment. It never changes.
type Snapshot struct {
	// Sessions are in the order of [Folder.List], each in its state at that moment. They
	// have neither Heard nor what hooks keep for themselves: Held, Holds and Seen.
	Sessions []Session
	// Errs names files that cannot be read.
	Errs []error
}

// Live is a [Snapshot] of the sessions that is kept up to date.
type Live = follow.Live[Snapshot]

// Open starts following. It returns at once: see [follow.Live.Settle].
func Open(cfg Config) *Live {
	known := make(map[string]file)
	return follow.Read(
		follow.Config{Path: cfg.Folder.Path, What: "sessions", Poll: checkEvery, Once: cfg.Once, Logger: cfg.Logger},
		// Locks and files that are still being written are passed over.
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

// equal reports whether two snapshots say the same.
func (s *Snapshot) equal(o *Snapshot) bool {
	text := func(errs []error) string {
		if err := errors.Join(errs...); err != nil {
			return err.Error()
		}
		return ""
	}
	return reflect.DeepEqual(s.Sessions, o.Sessions) && text(s.Errs) == text(o.Errs)
}
