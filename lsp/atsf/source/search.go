package source

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/needle"
	"github.com/signalbox-dev/signalbox/core/query"
	atsfstore "github.com/signalbox-dev/signalbox/lsp/atsf"
	"github.com/signalbox-dev/signalbox/lsp/atsf/turns"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// Searches returns one search of all folders.
func (v *view) Searches(q *query.Query, limit int) []panel.Search {
	if q.Suspicious() {
		return nil // no message of an agent's thread is suspicious
	}
	return []panel.Search{v.search(q, limit, turns.SearchBudget).Panel("atsf")}
}

func (v *view) search(q *query.Query, limit int, budget int64) *turns.Search {
	return v.Search(turns.Search{Query: q, Limit: limit, Budget: budget, Indexing: !v.Ready, Trust: ownLog, Gone: unavailable})
}

// unavailable reports whether a thread is gone or cannot be read; its page shows why.
func unavailable(err error) bool {
	var fault *canon.Fault
	return errors.Is(err, atsfstore.ErrNotFound) || errors.Is(err, atsfstore.ErrRewritten) || errors.As(err, &fault)
}

// conversation is a thread that is searched.
type conversation struct {
	view *view
	it   *atsfstore.Item
}

func (c conversation) Head() panel.Head {
	return panel.Head{At: panel.AtMillis(c.it.Updated), Name: c.it.Name, Store: c.it.Folder}
}

func (c conversation) Ref() panel.Ref { return threadRef(c.it) }

func (c conversation) Line(cursor string) panel.Ref {
	return mail.MessageRef(mail.ATSF, c.it.Folder, c.it.Name, cursor)
}

func (c conversation) Group() string { return c.it.Folder }

func (c conversation) Title() string { return title(c.it) }

func (c conversation) Names() []string { return []string{c.it.Name, c.it.Thread.ID} }

func (c conversation) Places() []string {
	f, _ := c.view.Folder(c.it.Folder)
	return []string{f.Branch, filepath.Base(f.Path), f.ID, agent(c.it)}
}

func (c conversation) Clients() []string {
	return []string{c.it.Thread.Agent.Name, c.it.Thread.Agent.ID}
}

func (c conversation) Speaker(m *atsf.Message) []string {
	if m == nil {
		return []string{agent(c.it)}
	}
	return []string{speaker(c.it, m)}
}

func (c conversation) Read(ctx context.Context, from, most int64, words []needle.Needle, found func(*atsfstore.Hit) bool) (next, read int64, err error) {
	may := func(raw []byte) bool {
		return !slices.ContainsFunc(words, func(w needle.Needle) bool { return !w.MayBeIn(raw) })
	}
	next, read, err = c.view.files.Search(ctx, c.it, from, most, may, func(s *atsfstore.Hit) { found(s) })
	if err != nil && !unavailable(err) {
		err = turns.Threads.Failure(err, "search")
	}
	return next, read, err
}

func (c conversation) Root() string {
	f, _ := c.view.Folder(c.it.Folder)
	return f.Path
}

func (c conversation) Folder() string { return c.Root() }

func (c conversation) Size() int64 {
	if folder, file, ok := c.view.file(c.it, atsf.MessagesName); ok {
		if info, err := os.Lstat(filepath.Join(folder, filepath.FromSlash(file))); err == nil {
			return info.Size()
		}
	}
	return 0
}

func (c conversation) Newest(ctx context.Context, most int, each func(string, int64, *atsf.Message)) error {
	page, err := c.view.Page(ctx, atsfstore.Key{Folder: c.it.Folder, Name: c.it.Name}, atsfstore.Query{Limit: most})
	for i := range page.Entries {
		if e := &page.Entries[i]; e.Fault == nil {
			each(e.Cursor, e.Number, &e.Message)
		}
	}
	return err
}

func (c conversation) Updated() int64 { return c.it.Updated }

func (c conversation) Texts() []string {
	t := &c.it.Thread
	return []string{t.Title, c.it.Name, t.ID, t.Agent.Name, t.Agent.ID, t.Context.GitBranch}
}

func (c conversation) Nested() bool { return false }

func (c conversation) Item() panel.ThreadItem { return c.view.threadItem(c.it) }
