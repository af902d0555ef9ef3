package mailbox

import (
	"fmt"
	"strings"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/lsp/store/disk"
	"github.com/signalbox-dev/signalbox/lsp/store/tree"
)

// Read reads a message as it is in its file now, which may be another one than
// when the snapshot was made. The file is opened beneath the root, never through a
// link, and no more than [amp.MaxStored] bytes of it are read. The error is a file
// error, whose text begins with the key in quotes, or wraps an *[amp.Fault].
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
	f, err := tree.Open(s.Path)
	if err != nil {
		return nil, err
	}
	defer func() { f.Close() }()
	names := strings.Split(key, "/")
	for _, name := range names[:len(names)-1] {
		sub, err := f.Open(name)
		if err != nil {
			return nil, err
		}
		f.Close()
		f = sub
	}
	data, _, err := f.Read(names[len(names)-1], nil, amp.MaxStored)
	return data, err
}
