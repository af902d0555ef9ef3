package ask

import (
	"errors"
	"log/slog"
	"reflect"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/disk/follow"
)

// Snapshot is what waits at one moment. It never changes.
type Snapshot struct {
	// List are the requests, the oldest first, and Errs says what is wrong with files that are
	// not taken.
	List []Request
	Errs []error
	// Passing are those that were answered, Since then, and are being told so: their sessions
	// go on.
	Passing []Request
}

// Live is a [Snapshot] that is kept up to date.
type Live = follow.Live[Snapshot]

// liveEvery is how often the requests are looked at even if no file changed.
const liveEvery = 5 * time.Second

// Open starts following, and calls changed after a request came or went. It returns at once: see
// [follow.Live.Settle].
func Open(f Folder, log *slog.Logger, changed func()) *Live {
	return follow.Read(
		follow.Config{Path: f.Path, What: "requests", Poll: liveEvery, Logger: log},
		// Locks and files that are still being written are passed over.
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
