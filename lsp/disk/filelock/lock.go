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

// A writer tries again and again, and waits a little longer after each try. It does not wait
// in the system's queue, because no context could end that wait.
const (
	firstWait = 200 * time.Microsecond
	lastWait  = 50 * time.Millisecond
)

// Lock is a held lock: the operating system's lock of an open file. That the file exists
// means nothing: a killed writer leaves a file that is not locked, and the next writer takes
// it over.
type Lock struct {
	root *disk.Root
	file *disk.File
	name string
}

// Take waits for the lock of the file with a name in root, until the context ends, or for
// [Timeout] if the context has no deadline. The error is then [ErrLocked] and identifies the
// holder. mode is the mode of the file, whatever the umask is: a process that may not open
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
			// The holder has released the lock and removed the name. The next writer makes
			// and locks a new file.
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

// open opens or makes the lock file. It refuses a link, a directory or a FIFO in its place.
func open(root *disk.Root, name string, mode fs.FileMode) (*disk.File, error) {
	const tries = 100
	for range tries {
		info, err := root.Lstat(name)
		var f *disk.File
		switch {
		case errors.Is(err, fs.ErrNotExist):
			if f, err = root.OpenWrite(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode); err == nil {
				_ = f.Chmod(mode) // a file system without modes keeps no one out
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

// named reports whether the locked file still has its name. From then on it keeps the name,
// since only the holder removes it.
func (l *Lock) named() bool {
	mine, err := l.file.Stat()
	if err != nil {
		return false
	}
	info, err := l.root.Lstat(l.name)
	return err == nil && info.Mode().IsRegular() && os.SameFile(mine, info)
}

// sign writes this process's id into the file, for the error of writers that time out.
// Nothing else depends on it.
func (l *Lock) sign() {
	text := strconv.Itoa(os.Getpid()) + "\n"
	if l.file.Truncate(0) == nil {
		_, _ = l.file.WriteAt([]byte(text), 0)
	}
}

// refused returns an error that identifies the holder of the lock, if the file does.
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

// pause waits for a random time around d, so that waiting writers do not all try at once.
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

// Release frees the lock for the next writer. It removes the name first: no one else removes
// it while the file is locked, and a writer that locks the file later sees that it has lost
// its name. If the name cannot be removed, as when a virus scanner has the file open, that
// does no harm.
func (l *Lock) Release() {
	// If someone else removed the file, the name may belong to another one.
	if l.named() {
		_ = l.root.Remove(l.name)
	}
	_ = l.file.Close()
}
