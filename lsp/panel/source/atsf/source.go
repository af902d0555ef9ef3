// Package atsf is the source of agents' own threads, which agents keep beneath .agent
// in the checkouts they work in. They are nobody's mail. Signalbox reads them and
// writes nothing there.
package atsf

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/panel/source/turns"
	"github.com/signalbox-dev/signalbox/lsp/store/shelf"
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
)

type source struct {
	host  panel.Host
	keyed panel.KeyedLists
	edits turns.Edits
	tails turns.Tails

	mu        sync.Mutex // guards what follows
	live      *threads.Live
	folders   []string
	workspace bool
}

// New returns the source; see [panel.NewSource].
func New(host panel.Host) panel.Source { return &source{host: host} }

func (s *source) Format() panel.Format {
	return panel.Format{Protocol: mail.ATSF, Thread: "an agent's own thread"}
}

func (s *source) Configure(in panel.Setup) {
	s.mu.Lock()
	s.workspace = in.Workspace
	if s.live != nil && slices.Equal(in.Folders, s.folders) {
		s.mu.Unlock()
		return
	}
	left := s.live
	s.folders = slices.Clone(in.Folders)
	s.live = threads.OpenLive(threads.Config{
		Folders: s.folders, StateDir: in.Env.StateDir(), Logger: s.host.Options.Log, Changed: s.changed,
	})
	s.mu.Unlock()
	if left != nil {
		left.Close()
	}
}

func (s *source) Close() {
	s.mu.Lock()
	left := s.live
	s.live = nil
	s.mu.Unlock()
	if left != nil {
		left.Close()
	}
}

func (s *source) Sync(ctx context.Context) error {
	if live, _ := s.followed(); live != nil {
		return live.Sync(ctx)
	}
	return nil
}

func (s *source) followed() (live *threads.Live, workspace bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.live, s.workspace
}

func (s *source) changed(c threads.Change) {
	change := panel.SourceChange{Kinds: []string{"messages"}, Truncated: c.Truncated || c.Folders, Status: c.Folders}
	for _, key := range c.Threads {
		change.Threads = append(change.Threads, mail.ThreadRef(mail.ATSF, key.Folder, key.Name))
	}
	s.host.Changed(change)
}

func (s *source) View(_ context.Context, away *panel.Shelf) panel.View {
	v := &view{Snapshot: &threads.Snapshot{}, source: s, shelf: away}
	if v.live, v.workspace = s.followed(); v.live != nil {
		v.Snapshot = v.live.Snapshot()
	}
	return v
}

// view holds the known threads at one moment.
type view struct {
	*threads.Snapshot
	source    *source
	live      *threads.Live // nil where nothing is open
	workspace bool
	shelf     *panel.Shelf
	// known is the result of tokens, or nil until it is needed.
	known map[string]bool
	// searched is how many ids were searched for in files.
	searched int
}

// key returns the thread that a ref stands for, and the message's line if the ref is of
// a message.
func key(r panel.Ref) (k threads.Key, line string, err error) {
	k.Folder = r.Store
	var ok bool
	if k.Name, ok = r.Thread(); !ok {
		k.Name, line, ok = r.Message()
	}
	if !ok {
		return k, "", failure(threads.ErrNotFound, "thread")
	}
	return k, line, nil
}

// item returns the thread that a ref stands for.
func (v *view) item(r panel.Ref) (*threads.Item, error) {
	k, _, err := key(r)
	if err != nil {
		return nil, err
	}
	if it := v.Item(k); it != nil {
		return it, nil
	}
	return nil, failure(threads.ErrNotFound, "thread")
}

// away returns what the user put away in a folder.
func (v *view) away(folder string) *panel.ShelfPart { return v.shelf.Part(mail.ATSF, folder, "") }

// shelved returns the state of a thread on the shelf.
func (v *view) shelved(it *threads.Item) panel.Shelved {
	return v.away(it.Folder).At(it.Name, nil, v.shelf.Now)
}

func (v *view) ShelfKey(r panel.Ref) (shelf.Key, shelf.Mail, error) {
	it, err := v.item(r)
	if err != nil {
		return shelf.Key{}, nil, &panel.Error{Kind: panel.NotFound, Message: "there is no such thread any more", Err: err}
	}
	return shelf.Key{Ref: threadRef(it)}, nil, nil
}

func (v *view) Cursor(r panel.Ref) (string, bool) {
	_, line, ok := r.Message()
	return line, ok
}

func (v *view) Name(r panel.Ref) (string, error) {
	it, err := v.item(r)
	if err != nil {
		return "", err
	}
	return cmp.Or(it.Thread.ID, it.Name), nil
}

func (v *view) Named(name string, most int) (links []panel.ThreadLink) {
	for _, it := range v.ByID(name) {
		if len(links) < most {
			links = append(links, link(it))
		}
	}
	return links
}

func link(it *threads.Item) panel.ThreadLink {
	return panel.ThreadLink{Ref: threadRef(it), Agent: true, Title: title(it), Count: show.Number(it.Thread.Stats.Messages)}
}

func (v *view) Checkouts() (list []panel.Checkout) {
	for i := range v.Folders {
		f := &v.Folders[i]
		list = append(list, panel.Checkout{Path: f.Path, Repository: f.Repository, Branch: f.Branch, Gone: f.Gone})
	}
	return list
}
