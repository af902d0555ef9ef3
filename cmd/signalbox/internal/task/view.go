package task

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/lsp/store/environ"
	"github.com/signalbox-dev/signalbox/lsp/store/ssot"
)

// Place returns the task directory: the one that a flag or the environment names, or
// the first found from the working directory upwards.
func (j *Commands) Place() (environ.Choice, error) {
	if found, ok := ssot.Nearest(j.Env, j.ssot); ok {
		return found, nil
	}
	folders := ssot.Upwards(j.Env.Work)
	where := strconv.Quote(folders[0])
	if len(folders) > 1 {
		where += " or above it"
	}
	return environ.Choice{}, fmt.Errorf("begin with \"signalbox task send --ssot .ssot\", which makes a task directory: no task messages found, because --ssot and SIGNALBOX_SSOT name no directory and there is no .ssot or ssot in %s", where)
}

// scan reads the task directory, which must exist.
func (j *Commands) scan(ctx context.Context) (*ssot.Snapshot, error) {
	where, err := j.Place()
	if err != nil {
		return nil, err
	}
	snap, err := scanIfThere(ctx, where.Value)
	if err == nil && snap == nil {
		return nil, fmt.Errorf("task: begin with \"signalbox task send\", which makes the directory: %s (%s) does not exist", where.Value, where.Origin)
	}
	return snap, err
}

// scanIfThere reads a directory. It returns nil if the directory does not exist.
func scanIfThere(ctx context.Context, path string) (*ssot.Snapshot, error) {
	if info, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("task: %w", err)
	} else if !info.IsDir() {
		return nil, fmt.Errorf("task: %q is no directory", path)
	}
	snap, err := ssot.Scan(ctx, path)
	if err != nil {
		return nil, err
	}
	return snap, snap.Err
}

// taskView is a task as the sender of a message sees it. Only the id of a new task is
// known.
type taskView struct {
	id   string
	task *ssot.Task
	now  int64
}

// view returns the task that a message is for. A dispatch may begin a new one.
func (s *sending) view(snap *ssot.Snapshot, kind string) (*taskView, error) {
	v := &taskView{id: s.task, now: s.Now().UnixMilli()}
	switch {
	case s.task != "":
	case kind == agn.TypeDispatch:
		v.id = nextTask(snap, s.Now().UTC().Year())
	default:
		return nil, cli.Usage(fmt.Errorf("a %s needs --task, the id of its task", kind))
	}
	if snap != nil {
		v.task = snap.Task(v.id)
	}
	return v, nil
}

// nextTask returns the id after the highest of a year.
func nextTask(snap *ssot.Snapshot, year int) string {
	highest := 0
	prefix := fmt.Sprintf("T-%04d-", year)
	if snap != nil {
		for _, t := range snap.Tasks {
			if rest, ok := strings.CutPrefix(t.ID, prefix); ok {
				if n, err := strconv.Atoi(rest); err == nil {
					highest = max(highest, n)
				}
			}
		}
	}
	return fmt.Sprintf("%s%03d", prefix, highest+1)
}

// newest returns the newest message of a type for which ok holds, or nil.
func (v *taskView) newest(kind string, ok func(m *agn.Message) bool) *agn.Message {
	if v.task == nil {
		return nil
	}
	for i := range slices.Backward(v.task.History.Messages) {
		if m := &v.task.History.Messages[i]; m.Type == kind && (ok == nil || ok(m)) {
			return m
		}
	}
	return nil
}

// dispatch returns the newest dispatch that has the subtask. "" means any.
func (v *taskView) dispatch(subtask string) *agn.Dispatch {
	m := v.newest(agn.TypeDispatch, func(m *agn.Message) bool {
		return subtask == "" || slices.ContainsFunc(m.Payload.Dispatch.Subtasks, func(s agn.Subtask) bool { return s.ID == subtask })
	})
	if m == nil {
		return nil
	}
	return m.Payload.Dispatch
}

func (v *taskView) state() agn.TaskState {
	if v.task == nil {
		return agn.TaskState{TaskID: v.id, Phase: agn.PhaseNone}
	}
	return v.task.State(v.now)
}

// millis returns the time of a new message. It differs from the time of every message
// that would otherwise have the same id.
func (v *taskView) millis(kind string) int64 {
	at := v.now
	if v.task != nil {
		for i := range v.task.History.Messages {
			if id, ok := agn.ParseID(v.task.History.Messages[i].ID); ok && id.Type == kind && id.Millis == at {
				at++
			}
		}
	}
	return at
}

// rejects counts the rejections that a new message has to name (rules Q5 and X7).
func (v *taskView) rejects(kind string) int {
	if v.task == nil {
		return 0
	}
	at := v.millis(kind)
	id := agn.ID{Type: kind, TaskID: v.id, Millis: at}
	return agn.Rejects(&agn.Message{ID: id.String(), Type: kind, TaskID: v.id, Time: agn.At(at)}, v.task.History.Messages)
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
		if v.task != nil && len(v.task.History.Messages) > 0 {
			add(&v.task.History.Messages[len(v.task.History.Messages)-1])
		}
	}
	return refs
}

// otherMessages returns the other messages of a message's task.
func otherMessages(snap *ssot.Snapshot, m *agn.Message) []agn.Message {
	if snap == nil {
		return nil
	}
	t := snap.Task(m.TaskID)
	if t == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(t.History.Messages), func(h agn.Message) bool { return h.ID == m.ID })
}
