package ask

import (
	"context"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
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
	Program activity.Process
	// Closed reports that the program's own dialog was closed, which ends the request. It is
	// asked now and then, and may be nil.
	Closed func() bool
	folder Folder
}

// Wait waits for the answer. The caller passes it on and then calls [Waiting.Done]. ok is false if
// there is none: the context ended, the program went on, or it is gone. Nothing is then to be said
// to it, and the request is withdrawn.
func (w *Waiting) Wait(ctx context.Context) (a Answer, ok bool) {
	own := func(name string) bool { return name == w.ID+suffix || name == w.ID+answered }
	follow.Until(ctx, follow.Config{Path: w.folder.Path, What: "requests", Poll: checkEvery}, own, w.waits)
	given := func(root *disk.Root) {
		if _, none := take(root, w.ID+answered, maxAnswer, &a); none == nil {
			ok = a.ID == w.ID && a.Hash == w.Hash && w.Fits(&a) == nil
		}
	}
	// An answer is whole once it is there, and needs no lock: a thousand others may wait for that.
	if root, err := w.folder.open(); err == nil {
		given(root)
		root.Close()
	}
	if !ok { // the lock keeps one from being given at this moment
		w.withdraw(ctx, maxEnd, func(root *disk.Root) bool { given(root); return !ok })
	}
	return a, ok
}

// Done ends a request whose answer was passed on. Until then its session is known to go on,
// whatever was last heard of it.
func (w *Waiting) Done(ctx context.Context) {
	w.withdraw(ctx, maxTidy, func(*disk.Root) bool { return true })
}

// withdraw removes the request and what it was answered, if that is so once the lock is held.
func (w *Waiting) withdraw(ctx context.Context, limit time.Duration, so func(*disk.Root) bool) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	_ = w.folder.locked(ctx, func(root *disk.Root) error { // what stays is swept by the next one
		if so(root) {
			_ = root.Remove(w.ID + suffix)
			_ = root.Remove(w.ID + answered)
		}
		return nil
	})
}

// waits reports whether the request is there and not answered, and the program that asked still
// runs and asks, as far as that can be told.
func (w *Waiting) waits() bool {
	root, err := w.folder.open()
	if err != nil {
		return false
	}
	defer root.Close()
	_, there := root.Lstat(w.ID + suffix)
	_, unanswered := root.Lstat(w.ID + answered)
	p := w.Program
	return there == nil && unanswered != nil && (p.PID == 0 || p.Runs()) && (w.Closed == nil || !w.Closed())
}
