package task

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/agn"
	agnsource "github.com/signalbox-dev/signalbox/lsp/agn/source"
	"github.com/signalbox-dev/signalbox/lsp/who"
)

// Place returns the task directory: the one set by a flag or the environment, or the
// first one found from the working directory upwards.
func (j *Commands) Place() (who.Place, error) {
	if found, ok := agnsource.Nearest(j.Env, j.ssot); ok {
		return who.Place{Choice: found}, nil
	}
	folders := who.ToRoot(j.Env.Work)
	where := strconv.Quote(folders[0])
	if len(folders) > 1 {
		where += " or above it"
	}
	return who.Place{}, fmt.Errorf("begin with \"signalbox task send --ssot .ssot\", which makes a task directory: no task messages found, because --ssot and SIGNALBOX_SSOT name no directory and there is no .ssot or ssot in %s", where)
}

// read reads the task directory, which must exist.
func (j *Commands) read(ctx context.Context) (*agnsource.Box, error) {
	where, err := j.Place()
	if err != nil {
		return nil, err
	}
	b, err := agnsource.Read(ctx, where.Value, j.Now())
	if err == nil && !b.Exists() {
		return nil, fmt.Errorf("task: begin with \"signalbox task send\", which makes the directory: %s (%s) does not exist", where.Value, where.Origin)
	}
	return b, err
}

// taskView is a task as the sender of a message sees it. A new task has only an id.
type taskView struct {
	id  string
	now int64
	agn.History
}

// view returns the task that a message is for. A dispatch may begin a new one.
func (s *sending) view(b *agnsource.Box, kind string) (*taskView, error) {
	v := &taskView{id: s.task, now: s.Now().UnixMilli()}
	switch {
	case s.task != "":
	case kind == agn.TypeDispatch:
		v.id = b.NextTask()
	default:
		return nil, cli.Usage(fmt.Errorf("a %s needs --task, the id of its task", kind))
	}
	v.History = b.History(v.id)
	return v, nil
}

// newest returns the newest message of a type for which ok holds, or nil. A nil ok accepts all.
func (v *taskView) newest(kind string, ok func(m *agn.Message) bool) *agn.Message {
	for i := range slices.Backward(v.Messages) {
		if m := &v.Messages[i]; m.Type == kind && (ok == nil || ok(m)) {
			return m
		}
	}
	return nil
}

// dispatch returns the newest dispatch with the subtask, or with any subtask for "".
func (v *taskView) dispatch(subtask string) *agn.Dispatch {
	m := v.newest(agn.TypeDispatch, func(m *agn.Message) bool {
		return subtask == "" || slices.ContainsFunc(m.Payload.Dispatch.Subtasks, func(s agn.Subtask) bool { return s.ID == subtask })
	})
	if m == nil {
		return nil
	}
	return m.Payload.Dispatch
}

// millis returns the time of a new message, moved on if another message would have the same id.
func (v *taskView) millis(kind string) int64 {
	at := v.now
	for i := range v.Messages {
		if id, ok := agn.ParseID(v.Messages[i].ID); ok && id.Type == kind && id.Millis == at {
			at++
		}
	}
	return at
}

// rejects counts the rejections that a new message has to state (rules Q5 and X7).
func (v *taskView) rejects(kind string) int {
	at := v.millis(kind)
	id := agn.ID{Type: kind, TaskID: v.id, Millis: at}
	return agn.Rejects(&agn.Message{ID: id.String(), Type: kind, TaskID: v.id, Time: agn.At(at)}, v.Messages)
}

// context returns the ids of the messages that a new message follows.
func (v *taskView) context(kind string) (refs []string) {
	add := func(m *agn.Message) {
		if m != nil {
			refs = append(refs, m.ID)
		}
	}
	switch kind {
	case agn.TypeResult:
		add(v.newest(agn.TypeDispatch, nil))
	case agn.TypeRequest:
		add(v.newest(agn.TypeDispatch, nil))
		add(v.newest(agn.TypeResult, nil))
	case agn.TypeVerdict:
		add(v.newest(agn.TypeRequest, nil))
	default:
		if len(v.Messages) > 0 {
			add(&v.Messages[len(v.Messages)-1])
		}
	}
	return refs
}
