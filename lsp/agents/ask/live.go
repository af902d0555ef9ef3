package ask

import (
	"errors"
	"log/slog"
	"reflect"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/disk/follow"
)

// Snapshot holds the requests at one moment. It never changes.
type Snapshot struct {
	// List are the waiting requests, oldest first. Errs has an error for each file that is not
	// accepted.
	List []Request
	Errs []error
	// Passing are the answered requests whose answers are still being passed on. Their Since is
	// the time of the answer. Their sessions go on.
	Passing []Request
}

// Live is a [Snapshot] that is kept up to date.
type Live = follow.Live[Snapshot]

// liveEvery is how often the requests are read even if no file changed.
const liveEvery = 5 * time.Second

// Open starts following, and calls changed after the waiting requests or the errors changed. It
// returns at once: see [follow.Live.Settle].
func Open(f Folder, log *slog.Logger, changed func()) *Live {
	return follow.Watch(
		follow.Config{Path: f.Path, What: "requests", Poll: liveEvery, Logger: log},
		// Locks and files that are still being written are ignored.
		func(name string) bool { return strings.HasSuffix(name, suffix) || strings.HasSuffix(name, answered) },
		f.Look,
		func(before, now *Snapshot) bool {
			return !reflect.DeepEqual(before.List, now.List) || errorText(before.Errs) != errorText(now.Errs)
		},
		func(*Snapshot) { changed() },
	)
}

func errorText(errs []error) string {
	if err := errors.Join(errs...); err != nil {
		return err.Error()
	}
	return ""
}
