package task

import (
	"bytes"
	"slices"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/store/disk"
)

// maxBeside is how many files of one folder are looked at for the other messages
// of a task.
const maxBeside = 20_000

// taskHistory is what is known of the tasks beside a message that is checked.
type taskHistory struct {
	// given are the sound messages of the files that are checked, by task, and
	// names their ids.
	given map[string][]agn.Message
	names map[string]bool
	// stored gives what the SSOT has of a task, and twin the message of an id
	// with its bytes. All are nil without one.
	stored func(taskID string) []agn.Message
	twin   func(id string) (agn.Message, bool)
	// answer says why an ACK or an answer counts for nothing there.
	answer func(f *checkedFile) *canon.Fault
	// folders are the messages of a folder by task, and known those that a
	// message of a folder and task is held against. Each is made once.
	folders map[string]map[string][]agn.Message
	known   map[[2]string][]agn.Message
}

func newTaskHistory(files []*checkedFile) *taskHistory {
	h := &taskHistory{
		given: map[string][]agn.Message{}, names: map[string]bool{},
		folders: map[string]map[string][]agn.Message{}, known: map[[2]string][]agn.Message{},
	}
	for _, f := range files {
		// What is refused takes nobody's name.
		if f.kind == kindMessage && len(f.msg.Faults) == 0 {
			h.given[f.msg.TaskID] = append(h.given[f.msg.TaskID], f.msg)
			h.names[f.msg.ID] = true
		}
	}
	return h
}

// check holds a sound message against what is known of its task. lacks tells
// that something was not found which another directory may have.
func (h *taskHistory) check(f *checkedFile) (found canon.Findings, lacks bool) {
	found = agn.Check(&f.msg, h.beside(f))
	if h.twin != nil {
		if twin, ok := h.twin(f.msg.ID); ok {
			// Held against it alone, the message lacks everything else.
			for _, c := range agn.Check(&f.msg, []agn.Message{twin}).Faults {
				if c.Rule == "E1" {
					found.Faults = append(found.Faults, c)
				}
			}
		}
	}
	// A conflict is told of a message that is otherwise sound: what is refused
	// for another reason takes nobody's name. So is what was not found, where it
	// may lie elsewhere: its absence proves little.
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

// demote makes notes of the faults whose rule is weak.
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

// beside gives the messages that a file's is held against: those given, and what
// the SSOT or else the file's folder has under other names. Two texts of one
// message in a folder are no conflict of the one that is checked.
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
		more = h.stored(task)
	case f.folder != "":
		if h.folders[f.folder] == nil {
			h.folders[f.folder] = readFolder(f.folder)
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

// readFolder reads the sound messages of a folder. What cannot be read is not
// what the user asked about, and is passed over.
func readFolder(folder string) map[string][]agn.Message {
	byTask := map[string][]agn.Message{}
	root, err := disk.OpenRoot(folder)
	if err != nil {
		return byTask
	}
	defer root.Close()
	dir, err := root.Open(".")
	if err != nil {
		return byTask
	}
	defer dir.Close()
	entries, _ := dir.ReadDir(maxBeside)
	for _, d := range entries {
		if !messageFile(d) {
			continue
		}
		data, err := readBeneath(root, d.Name())
		if err != nil || !bytes.Contains(data, []byte(agn.Version)) {
			continue
		}
		if m, err := agn.ParseMessage(data); err == nil && len(m.Faults) == 0 {
			byTask[m.TaskID] = append(byTask[m.TaskID], m)
		}
	}
	return byTask
}
