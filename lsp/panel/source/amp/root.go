package amp

import (
	"context"
	"strconv"
	"strings"
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
	live  *mailbox.Live
	path  string
	pins  *mailbox.Pins
	seen  *mailbox.Seen
	asked questions

	mu      sync.Mutex // guards what follows
	noticed string     // what notice checked last: write, the mailboxes' keys and the pins' revision
	alarms  []mailbox.Alarm
	err     error // why keys cannot be pinned
	saved   time.Time
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
// that differs from the pinned one. Without write it pins nothing. It checks again only
// if a mailbox, the pins or write changed, or if the last check failed.
func (r *root) notice(ctx context.Context, boxes []*mailbox.Mailbox, now time.Time, write bool) ([]mailbox.Alarm, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.pins.Err(); err != nil {
		r.noticed = ""
		return r.alarms, err
	}
	var b strings.Builder
	b.WriteString(strconv.FormatBool(write) + "\n")
	for _, box := range boxes {
		for _, a := range box.Addresses {
			b.WriteString(a.String() + " " + box.Key.Fingerprint() + "\n")
		}
	}
	state := b.String() + strconv.FormatInt(r.pins.Revision(), 10)
	if state == r.noticed {
		return r.alarms, r.err
	}
	ctx, cancel := context.WithTimeout(ctx, pinsTimeout)
	defer cancel()
	r.alarms, r.err = r.pins.Notice(ctx, boxes, now, write)
	if r.err == nil {
		r.noticed = b.String() + strconv.FormatInt(r.pins.Revision(), 10)
	}
	return r.alarms, r.err
}
