package threads

import (
	"context"
	"fmt"
	"io/fs"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/store/disk"
	"github.com/signalbox-dev/signalbox/lsp/store/filelock"
)

// LockName is the file beside messages.jsonl that a writer holds (rules M4 and
// Z9: the text asks for a lock and names none). See [filelock.Lock].
const LockName = atsf.MessagesName + ".lock"

// LockTimeout is how long a writer waits for another one if its context has no
// deadline.
const LockTimeout = filelock.Timeout

// ErrLocked is what writing gives when another writer did not end in time.
var ErrLocked = filelock.ErrLocked

// takeLock waits for the lock of a thread. The mode is that of the file.
func takeLock(ctx context.Context, root *disk.Root, mode fs.FileMode) (*filelock.Lock, error) {
	l, err := filelock.Take(ctx, root, LockName, mode)
	if err != nil {
		return nil, fmt.Errorf("threads: %w", err)
	}
	return l, nil
}
