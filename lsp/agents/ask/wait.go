package ask

import (
	"context"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/follow"
)

// checkEvery is how often a request is checked even if no file changed: a killed program reports
// nothing, and not every disk reports changes. A check takes some microseconds.
const checkEvery = time.Second

const (
	// maxEnd is how long it may take to withdraw an unanswered request, and maxTidy to remove an
	// answered one.
	maxEnd  = 2 * time.Second
	maxTidy = 50 * time.Millisecond
)

// Waiting is a request that the calling process waits for.
type Waiting struct {
	Request
	// Program is the process that asked, if it is known. Its end ends the request.
	Program activity.Process
	// Closed reports whether the program's own dialog was closed, which ends the request. It is
	// called from time to time, and may be nil.
	Closed func() bool
	folder Folder
}

// Wait waits for the answer. The caller passes it on and then calls [Waiting.Done]. ok is false if
// there is no answer: the context ended, or the program went on or ended. The request is then
// withdrawn, and the caller must not answer the program.
func (w *Waiting) Wait(ctx context.Context) (a Answer, ok bool) {
	relevant := func(name string) bool { return name == w.ID+suffix || name == w.ID+answered }
	follow.Until(ctx, follow.Config{Path: w.folder.Path, What: "requests", Poll: checkEvery}, relevant, w.waits)
	readAnswer := func(root *disk.Root) {
		if _, none := readJSON(root, w.ID+answered, maxAnswer, &a); none == nil {
			ok = a.ID == w.ID && a.Hash == w.Hash && w.Fits(&a) == nil
		}
	}
	// An answer's file appears complete, so it is read without the lock, for which a thousand other
	// processes may wait.
	if root, err := w.folder.open(); err == nil {
		readAnswer(root)
		root.Close()
	}
	if !ok { // with the lock held, no answer can be given at this moment
		w.withdraw(ctx, maxEnd, func(root *disk.Root) bool { readAnswer(root); return !ok })
	}
	return a, ok
}

// Done ends a request whose answer was passed on. Until then its session counts as working,
// whatever its last event was.
func (w *Waiting) Done(ctx context.Context) {
	w.withdraw(ctx, maxTidy, func(*disk.Root) bool { return true })
}

// withdraw removes the request and its answer, if confirm returns true once the lock is held.
func (w *Waiting) withdraw(ctx context.Context, limit time.Duration, confirm func(*disk.Root) bool) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	_ = w.folder.locked(ctx, func(root *disk.Root) error { // a later request sweeps what remains
		if confirm(root) {
			_ = root.Remove(w.ID + suffix)
			_ = root.Remove(w.ID + answered)
		}
		return nil
	})
}

// waits reports whether the request exists and is not answered, and, as far as is known, its
// program still runs and has its dialog open.
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
