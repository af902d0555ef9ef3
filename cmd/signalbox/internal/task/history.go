package task

import (
	"slices"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
	agnsource "github.com/signalbox-dev/signalbox/lsp/agn/source"
)

// taskHistory holds the messages that a checked message is compared with.
type taskHistory struct {
	// given are the valid messages of the checked files, by task. names are their ids.
	given map[string][]agn.Message
	names map[string]bool
	// stored is the task directory, or nil.
	stored *agnsource.Box
	// folders caches the messages of each folder, by task. known caches, by folder and
	// task, the messages that a message is checked against.
	folders map[string]map[string][]agn.Message
	known   map[[2]string][]agn.Message
}

func newTaskHistory(files []*checkedFile) *taskHistory {
	h := &taskHistory{
		given: map[string][]agn.Message{}, names: map[string]bool{},
		folders: map[string]map[string][]agn.Message{}, known: map[[2]string][]agn.Message{},
	}
	for _, f := range files {
		// A refused message does not reserve its id.
		if f.kind == kindMessage && len(f.msg.Faults) == 0 {
			h.given[f.msg.TaskID] = append(h.given[f.msg.TaskID], f.msg)
			h.names[f.msg.ID] = true
		}
	}
	return h
}

// check checks a valid message against its task. lacks is set if a message was not
// found that may be in another directory.
func (h *taskHistory) check(f *checkedFile) (found canon.Findings, lacks bool) {
	found = agn.Check(&f.msg, h.beside(f))
	if h.stored != nil {
		found.Faults = append(found.Faults, h.stored.Taken(&f.msg)...)
	}
	// A conflict (E1) is reported only for a message that is otherwise valid, since a
	// refused message does not reserve its id. The same goes for a reference that was
	// not found (Q6) without a task directory: the message may be elsewhere.
	ranks := []func(rule string) bool{func(rule string) bool { return rule == "E1" }}
	if h.stored == nil {
		ranks = append(ranks, func(rule string) bool { return rule == "E1" || rule == "Q6" })
	}
	for _, weak := range ranks {
		if slices.ContainsFunc(found.Faults, func(f canon.Fault) bool { return !weak(f.Rule) }) {
			found = demote(found, weak)
		}
	}
	lacks = slices.ContainsFunc(found.Faults, func(f canon.Fault) bool { return f.Rule == "Q6" || f.Rule == "T1" })
	return found, lacks
}

// answer returns why an ACK or an answer has no effect in the task directory, or nil.
func (h *taskHistory) answer(f *checkedFile) *canon.Fault {
	switch {
	case h.stored == nil:
	case f.kind == kindAck:
		return h.stored.CheckAck(f.ack)
	case f.kind == kindResume:
		return h.stored.CheckResume(f.resume)
	}
	return nil
}

// demote turns faults whose rule is weak into notes.
func demote(in canon.Findings, weak func(rule string) bool) (out canon.Findings) {
	out.Notes = slices.Clip(in.Notes)
	for _, f := range in.Faults {
		if weak(f.Rule) {
			out.Notes = append(out.Notes, f)
		} else {
			out.Faults = append(out.Faults, f)
		}
	}
	return out
}

// beside returns the messages that a file's message is checked against: the given files, and
// messages with other ids in the task directory or, without one, in the file's folder.
func (h *taskHistory) beside(f *checkedFile) []agn.Message {
	task := f.msg.TaskID
	key := [2]string{f.folder, task}
	if h.stored != nil {
		key[0] = ""
	}
	if list, ok := h.known[key]; ok {
		return list
	}
	list := slices.Clip(h.given[task])
	var more []agn.Message
	switch {
	case h.stored != nil:
		more = h.stored.History(task).Messages
	case f.folder != "":
		if h.folders[f.folder] == nil {
			h.folders[f.folder] = agnsource.Beside(f.folder)
		}
		more = h.folders[f.folder][task]
	}
	for _, m := range more {
		if !h.names[m.ID] {
			list = append(list, m)
		}
	}
	h.known[key] = list
	return list
}
