package follow

import (
	"context"
	"os"
	"sync/atomic"

	"github.com/fsnotify/fsnotify"
)

// folder is a [Source] of one directory without its subfolders.
type folder struct {
	path  string
	wants func(name string) bool
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

func (f *folder) Wants(path string, _ fsnotify.Op) bool { return f.wants(path) }

func (f *folder) Watched(Watched) {}

// Until calls look at once, after each event about a file in the directory that wants
// accepts, and once per poll, until look returns false or ctx ends.
func Until(ctx context.Context, cfg Config, wants func(name string) bool, look func() bool) {
	over, ended := make(chan struct{}), false
	f := Start(cfg, &folder{path: cfg.Path, wants: wants, look: func() {
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

// Live is the value that was read from a directory, without its subfolders, when it last changed.
// Its methods are safe for concurrent use.
type Live[T any] struct {
	*Follower
	now   atomic.Pointer[T]
	first chan struct{} // closed after the first look
}

// Watch follows a directory: each look calls read. If differ reports that the result differs from
// [Live.Now], which is the zero value at first, Watch keeps the new one and calls changed. It returns
// before the first look, for which [Live.Settle] waits.
func Watch[T any](cfg Config, wants func(name string) bool, read func() *T, differ func(before, now *T) bool, changed func(now *T)) *Live[T] {
	l := &Live[T]{first: make(chan struct{})}
	l.now.Store(new(T))
	looked := false
	l.Follower = Start(cfg, &folder{path: cfg.Path, wants: wants, look: func() {
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

// Now returns the result of the last look, and the zero value before the first. It never
// changes.
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
