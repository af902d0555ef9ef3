package ask

import (
	"context"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/signalbox-dev/signalbox/lsp/agents/session"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/follow"
)

// checkEvery is how often a request is looked at even if no file changed: a program that was
// killed tells nobody, and not every disk tells of changes. A look takes some microseconds.
const checkEvery = time.Second

const (
	// maxEnd is how long it may take to withdraw a request that nobody answered, and maxTidy to
	// remove one that somebody did.
	maxEnd  = 2 * time.Second
	maxTidy = 50 * time.Millisecond
)

// Waiting is a request that the calling process waits for.
type Waiting struct {
	Request
	// Program is the process that asked, if that can be told. Its end ends the request.
	Program session.Process
	// Closed reports that the program's own dialog was closed, which ends the request. It is
	// asked now and then, and may be nil.
	Closed func() bool
	folder Folder
}

// Wait waits for the answer, and then withdraws the request. ok is false if there is none: the
// context ended, the program went on, or it is gone. Nothing is then to be said to it.
func (w *Waiting) Wait(ctx context.Context) (a Answer, ok bool) {
	l := &look{w: w, ended: make(chan struct{})}
	f := follow.Start(follow.Config{Path: w.folder.Path, What: "requests", Poll: checkEvery}, l)
	select {
	case <-l.ended:
	case <-ctx.Done():
	}
	f.Close()
	return w.withdraw(ctx)
}

// withdraw removes the request, unless it was answered meanwhile, and what was answered. An answer
// is whole once it is there, and needs no lock: a thousand others may wait for that. Without an
// answer the lock keeps one from being given at this moment.
func (w *Waiting) withdraw(ctx context.Context) (a Answer, ok bool) {
	given := func(root *disk.Root) {
		if _, none := take(root, w.ID+answered, maxAnswer, &a); none == nil {
			ok = a.ID == w.ID && a.Hash == w.Hash && w.Fits(&a) == nil
		}
	}
	limit := maxEnd
	if root, err := w.folder.open(); err == nil {
		given(root)
		root.Close()
	}
	if ok {
		limit = maxTidy
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	_ = w.folder.locked(ctx, func(root *disk.Root) error { // what stays is swept by the next one
		if !ok {
			given(root)
		}
		_ = root.Remove(w.ID + suffix)
		_ = root.Remove(w.ID + answered)
		return nil
	})
	return a, ok
}

// look is the request as [follow.Source].
type look struct {
	w     *Waiting
	ended chan struct{}
	over  bool
}

func (l *look) Look(context.Context, follow.Todo) (r follow.Looked) {
	if l.over {
		return r
	}
	root, err := l.w.folder.open()
	if err == nil {
		defer root.Close()
		_, err = root.Lstat(l.w.ID + suffix)
	}
	if err == nil {
		if _, e := root.Lstat(l.w.ID + answered); e != nil && l.running() {
			return r
		}
	}
	l.over = true
	close(l.ended)
	return r
}

// running reports whether the program that asked still runs and asks, as far as that can be
// told.
func (l *look) running() bool {
	p := l.w.Program
	return (p.PID == 0 || p.Runs()) && (l.w.Closed == nil || !l.w.Closed())
}

func (l *look) Folders() []string { return []string{""} }

// Heeds passes over all files but the request's own.
func (l *look) Heeds(path string, _ fsnotify.Op) bool {
	return path == l.w.ID+suffix || path == l.w.ID+answered
}

func (l *look) Watched(follow.Watched) {}
