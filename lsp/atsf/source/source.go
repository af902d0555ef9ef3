// Package source shows agents' own threads (ATSF) to the panels. Agents write them below
// .agent in their checkouts. They are not mail. Signalbox reads them and writes nothing there.
package source

import (
	"cmp"
	"context"
	"sync/atomic"

	"github.com/signalbox-dev/signalbox/core/mail"
	atsfstore "github.com/signalbox-dev/signalbox/lsp/atsf"
	"github.com/signalbox-dev/signalbox/lsp/atsf/turns"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

type source struct {
	turns.Followed[*atsfstore.Live]
	host      panel.Host
	keyed     panel.KeyedLists
	edits     turns.Edits
	tails     turns.Tails
	workspace atomic.Bool
}

// New returns the source; see [panel.NewSource].
func New(host panel.Host) panel.Source { return &source{host: host} }

func (s *source) Format() panel.Format {
	return panel.Format{Protocol: mail.ATSF, Thread: "an agent's own thread"}
}

func (s *source) Configure(in panel.Setup) {
	s.workspace.Store(in.Workspace)
	s.Open(in.Folders, func(folders []string) *atsfstore.Live {
		return atsfstore.OpenLive(atsfstore.Config{Folders: folders, StateDir: in.Env.StateDir(), Inside: s.host.Options.Browser, Once: s.host.Options.Once, Logger: s.host.Options.Log, Changed: s.changed})
	})
}

func (s *source) changed(c atsfstore.Change) {
	change := panel.SourceChange{Kinds: []string{"messages"}, Truncated: c.Truncated || c.Folders, Status: c.Folders}
	for _, key := range c.Threads {
		change.Threads = append(change.Threads, mail.ThreadRef(mail.ATSF, key.Folder, key.Name))
	}
	s.host.Changed(change)
}

func (s *source) View(_ context.Context, away *panel.Shelf) panel.View {
	live := s.Live()
	snap := &atsfstore.Snapshot{}
	if live != nil {
		snap = live.Snapshot()
	}
	return s.view(live, snap, away)
}

func (s *source) view(live *atsfstore.Live, snap *atsfstore.Snapshot, away *panel.Shelf) *view {
	v := &view{files: files{snap}, source: s, live: live, workspace: s.workspace.Load()}
	v.View = turns.View[atsfstore.Item]{
		Protocol: mail.ATSF, List: snap.Items, Folders: snap.Folders, Shelf: away, Keyed: &s.keyed, Seen: snap, Edits: &s.edits,
		Of: func(it *atsfstore.Item) turns.Talk { return conversation{v, it} },
		By: func(store, name string) *atsfstore.Item { return snap.Item(atsfstore.Key{Folder: store, Name: name}) },
	}
	for i := range snap.Folders {
		v.Stores = append(v.Stores, snap.Folders[i].ID)
	}
	return v
}

// files is embedded one level deeper than [turns.View], whose methods take precedence.
type files struct{ *atsfstore.Snapshot }

// view holds the known threads at one moment.
type view struct {
	turns.View[atsfstore.Item]
	files
	source    *source
	live      *atsfstore.Live // nil if no folder is open
	workspace bool
	// known is the result of tokens, or nil until it is needed.
	known map[string]bool
	// searched is how many ids were searched for in files.
	searched int
}

// key returns the thread of a ref, and the message's line if the ref is of a message.
func key(r panel.Ref) (k atsfstore.Key, line string, err error) {
	k.Folder, k.Name, line, err = turns.Key(r)
	return k, line, err
}

func (v *view) Name(r panel.Ref) (string, error) {
	c, err := v.Talk(r)
	if err != nil {
		return "", err
	}
	names := c.Names()
	return cmp.Or(names[1], names[0]), nil
}

func (v *view) Named(name string, most int) []panel.ThreadLink {
	return links(v.ByID(name), most)
}

func link(it *atsfstore.Item) panel.ThreadLink {
	return panel.ThreadLink{Ref: threadRef(it), Agent: true, Title: title(it), Count: show.Number(it.Thread.Stats.Messages)}
}
