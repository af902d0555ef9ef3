package mailbox

import (
	"fmt"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/lsp/store/disk"
	"github.com/signalbox-dev/signalbox/lsp/store/tree"
)

// Read reads a message as it is in its file now, which may be another one than
// when the snapshot was made. The file is opened beneath the root, never through a
// link, and no more than [amp.MaxStored] bytes of it are read. The error is a file
// error, whose text begins with the key in quotes, or wraps an *[canon.Fault].
func (s *Snapshot) Read(m *Message) (amp.Message, error) {
	data, err := s.readFile(m.Key)
	if err != nil {
		return amp.Message{}, fmt.Errorf("mailbox: read %q: %w", m.Key, disk.Cause(err))
	}
	msg, err := amp.ParseMessage(data)
	if err != nil {
		return amp.Message{}, fmt.Errorf("mailbox: read %q: %w", m.Key, err)
	}
	return msg, nil
}

// readFile reads a message file, and no more of it than a message has.
func (s *Snapshot) readFile(key string) ([]byte, error) {
	return tree.ReadFile(s.Path, key, amp.MaxStored)
}
