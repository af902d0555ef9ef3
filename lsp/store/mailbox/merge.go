package mailbox

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/lsp/store/conflict"
	"github.com/signalbox-dev/signalbox/lsp/store/disk"
)

// Merge puts away a conflict copy of a message of the mailbox, if the two differ in the
// receiver's own notes at most, as after it was marked on two machines at once. It returns
// where the copy is now, or "" where it stays: what differs in what was sent is another
// message and is shown. The paths of the copy are [Message.Key]s.
func (b *Box) Merge(ctx context.Context, c conflict.Copy, state string) (where string, err error) {
	file, err := b.file(c.Path, "")
	if err != nil {
		return "", err
	}
	original, err := b.file(c.Original, "")
	if err != nil {
		return "", err
	}
	s, err := b.begin(ctx)
	if err != nil {
		return "", err
	}
	defer s.end()
	where, err = conflict.Resolve(b.home, conflict.Copy{Path: file, Original: original}, state, func(original, copied *os.File) (bool, error) {
		x, xok, err := sent(original)
		if err != nil || !xok {
			return false, err
		}
		y, yok, err := sent(copied)
		return yok && bytes.Equal(x, y), err
	})
	if err != nil {
		return "", fmt.Errorf("mailbox: %s: %w", c.Path, err)
	}
	return where, nil
}

// sent returns what was sent of a message, without what the receiver's client keeps beside
// it. ok is false for what is no sound message.
func sent(f *os.File) (text []byte, ok bool, err error) {
	data, err := io.ReadAll(io.LimitReader(f, amp.MaxStored+1))
	if err != nil {
		return nil, false, disk.Cause(err)
	}
	m, bad := amp.ParseMessage(data)
	if bad != nil || len(m.Faults) > 0 {
		return nil, false, nil
	}
	// A map, since a struct would take members in other letters for these.
	var parts map[string]json.RawMessage
	if bad := json.Unmarshal(data, &parts); bad != nil {
		return nil, false, nil
	}
	var out bytes.Buffer
	if json.Compact(&out, parts["envelope"]) != nil || json.Compact(&out, parts["payload"]) != nil {
		return nil, false, nil
	}
	return out.Bytes(), true, nil
}
