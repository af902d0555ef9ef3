package amp

import (
	"context"
	"sync"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/store/mailbox"
)

// pinsTimeout is how long a request waits to pin keys that are new.
const pinsTimeout = 2 * time.Second

// rememberEvery is the shortest time between two saves of what was judged. The file is
// always written whole, and a reader who turns pages should not wait for the disk.
const rememberEvery = 10 * time.Second

// root is the directory of mailboxes that we follow, with the known keys of others.
type root struct {
	live *mailbox.Live
	path string
	pins *mailbox.Pins
	seen *mailbox.Seen

	mu    sync.Mutex // guards what follows
	saved time.Time
}

// remember reads what other processes judged. With write it also saves what earlier
// requests judged, at most once every rememberEvery. If the process is killed, unsaved
// judgements are lost. This matters only if the message is deleted before it is shown
// again.
func (r *root) remember(ctx context.Context, now time.Time, write bool) error {
	r.mu.Lock()
	since := now.Sub(r.saved)
	if due := since < 0 || since >= rememberEvery; write && due {
		r.saved = now
	} else {
		write = false
	}
	r.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, pinsTimeout)
	defer cancel()
	return r.seen.Keep(ctx, write)
}

// close stops following the directory. With write it saves what was judged.
func (r *root) close(write bool) {
	r.live.Close()
	ctx, cancel := context.WithTimeout(context.Background(), pinsTimeout)
	defer cancel()
	_ = r.seen.Keep(ctx, write)
}

// notice pins keys that are seen for the first time, and returns an alarm for each key
// that differs from the pinned one. Without write it pins nothing.
func (r *root) notice(ctx context.Context, boxes []*mailbox.Mailbox, now time.Time, write bool) ([]mailbox.Alarm, error) {
	if err := r.pins.Err(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, pinsTimeout)
	defer cancel()
	return r.pins.Notice(ctx, boxes, now, write)
}
