package panel

import (
	"path/filepath"
	"strings"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/lsp/store/ssot"
)

// taskOthers is where the open directories' tasks are looked up for [Diagnose]:
// in the directory that the file lies in, else in the first that knows the task.
func (p *Panels) taskOthers(path, taskID string) []agn.Message {
	list := p.ssotsNow()
	for _, s := range list {
		if s.Ready && path != "" && strings.HasPrefix(path, s.Path+string(filepath.Separator)) {
			return besides(s.Task(taskID), path)
		}
	}
	for _, s := range list {
		if t := s.Task(taskID); t != nil {
			return besides(t, path)
		}
	}
	return nil
}

// besides gives a task's messages without the one that the file at path holds,
// which may be open under a path that leads through links. It is never nil.
func besides(t *ssot.Task, path string) []agn.Message {
	others := []agn.Message{}
	if t == nil {
		return others
	}
	path = filepath.ToSlash(path)
	for i := range t.History.Messages {
		if !strings.HasSuffix(path, "/"+t.Files[i]) {
			others = append(others, t.History.Messages[i])
		}
	}
	return others
}
