package task

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/store/disk"
	"github.com/signalbox-dev/signalbox/lsp/store/ssot"
)

// stored makes the task directory the history that messages are checked against.
func (j *Commands) stored(ctx context.Context, h *taskHistory) error {
	path := j.Env.Expand(j.ssot)
	snap, err := scanIfThere(ctx, path)
	if err != nil {
		return err
	}
	if snap == nil {
		return fmt.Errorf("task: %q (--ssot): there is no such directory", path)
	}
	h.stored = func(taskID string) []agn.Message {
		if t := snap.Task(taskID); t != nil {
			return t.History.Messages
		}
		return nil
	}
	now := j.Now().UnixMilli()
	h.answer = func(f *checkedFile) *canon.Fault {
		switch f.kind {
		case kindAck:
			return snap.CheckAck(f.ack)
		case kindResume:
			return snap.CheckResume(f.resume, now)
		}
		return nil
	}
	h.storedMessage = func(id string) (agn.Message, bool) { return storedMessage(snap, id) }
	return nil
}

// storedMessage returns the stored message with an id, including its bytes, which a snapshot
// does not keep.
func storedMessage(snap *ssot.Snapshot, id string) (agn.Message, bool) {
	t, at := snap.Message(id)
	if t == nil {
		return agn.Message{}, false
	}
	m := t.History.Messages[at]
	root, err := disk.OpenRoot(snap.Path)
	if err != nil {
		return m, true
	}
	defer root.Close()
	data, err := readBeneath(root, filepath.FromSlash(t.Files[at]))
	if err == nil {
		m.Raw = data
	}
	return m, err == nil
}
