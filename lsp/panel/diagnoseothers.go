package panel

import (
	"path/filepath"
	"strings"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/lsp/store/ssot"
)

// taskOthers is where [Diagnose] finds the messages of a task: in the open
// directory that the file lies in, else in the first that knows the task.
func (p *Panels) taskOthers(path string, m *agn.Message) []agn.Message {
	list := p.ssotsNow()
	for _, s := range list {
		if own, ok := nameIn(s, path); ok && s.Ready {
			return othersIn(s.Task(m.TaskID), m, path, own)
		}
	}
	for _, s := range list {
		if t := s.Task(m.TaskID); t != nil {
			return othersIn(t, m, path, "")
		}
	}
	return nil
}

// nameIn gives the name that a store has for a file that lies in it.
func nameIn(s *ssot.Snapshot, path string) (name string, ok bool) {
	if path == "" {
		return "", false
	}
	name, err := filepath.Rel(s.Path, path)
	return filepath.ToSlash(name), err == nil && filepath.IsLocal(name)
}

// othersIn gives a task's messages without the one of the file called own. A file
// may be open under a path that leads through links: one of the same name and id
// is it too. The list is never nil.
func othersIn(t *ssot.Task, m *agn.Message, path, own string) []agn.Message {
	if t == nil || len(t.History.Messages) == 0 {
		return []agn.Message{}
	}
	path = filepath.ToSlash(path)
	return besides(t.History.Messages, func(i int) bool {
		return t.Files[i] == own || t.History.Messages[i].ID == m.ID && strings.HasSuffix(path, "/"+t.Files[i])
	})
}
