package panel

import (
	"path/filepath"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/diagnose"
	"github.com/signalbox-dev/signalbox/lsp/store"
)

// Panels answers what lsp/diagnose asks about the files around a document.
var _ diagnose.Stores = (*Panels)(nil)

// Now returns the current time in Unix milliseconds.
func (p *Panels) Now() int64 { return p.now() }

// messageDirectory is an open message directory as lsp/diagnose sees it.
type messageDirectory struct {
	*store.Live
	alias string
}

// Alias returns the alias that the user acts as.
func (d messageDirectory) Alias() string { return d.alias }

// Profile returns the form of new ids.
func (d messageDirectory) Profile() samp.Profile { return d.Stats().Profile }

// Find returns the records with an id, without those that can no longer be read.
func (d messageDirectory) Find(id string) (list []samp.Found) {
	for _, m := range d.Live.Find(id) {
		if m.Err == nil {
			list = append(list, m.Found)
		}
	}
	return list
}

// MessageDirectory returns the open message directory that a path lies in, or nil.
// A directory that is still being indexed is left out.
func (p *Panels) MessageDirectory(path string) diagnose.MessageDirectory {
	if path == "" {
		return nil
	}
	stores, _, alias := p.snapshot()
	for _, s := range stores {
		stats := s.live.Stats()
		if dir := filepath.Dir(path); stats.Exists && !stats.Indexing && (dir == s.path || dir == stats.Path) {
			return messageDirectory{s.live, alias.Value}
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
