package panel

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/lsp/diagnose"
	"github.com/signalbox-dev/signalbox/lsp/store/ssot"
)

// Panels answers what lsp/diagnose asks about the files around a document.
var _ diagnose.Stores = (*Panels)(nil)

// Now returns the current time in Unix milliseconds.
func (p *Panels) Now() int64 { return p.now() }

// MessageDirectory returns the open message directory that a path lies in, or nil.
// A directory that is still being indexed is left out.
func (p *Panels) MessageDirectory(path string) diagnose.MessageDirectory {
	if path == "" {
		return nil
	}
	for _, v := range p.viewsNow(context.Background()) {
		if l, ok := v.View.(Logged); ok {
			return l.MessageDirectory(path)
		}
	}
	return nil
}

// Trust judges a signed message by the keys that are known here. It pins no key.
func (p *Panels) Trust(path string, m *amp.Message) (t amp.Trust, ok bool) {
	p.mu.RLock()
	root := p.mail
	p.mu.RUnlock()
	if root == nil {
		return amp.Trust{}, false
	}
	key := ""
	if rel, err := filepath.Rel(root.path, path); path != "" && err == nil && filepath.IsLocal(rel) {
		key = filepath.ToSlash(rel)
	}
	snap := root.live.Snapshot()
	if len(snap.Mailboxes) == 0 {
		return amp.Trust{}, false
	}
	return snap.Judge(key, m, root.pins, p.opt.Now().UnixMilli()), true
}

// TaskMessages returns the other messages of m's task: from the open directory that
// the file at path lies in, else from the first one that knows the task.
func (p *Panels) TaskMessages(path string, m *agn.Message) []agn.Message {
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

// nameIn returns the name that a task directory has for the file at path, and
// whether the file lies in it.
func nameIn(s *ssot.Snapshot, path string) (name string, ok bool) {
	if path == "" {
		return "", false
	}
	name, err := filepath.Rel(s.Path, path)
	return filepath.ToSlash(name), err == nil && filepath.IsLocal(name)
}

// othersIn returns a task's messages without the one in the file named own. The
// editor may have opened that file through a link, so a message with m's id whose
// file name ends path is left out too. The list is never nil, and must not be
// changed.
func othersIn(t *ssot.Task, m *agn.Message, path, own string) []agn.Message {
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
		return t.History.Messages // a task may be long, and this runs while somebody types
	}
	kept := slices.Clone(t.History.Messages)
	for _, i := range slices.Backward(left) {
		kept = slices.Delete(kept, i, i+1)
	}
	return kept
}
