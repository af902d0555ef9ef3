package source

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
	agnstore "github.com/signalbox-dev/signalbox/lsp/agn"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// Box is a task directory as it was when it was read: what commands and agents' tools show,
// check and write. It follows nothing and holds nothing open.
type Box struct {
	in  *agnstore.Snapshot
	now time.Time
}

// Read reads the task directory at a path. A directory that does not exist is empty. If it
// cannot be read, Read returns the box with the error. After any other error the box is nil.
func Read(ctx context.Context, path string, now time.Time) (*Box, error) {
	in, err := agnstore.Scan(ctx, path)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		in.Err = fmt.Errorf("task: %q is no directory", path)
	}
	return &Box{in, now}, in.Err
}

// Path is the directory's absolute path.
func (b *Box) Path() string { return b.in.Path }

// Exists reports whether the directory is there.
func (b *Box) Exists() bool { return b.in.Exists }

// Status returns the directory as the panels' status lists it.
func (b *Box) Status() panel.SSOT { return (&open{Snapshot: b.in}).status() }

// Problems lists the directory's problems for the user.
func (b *Box) Problems() []agnstore.Problem { return b.in.Problems }

// Rejected returns the number of messages that break a rule, and how many of them may be
// escalations.
func (b *Box) Rejected() (all, malformed int) {
	for _, r := range b.in.Rejected {
		if r.MalformedEscalation != nil {
			malformed++
		}
	}
	return len(b.in.Rejected), malformed
}

// Tasks returns all tasks, newest first.
func (b *Box) Tasks() []panel.TaskItem {
	items := []panel.TaskItem{}
	for _, t := range b.in.Tasks {
		items = append(items, taskItem(b.in, t, b.now.UnixMilli()))
	}
	return items
}

// TaskIDs returns the ids of all tasks, newest first.
func (b *Box) TaskIDs() (ids []string) {
	for _, t := range b.in.Tasks {
		ids = append(ids, t.ID)
	}
	return ids
}

// Messages returns the messages that count: newest task first, and newest message first in
// each task.
func (b *Box) Messages() (list []*agn.Message) {
	for _, t := range b.in.Tasks {
		for i := range slices.Backward(t.History.Messages) {
			list = append(list, &t.History.Messages[i])
		}
	}
	return list
}

// Task returns a task with a page of its timeline. It does not use q.Ref, and a q.Limit
// below 0 asks for all of it.
func (b *Box) Task(id string, q panel.TaskParams) (panel.TaskPage, error) {
	t := b.in.Task(id)
	if t == nil {
		return panel.TaskPage{}, fmt.Errorf("task: no task %q in %q", id, b.in.Path)
	}
	return taskPageOf(b.in, t, q, b.now.UnixMilli())
}

// Escalations returns a page of escalations, with everything overdue and the rejected
// messages. A q.Limit below 0 asks for all of them.
func (b *Box) Escalations(q panel.EscalationParams) (panel.EscalationPage, error) {
	return escalationsOf([]*agnstore.Snapshot{b.in}, q, b.now.UnixMilli())
}

// History returns a task's history. It must not be changed.
func (b *Box) History(id string) agn.History {
	if t := b.in.Task(id); t != nil {
		return t.History
	}
	return agn.History{}
}

// Opens reports whether the admin can answer a message.
func (b *Box) Opens(m *agn.Message) bool {
	t := b.in.Task(m.TaskID)
	return t != nil && opens(t, m, b.now.UnixMilli())
}

// NextTask returns the task id after the highest of the year.
func (b *Box) NextTask() string {
	highest := 0
	prefix := fmt.Sprintf("T-%04d-", b.now.UTC().Year())
	for _, t := range b.in.Tasks {
		if rest, ok := strings.CutPrefix(t.ID, prefix); ok {
			if n, err := strconv.Atoi(rest); err == nil {
				highest = max(highest, n)
			}
		}
	}
	return fmt.Sprintf("%s%03d", prefix, highest+1)
}

// CheckAck returns the reason why an ACK has no effect here, or nil (rule E12).
func (b *Box) CheckAck(a agn.Ack) *canon.Fault { return b.in.CheckAck(a) }

// CheckResume returns the reason why an answer has no effect here, or nil (rule X9).
func (b *Box) CheckResume(r agn.Resume) *canon.Fault {
	return b.in.CheckResume(r, b.now.UnixMilli())
}

// Taken returns a fault if a different message in the directory already has the id of m (rule E1).
// It returns nil if that message cannot be read.
func (b *Box) Taken(m *agn.Message) []canon.Fault {
	t, at := b.in.Message(m.ID)
	if t == nil {
		return nil
	}
	there := t.History.Messages[at]
	var err error
	if there.Raw, err = tree.ReadFile(b.in.Path, t.Files[at], agn.MaxMessage); err != nil {
		return nil
	}
	// Check sees only this earlier message here, so its other faults do not count.
	return slices.DeleteFunc(agn.Check(m, []agn.Message{there}).Faults, func(f canon.Fault) bool { return f.Rule != "E1" })
}

// at returns the absolute path of a file of the directory.
func (b *Box) at(file string) string { return filepath.Join(b.in.Path, filepath.FromSlash(file)) }
