package ask

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"reflect"
	"strings"
	"sync/atomic"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/signalbox-dev/signalbox/lsp/disk/follow"
)

// Live follows the requests that wait. One goroutine, ended by Close, looks for what is new.
type Live struct {
	*follow.Follower
	now   atomic.Pointer[snapshot]
	first chan struct{}
}

type snapshot struct {
	list []Request
	errs []error
}

// liveEvery is how often the requests are looked at even if no file changed.
const liveEvery = 5 * time.Second

// Open starts following, and calls changed after a request came or went. It returns at once: see
// [Live.Settle].
func Open(f Folder, log *slog.Logger, changed func()) *Live {
	l := &Live{first: make(chan struct{})}
	l.now.Store(&snapshot{})
	l.Follower = follow.Start(follow.Config{Path: f.Path, What: "requests", Poll: liveEvery, Logger: log}, &followed{folder: f, live: l, changed: changed})
	return l
}

// Settle waits until the folder was read once.
func (l *Live) Settle(ctx context.Context) error {
	select {
	case <-l.first:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Now returns the requests that wait, the oldest first, and what is wrong with files that are
// not taken.
func (l *Live) Now() (list []Request, errs []error) {
	now := l.now.Load()
	return now.list, now.errs
}

// followed is the folder as [follow.Source].
type followed struct {
	folder  Folder
	live    *Live
	changed func()
	looked  bool
	exists  bool
}

func (f *followed) Look(context.Context, follow.Todo) (r follow.Looked) {
	next := &snapshot{}
	next.list, next.errs = f.folder.List()
	before := f.live.now.Load()
	f.live.now.Store(next)
	_, err := os.Stat(f.folder.Path)
	r.Folders, f.exists = (err == nil) != f.exists, err == nil
	if !f.looked {
		f.looked = true
		close(f.live.first)
	}
	if !reflect.DeepEqual(before.list, next.list) || errorText(before.errs) != errorText(next.errs) {
		f.changed()
	}
	return r
}

func errorText(errs []error) string {
	if err := errors.Join(errs...); err != nil {
		return err.Error()
	}
	return ""
}

func (f *followed) Folders() []string {
	if !f.exists {
		return nil
	}
	return []string{""}
}

// Heeds passes over locks and files that are still being written.
func (f *followed) Heeds(path string, _ fsnotify.Op) bool {
	return strings.HasSuffix(path, suffix) || strings.HasSuffix(path, answered)
}

func (f *followed) Watched(follow.Watched) {}
