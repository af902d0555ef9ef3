package threads

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

	"github.com/signalbox-dev/signalbox/core/atsf"
)

// LockName is the file beside messages.jsonl that a writer holds (rules M4 and
// Z9: the text asks for a lock and names none). The lock is the operating
// system's, on the open file, and not the file's being there: a writer that was
// killed leaves a file that nobody holds, and the next one takes it over.
const LockName = atsf.MessagesName + ".lock"

// LockTimeout is how long a writer waits for another one if its context has no
// deadline.
const LockTimeout = 10 * time.Second

// ErrLocked is what writing gives when another writer did not end in time.
var ErrLocked = errors.New("another writer holds the thread")

// Between two tries a writer waits a little longer each time. It does not wait
// in the system's queue, which no context could end.
const (
	firstWait = 200 * time.Microsecond
	lastWait  = 50 * time.Millisecond
)

// lock is a held lock. Locks of one process exclude each other, too.
type lock struct {
	root *os.Root
	file *os.File
}

// takeLock waits for the lock of a thread. The mode is that of the file.
func takeLock(ctx context.Context, root *os.Root, mode fs.FileMode) (*lock, error) {
	start := time.Now()
	if _, set := ctx.Deadline(); !set {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, LockTimeout)
		defer cancel()
	}
	wait := firstWait
	var f *os.File
	for {
		var err error
		if f == nil {
			if f, err = openLock(root, mode); err != nil {
				return nil, fmt.Errorf("threads: lock: %w", err)
			}
		}
		held, err := tryLock(f)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("threads: lock %s: %w", LockName, err), f.Close())
		}
		if held {
			if isAt(f, root) {
				sign(f)
				return &lock{root, f}, nil
			}
			// Its holder released it, and with it the name: whoever comes now
			// locks another file.
			if err := f.Close(); err != nil {
				return nil, fmt.Errorf("threads: lock: %w", cause(err))
			}
			f = nil
			if ctx.Err() == nil {
				continue
			}
			return nil, fmt.Errorf("threads: %w: %w", ErrLocked, ctx.Err())
		}
		if err := pause(ctx, wait); err != nil {
			return nil, errors.Join(locked(f, err, time.Since(start)), f.Close())
		}
		wait = min(2*wait, lastWait)
	}
}

// openLock opens the lock file, or makes it. A link, a directory or a FIFO in
// its place is refused.
func openLock(root *os.Root, mode fs.FileMode) (*os.File, error) {
	const tries = 100
	for range tries {
		info, err := root.Lstat(LockName)
		var f *os.File
		switch {
		case errors.Is(err, fs.ErrNotExist):
			f, err = root.OpenFile(LockName, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		case err != nil:
		case !info.Mode().IsRegular():
			return nil, fmt.Errorf("%s is %s, and no lock that can be taken: another tool may hold it; remove it if none is running", LockName, kindOf(info.Mode()))
		default:
			f, err = root.OpenFile(LockName, os.O_RDWR|nonblock, 0)
		}
		// Between a look and the opening others make and remove the file.
		if err == nil || !errors.Is(err, fs.ErrExist) && !errors.Is(err, fs.ErrNotExist) {
			return f, cause(err)
		}
	}
	return nil, fmt.Errorf("%s cannot be made: was the thread removed?", LockName)
}

// isAt reports whether the file that was locked still has the name. Only the
// holder takes the name away, so that it stays from then on.
func isAt(f *os.File, root *os.Root) bool {
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	info, err := root.Lstat(LockName)
	return err == nil && info.Mode().IsRegular() && os.SameFile(mine, info)
}

// sign says in the file who holds it, for those who wait in vain. What stands
// there is a hint and nothing depends on it.
func sign(f *os.File) {
	text := strconv.Itoa(os.Getpid()) + "\n"
	if f.Truncate(0) == nil {
		_, _ = f.WriteAt([]byte(text), 0)
	}
}

// locked says who holds the lock.
func locked(f *os.File, reason error, waited time.Duration) error {
	who := ""
	var buf [24]byte
	n, _ := f.ReadAt(buf[:], 0)
	if pid, err := strconv.ParseInt(strings.TrimSpace(string(buf[:n])), 10, 64); err == nil && pid > 0 {
		who = fmt.Sprintf(" (process %d)", pid)
	}
	if errors.Is(reason, context.DeadlineExceeded) {
		return fmt.Errorf("threads: %w%s: waited %v for %s", ErrLocked, who, waited.Round(time.Millisecond), LockName)
	}
	return fmt.Errorf("threads: %w%s: %w", ErrLocked, who, reason)
}

// pause waits for about a time, not in step with the others.
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

// release gives the lock to the next writer. The name goes first: as long as
// the file is locked nobody else takes it away, and whoever locks the file
// after this finds that the name is another file's. A name that stays, as it
// may where a virus scanner holds the file, hinders nobody.
func (l *lock) release() {
	// Somebody may have tidied up, and then the name is not ours to take away.
	if isAt(l.file, l.root) {
		_ = l.root.Remove(LockName)
	}
	_ = l.file.Close()
}
