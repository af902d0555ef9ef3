//go:build !js

package filelock

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// Between two tries a writer waits a little longer each time. It does not wait
// in the system's queue, which no context could end.
const (
	firstWait = 200 * time.Microsecond
	lastWait  = 50 * time.Millisecond
)

// Lock is a held lock. It is the operating system's lock of an open file. The existence of
// the file means nothing: a killed writer leaves a file that nobody holds, and the next
// writer takes it over.
type Lock struct {
	root *disk.Root
	file *disk.File
	name string
}

// Take waits for the lock whose file has the name in root, until the context ends, or for
// [Timeout] if that has no deadline. The error is then [ErrLocked] and says who holds the
// lock. mode is the mode of the file, whatever the umask is: a process that may not open
// the file cannot wait for the lock. root must stay open until the release.
func Take(ctx context.Context, root *disk.Root, name string, mode fs.FileMode) (*Lock, error) {
	start := time.Now()
	if _, set := ctx.Deadline(); !set {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, Timeout)
		defer cancel()
	}
	wait := firstWait
	l := &Lock{root: root, name: name}
	for {
		var err error
		if l.file == nil {
			if l.file, err = open(root, name, mode); err != nil {
				return nil, fmt.Errorf("lock: %w", err)
			}
		}
		held, err := try(l.file.File)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("lock %s: %w", name, err), l.file.Close())
		}
		if held {
			if l.named() {
				l.sign()
				return l, nil
			}
			// Its holder released it and removed the name. Whoever comes now locks another
			// file.
			if err := l.file.Close(); err != nil {
				return nil, fmt.Errorf("lock: %w", disk.Cause(err))
			}
			l.file = nil
			if ctx.Err() == nil {
				continue
			}
			return nil, fmt.Errorf("%w: %w", ErrLocked, ctx.Err())
		}
		if err := pause(ctx, wait); err != nil {
			return nil, errors.Join(l.refused(err, time.Since(start)), l.file.Close())
		}
		wait = min(2*wait, lastWait)
	}
}

// open opens the lock file, or makes it. A link, a directory or a FIFO in its
// place is refused.
func open(root *disk.Root, name string, mode fs.FileMode) (*disk.File, error) {
	const tries = 100
	for range tries {
		info, err := root.Lstat(name)
		var f *disk.File
		switch {
		case errors.Is(err, fs.ErrNotExist):
			if f, err = root.OpenWrite(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode); err == nil {
				_ = f.Chmod(mode) // where there are no modes, nobody is kept out by one
			}
		case err != nil:
		case !info.Mode().IsRegular():
			return nil, fmt.Errorf("%s is %s and not a lock file: another tool may hold it; remove it if none is running", name, disk.Kind(info.Mode()))
		default:
			f, err = root.OpenWrite(name, os.O_RDWR|disk.PlainOpen, 0)
		}
		// Others may make or remove the file between Lstat and open.
		if err == nil || !errors.Is(err, fs.ErrExist) && !errors.Is(err, fs.ErrNotExist) {
			if err != nil {
				err = fmt.Errorf("%s: %w", name, disk.Cause(err))
			}
			return f, err
		}
	}
	return nil, fmt.Errorf("%s cannot be made: was its directory removed?", name)
}

// named reports whether the locked file still has the name. Only the holder removes the
// name, so that it keeps it from then on.
func (l *Lock) named() bool {
	mine, err := l.file.Stat()
	if err != nil {
		return false
	}
	info, err := l.root.Lstat(l.name)
	return err == nil && info.Mode().IsRegular() && os.SameFile(mine, info)
}

// sign writes into the file who holds it, for the error of those who wait in vain.
// Nothing depends on it.
func (l *Lock) sign() {
	text := strconv.Itoa(os.Getpid()) + "\n"
	if l.file.Truncate(0) == nil {
		_, _ = l.file.WriteAt([]byte(text), 0)
	}
}

// refused returns an error that says who holds the lock.
func (l *Lock) refused(reason error, waited time.Duration) error {
	who := ""
	var buf [24]byte
	n, _ := l.file.ReadAt(buf[:], 0)
	if pid, err := strconv.ParseInt(strings.TrimSpace(string(buf[:n])), 10, 64); err == nil && pid > 0 {
		who = fmt.Sprintf(" (process %d)", pid)
	}
	if errors.Is(reason, context.DeadlineExceeded) {
		return fmt.Errorf("%w%s: waited %v for %s", ErrLocked, who, waited.Round(time.Millisecond), l.name)
	}
	return fmt.Errorf("%w%s: %w", ErrLocked, who, reason)
}

// pause waits for a random time around d, so that waiters do not try in step.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d/2 + rand.N(d))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Release frees the lock for the next writer. It removes the name first: nobody else does
// so while the file is locked, and whoever locks the file afterwards sees that it lost its
// name. A name that stays, as when a virus scanner holds the file, does no harm.
func (l *Lock) Release() {
	// If somebody else removed the file, the name may stand for another one.
	if l.named() {
		_ = l.root.Remove(l.name)
	}
	_ = l.file.Close()
}
