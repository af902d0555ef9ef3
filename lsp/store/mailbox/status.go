package mailbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"time"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// Other clients write a file in place, and know of no lock.
const (
	// lookAgain is how long half a file is given to become a whole one.
	lookAgain = 20 * time.Millisecond
	tries     = 25
)

// errMoved reports that a file is not what was read.
var errMoved = errors.New("another program keeps changing it")

// SetStatus gives a message in the inbox another state (rule STO-3): [amp.Unread],
// [amp.Read] or [amp.Archived]. The file is replaced by one with nothing else
// changed, and its mode. What another client wrote meanwhile is kept. now becomes
// local.read_at when an unread message becomes Read.
func (b *Box) SetStatus(ctx context.Context, key, status string, now time.Time) error {
	file, err := b.file(key, Inbox)
	if err != nil {
		return err
	}
	s, err := b.begin(ctx)
	if err != nil {
		return err
	}
	defer s.end()
	for range tries {
		err = s.setStatus(file, status, now.UnixMilli())
		if bad, ok := errors.AsType[*canon.Fault](err); err == nil || ok && bad.Rule != "JSN-0" || !ok && !errors.Is(err, errMoved) {
			break
		}
		if e := pause(ctx); e != nil {
			err = errors.Join(err, e)
			break
		}
	}
	if err != nil {
		return fmt.Errorf("mailbox: %s: %w", key, err)
	}
	return nil
}

func pause(ctx context.Context) error {
	t := time.NewTimer(lookAgain)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *session) setStatus(file, status string, now int64) error {
	data, info, err := s.home.ReadRegular(file, amp.MaxStored)
	if err != nil {
		return err
	}
	msg, err := amp.ParseMessage(data)
	if err != nil {
		return err
	}
	if msg.Local.Status != amp.Unread && msg.Local.ReadAt.OK {
		now = 0 // it was read before
	}
	changed, err := amp.SetStatus(data, status, now)
	if err != nil || bytes.Equal(changed, data) {
		return err
	}
	return s.ReplaceIf(file, changed, info.Mode(), func(at *disk.Root) error {
		there, _, err := at.ReadRegular(path.Base(file), amp.MaxStored)
		if err == nil && !bytes.Equal(there, data) {
			err = errMoved
		}
		return err
	})
}
