package source

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/agn"
	agnstore "github.com/signalbox-dev/signalbox/lsp/agn"
)

// TaskMessages returns the other messages of m's task. It uses the open directory that holds
// the file at path, or the first directory that has the task.
func (v *view) TaskMessages(path string, m *agn.Message) []agn.Message {
	for _, s := range v.shown {
		if own, ok := nameIn(s, path); ok && s.Ready {
			return othersIn(s.Task(m.TaskID), m, path, own)
		}
	}
	for _, s := range v.shown {
		if t := s.Task(m.TaskID); t != nil {
			return othersIn(t, m, path, "")
		}
	}
	return nil
}

// nameIn returns the path of the file at path within a task directory, and whether the
// file lies in it.
func nameIn(s *agnstore.Snapshot, path string) (name string, ok bool) {
	if path == "" {
		return "", false
	}
	name, err := filepath.Rel(s.Path, path)
	return filepath.ToSlash(name), err == nil && filepath.IsLocal(name)
}

// othersIn returns a task's messages without the one in the file named own. The editor may
// have opened that file through a link, so a message with m's id is left out too if path ends
// with its file name. The list is never nil. The caller must not change it.
func othersIn(t *agnstore.Task, m *agn.Message, path, own string) []agn.Message {
	if t == nil || len(t.History.Messages) == 0 {
		return []agn.Message{}
	}
	path = filepath.ToSlash(path)
	var left []int
	for i := range t.Files {
		if t.Files[i] == own || t.History.Messages[i].ID == m.ID && strings.HasSuffix(path, "/"+t.Files[i]) {
			left = append(left, i)
		}
	}
	if len(left) == 0 {
		return t.History.Messages // no copy: a task may be long, and this runs while the user types
	}
	kept := slices.Clone(t.History.Messages)
	for _, i := range slices.Backward(left) {
		kept = slices.Delete(kept, i, i+1)
	}
	return kept
}
