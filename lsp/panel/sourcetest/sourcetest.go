// Package sourcetest is a suite of tests that every source of the panels has to pass. Each source
// runs it from its own tests; see [Run].
package sourcetest

import (
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/door"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// Case is a source and stores for it.
type Case struct {
	New panel.NewSource
	// Beside are other sources that are also open and find nothing.
	Beside []panel.NewSource
	// Fill writes stores below a new folder: at least three threads with at least seven messages
	// in all that each contain Word, and one thread without Word that contains [Hostile] wherever
	// a stranger may write. Setting returns the settings and folders that open the stores.
	Fill    func(t *testing.T, home string)
	Setting func(home string) (panel.Settings, []string)
	Word    string
	// Asks is how many of the threads ask the user something.
	Asks int
	// Grow adds a message to one of the threads, or to the first of Names.
	Grow func(t *testing.T, home string)
	// Completed is the kind of completion that finds the name of a thread. Empty means a thread.
	Completed panel.CompleteKind

	// Names and Pages are set for a format whose threads no inbox lists. Names has one token for
	// each thread that Fill wrote, which finds the thread. Pages returns what the panels show of
	// the threads, and the HTML in it.
	Names []string
	Pages func(t *testing.T, p *door.Panels) (pages []any, html []string)
}

// Hostile is text that no string in a result may contain unchanged.
const Hostile = "<script>alert(1)</script>\u202e\x1b[31m\u0000 ![x](https://evil.example/i.png) [run](command:evil)"

// Run runs the suite on a source.
func Run(t *testing.T, c Case) {
	tests := map[string]func(*fixture){
		"Nothing": nothing, "Tokens": tokens, "Completes": completes, "Searches": searches, "Strangers": strangers, "Refs": refs,
		"Follows": follows, "Closes": closes,
	}
	if c.Names == nil {
		tests["Lists"], tests["Filters"], tests["Threads"], tests["Shelves"], tests["Questions"] = lists, filters, threads, shelves, questions
	} else {
		tests["Unlisted"] = unlisted
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) { test(open(t, c)) })
	}
}

// fixture holds panels with the tested source and the sources of Case.Beside.
type fixture struct {
	*testing.T
	*door.Panels
	c        Case
	home     string
	work     string // where Fill wrote
	protocol mail.Protocol

	mu      sync.Mutex
	changes []panel.Change
	changed chan struct{} // has one token after a change
}

func open(t *testing.T, c Case) *fixture {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	work := filepath.Join(home, "work")
	d := &fixture{T: t, c: c, home: home, work: work, changed: make(chan struct{}, 1)}
	if err := os.Mkdir(work, 0o700); err != nil {
		t.Fatal(err)
	}
	c.Fill(t, work)
	settings, folders := c.Setting(work)
	vars := map[string]string{"XDG_STATE_HOME": filepath.Join(home, "state")}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	options := panel.Options{
		Env:      environ.Env{Getenv: func(k string) string { return vars[k] }, Home: home, Work: work},
		Settings: settings, Folders: folders, Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler),
		Sources: append(slices.Clone(c.Beside), c.New), Changed: d.record, StatusChanged: func(panel.Status) {},
	}
	d.protocol = c.New(panel.Host{Options: &options, Changed: func(panel.SourceChange) {}}).Format().Protocol
	d.Panels = door.Open(options)
	t.Cleanup(func() { _ = d.Close() })
	d.sync()
	return d
}

func (d *fixture) record(c panel.Change) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.changes = append(d.changes, c)
	select {
	case d.changed <- struct{}{}:
	default:
	}
}

// announced reports whether a change was announced that names a thread.
func (d *fixture) announced(r panel.Ref) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.ContainsFunc(d.changes, func(c panel.Change) bool { return len(c.Kinds) > 0 && slices.Contains(c.Refs, r) })
}

func (d *fixture) sync() {
	d.Helper()
	if err := d.Sync(d.Context()); err != nil {
		d.Fatal(err)
	}
}

func (d *fixture) inbox(q panel.InboxParams) panel.InboxPage {
	d.Helper()
	page, err := d.Inbox(d.Context(), q)
	if err != nil {
		d.Fatalf("%+v: %v", q, err)
	}
	return page
}

// all returns the threads of all pages, with pages of q.Limit.
func (d *fixture) all(q panel.InboxParams) (list []panel.ThreadItem) {
	d.Helper()
	for pages := 0; ; pages++ {
		page := d.inbox(q)
		if list = append(list, page.Threads...); page.NextCursor == "" {
			return list
		}
		if q.Cursor = page.NextCursor; pages > 1000 || len(page.Threads) == 0 {
			d.Fatalf("%+v does not end", q)
		}
	}
}

// names returns one token for each thread, which finds the thread.
func (d *fixture) names() []string {
	d.Helper()
	if d.c.Names != nil {
		return d.c.Names
	}
	var names []string
	for _, it := range d.all(panel.InboxParams{}) {
		if it.Name != "" {
			names = append(names, it.Name)
		}
	}
	return names
}

// first returns the ref of one thread: the newest, or the first of Names.
func (d *fixture) first() panel.Ref {
	d.Helper()
	if d.c.Names != nil {
		return *d.resolve(d.c.Names[0]).Thread
	}
	return d.inbox(panel.InboxParams{}).Threads[0].Ref
}

func (d *fixture) thread(q panel.ThreadParams) panel.ThreadPage {
	d.Helper()
	page, err := d.Thread(d.Context(), q)
	if err != nil {
		d.Fatalf("%+v: %v", q, err)
	}
	return page
}

func (d *fixture) resolve(token string) panel.ResolvedLink {
	d.Helper()
	links, err := d.Resolve(d.Context(), []string{token})
	if err != nil || len(links) != 1 {
		d.Fatalf("%q: %+v, %v", token, links, err)
	}
	return links[0]
}

func (d *fixture) locate(token string) panel.ResolvedLink {
	d.Helper()
	found, err := d.Locate(d.Context(), []string{token})
	if err != nil || len(found) != 1 {
		d.Fatalf("%q: %+v, %v", token, found, err)
	}
	return found[0]
}
