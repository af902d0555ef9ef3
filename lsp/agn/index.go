package agn

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

// index holds the records by the id of their task; "" holds those without a task. It depends
// only on the files, not on the order in which they were found.
type index map[string]*taskIndex

// taskIndex is everything known about one task.
type taskIndex struct {
	id string
	// files are the task's files by kind, each list ordered by message id and then by path.
	files [facts][]*record

	// The fields below are set by rebuild. task is nil if no fact is about it.
	task     *Task
	here     []refusedFile
	problems []Problem
}

// refusedFile is a rejected message in the directory, without what the error log has about it.
type refusedFile struct {
	rejected Rejected
	record   *record
}

// owner returns the id of the task that a file is about, or "".
func (r *record) owner() string {
	switch r.fact {
	case factMessage:
		return r.msg.TaskID
	case factRefused:
		if agn.ValidTaskID(r.msg.TaskID) {
			return r.msg.TaskID
		}
	case factAck, factResume:
		id, _ := agn.ParseID(r.about())
		return id.TaskID
	case factTask:
		return r.task.TaskID
	}
	return ""
}

// about returns the id of the message that a fact is or answers.
func (r *record) about() string {
	switch r.fact {
	case factMessage:
		return r.msg.ID
	case factAck:
		return r.ack.MsgID
	case factResume:
		return r.resume.MsgID
	}
	return ""
}

func (x index) at(id string) *taskIndex {
	t := x[id]
	if t == nil {
		t = &taskIndex{id: id}
		x[id] = t
	}
	return t
}

// apply applies changed files, and returns the ids of the tasks that changed.
func (x index) apply(d *tree.Delta[*record]) (ids []string) {
	dirty := make(map[*taskIndex]bool)
	drop := make(map[*record]bool, len(d.Removed))
	for _, r := range d.Removed {
		if r.fact != factNone {
			drop[r], dirty[x.at(r.owner())] = true, true
		}
	}
	for t := range dirty {
		for f, list := range t.files {
			t.files[f] = slices.DeleteFunc(list, func(r *record) bool { return drop[r] })
		}
	}
	for _, r := range d.Added {
		if r.fact != factNone {
			t := x.at(r.owner())
			t.files[r.fact], dirty[t] = append(t.files[r.fact], r), true
		}
	}
	for t := range dirty {
		n := 0
		for _, list := range t.files {
			n += len(list)
			slices.SortFunc(list, func(a, b *record) int {
				return cmp.Or(cmp.Compare(a.about(), b.about()), cmp.Compare(a.Path, b.Path))
			})
		}
		t.rebuild()
		if t.id != "" {
			ids = append(ids, t.id)
		}
		if n == 0 {
			delete(x, t.id)
		}
	}
	return ids
}

// problems lists all problems of the files. own is set if the directory has our layout.
func (x index) problems(own bool) []Problem {
	var list []Problem
	for _, t := range x {
		list = append(list, t.problems...)
		for _, r := range t.files[factSpoiled] {
			if home(r.Path) != inTasks || own && ofTask(r.Path) {
				list = append(list, *r.problem)
			}
		}
		if large := t.files[factLarge]; len(large) > 0 {
			list = append(list, Problem{
				Path:   large[0].Path,
				Reason: fmt.Sprintf("%d .json files, of which this is one, are longer than %d bytes and are not looked at", len(large), maxRead),
				Advice: "a message cannot be that long; keep other files elsewhere",
			})
		}
	}
	return list
}

func byPath(a, b Problem) int {
	return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Reason, b.Reason))
}
