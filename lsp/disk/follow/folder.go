package follow

import (
	"context"
	"os"
	"sync/atomic"

	"github.com/fsnotify/fsnotify"
)

// folder is one directory, without those in it, as [Source].
type folder struct {
	path  string
	heeds func(name string) bool
	look  func()
	there bool
}

func (f *folder) Look(context.Context, Todo) (r Looked) {
	f.look()
	_, err := os.Stat(f.path)
	r.Folders, f.there = (err == nil) != f.there, err == nil
	return r
}

func (f *folder) Folders() []string {
	if !f.there {
		return nil
	}
	return []string{""}
}

func (f *folder) Heeds(path string, _ fsnotify.Op) bool { return f.heeds(path) }

func (f *folder) Watched(Watched) {}

// Until calls look at once, after an event about a file in the directory that heeds accepts, and
// once per poll, until look returns false or ctx ends.
func Until(ctx context.Context, cfg Config, heeds func(name string) bool, look func() bool) {
	over, ended := make(chan struct{}), false
	f := Start(cfg, &folder{path: cfg.Path, heeds: heeds, look: func() {
		if !ended && !look() {
			ended = true
			close(over)
		}
	}})
	defer f.Close()
	select {
	case <-over:
	case <-ctx.Done():
	}
}

// Live is what was read of a directory, without the folders in it, at the last look. Its methods
// may be called from everywhere.
type Live[T any] struct {
	*Follower
	now   atomic.Pointer[T]
	first chan struct{} // closed after the first look
}

// Read begins to follow what read returns. It returns at once: see [Live.Settle]. changed is called
// after a look that read something else than the one before, as differ says.
func Read[T any](cfg Config, heeds func(name string) bool, read func() *T, differ func(before, now *T) bool, changed func(now *T)) *Live[T] {
	l := &Live[T]{first: make(chan struct{})}
	l.now.Store(new(T))
	looked := false
	l.Follower = Start(cfg, &folder{path: cfg.Path, heeds: heeds, look: func() {
		if next := read(); differ(l.Now(), next) {
			l.now.Store(next)
			changed(next)
		}
		if !looked {
			looked = true
			close(l.first)
		}
	}})
	return l
}

// Now returns what was read last, and the zero value before the first look. Nobody changes it.
func (l *Live[T]) Now() *T { return l.now.Load() }

// Settle waits until the directory was read once.
func (l *Live[T]) Settle(ctx context.Context) error {
	select {
	case <-l.first:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
