package agn

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/excerpt"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

// summary returns a task's summary (rule E6). It depends only on the history, so it is the
// same whoever writes it and when.
func summary(taskID string, h *agn.History) agn.Record {
	r := agn.Record{TaskID: taskID, Messages: int64(len(h.Messages))}
	var last, dispatch *agn.Message
	for i := range h.Messages {
		m := &h.Messages[i]
		at := m.Time.Millis
		if i == 0 || at < r.Created {
			r.Created = at
		}
		if last == nil || at >= last.Time.Millis {
			last = m
		}
		if m.Payload.Dispatch != nil && (dispatch == nil || at >= dispatch.Time.Millis) {
			dispatch = m
		}
	}
	r.Updated = r.Created
	if last != nil {
		r.LastMsgID, r.Updated = last.ID, last.Time.Millis
	}
	for i := range h.Acks {
		r.Updated = max(r.Updated, h.Acks[i].Millis)
	}
	for i := range h.Resumes {
		r.Updated = max(r.Updated, h.Resumes[i].Millis)
	}
	if dispatch != nil {
		d := dispatch.Payload.Dispatch
		r.Title, r.Repo, r.Branch, r.Risk = Title(d.Description), d.Repo, d.Branch, d.Risk
	}
	state := agn.State(taskID, *h, r.Updated)
	r.Phase, r.RejectCount = state.Phase, int64(state.Rejects)
	return r
}

// maxTitle is the length in bytes of a task's title.
const maxTitle = 200

// Title returns a task's title from its dispatch's description: the first line, cut to at most
// maxTitle bytes and a sign that it was cut.
func Title(description string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(description), "\n")
	return excerpt.ClipTo(strings.TrimSpace(line), maxTitle)
}

// updateSummary rewrites a task's summary after a fact was written, or returns the reason why
// not. The fact is valid in any case, and the next writer updates the summary.
func (w *writing) updateSummary(taskID string, h *agn.History) []canon.Fault {
	if err := w.writeSummary(taskID, h); err != nil {
		return []canon.Fault{{Rule: "E6", Field: "task_id", Reason: fmt.Sprintf("%s was left as it is: %v", TaskPath(taskID), err)}}
	}
	return nil
}

func (w *writing) writeSummary(taskID string, h *agn.History) error {
	data, err := agn.BuildRecord(summary(taskID, h))
	if err != nil {
		return fmt.Errorf("a summary cannot be written: %w", err)
	}
	at, err := w.whole().Folder(inTasks)
	if err != nil {
		return err
	}
	defer at.Close()
	f := tree.In(at)
	there, _, err := f.Read(taskID+ext, nil, maxRead)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return disk.Cause(err)
	case bytes.Equal(there, data):
		return nil
	default:
		if _, err := agn.ParseRecord(there); err != nil {
			return fmt.Errorf("it is not ours: %w", err)
		}
	}
	return w.whole().Replace(TaskPath(taskID), data)
}
