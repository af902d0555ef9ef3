package ssot

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

// index is what the files say, by task. What it says depends on them alone and
// not on the order in which they were found.
type index struct {
	// tasks has the files by the task that they are about; "" stands for those
	// that are about none.
	tasks map[string]*taskIndex
	// known is the error log's.
	known map[key]*logged
	// file returns what is known of a file by its path, or nil, and sources the tasks
	// of which the error log says something about a file.
	file    func(path string) *record
	sources map[string]map[*taskIndex]bool
}

// taskIndex is what is known of one task.
type taskIndex struct {
	id string
	// files are what its files say, by what they are about and then by path.
	files  [facts][]*record
	logged []*logged

	// What follows is made of it by rebuild.
	task *Task
	// ghost is set where the error log alone knows of the task.
	ghost    bool
	here     []refusedFile
	problems []Problem
}

// refusedFile is a rejected message that lies here.
type refusedFile struct {
	rejected *Rejected
	record   *record
}

func newIndex(file func(path string) *record) *index {
	return &index{
		tasks: make(map[string]*taskIndex), file: file, sources: make(map[string]map[*taskIndex]bool),
	}
}

// owner is the id of the task that a file is about, or "".
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

// about is the id of the message that a fact is, or answers.
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

func (x *index) at(id string) *taskIndex {
	t := x.tasks[id]
	if t == nil {
		t = &taskIndex{id: id}
		x.tasks[id] = t
	}
	return t
}

// apply takes in what differs, and returns the ids of the tasks that are not as
// they were, sorted.
func (x *index) apply(d *tree.Delta[*record]) []string {
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
		for _, list := range t.files {
			slices.SortFunc(list, func(a, b *record) int {
				return cmp.Or(cmp.Compare(a.about(), b.about()), cmp.Compare(a.Path, b.Path))
			})
		}
	}
	for _, list := range [][]*record{d.Removed, d.Added} {
		for _, r := range list {
			if r.fact == factMessage {
				maps.Copy(dirty, x.sources[r.Path]) // it was mended, or is not any more
			}
		}
	}
	return x.rebuild(dirty)
}

// relog takes in what the error log has by now, and returns the ids of the tasks
// that are not as they were. anew is set where it did not only grow by what is
// fresh.
func (x *index) relog(l *logReader, anew bool) []string {
	dirty := make(map[*taskIndex]bool)
	fresh := make(map[key]bool, len(l.fresh))
	add := l.fresh
	if anew {
		add = l.entries
		clear(x.sources)
	}
	for _, e := range add {
		fresh[keyOf(e.Source, e.Digest)] = true
	}
	for _, t := range x.tasks {
		if anew && len(t.logged) > 0 {
			t.logged, dirty[t] = nil, true
		}
		for _, h := range t.here {
			if fresh[keyOf(h.rejected.Source, h.rejected.Digest)] || anew && h.rejected.Logged {
				dirty[t] = true
			}
		}
	}
	x.known = l.known
	for _, e := range add {
		id := ""
		if agn.ValidTaskID(e.TaskID) {
			id = e.TaskID
		}
		t := x.at(id)
		t.logged = append(t.logged, e)
		dirty[t] = true
		if x.sources[e.Source] == nil {
			x.sources[e.Source] = make(map[*taskIndex]bool)
		}
		x.sources[e.Source][t] = true
	}
	return x.rebuild(dirty)
}

// rebuild makes the tasks anew that changed.
func (x *index) rebuild(dirty map[*taskIndex]bool) []string {
	var ids []string
	for t := range dirty {
		t.rebuild(x)
		if t.id != "" {
			ids = append(ids, t.id)
		}
		if t.empty() {
			delete(x.tasks, t.id)
		}
	}
	slices.Sort(ids)
	return ids
}

func (t *taskIndex) empty() bool {
	n := len(t.logged)
	for _, list := range t.files {
		n += len(list)
	}
	return n == 0
}

// problems lists everything that the files give rise to. own is set where the
// directory has our layout.
func (x *index) problems(own bool) []Problem {
	var list []Problem
	for _, t := range x.tasks {
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
