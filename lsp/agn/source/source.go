// Package source shows AMP/1.0 tasks to the panels: the messages that agents in different
// roles send each other about a piece of work, their escalations to the admin, and the admin's
// answers. Tasks have their own requests to list, read and answer them, and are not part of
// the inbox.
//
// Start with [New], or with [Read] for a directory at one moment.
package source

import (
	"context"
	"slices"
	"sync"

	"github.com/signalbox-dev/signalbox/core/mail"
	agnstore "github.com/signalbox-dev/signalbox/lsp/agn"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/shelf"
)

type source struct {
	host panel.Host

	mu          sync.Mutex // guards the fields below
	directories []*directory
	readOnly    bool
	folders     []string
}

// New returns the source; see [panel.NewSource].
func New(host panel.Host) panel.Source { return &source{host: host} }

func (s *source) Format() panel.Format {
	return panel.Format{Protocol: mail.AGN, Thread: "an AMP/1.0 task"}
}

// Configure follows the directories that the flag, the settings or the environment
// name. If none does, it follows the folders' default directories, even before an
// agent's first message makes them.
func (s *source) Configure(in panel.Setup) {
	logs := !in.Settings.ReadOnly
	s.mu.Lock()
	left := s.directories
	var now []*directory
	for _, c := range candidates(in.Env, s.host.Options.SSOT, in.Settings.SSOT, in.Folders) {
		if !s.host.Options.Allows(c.Value, in.Folders) {
			continue
		}
		i := slices.IndexFunc(left, func(d *directory) bool { return d.path == c.Value && d.logs == logs })
		if i < 0 {
			now = append(now, s.follow(c, logs))
			continue
		}
		left[i].origin = c.Origin
		now = append(now, left[i])
		left = slices.Delete(slices.Clone(left), i, i+1)
	}
	s.directories, s.readOnly, s.folders = now, in.Settings.ReadOnly, slices.Clone(in.Folders)
	for _, d := range now {
		s.setWatchdog(d, in.Settings.Watchdog && logs)
	}
	s.mu.Unlock()
	for _, d := range left {
		d.close()
	}
}

func (s *source) Close() {
	s.mu.Lock()
	left := s.directories
	s.directories = nil
	s.mu.Unlock()
	for _, d := range left {
		d.close()
	}
}

func (s *source) Sync(ctx context.Context) error {
	s.mu.Lock()
	list := s.directories
	s.mu.Unlock()
	for _, d := range list {
		if err := d.live.Sync(ctx); err != nil {
			return err
		}
	}
	return nil
}

// changed announces a change of a directory's tasks.
func (s *source) changed(path string, c agnstore.Change) {
	change := panel.SourceChange{Kinds: []string{"tasks"}, Truncated: c.Truncated, Status: c.Status}
	for _, id := range c.Tasks {
		change.Threads = append(change.Threads, mail.ThreadRef(mail.AGN, tree.ID(path), id))
	}
	s.host.Changed(change)
}

func (s *source) View(context.Context, *panel.Shelf) panel.View {
	v := &view{source: s, now: s.host.Options.Now().UnixMilli()}
	s.mu.Lock()
	defer s.mu.Unlock()
	v.readOnly, v.folders = s.readOnly, s.folders
	for _, d := range s.directories {
		o := open{Snapshot: d.live.Snapshot(), live: d.live, origin: d.origin, watchdog: d.watchdog != nil}
		v.directories = append(v.directories, o)
		if o.shown() {
			v.shown = append(v.shown, o.Snapshot)
		}
	}
	return v
}

// view holds the known tasks at the moment now, in Unix milliseconds.
type view struct {
	source      *source
	now         int64
	directories []open
	// shown are the directories that pages show.
	shown    []*agnstore.Snapshot
	readOnly bool
	folders  []string // of the workspace
}

// The following methods serve lists of threads. Lists of threads hold no tasks.

func (v *view) Groups(*panel.InboxFilter) []panel.Group                { return nil }
func (v *view) Counts() panel.Counts                                   { return panel.Counts{} }
func (v *view) Problems() []panel.Warning                              { return nil }
func (v *view) Heads(*panel.HeadQuery) (heads []panel.Head, more bool) { return nil, false }
func (v *view) Items([]panel.Head) []panel.ThreadItem                  { return nil }
func (v *view) Name(panel.Ref) (string, error)                         { return "", errNoThread() }
func (v *view) ShelfKey(panel.Ref) (key shelf.Key, mail shelf.Mail, err error) {
	return key, nil, errNoThread()
}

func (v *view) Thread(context.Context, panel.ThreadParams) (panel.Page, error) {
	return panel.Page{}, errNoThread()
}

func (v *view) Cursor(r panel.Ref) (string, bool) {
	_, id, ok := r.Message()
	return id, ok
}

// errNoThread returns the error for a request that treats a task as a thread of mail.
func errNoThread() error {
	return &panel.Error{Kind: panel.Unsupported, Message: "a task is no thread of mail: it is read, answered and acknowledged by its own requests"}
}

// liveOf returns the live store of a directory that the view shows.
func (v *view) liveOf(s *agnstore.Snapshot) *agnstore.Live {
	return v.directories[slices.IndexFunc(v.directories, func(o open) bool { return o.Snapshot == s })].live
}
